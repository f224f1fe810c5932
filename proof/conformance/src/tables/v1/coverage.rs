//! Every extension message that a server sends must have been seen, by each role that it is for.

use crate::row::Row;
use crate::tables::Group;
use crate::tables::coverage::messages;
use quizhall_oracle::shape::extension;

/// The group.
pub const GROUP: Group = Group {
    name: "v1_coverage",
    title: "v1: coverage",
    about: "Asked after all other rows, as for the interface. Each was checked field by field, and that its socket had asked.",
    rows,
};

/// Sent only in rounds of more than 5,000 answers, which no row has: a test of the server plays one.
const OF_LARGE_ROUNDS: &str = "review_groups";

fn rows() -> Vec<Row> {
    messages(GROUP.name, extension().filter(|shape| shape.kind != OF_LARGE_ROUNDS))
}
