//! Who may mention what inside a crate: libraries that live in one folder, and the parts of the server, each of which uses
//! only those below it.
//!
//! The tables are the architecture; tests are exempt, for they stand outside the house.

use std::collections::{BTreeMap, BTreeSet};

use crate::rust::{mentions, module_of};
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
            "crates/load/",
            "crates/conformance/",
            "crates/tidy/",
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
            "crates/conformance/",
            "crates/load/",
            "crates/tidy/",
        ],
        why: "the engine meets the wire in one room",
    },
    Room {
        library: "quizhall_quiz",
        only_in: &["crates/quiz/", "crates/rules/", "crates/protocol/", "crates/tidy/"],
        why: "questions are passed on by the rules and by the protocol",
    },
    Room {
        library: "quizhall_rules",
        only_in: &["crates/rules/", "crates/engine/", "crates/server/", "crates/tidy/"],
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
        may_use: &["clock", "tls", "telemetry", "store", "config", "auth", "retention", "verify", "http", "serve"],
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

/// Rule `direction`: every part of the server has a row in [`SERVER`], mentions what its row names, and nothing else.
pub fn directions(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut used: BTreeMap<&str, BTreeSet<&str>> = SERVER.iter().map(|part| (part.name, BTreeSet::new())).collect();
    let names: Vec<&str> = SERVER.iter().map(|part| part.name).collect();
    for source in &tree.sources {
        let Some(inside) = source.path().strip_prefix(SERVER_SOURCE) else { continue };
        let name = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if matches!(name, "lib" | "main") {
            continue;
        }
        let Some(part) = SERVER.iter().find(|part| part.name == name) else {
            let what = format!("`{name}` has no row in the table of the server's parts");
            findings.push(Finding::new("direction", source.path(), 1, what));
            continue;
        };
        for mention in mentions(source.production(), &module_of(source.path())) {
            let other = names.iter().find(|other| **other != name && mention.is_in(&format!("crate::{other}")));
            let Some(other) = other else { continue };
            if !part.may_use.contains(other) {
                let what = format!("`{}`: `{name}` may not use `{other}`", mention.path);
                findings.push(Finding::new("direction", source.path(), mention.line, what));
            }
            used.entry(part.name).or_default().insert(other);
        }
    }
    findings.extend(SERVER.iter().enumerate().flat_map(|(place, part)| {
        let (used, above) = (&used[part.name], &names[..place]);
        let wrong = part.may_use.iter().filter(move |other| !used.contains(*other) || !above.contains(other));
        wrong.map(|other| {
            let what =
                format!("`{}` uses no `{other}` that stands above it: the table is to say what is true", part.name);
            Finding::new("direction", SERVER_SOURCE, 1, what)
        })
    }));
    findings
}
