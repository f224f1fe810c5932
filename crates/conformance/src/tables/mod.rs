//! The tables: every row the suite has, generated from lists, in the order of the reference.
//!
//! Pure: nothing here knows a server.

pub mod auth;
pub mod browser;
pub mod coverage;
pub mod envelope;
pub mod extended;
pub mod fields;
pub mod frames;
pub mod http;
pub mod join;
pub mod matrix;
pub mod messages;
pub mod payload;
pub mod requests;
pub mod resync;
pub mod stories;

use crate::row::Row;

/// A part of the tables, a section of the reference.
pub struct Group {
    /// The first part of its rows' ids.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What its rows show, and how.
    pub about: &'static str,
    /// Its rows.
    pub rows: fn() -> Vec<Row>,
}

/// Every group, in the order of the reference.
pub const GROUPS: &[Group] = &[
    matrix::GROUP,
    extended::GROUP,
    payload::FIELDS,
    payload::FORMS,
    fields::GROUP,
    envelope::GROUP,
    frames::GROUP,
    resync::GROUP,
    auth::GROUP,
    browser::GROUP,
    join::GROUP,
    requests::GROUP,
    stories::EVENING,
    stories::LOBBY,
    stories::SOCKETS,
    stories::LIMITS,
    stories::HOST_API,
    stories::SECURITY,
    coverage::GROUP,
];

/// All rows, by group.
pub fn all() -> Vec<Row> {
    GROUPS.iter().flat_map(|group| (group.rows)()).collect()
}
