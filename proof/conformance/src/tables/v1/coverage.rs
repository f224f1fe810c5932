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

fn rows() -> Vec<Row> {
    messages(GROUP.name, extension())
}
