//! Codes of games and of their teams: six symbols, or four, that cannot be mistaken for one another, drawn at random
//! (promise 30).

use quizhall_rules::TeamCode;
use rand::RngExt as _;

/// No 0 and O, no 1, I and L.
const ALPHABET: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/// Symbols of a code: 31^6 is 8.9·10⁸ codes.
pub const LENGTH: usize = 6;

/// Most bytes of a typed code; a longer text is not read.
pub const LONGEST: usize = 64;

/// A fresh code; the store decides whether a game already has it.
pub fn random_code() -> String {
    random(LENGTH)
}

/// The code as games store it: upper case, without the spaces and hyphens that people type. `None` when it cannot be a
/// code.
pub fn tidy_code(typed: &str) -> Option<String> {
    tidy(typed, LENGTH)
}

/// A fresh code of a team, from the same symbols; the game decides whether one of its teams already has it.
pub fn random_team_code() -> TeamCode {
    TeamCode::parse(&random(TeamCode::LENGTH)).expect("the symbols are ASCII, and as many as asked for")
}

/// The code as teams store it; `None` when it cannot be a code.
pub fn tidy_team_code(typed: &str) -> Option<TeamCode> {
    TeamCode::parse(&tidy(typed, TeamCode::LENGTH)?)
}

/// A regular expression for codes with this number of symbols, as the service shows them.
pub fn code_pattern(length: usize) -> String {
    format!("^[{}]{{{length}}}$", symbols())
}

/// The same for codes as people may type them: in any case, with spaces and hyphens.
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
