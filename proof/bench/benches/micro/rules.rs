//! Deciding and applying answers, as owner and edges do for each answer.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use quizhall_rules::{Actor, AnswerText, Change, Command, CommandId, Event, Moment, Origin, State, decide};

use crate::games::{BATCH, Games};

/// An answer as it reaches the owner.
type Given = (Actor, Option<CommandId>, Command);

pub fn benchmarks(criterion: &mut Criterion, games: &Games) {
    let (state, batch) = games.asking();
    let mut group = criterion.benchmark_group("rules");
    let given = |is_it: fn(&Change) -> bool| {
        let event = batch.iter().find(|event| is_it(&event.change)).expect("answers of all kinds come in");
        command_of(event)
    };
    let answers = [
        ("right", given(|change| matches!(change, Change::Answered { correct: true, .. }))),
        ("nearly right", given(|change| matches!(change, Change::Answered { near_miss: true, .. }))),
        ("wrong", given(|change| matches!(change, Change::Answered { correct: false, near_miss: false, .. }))),
    ];
    for (name, answer) in answers {
        group.bench_function(format!("decide and apply an answer, {name}"), |bencher| {
            let decided = |state: &mut State| decide_and_apply(state, black_box(&answer));
            bencher.iter_batched_ref(|| state.clone(), decided, BatchSize::LargeInput);
        });
    }
    group.throughput(Throughput::Elements(BATCH as u64));
    group.bench_function(format!("apply {BATCH} answers"), |bencher| {
        let apply = |state: &mut State| black_box(batch).iter().for_each(|event| state.apply(event));
        bencher.iter_batched_ref(|| state.clone(), apply, BatchSize::LargeInput);
    });
    group.finish();
}

fn decide_and_apply(state: &mut State, (actor, command_id, command): &Given) -> Event {
    let origin = Origin { actor: *actor, command_id: *command_id, at: Moment::default() };
    let event = decide(state, origin, command).expect("the answer is accepted").expect("it changes something");
    state.apply(&event);
    event
}

fn command_of(event: &Event) -> Given {
    let Change::Answered { player, question, answer, .. } = &event.change else { panic!("not an answer") };
    let answer = AnswerText::parse(answer).expect("it was accepted once");
    (Actor::Player(*player), event.command_id, Command::SubmitAnswer { question: *question, answer, elapsed: None })
}
