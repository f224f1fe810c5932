//! The seal of a quiz: the canonical form of a question, and that no secret of a game can be guessed from what is public.

use std::collections::HashSet;

use quizhall_engine::wire::seal::{leaf, player_ref, salt_of, seal_of, sealed, sealed_question, settled};
use quizhall_rules::{PlayerId, Question, QuestionId, QuestionKind, Quiz, Round};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

const SECRET: [u8; 32] = [7; 32];

fn question(number: u128, accepted: &str) -> Question {
    let text = "Größe – \"?\"\n\\\u{1f}";
    Question::new(QuestionId::from(Uuid::from_u128(number)), QuestionKind::Numeric, text, &[accepted])
}

fn quiz() -> Quiz {
    let rounds =
        vec![Round::new("One", vec![question(1, "1"), question(2, "2")]), Round::new("Two", vec![question(3, "3")])];
    Quiz { title: "Sealed".to_owned(), rounds }
}

/// Written by hand: this is what a verifier of others computes.
#[test]
fn a_leaf_is_the_hash_of_the_canonical_question() {
    let mut asked = Question { tolerance: 1e21, time_limit: Some(20), points: 5, ..question(1, "1,5") };
    (asked.tags, asked.explanation, asked.host_note) =
        (vec!["a".to_owned()], Some("b".to_owned()), Some("c".to_owned()));
    let canonical = "{\"correctAnswers\":[\"1,5\"],\"id\":\"00000000-0000-0000-0000-000000000001\",\"points\":5,\
                     \"text\":\"Größe – \\\"?\\\"\\n\\\\\\u001f\",\"timeLimit\":20,\"tolerance\":1e+21,\"type\":\"numeric\"}";
    let salt = *b"sixteen bytes...";
    let by_hand = Sha256::new().chain_update(b"quizhall-seal-1").chain_update(salt).chain_update(canonical).finalize();
    assert_eq!(leaf(&salt, &sealed_question(&asked)).to_string(), hex::encode(by_hand));
    for (tolerance, written) in
        [(0.0, "0"), (0.5, "0.5"), (1e-7, "1e-7"), (1e-6, "0.000001"), (123_456.75, "123456.75")]
    {
        let asked = Question { tolerance, ..question(1, "1") };
        let canonical = format!(
            "{{\"correctAnswers\":[\"1\"],\"id\":\"00000000-0000-0000-0000-000000000001\",\"points\":1000,\
             \"text\":\"Größe – \\\"?\\\"\\n\\\\\\u001f\",\"tolerance\":{written},\"type\":\"numeric\"}}"
        );
        let by_hand =
            Sha256::new().chain_update(b"quizhall-seal-1").chain_update(salt).chain_update(canonical).finalize();
        assert_eq!(leaf(&salt, &sealed_question(&asked)).to_string(), hex::encode(by_hand), "{written}");
    }
}

/// Otherwise the leaf of a question that was read again would be another.
#[test]
fn a_settled_quiz_stays_the_same_when_it_is_read() {
    let mut dice = StdRng::seed_from_u64(8785);
    for _ in 0..5_000 {
        let mut quiz = quiz();
        quiz.rounds[0].questions[0].tolerance = dice.random::<f64>() * 10_f64.powi(dice.random_range(-20..20));
        let quiz = settled(quiz);
        let read: Quiz = serde_json::from_str(&serde_json::to_string(&quiz).unwrap()).unwrap();
        assert!(read == quiz);
    }
}

#[test]
fn the_seal_is_the_hash_of_all_leaves_in_order() {
    let seal = sealed(&SECRET, &quiz());
    assert_eq!(seal.leaves.len(), 3);
    let mut hash = Sha256::new().chain_update(b"quizhall-seal-1");
    for leaf in &seal.leaves {
        hash.update(leaf.0);
    }
    assert_eq!(seal.seal.to_string(), hex::encode(hash.finalize()));
    let swapped: Vec<_> = seal.leaves.iter().rev().copied().collect();
    assert_ne!(seal_of(&swapped), seal.seal);
    let mut other = quiz();
    other.rounds[1].questions[0].accepted = vec!["4".to_owned()];
    assert_ne!(sealed(&SECRET, &other).seal, seal.seal, "another key");
}

/// Salts and refs of all questions and players differ, and those of another game as well.
#[test]
fn no_salt_is_another_or_the_secret() {
    let mut seen = HashSet::new();
    for secret in [SECRET, [8; 32]] {
        for number in 0..50 {
            let id = Uuid::from_u128(number);
            assert!(seen.insert(salt_of(&secret, QuestionId::from(id)).to_vec()));
            assert!(
                seen.insert(player_ref(&secret, PlayerId::from(id)).0.to_vec()),
                "the same id of a player and a question"
            );
        }
        assert!(!seen.contains(&secret[..]) && !seen.contains(&secret[..16]));
    }
}
