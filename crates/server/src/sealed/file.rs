//! The file of a proof: JSON with a line for each question, round, player, event and board, so that people can read it and compare two
//! files. Its last line has the digest of everything before it.

use std::borrow::Borrow;

use quizhall_protocol::http::proof::Proof;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// What follows the digest.
const END: &str = "\"\n}\n";
/// What precedes it.
const DIGEST: &str = "\"digest\":\"";
/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// Bytes of a piece, at least; the last one has what is left.
const PIECE: usize = 64 * 1024;

/// The bytes of the file. The digest of the proof is computed here.
///
/// # Errors
/// Never for a proof: it has texts and whole or finite numbers only.
pub fn write(proof: &Proof) -> serde_json::Result<Vec<u8>> {
    Pieces::of(proof).try_fold(Vec::new(), |mut file, piece| {
        file.extend(piece?);
        Ok(file)
    })
}

/// The file in pieces, each written when it is asked for, so that a big file is never in memory as a whole.
pub struct Pieces<P> {
    proof: P,
    part: Part,
    /// Lines of the part that are written.
    lines: usize,
    digest: Sha256,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Part {
    Head,
    Questions,
    Rounds,
    Players,
    Events,
    Boards,
    Digest,
    Nothing,
}

impl<P: Borrow<Proof>> Pieces<P> {
    /// The pieces of this proof.
    pub fn of(proof: P) -> Self {
        Self { proof, part: Part::Head, lines: 0, digest: Sha256::new() }
    }

    fn piece(&mut self) -> serde_json::Result<Vec<u8>> {
        let mut piece = Vec::with_capacity(PIECE + PIECE / 8);
        while piece.len() < PIECE && self.part < Part::Digest {
            self.step(&mut piece)?;
        }
        self.digest.update(&piece);
        if self.part == Part::Digest {
            let digest = hex::encode(self.digest.finalize_reset());
            piece.extend(format!("{DIGEST}{digest}{END}").bytes());
            self.part = Part::Nothing;
        }
        Ok(piece)
    }

    /// Writes the head, or the next line of a list.
    fn step(&mut self, piece: &mut Vec<u8>) -> serde_json::Result<()> {
        let Proof { questions, rounds, players, events, boards, .. } = self.proof.borrow();
        let at = self.lines;
        let (is_over, next) = match self.part {
            Part::Head => (head(piece, self.proof.borrow())?, Part::Questions),
            Part::Questions => (line(piece, "questions", (questions, at))?, Part::Rounds),
            Part::Rounds => (line(piece, "rounds", (rounds, at))?, Part::Players),
            Part::Players => (line(piece, "players", (players, at))?, Part::Events),
            Part::Events => (line(piece, "events", (events, at))?, Part::Boards),
            Part::Boards => (line(piece, "boards", (boards, at))?, Part::Digest),
            Part::Digest | Part::Nothing => return Ok(()),
        };
        (self.part, self.lines) = if is_over { (next, 0) } else { (self.part, at + 1) };
        Ok(())
    }
}

impl<P: Borrow<Proof>> Iterator for Pieces<P> {
    type Item = serde_json::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.part != Part::Nothing).then(|| self.piece())
    }
}

/// Writes everything before the lists, which is then over.
fn head(piece: &mut Vec<u8>, proof: &Proof) -> serde_json::Result<bool> {
    let Proof { format, game_code, created_at, ended_at, seal, .. } = proof;
    piece.extend(b"{\n");
    for (name, value) in
        [("format", format), ("gameCode", game_code), ("createdAt", created_at), ("endedAt", ended_at), ("seal", seal)]
    {
        piece.extend(format!("\"{name}\":{},\n", serde_json::to_string(value)?).bytes());
    }
    Ok(true)
}

/// Writes this line of a list, or its end; says whether it is over.
fn line(piece: &mut Vec<u8>, name: &str, (lines, at): (&[impl Serialize], usize)) -> serde_json::Result<bool> {
    if at == 0 {
        piece.extend(format!("\"{name}\":[").bytes());
    }
    let Some(line) = lines.get(at) else {
        piece.extend(b"\n],\n");
        return Ok(true);
    };
    piece.extend(if at == 0 { b"\n".iter() } else { b",\n".iter() });
    serde_json::to_writer(piece, line)?;
    Ok(false)
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
