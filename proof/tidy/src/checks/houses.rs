//! The parts of the rules and of the engine, and what each may use: the tables of arrows inside these crates.
//!
//! In the rules, features are above `base` and know nothing of the state that holds them. Commands and events name what features
//! store; `decide` and `apply` use all of it. In the engine, owner and edge know nothing of each other.

use super::walls::Part;

/// Every part of `crates/rules/src`, the lowest first.
pub(super) const RULES: &[Part] = &[
    Part { name: "base", may_use: &[] },
    Part { name: "clock", may_use: &["base"] },
    Part { name: "showing", may_use: &["base", "clock"] },
    Part { name: "answering", may_use: &["base", "showing"] },
    Part { name: "people", may_use: &["base"] },
    Part { name: "event", may_use: &["base", "clock", "showing", "answering", "people"] },
    Part { name: "command", may_use: &["base", "clock", "showing", "answering", "people"] },
    Part { name: "table", may_use: &["base", "showing", "event", "command"] },
    Part { name: "state", may_use: &["base", "clock", "showing", "answering", "people", "event"] },
    Part { name: "apply", may_use: &["base", "clock", "showing", "answering", "event", "table", "state"] },
    Part {
        name: "decide",
        may_use: &["base", "clock", "showing", "answering", "people", "event", "command", "table", "state"],
    },
    Part { name: "erase", may_use: &["base", "people", "event", "state"] },
    Part { name: "taking", may_use: &["base", "event", "command", "table", "state", "apply", "decide"] },
    Part { name: "what_if", may_use: &["base", "event", "command", "state", "decide"] },
];

/// Every part of `crates/engine/src`, the lowest first.
pub(super) const ENGINE: &[Part] = &[
    Part { name: "ids", may_use: &[] },
    Part { name: "media", may_use: &[] },
    Part { name: "log", may_use: &[] },
    Part { name: "liveness", may_use: &["ids"] },
    Part { name: "sampling", may_use: &["ids"] },
    Part { name: "frames", may_use: &["ids", "log"] },
    Part { name: "members", may_use: &["ids", "liveness"] },
    Part { name: "route", may_use: &["ids", "liveness"] },
    Part { name: "snapshot", may_use: &["log"] },
    Part { name: "wire", may_use: &["ids", "media"] },
    Part { name: "sections", may_use: &["ids", "wire"] },
    Part { name: "edge", may_use: &["ids", "log", "liveness", "frames", "snapshot", "sampling", "wire", "sections"] },
    Part { name: "owner", may_use: &["ids", "log", "liveness", "frames", "snapshot"] },
    Part { name: "claim", may_use: &["ids", "log", "liveness", "snapshot", "edge", "owner"] },
    Part { name: "reading", may_use: &["log", "snapshot", "claim"] },
    Part { name: "moments", may_use: &["ids", "sampling", "wire", "claim", "reading"] },
];
