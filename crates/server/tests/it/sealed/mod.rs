//! Sealed quizzes: the proofs of random games, checked by the command and by the program of the documents; files that someone has
//! changed; and that nothing of a seal leaves the server before the end.

mod changed;
mod http;
mod random;
mod strange;

use std::io::Write as _;
use std::process::{Command, Stdio};

use quizhall::sealed::{Asked, check, proof, read, write};
use quizhall_protocol::http::proof::{Proof, ProofChange};
use quizhall_rules::{Change, Erasure, Event, erase};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The file of a game.
pub fn file_of(events: &[Event]) -> Vec<u8> {
    let proof =
        proof(events, Asked { ended_at_ms: 1_700_000_000_000, names: false }).expect("a sealed game that has ended");
    write(&proof).unwrap()
}

/// What the command finds.
pub fn found(file: &[u8]) -> Result<Vec<String>, String> {
    read(file).and_then(|proof| check(&proof, None)).map(|checked| checked.decided)
}

/// How many there are: a small number, or that of the environment.
pub fn number(name: &str, few: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// What the program of the documents says to a file: whether it agrees, and its last line.
fn said_by_python(file: &[u8]) -> (bool, String) {
    let mut folder = tempfile::NamedTempFile::new().unwrap();
    folder.write_all(file).unwrap();
    let mut python = Command::new("python3");
    python.arg("docs/examples/verify.py").arg(folder.path()).current_dir(ROOT).stdin(Stdio::null());
    let output = python.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text.lines().last().unwrap_or_default().to_owned())
}

#[test]
fn both_verifiers_agree_with_random_games() {
    for seed in 0..number("PROOF_GAMES", 16) {
        let file = file_of(&random::game(seed));
        let found = found(&file);
        assert!(found.is_ok(), "QUIZHALL_SEED={seed}: {found:?}");
        let (agrees, said) = said_by_python(&file);
        assert!(agrees, "QUIZHALL_SEED={seed}: {said}");
    }
}

/// Random games have every kind of event, or the test above shows less than it says.
#[test]
fn random_games_do_everything_that_a_proof_can_say() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..60 {
        for event in read(&file_of(&random::game(seed))).unwrap().events {
            kinds.insert(serde_json::to_value(&event).unwrap()["kind"].as_str().unwrap().to_owned());
        }
    }
    let all = [
        "adjustment_undone",
        "answer_entered",
        "answer_overridden",
        "answered",
        "answers_marked",
        "appeal_dismissed",
        "appealed",
        "ended",
        "joined",
        "joker_played",
        "key_changed",
        "left",
        "marking_undone",
        "marks_corrected",
        "player_removed",
        "player_renamed",
        "points_adjusted",
        "question_edited",
        "question_released",
        "question_withdrawn",
        "returned",
        "round_ended",
        "round_started",
        "scores_released",
        "seat_added",
        "tie_break_answered",
        "tie_break_ended",
        "tie_break_started",
    ];
    let missing: Vec<_> = all.iter().filter(|kind| !kinds.contains(**kind)).collect();
    assert!(missing.is_empty(), "never: {missing:?}");
}

#[test]
fn an_erased_player_keeps_the_ref_and_the_board_stays() {
    for seed in 0..number("PROOF_GAMES", 16) {
        let mut events = random::game(seed);
        let before: Proof = read(&file_of(&events)).unwrap();
        let joined = events.iter().filter_map(|event| match &event.change {
            Change::Joined { player, .. } => Some(*player),
            _ => None,
        });
        let player = joined.clone().next().unwrap();
        erase(&mut events, Erasure { player, answers: true }).unwrap();
        let file = file_of(&events);
        let after: Proof = read(&file).unwrap();
        let refs = |proof: &Proof| proof.players.iter().map(|player| player.of_player.clone()).collect::<Vec<_>>();
        assert_eq!(refs(&before), refs(&after));
        assert!(after.players.iter().any(|player| player.erased));
        let number = after.players.iter().position(|player| player.erased).unwrap() + 1;
        for event in &after.events {
            if let ProofChange::Answered(answer) = &event.what {
                assert!(
                    answer.player as usize != number || answer.text.is_none(),
                    "QUIZHALL_SEED={seed}: a text of an erased player"
                );
            }
        }
        assert!(found(&file).is_ok(), "QUIZHALL_SEED={seed}: {:?}", found(&file));
        assert!(said_by_python(&file).0, "QUIZHALL_SEED={seed}: {}", said_by_python(&file).1);
    }
}

/// The rules of the reference, and of the marking in the program of the documents, are the same.
#[test]
fn the_program_of_the_documents_marks_texts_numbers_and_choices_as_the_rules_do() {
    let program = r##"
import json, re, sys
sys.path.insert(0, "docs/examples")
from canonical import canonical
from marking import mark, named, numbers
seen = lambda text: re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda code: chr(int(code[1], 16)), text)
lines = [line for line in open("crates/rules/tests/marking.tsv", encoding="utf-8").read().split("\n") if line and line[0] != "#"]
for accepted, given, verdict in (map(seen, line.split("\t")) for line in lines):
    right, near, _ = mark({"type": "text", "correctAnswers": [accepted]}, given)
    assert verdict == ("right" if right else "near" if near else "wrong"), (accepted, given)
for text, readings in json.load(open("crates/quiz/tests/numbers.json", encoding="utf-8"))["readings"]:
    assert numbers(text) == readings, text
for row in json.load(open("crates/quiz/tests/choices.json", encoding="utf-8")):
    for answer, places in row["answers"]:
        assert named(answer, row["choices"]) == places, answer
written = {0.0: "0", 50.0: "50", 1e21: "1e+21", 1e-7: "1e-7", 1e-6: "0.000001", 1.25e-7: "1.25e-7", 5e-324: "5e-324", 4.50: "4.5"}
assert all(canonical(number) == text for number, text in written.items())
"##;
    let output = Command::new("python3").args(["-c", program]).current_dir(ROOT).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
