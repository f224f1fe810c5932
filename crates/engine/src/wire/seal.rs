//! The seal of a quiz, and what proves it: salts, leaves, and the refs of players (docs/sealed.md).
//!
//! Called by the server when it creates a game and writes a proof, and by `sections`. Salts follow from the secret of the game, so
//! they are stored nowhere. They leave the server only with the proof of a game that has ended.

use hmac::{Hmac, KeyInit as _, Mac as _};
use quizhall_protocol::http::quizzes::QuestionBody;
use quizhall_rules::{PlayerId, Question, QuestionId, Quiz, Seal, SealHash};
use sha2::{Digest as _, Sha256};

use super::canonical::canonical;

/// What every hash of a seal begins with.
const SEAL: &[u8] = b"quizhall-seal-1";

/// The purposes of salts. Each purpose of a game's secret ends in a zero byte, so none is the beginning of another, and what is
/// derived for a salt is no token.
const OF_QUESTION: &[u8] = b"quizhall salt of question\0";
const OF_PLAYER: &[u8] = b"quizhall salt of player\0";

/// How often a quiz is read to find the form that stays.
const MOST_READINGS: usize = 8;
/// The decimals of a margin that no number of readings makes stay.
const DECIMALS: usize = 9;

/// The secret part of a leaf, without which a key of two choices could be guessed.
pub type Salt = [u8; 16];

/// The seal of a quiz under the secret of its game.
pub fn sealed(secret: &[u8; 32], quiz: &Quiz) -> Seal {
    let questions = quiz.rounds.iter().flat_map(|round| &round.questions);
    let leaf_of = |question: &Question| leaf(&salt_of(secret, question.id), &sealed_question(question));
    let leaves: Vec<SealHash> = questions.map(leaf_of).collect();
    Seal { seal: seal_of(&leaves), leaves }
}

/// The quiz as every reading of the log gives it again. Reading a decimal with more than fifteen digits can miss its last one, so a
/// margin is written and read until it stays, or gets fewer digits.
pub fn settled(mut quiz: Quiz) -> Quiz {
    for question in quiz.rounds.iter_mut().flat_map(|round| &mut round.questions) {
        question.tolerance = settled_margin(question.tolerance);
    }
    quiz
}

fn settled_margin(margin: f64) -> f64 {
    let read = |margin: f64| {
        serde_json::to_string(&margin).ok().and_then(|text| serde_json::from_str::<f64>(&text).ok()).unwrap_or(margin)
    };
    let mut settled = margin;
    for _ in 0..MOST_READINGS {
        let again = read(settled);
        if again.to_bits() == settled.to_bits() {
            return settled;
        }
        settled = again;
    }
    let shorter = (0..=DECIMALS).rev().filter_map(|decimals| format!("{margin:.decimals$e}").parse::<f64>().ok());
    shorter.into_iter().find(|margin| read(*margin).to_bits() == margin.to_bits()).unwrap_or(0.0)
}

/// The hash of a question with its salt.
pub fn leaf(salt: &Salt, question: &QuestionBody) -> SealHash {
    hash(&[SEAL, salt, &canonical(question)])
}

/// The hash of all leaves in the order of the quiz.
pub fn seal_of(leaves: &[SealHash]) -> SealHash {
    let parts: Vec<&[u8]> = std::iter::once(SEAL).chain(leaves.iter().map(|leaf| &leaf.0[..])).collect();
    hash(&parts)
}

/// The part of a question that is sealed: what is asked, and what is right.
pub fn sealed_question(question: &Question) -> QuestionBody {
    QuestionBody { media: None, tags: Vec::new(), explanation: None, host_note: None, ..question.into() }
}

/// The salt of a question.
pub fn salt_of(secret: &[u8; 32], question: QuestionId) -> Salt {
    derived(secret, OF_QUESTION, question.uuid().as_bytes())
}

/// How a proof names a player. It stays when the player is erased, and only the service knows whose it is.
pub fn player_ref(secret: &[u8; 32], player: PlayerId) -> SealHash {
    let salt = derived(secret, OF_PLAYER, player.uuid().as_bytes());
    hash(&[&salt, player.uuid().to_string().as_bytes()])
}

fn derived(secret: &[u8; 32], purpose: &[u8], id: &[u8; 16]) -> Salt {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(purpose);
    mac.update(id);
    let whole = mac.finalize().into_bytes();
    std::array::from_fn(|at| whole[at])
}

fn hash(parts: &[&[u8]]) -> SealHash {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    SealHash(digest.finalize().into())
}
