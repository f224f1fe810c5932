//! The check of a proof: everything that follows from the questions and the events is computed again and compared with what the
//! file says. It trusts neither the file nor the state of a game: points and boards are computed here by `docs/sealed.md`.

mod answers;
mod course;
mod marks;
mod points;
mod report;

use quizhall_engine::wire::seal::{Salt, leaf, seal_of};
use quizhall_protocol::http::proof::{PROOF_FORMAT, Proof, ProofEvent, SealedQuestion};
use quizhall_rules::SealHash;

use course::Course;

/// The fewest digits of a seal by which it can be compared: as many as the lobby shows.
const LEAST_DIGITS: usize = 12;

/// What the check of a file has found.
#[derive(Debug)]
pub struct Checked {
    /// What the host decided otherwise than the key, and what else a reader should know; a sentence each.
    pub decided: Vec<String>,
}

/// Checks a proof, and its seal against the one that was shown before the game, or its first digits.
///
/// # Errors
/// The first disagreement, in a sentence.
pub fn check(proof: &Proof, seal: Option<&str>) -> Result<Checked, String> {
    if proof.format != PROOF_FORMAT {
        return Err(format!("The format is not {PROOF_FORMAT}."));
    }
    check_seal(proof, seal)?;
    let mut course = Course::new(proof)?;
    let mut boards = proof.boards.iter();
    for (expected, ProofEvent { n, what }) in (1..).zip(&proof.events) {
        if *n != expected {
            return Err(format!("Event {expected} is missing or not in its place."));
        }
        let says = |what: String| format!("Event {n}: {what}");
        course.take(what).map_err(says)?;
        if let Some(entries) = course.board_after(what) {
            let board = boards.next().filter(|board| board.event == *n);
            let board = board.ok_or_else(|| says("its board is missing.".to_owned()))?;
            points::compare(&entries, &board.entries).map_err(says)?;
        }
    }
    if boards.next().is_some() {
        return Err("There is a board that no event has brought.".to_owned());
    }
    course.finish()?;
    Ok(Checked { decided: report::of(&course) })
}

fn check_seal(proof: &Proof, seal: Option<&str>) -> Result<(), String> {
    let mut leaves = Vec::with_capacity(proof.questions.len());
    for (number, SealedQuestion { salt, question }) in (1..).zip(&proof.questions) {
        let salt = salt_in(salt).ok_or_else(|| format!("Question {number}: its salt is not 16 bytes."))?;
        leaves.push(leaf(&salt, question));
    }
    let computed: SealHash = seal_of(&leaves);
    if computed.to_string() != proof.seal {
        return Err("The questions do not have the seal of the file.".to_owned());
    }
    let Some(shown) = seal else { return Ok(()) };
    let digits: String = shown.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    if digits.len() < LEAST_DIGITS || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err("The seal to compare with needs at least 12 hexadecimal digits.".to_owned());
    }
    if proof.seal.starts_with(&digits) { Ok(()) } else { Err("The file has another seal.".to_owned()) }
}

/// The salt with these lower-case digits.
fn salt_in(digits: &str) -> Option<Salt> {
    let salt: Salt = hex::decode(digits).ok()?.try_into().ok()?;
    (hex::encode(salt) == digits).then_some(salt)
}
