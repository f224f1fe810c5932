//! Micro-benchmarks of the server's work per message, per release of scores and per reading of a log (criterion).
//!
//! Every game comes from the log of a full game that was played and checked. The set-up is not timed.

#[path = "../game/mod.rs"]
mod game;

mod answers;
mod decode;
mod games;
mod render;
mod replay;
mod rules;
mod what_if;

use criterion::Criterion;

fn main() {
    let games = games::Games::played();
    let mut criterion = Criterion::default().configure_from_args();
    rules::benchmarks(&mut criterion, &games);
    render::benchmarks(&mut criterion, &games);
    decode::benchmarks(&mut criterion, &games);
    replay::benchmarks(&mut criterion, &games);
    answers::benchmarks(&mut criterion);
    what_if::benchmarks(&mut criterion);
    criterion.final_summary();
}
