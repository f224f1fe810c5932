//! What corrections would do in a big game: the copy of its state, and the corrections that are carried out on it.

use std::hint::black_box;

use criterion::{BatchSize, Criterion};
use quizhall_rules::{Change, Event, Named, State, Supposed, what_if};

use crate::game::FixedGame;

/// Players of the game; it has 10 questions, and the scores of the last round are out.
const PLAYERS: usize = 10_000;
/// Corrections of the second measurement: as many as a request may have.
const MOST: usize = 20;

pub fn benchmarks(criterion: &mut Criterion) {
    let state = scored();
    let (one, most) = (corrections(&state, 1), corrections(&state, MOST));
    let outcome = what_if(state.clone(), &one).expect("the questions are scored");
    assert!(outcome.changes().next().is_some(), "the correction changes something");

    let mut group = criterion.benchmark_group(format!("what if, {PLAYERS} players and 10 questions"));
    group.sample_size(20);
    group.bench_function("copy the state", |bencher| bencher.iter_with_large_drop(|| black_box(&state).clone()));
    for (name, supposed) in [("one correction", one), ("20 corrections", most)] {
        group.bench_function(name, |bencher| {
            let ask = |copy: State| what_if(copy, black_box(&supposed));
            bencher.iter_batched(|| state.clone(), ask, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// The game when its last scores are out.
fn scored() -> State {
    let played = FixedGame::of(PLAYERS).play();
    let events: Vec<Event> = played.log().iter().flat_map(|row| row.read().events).collect();
    let is_release = |event: &Event| matches!(event.change, Change::ScoresReleased { .. });
    let last = events.iter().rposition(is_release).expect("scores are released");
    State::replay(&events[..=last]).expect("the log is a game's")
}

/// Corrections of the questions in turn: all answers of the first thousand players, right and wrong by turns.
fn corrections(state: &State, count: usize) -> Vec<Supposed> {
    let mut questions: Vec<_> = state.all_answers().map(|past| past.question.id).collect();
    questions.dedup();
    let players: Vec<_> = state.players().take(1_000).map(|player| player.id).collect();
    let asked = questions.iter().cycle().zip(0..count);
    let mark = |(question, at): (&_, usize)| {
        let named = Named::Players(players.clone());
        Supposed::Mark { question: *question, named, correct: (at / questions.len()).is_multiple_of(2), half: false }
    };
    asked.map(mark).collect()
}
