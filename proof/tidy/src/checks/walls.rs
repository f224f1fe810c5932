//! Who may mention what inside a crate: libraries that live in one folder, and the parts of the server, each of which uses
//! only those below it.
//!
//! The tables are the architecture; tests are exempt, for they stand outside the house.

use std::collections::BTreeSet;

use crate::rust::{Mention, mentions, module_of};
use crate::tree::{Finding, Source, Tree};

/// A library that may be mentioned in some places only.
struct Room {
    library: &'static str,
    only_in: &'static [&'static str],
    why: &'static str,
}

/// A folder, or a file, right below the server's `src`.
struct Part {
    name: &'static str,
    /// Other parts that it mentions: only such as stand above it in the table.
    may_use: &'static [&'static str],
}

const ROOMS: &[Room] = &[
    Room {
        library: "sqlx",
        only_in: &["crates/server/src/store/"],
        why: "all SQL is in store, where both back ends are tested by one suite",
    },
    Room { library: "redis", only_in: &["crates/server/src/bus/"], why: "only the bus may know what carries it" },
    Room {
        library: "axum",
        only_in: &[
            "crates/server/src/http/",
            "crates/server/src/serve/",
            "crates/server/src/upgrade/",
            "crates/server/src/web/",
        ],
        why: "HTTP is decoded at the rim, and the rest speaks plain types: axum",
    },
    Room {
        library: "clap",
        only_in: &[
            "crates/server/src/cli/",
            "crates/server/src/config/",
            "proof/load/",
            "proof/conformance/",
            "proof/tidy/",
        ],
        why: "settings are read in config and cli",
    },
    Room {
        library: "argon2",
        only_in: &["crates/server/src/auth/"],
        why: "passwords are hashed behind one queue with a bound",
    },
    Room {
        library: "quizhall_protocol",
        only_in: &[
            "crates/engine/src/wire/",
            "crates/server/",
            "crates/client/",
            "proof/conformance/",
            "proof/load/",
            "proof/tidy/",
        ],
        why: "the engine meets the wire in one room",
    },
    Room {
        library: "quizhall_quiz",
        only_in: &["crates/quiz/", "crates/rules/", "crates/protocol/", "proof/tidy/"],
        why: "questions are passed on by the rules and by the protocol",
    },
    Room {
        library: "quizhall_rules",
        only_in: &["crates/rules/", "crates/engine/", "crates/server/", "proof/tidy/"],
        why: "clients know the wire, not the game",
    },
];

/// Where the parts of [`SERVER`] are.
const SERVER_SOURCE: &str = "crates/server/src/";

/// Every part of the server, the lowest first. A part uses what stands above it, so there are no circles.
const SERVER: &[Part] = &[
    Part { name: "clock", may_use: &[] },
    Part { name: "tls", may_use: &[] },
    Part { name: "telemetry", may_use: &[] },
    Part { name: "store", may_use: &["clock", "telemetry"] },
    Part { name: "bus", may_use: &["clock", "telemetry"] },
    Part { name: "config", may_use: &["bus", "store", "telemetry"] },
    Part { name: "games", may_use: &["clock", "telemetry", "store", "bus"] },
    Part { name: "auth", may_use: &["clock", "telemetry", "store", "bus", "config"] },
    Part { name: "socket", may_use: &["clock", "telemetry", "config", "games", "auth"] },
    Part { name: "retention", may_use: &["clock", "telemetry", "store", "config", "games"] },
    Part { name: "cluster", may_use: &["clock", "telemetry", "store", "bus", "config", "games"] },
    Part { name: "health", may_use: &["clock", "store", "bus", "config"] },
    Part { name: "verify", may_use: &["store"] },
    Part {
        name: "app",
        may_use: &["telemetry", "store", "config", "games", "auth", "socket", "retention", "cluster", "health"],
    },
    Part { name: "http", may_use: &["clock", "telemetry", "store", "games", "auth", "retention", "app"] },
    Part { name: "web", may_use: &[] },
    Part { name: "upgrade", may_use: &["clock", "telemetry", "config", "games", "auth", "socket", "app", "http"] },
    Part {
        name: "serve",
        may_use: &[
            "clock",
            "telemetry",
            "store",
            "bus",
            "config",
            "games",
            "auth",
            "socket",
            "retention",
            "cluster",
            "health",
            "app",
            "http",
            "web",
            "upgrade",
        ],
    },
    Part {
        name: "cli",
        may_use: &[
            "clock",
            "tls",
            "telemetry",
            "store",
            "config",
            "auth",
            "retention",
            "verify",
            "health",
            "http",
            "serve",
        ],
    },
];

/// Rule `room`: a library is mentioned only in its folder.
pub fn rooms(source: &Source) -> Vec<Finding> {
    let closed = ROOMS.iter().filter(|room| !room.only_in.iter().any(|folder| source.path().starts_with(folder)));
    let closed: Vec<&Room> = closed.collect();
    let mut findings = Vec::new();
    for mention in mentions(source.production(), &module_of(source.path())) {
        for room in closed.iter().filter(|room| mention.is_in(room.library)) {
            let what = format!("`{}`: {} only in {}", mention.path, room.why, room.only_in.join(", "));
            findings.push(Finding::new("room", source.path(), mention.line, what));
        }
    }
    findings
}

/// Rule `direction` in a file: its part of the server has a row in [`SERVER`], and it mentions what that row names.
pub fn directions(source: &Source) -> Vec<Finding> {
    let Some(name) = part_of(source.path()) else { return Vec::new() };
    let Some(part) = SERVER.iter().find(|part| part.name == name) else {
        let what = format!("`{name}` has no row in the table of the server's parts");
        return vec![Finding::new("direction", source.path(), 1, what)];
    };
    let others = others(source, name).into_iter().filter(|(_, other)| !part.may_use.contains(other));
    let finding = |(mention, other): (Mention, &str)| {
        let what = format!("`{}`: `{name}` may not use `{other}`", mention.path);
        Finding::new("direction", source.path(), mention.line, what)
    };
    others.map(finding).collect()
}

/// Rule `direction` of the whole: a row of [`SERVER`] names only what its part uses, and what stands above it.
pub fn rows(tree: &Tree) -> Vec<Finding> {
    let mut used = BTreeSet::new();
    for source in &tree.sources {
        if let Some(name) = part_of(source.path()) {
            used.extend(others(source, name).into_iter().map(|(_, other)| (name.to_owned(), other)));
        }
    }
    let mut findings = Vec::new();
    for (place, Part { name, may_use }) in SERVER.iter().enumerate() {
        let is_true = |other: &str| {
            used.contains(&((*name).to_owned(), other)) && SERVER[..place].iter().any(|part| part.name == other)
        };
        findings.extend(may_use.iter().filter(|other| !is_true(other)).map(|other| {
            let what = format!("`{name}` uses no `{other}` that stands above it: the table is to say what is true");
            Finding::new("direction", SERVER_SOURCE, 1, what)
        }));
    }
    findings
}

/// The part of the server that a file belongs to.
fn part_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix(SERVER_SOURCE)?.split('/').next()?.trim_end_matches(".rs");
    (!matches!(name, "lib" | "main")).then_some(name)
}

/// Every mention of another part, with the name of that.
fn others(source: &Source, name: &str) -> Vec<(Mention, &'static str)> {
    let mentions = mentions(source.production(), &module_of(source.path())).into_iter();
    let of_part = |mention: &Mention| {
        let others = SERVER.iter().map(|part| part.name).filter(|other| *other != name);
        others.into_iter().find(|other| mention.is_in(&format!("crate::{other}")))
    };
    mentions.filter_map(|mention| of_part(&mention).map(|other| (mention, other))).collect()
}
