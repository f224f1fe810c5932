//! Files that someone has changed: each is refused, whether the digest was made right again or not.

use quizhall::sealed::{read, write};
use quizhall_protocol::http::proof::{Counts, Proof, ProofChange, ProofEvent, ProofMark};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::{file_of, found, number, random, said_by_python};

/// The games whose files are changed.
const GAMES: u64 = 8;

fn files() -> Vec<Vec<u8>> {
    (0..GAMES).map(|seed| file_of(&random::game(seed))).collect()
}

/// One byte, a line removed, a line twice.
#[test]
fn a_changed_file_is_refused() {
    let files = files();
    for seed in 0..number("PROOF_MUTATIONS", 100) {
        let mut dice = StdRng::seed_from_u64(seed);
        let file = &files[usize::try_from(seed % GAMES).unwrap()];
        let mut lines: Vec<Vec<u8>> = file.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let line = dice.random_range(0..lines.len());
        match dice.random_range(0..3) {
            0 => {
                let at = dice.random_range(0..lines[line].len());
                lines[line][at] ^= dice.random_range(1..=255);
            }
            1 => drop(lines.remove(line)),
            _ => lines.insert(line, lines[line].clone()),
        }
        let changed = lines.concat();
        assert!(found(&changed).is_err(), "QUIZHALL_SEED={seed}");
        // The other program takes some milliseconds to start.
        if seed % 25 == 0 {
            assert!(!said_by_python(&changed).0, "QUIZHALL_SEED={seed}");
        }
    }
}

/// A forger computes the digest again, and numbers the events. What they change has to be something that points or the seal
/// depend on: a wrong answer in place of another wrong one is not found, and docs/sealed.md says so.
#[test]
fn a_forged_file_is_refused_although_its_digest_is_right() {
    let files = files();
    let (mut forged, mut kinds) = (0, [0; 13]);
    for seed in 0..number("PROOF_MUTATIONS", 400) {
        let mut dice = StdRng::seed_from_u64(seed);
        let file = &files[usize::try_from(seed % GAMES).unwrap()];
        let mut proof: Proof = read(file).unwrap();
        let kind = dice.random_range(0..kinds.len());
        if !forge(&mut proof, kind, &mut dice) {
            continue;
        }
        let changed = write(&proof).unwrap();
        assert!(found(&changed).is_err(), "QUIZHALL_SEED={seed}, forgery {kind}");
        if seed % 50 == 0 {
            assert!(!said_by_python(&changed).0, "QUIZHALL_SEED={seed}, forgery {kind}");
        }
        forged += 1;
        kinds[kind] += 1;
    }
    assert!(forged > 0 && kinds.iter().all(|times| *times > 0), "{kinds:?}");
}

/// Whether something was there to be forged.
fn forge(proof: &mut Proof, kind: usize, dice: &mut StdRng) -> bool {
    let of = |length: usize, dice: &mut StdRng| dice.random_range(0..length);
    match kind {
        0 => {
            let at = of(proof.questions.len(), dice);
            proof.questions[at].question.correct_answers = vec!["another key".to_owned()];
        }
        1 => {
            let at = of(proof.questions.len(), dice);
            proof.questions[at].question.points = Some(12_345);
        }
        2 => {
            let at = of(proof.questions.len(), dice);
            proof.questions[at].salt = "0".repeat(32);
        }
        3 => {
            let board = of(proof.boards.len(), dice);
            let Some(entry) = proof.boards[board].entries.first_mut() else { return false };
            entry.score += 1;
        }
        4 => {
            let board = of(proof.boards.len(), dice);
            let entries = &mut proof.boards[board].entries;
            if entries.len() < 2 {
                return false;
            }
            let (first, second) = (entries[0].player, entries[1].player);
            (entries[0].player, entries[1].player) = (second, first);
            return entries[0].score != entries[1].score || entries[0].place == entries[1].place;
        }
        5 => {
            proof.boards.pop();
        }
        6 => return flip_a_mark(proof, dice),
        7 => return remove_a_right_answer(proof, dice),
        8 => {
            // The end of a round is no longer there.
            let Some(at) = proof.events.iter().position(|event| matches!(event.what, ProofChange::RoundEnded { .. }))
            else {
                return false;
            };
            proof.events.remove(at);
            for (n, event) in (1..).zip(&mut proof.events) {
                event.n = n;
            }
            proof.boards.iter_mut().for_each(|board| board.event -= u32::from(board.event as usize > at));
        }
        9 => {
            let player = proof.players[0].clone();
            proof.players.push(player);
        }
        10 => {
            let at = of(proof.events.len(), dice);
            let event = proof.events[at].clone();
            proof.events.insert(at, event);
        }
        11 => return give_more_by_hand(proof),
        _ => return add_a_mark(proof, dice),
    }
    true
}

/// Points by hand that count on a board are more.
fn give_more_by_hand(proof: &mut Proof) -> bool {
    let events = &proof.events;
    let is_undone = |by_hand: u32| {
        events
            .iter()
            .any(|event| matches!(event.what, ProofChange::AdjustmentUndone { number, .. } if number == by_hand))
    };
    let is_removed = |one: u32| {
        events.iter().any(|event| matches!(event.what, ProofChange::PlayerRemoved { player } if player == one))
    };
    let counts = |event: &ProofEvent| match event.what {
        ProofChange::PointsAdjusted { player, number, .. } => !is_undone(number) && !is_removed(player),
        _ => false,
    };
    let Some(at) = events.iter().position(counts) else { return false };
    if let ProofChange::PointsAdjusted { points, .. } = &mut proof.events[at].what {
        *points += 1_000;
    }
    true
}

/// The key marks an answer otherwise than it says.
fn flip_a_mark(proof: &mut Proof, dice: &mut StdRng) -> bool {
    let answers = proof.events.iter_mut().filter_map(|event| match &mut event.what {
        ProofChange::Answered(answer) => Some(answer),
        _ => None,
    });
    let mut answers: Vec<_> = answers.collect();
    if answers.is_empty() {
        return false;
    }
    let at = dice.random_range(0..answers.len());
    answers[at].correct = !answers[at].correct;
    true
}

/// A right answer that no one has marked is no longer there, although the boards say so.
fn remove_a_right_answer(proof: &mut Proof, dice: &mut StdRng) -> bool {
    let questions = proof.questions.clone();
    let is_paid = |question: u32| questions[question as usize - 1].question.points.is_none_or(|points| points > 0);
    let right = proof.events.iter().enumerate().filter_map(|(at, event)| match &event.what {
        ProofChange::Answered(answer) if answer.correct && is_paid(answer.question) => {
            let others = proof.events.iter().enumerate().filter(|(other, _)| *other != at);
            let (player, question) = (answer.player, answer.question);
            others.into_iter().all(|(_, event)| !concerns(&event.what, player, question)).then_some(at)
        }
        _ => None,
    });
    let right: Vec<usize> = right.collect();
    if right.is_empty() {
        return false;
    }
    let at = right[dice.random_range(0..right.len())];
    proof.events.remove(at);
    for (n, event) in (1..).zip(&mut proof.events) {
        event.n = n;
    }
    proof.boards.iter_mut().for_each(|board| board.event -= u32::from(board.event as usize > at));
    true
}

/// Whether an event can change what this answer earns.
fn concerns(what: &ProofChange, player: u32, question: u32) -> bool {
    let text = serde_json::to_string(what).unwrap();
    let is_removal = matches!(what, ProofChange::PlayerRemoved { player: removed } if *removed == player);
    let is_about =
        text.contains(&format!("\"question\":{question},")) || text.contains(&format!("\"question\":{question}}}"));
    let is_of_player =
        text.contains(&format!("\"player\":{player},")) || text.contains(&format!("\"player\":{player}}}"));
    let is_withdrawal = matches!(what, ProofChange::QuestionWithdrawn { question: other } if *other == question);
    is_removal || is_withdrawal || is_about && is_of_player
}

/// A mark of the host that changes points, although the boards stay.
fn add_a_mark(proof: &mut Proof, dice: &mut StdRng) -> bool {
    let scored = proof.events.iter().position(|event| matches!(event.what, ProofChange::ScoresReleased { .. }));
    let (Some(at), Some(entry)) = (scored, proof.boards.last().and_then(|board| board.entries.first()).copied()) else {
        return false;
    };
    let released = proof.events[..at].iter().filter_map(|event| match event.what {
        ProofChange::QuestionReleased { question } => Some(question),
        _ => None,
    });
    let released: Vec<u32> = released.collect();
    let question = released[dice.random_range(0..released.len())];
    let mark = ProofMark {
        player: entry.player,
        host: Some(Counts { correct: false, points: 777_777 }),
        ruled: None,
        gone: false,
        unlisted: false,
    };
    proof.events[at].what = ProofChange::MarksCorrected { question, marks: vec![mark] };
    true
}
