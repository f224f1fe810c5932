//! Tests of the suite itself: its tables, its wire, and that it fails where it must.

mod compare;
mod fake;
mod program;
mod seat;
mod suite;
mod tables;
mod wire;
