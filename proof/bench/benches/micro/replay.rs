//! From a log to its state: the time that a new owner waits for, and an edge without a replica.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use quizhall_engine::claim::{Claim, Row};
use quizhall_rules::State;

use crate::game::node::StoredRow;
use crate::games::{Games, PLAYERS};

pub fn benchmarks(criterion: &mut Criterion, games: &Games) {
    let mut group = criterion.benchmark_group(format!("replay a game of {PLAYERS} players and 10 questions"));
    group.sample_size(20).throughput(Throughput::Elements(games.events().len() as u64));
    group.bench_function("from events", |bencher| {
        bencher.iter_with_large_drop(|| State::replay(black_box(games.events())));
    });
    group.bench_function("from rows as they are stored", |bencher| {
        let read = |rows: &[StoredRow]| {
            let rows: Vec<Row> = rows.iter().map(StoredRow::read).collect();
            Claim::read(&rows).expect("the log is a game's")
        };
        bencher.iter_with_large_drop(|| read(black_box(games.rows())));
    });
    group.finish();
}
