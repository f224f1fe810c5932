//! The file of a proof: JSON with a line for each question, round, player, event and board, so that people can read it and compare two
//! files. Its last line has the digest of everything before it.

use quizhall_protocol::http::proof::Proof;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What follows the digest.
const END: &str = "\"\n}\n";
/// What precedes it.
const DIGEST: &str = "\"digest\":\"";
/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// The bytes of the file. The digest of the proof is computed here.
///
/// # Errors
/// Never for a proof: it has texts and whole or finite numbers only.
pub fn write(proof: &Proof) -> serde_json::Result<Vec<u8>> {
    let Proof { format, game_code, created_at, ended_at, seal, questions, rounds, players, events, boards, digest: _ } =
        proof;
    let mut file = b"{\n".to_vec();
    for (name, value) in
        [("format", format), ("gameCode", game_code), ("createdAt", created_at), ("endedAt", ended_at), ("seal", seal)]
    {
        file.extend(format!("\"{name}\":{},\n", serde_json::to_string(value)?).bytes());
    }
    list(&mut file, "questions", questions)?;
    list(&mut file, "rounds", rounds)?;
    list(&mut file, "players", players)?;
    list(&mut file, "events", events)?;
    list(&mut file, "boards", boards)?;
    let digest = hex::encode(Sha256::digest(&file));
    file.extend(format!("{DIGEST}{digest}{END}").bytes());
    Ok(file)
}

fn list(file: &mut Vec<u8>, name: &str, lines: &[impl Serialize]) -> serde_json::Result<()> {
    file.extend(format!("\"{name}\":[").bytes());
    for (at, line) in lines.iter().enumerate() {
        file.extend(if at == 0 { b"\n".iter() } else { b",\n".iter() });
        serde_json::to_writer(&mut *file, line)?;
    }
    file.extend(b"\n],\n");
    Ok(())
}

/// The proof in a file whose bytes have their digest.
///
/// # Errors
/// What is wrong with the file, in a sentence.
pub fn read(file: &[u8]) -> Result<Proof, String> {
    let digits = file.strip_suffix(END.as_bytes()).and_then(|rest| rest.split_last_chunk::<DIGITS>());
    let before = digits.and_then(|(rest, digits)| Some((rest.strip_suffix(DIGEST.as_bytes())?, digits)));
    let (before, digest) = before.ok_or("The file does not end with its digest.")?;
    if hex::encode(Sha256::digest(before)).as_bytes() != digest {
        return Err("The bytes of the file do not have its digest.".to_owned());
    }
    serde_json::from_slice(file).map_err(|error| format!("The file is no proof: {error}."))
}
