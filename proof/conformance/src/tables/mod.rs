//! The tables: every row the suite has, generated from lists, in the order of the reference.
//!
//! Those of the interface judge every server; those of the extension one that offers it. Pure: nothing here knows a server.

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
pub mod unasked;
pub mod v1;

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

/// The groups of the interface, in the order of the reference.
pub const INTERFACE: &[Group] = &[
    matrix::GROUP,
    extended::GROUP,
    unasked::GROUP,
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

/// The groups of the extension, in the order of the reference.
pub const EXTENSION: &[Group] = &[
    v1::matrix::INTERFACE,
    v1::matrix::EXTENSION,
    v1::matrix::BESIDE,
    v1::matrix::SCREENS,
    v1::payload::FIELDS,
    v1::payload::ANSWERS,
    v1::payload::SECONDS,
    v1::payload::FORMS,
    v1::standing::GROUP,
    stories::V1_HANDSHAKE,
    stories::V1_EVENING,
    stories::V1_ROUNDS,
    stories::V1_STANDINGS,
    stories::V1_STEPS,
    stories::V1_MEDIA,
    stories::V1_TIMERS,
    stories::V1_EXTRA_TIME,
    stories::V1_JOKERS,
    stories::V1_SEALED,
    stories::V1_TIES,
    stories::V1_SEATS,
    stories::V1_CO_HOSTS,
    stories::V1_SPECTATORS,
    stories::V1_TEAMS,
    stories::V1_ROOM,
    stories::V1_MARKING,
    stories::V1_APPEALS,
    stories::V1_ADJUSTMENTS,
    stories::V1_MENDING,
    stories::V1_PACE,
    stories::V1_PAPER,
    stories::V1_KEY,
    stories::V1_KINDS,
    stories::V1_STREAKS,
    stories::V1_SPEED,
    stories::V1_PING,
    stories::V1_BETWEEN,
    v1::payload::TEXT,
    v1::coverage::GROUP,
];

/// Every group.
pub fn groups() -> impl Iterator<Item = &'static Group> {
    INTERFACE.iter().chain(EXTENSION)
}

/// The rows of the interface, by group.
pub fn interface() -> Vec<Row> {
    INTERFACE.iter().flat_map(|group| (group.rows)()).collect()
}

/// The rows of the extension, by group.
pub fn extension() -> Vec<Row> {
    EXTENSION.iter().flat_map(|group| (group.rows)()).collect()
}

/// All rows, by group.
pub fn all() -> Vec<Row> {
    groups().flat_map(|group| (group.rows)()).collect()
}
