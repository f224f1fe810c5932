//! `quizhall-load bench`: measures a service as its players feel it, and checks every answer while it does.
//!
//! Layout: `scenario` (what can be asked for) · `run` (who plays what, pass by pass) · `trial` (one measured game, step by
//! step), `host`, `quiz`, `ledger` · `game`, `evening`, `many`, `phones`, `preload` `takeover` (the scenarios), `seat`, `baseline` (the least that any server could
//! do) · `server`, `process`, `metrics` (the service seen from outside) · `outcome`, `table`, `document` (what
//! comes out). Knows nothing of the service but its interface, its metrics and what the kernel says of its process.

pub mod metrics;
pub mod outcome;
pub mod table;

mod baseline;
mod document;
mod evening;
mod game;
mod host;
mod ledger;
mod many;
mod phones;
mod preload;
mod process;
mod quiz;
mod run;
mod scenario;
mod seat;
mod server;
mod takeover;
mod trial;

pub use self::document::Document;
pub use self::outcome::{Check, Figure, Latency, Outcome};
pub use self::process::Beside;
pub use self::run::{Options, run};
pub use self::scenario::{Scenario, Sizes};
pub use self::server::Keeping;
pub use self::table::{Pass, Row};
