//! Codes of games and of their teams: six symbols, or four, that cannot be mistaken for one another, drawn at random (promise 30).

use quizhall_rules::TeamCode;
use rand::RngExt as _;

/// No 0 and O, no 1, I and L.
const ALPHABET: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/// Symbols of a code: 31^6 is 8.9·10⁸ codes.
pub const LENGTH: usize = 6;

/// Bytes of what people type for a code; more is not looked at.
pub const LONGEST: usize = 64;

/// A fresh code; whether a game holds it already is for the store to say.
pub fn random_code() -> String {
    random(LENGTH)
}

/// The code as games hold it: upper case, without the spaces and hyphens people put in. `None` when it cannot be one.
pub fn tidy_code(typed: &str) -> Option<String> {
    tidy(typed, LENGTH)
}

/// A fresh code of a team, from the same symbols; whether a team of the game holds it already is for the game to decide.
pub fn random_team_code() -> TeamCode {
    TeamCode::parse(&random(TeamCode::LENGTH)).expect("the symbols are ASCII, and as many as asked for")
}

/// The code as teams hold it; `None` when it cannot be one.
pub fn tidy_team_code(typed: &str) -> Option<TeamCode> {
    TeamCode::parse(&tidy(typed, TeamCode::LENGTH)?)
}

/// A code with so many symbols as a regular expression, as the service shows it.
pub fn code_pattern(length: usize) -> String {
    format!("^[{}]{{{length}}}$", symbols())
}

/// The same as people may type it: in any case, with spaces and hyphens.
pub fn typed_pattern(length: usize) -> String {
    let symbols = symbols();
    format!("^[ -]*([{symbols}{}][ -]*){{{length}}}$", symbols.to_ascii_lowercase())
}

fn symbols() -> &'static str {
    str::from_utf8(ALPHABET).expect("the symbols are ASCII")
}

fn random(length: usize) -> String {
    let mut rng = rand::rng();
    (0..length).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect()
}

fn tidy(typed: &str, length: usize) -> Option<String> {
    if typed.len() > LONGEST {
        return None;
    }
    let code: String = typed.trim().chars().filter(|symbol| !matches!(symbol, ' ' | '-')).collect();
    let code = code.to_ascii_uppercase();
    let fits = code.len() == length && code.bytes().all(|symbol| ALPHABET.contains(&symbol));
    fits.then_some(code)
}

#[cfg(test)]
mod tests;
