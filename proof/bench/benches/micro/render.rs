//! Frames as an edge renders them: a question, an acknowledgement, and the frames of a release of scores in a big game.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput};
use quizhall_engine::wire::{self, Boards};
use quizhall_engine::{ConnectionId, Dialect, Edge, EdgeInput, FromOwner, Head, OwnerHere, Participant, Time, ToEdge};
use quizhall_rules::PlayerId;

use crate::game::node::EDGE_OPTIONS;
use crate::games::{Games, PLAYERS};

pub fn benchmarks(criterion: &mut Criterion, games: &Games) {
    let (asking, _) = games.asking();
    let question = asking.released().next().expect("a question is open");
    let (scored, seq) = games.scored();
    let players: Vec<_> = (0..).map(ConnectionId).zip(scored.players().map(|player| player.id)).collect();
    let edge = edge_at(
        &players,
        ToEdge::State { seq, head: Head { seq: seq - 1, batch: 1 }, state: Arc::new(scored.clone()) },
    );

    let mut group = criterion.benchmark_group("render");
    group.bench_function("question_released", |bencher| {
        bencher.iter(|| wire::question_released(&asking, black_box(question)));
    });
    group.bench_function("answer_accepted", |bencher| {
        bencher.iter(|| wire::answer_accepted(black_box(question.id)));
    });
    group.bench_function(format!("round_leaderboard of {PLAYERS} players"), |bencher| {
        bencher.iter(|| wire::round_leaderboard(black_box(&scored)));
    });
    group.bench_function("the part of scoreboard_update that all share", |bencher| {
        bencher.iter(|| Boards::new(black_box(&scored)));
    });
    group.throughput(Throughput::Elements(PLAYERS as u64));
    group.bench_function(format!("each of {PLAYERS} players' scores"), |bencher| {
        bencher.iter(|| {
            for (socket, player) in &players {
                // The frames are dropped one by one, as by a socket that keeps up.
                black_box(edge.scores(*socket, black_box(*player), wire::Scores::Whole));
            }
        });
    });
    group.finish();
}

/// An edge with a socket of each player.
fn edge_at(players: &[(ConnectionId, PlayerId)], message: ToEdge) -> Edge {
    let mut edge = Edge::new(Time::ZERO, EDGE_OPTIONS);
    edge.set_owner_here(Some(OwnerHere { epoch: 0, log_end: 0 }));
    let mut effects = Vec::new();
    edge.step(Time::ZERO, EdgeInput::FromOwner(FromOwner { epoch: 1, message }), &mut effects);
    for (socket, player) in players {
        let attach = EdgeInput::Attach(*socket, Participant::Player(*player).into(), Dialect::Interface);
        edge.step(Time::ZERO, attach, &mut effects);
        assert!(edge.scores(*socket, *player, wire::Scores::Whole).is_some(), "the edge has scores to show");
    }
    edge
}
