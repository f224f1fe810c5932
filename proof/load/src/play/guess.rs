//! What people answer who do not know the key: a choice they like, a number that sounds right, a word that comes to mind.

use quizhall_protocol::shapes::Question;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng, RngExt as _};

const WORDS: [&str; 24] = [
    "No idea",
    "Blue",
    "Green",
    "The moon",
    "Seven",
    "Copper",
    "A violin",
    "Butterflies",
    "The Nile",
    "Canberra",
    "Gold",
    "An owl",
    "Thursday",
    "Carbon dioxide",
    "Peru",
    "Chess",
    "A lighthouse",
    "Pumpkin",
    "Danube",
    "The second one",
    "I knew this yesterday",
    "Saturn",
    "Tea",
    "pass",
];

/// An answer to the question; types that are not known are answered like `text`.
pub fn guess(question: &Question, chance: &mut impl Rng) -> String {
    match (&question.choices, question.kind.or_text()) {
        (Some(choices), kind) if kind.is_of_several_choices() => {
            let mut named = choices.clone();
            named.shuffle(chance);
            named.join("\n")
        }
        (Some(choices), _) if !choices.is_empty() => choices.choose(chance).cloned().unwrap_or_default(),
        (_, kind) if kind.is_number() => number(chance),
        _ => {
            let word = WORDS.choose(chance).copied().unwrap_or("pass");
            match chance.random_range(0..6) {
                0 => word.to_lowercase(),
                1 => format!("{word}?"),
                _ => word.to_owned(),
            }
        }
    }
}

/// Small counts, years, and round thousands, as people guess them.
fn number(chance: &mut impl Rng) -> String {
    match chance.random_range(0..4) {
        0 => chance.random_range(1..=20).to_string(),
        1 => chance.random_range(20..=250).to_string(),
        2 => chance.random_range(1_500..=2_030).to_string(),
        _ => (chance.random_range(1..=400) * 1_000).to_string(),
    }
}
