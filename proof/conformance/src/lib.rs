//! Judges any server of the interface from outside, by tables: it takes a URL and a host's token, and returns one verdict per
//! row.

// Both words are used here with good reason: a stage is in a state.
#![allow(clippy::similar_names)]

pub mod api;
mod cases;
pub mod csv;
pub mod observer;
mod options;
pub mod pace;
mod print;
pub mod quiz;
mod report;
pub mod row;
mod runner;
pub mod seat;
pub mod stage;
mod stories;
pub mod tables;
pub mod wire;
pub mod world;

pub use options::Options;
pub use print::{list, markdown};
pub use report::{Outcome, Report};

use std::sync::Arc;

use row::{Check, Row};
use world::World;

/// Plays every row that the options ask for.
///
/// A server that cannot be reached, or refuses the token, gives one failure named `set_up`. A server that does not
/// offer the extension messages is judged only by the interface, and the rows about them are named as not offered.
pub async fn run(options: Options) -> Report {
    let mut report = Report::default();
    let (world, offered) = match set_up(options).await {
        Ok(ready) => ready,
        Err(error) => {
            report.record("set_up", Err(error));
            return report;
        }
    };
    let mut rows = wanted(tables::interface(), &world.options);
    let extension = wanted(tables::extension(), &world.options);
    if offered {
        rows.extend(extension);
    } else {
        report.not_offered.extend(extension.into_iter().map(|row| row.id));
    }
    report.merge(runner::play(&world, rows).await);
    world.finish().await;
    report
}

async fn set_up(options: Options) -> anyhow::Result<(Arc<World>, bool)> {
    let world = World::prepare(options).await?;
    let offered = world.offers_extension().await?;
    Ok((world, offered))
}

fn wanted(mut rows: Vec<Row>, options: &Options) -> Vec<Row> {
    let covered = |row: &Row| options.is_partial() && matches!(row.check, Check::Coverage(_));
    rows.retain(|row| options.wants(&row.id) && !covered(row));
    if options.failed_joins_per_minute == 0 {
        rows.retain(|row| row.id != "limits/failed_joins");
    }
    rows
}

/// The ids of all rows, in the order of the reference.
pub fn ids() -> Vec<String> {
    tables::all().into_iter().map(|row| row.id).collect()
}
