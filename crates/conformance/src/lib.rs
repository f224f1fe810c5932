//! Judges any server of the interface from outside, by tables: a URL and a host's token in, one verdict per row out.
//!
//! The binary and the server's own tests call [`run`]. It knows the wire types of `quizhall-protocol` and nothing else of the project.

// A stage is in a state: both words are everywhere here, and both are right.
#![allow(clippy::similar_names)]

pub mod api;
mod cases;
pub mod observer;
mod options;
mod print;
pub mod quiz;
mod report;
pub mod row;
mod runner;
pub mod seat;
pub mod shape;
pub mod stage;
mod stories;
pub mod tables;
pub mod wire;
pub mod world;

pub use options::Options;
pub use report::{Outcome, Report};

use world::World;

/// Plays every row that the options ask for.
///
/// A server that cannot be reached, or refuses the token, gives one failure named `set_up`.
pub async fn run(options: Options) -> Report {
    let mut rows = tables::all();
    let filtered = options.filter.is_some();
    rows.retain(|row| options.wants(&row.id) && !(filtered && row.id.starts_with("coverage/")));
    if options.failed_joins_per_minute == 0 {
        rows.retain(|row| row.id != "limits/failed_joins");
    }
    let world = match World::prepare(options).await {
        Ok(world) => world,
        Err(error) => {
            let mut report = Report::default();
            report.record("set_up", Err(error));
            return report;
        }
    };
    let report = runner::play(&world, rows).await;
    world.finish().await;
    report
}

/// The ids of all rows, in the order of the reference.
pub fn ids() -> Vec<String> {
    tables::all().into_iter().map(|row| row.id).collect()
}

/// The tables as documentation.
pub fn markdown() -> String {
    print::markdown()
}
