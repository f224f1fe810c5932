//! Tests of the suite itself: its tables, its wire, its model, and that it fails where it must.

mod fake;
mod model;
mod seat;
mod suite;
mod tables;
mod wire;
