//! Who may mention what inside a crate: libraries that live in one folder, and the parts of the server, the engine and the
//! rules, each of which uses only those below it.
//!
//! The tables are the architecture; tests are exempt, for they stand outside the house.

use std::collections::BTreeSet;

use super::houses::{ENGINE, RULES};
use crate::rust::Mention;
use crate::tree::{Finding, Source, Tree};

/// A library that may be mentioned in some places only.
struct Room {
    library: &'static str,
    only_in: &'static [&'static str],
    why: &'static str,
}

/// A folder or a file of a crate. A folder inside a part may be a part of its own; a file without a row belongs to
/// the part around it.
pub(super) struct Part {
    /// Its path below the crate's `src`, without `.rs`.
    pub name: &'static str,
    /// Other parts that it mentions: only such as have an earlier row.
    pub may_use: &'static [&'static str],
}

/// A crate with a table of its parts.
struct House {
    /// Where the parts are.
    source: &'static str,
    parts: &'static [Part],
}

const ROOMS: &[Room] = &[
    Room {
        library: "sqlx",
        only_in: &["crates/server/src/store/"],
        why: "all SQL is in store, where both back ends are tested by one suite",
    },
    Room {
        library: "redis",
        only_in: &["crates/server/src/cluster/bus/"],
        why: "only the bus may know what carries it",
    },
    Room {
        library: "axum",
        only_in: &[
            "crates/server/src/http/",
            "crates/server/src/serve/",
            "crates/server/src/web/",
            "crates/server/src/ws/upgrade/",
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
        library: "jsonwebtoken",
        only_in: &["crates/server/src/auth/"],
        why: "what a provider says is checked in one place",
    },
    Room {
        library: "reqwest",
        only_in: &["crates/server/src/auth/", "crates/server/src/webhooks/", "crates/server/src/tls.rs"],
        why: "the service calls its identity provider and webhooks, and no other address",
    },
    Room {
        library: "quizhall_protocol",
        only_in: &[
            "crates/engine/src/sections/",
            "crates/engine/src/wire/",
            "crates/server/",
            "crates/client/",
            "proof/conformance/",
            "proof/load/",
            "proof/oracle/",
            "proof/tidy/",
        ],
        why: "the engine meets the wire in two rooms: sections, and what they are made of",
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

static HOUSES: [House; 3] = [
    House { source: "crates/server/src/", parts: SERVER },
    House { source: "crates/engine/src/", parts: ENGINE },
    House { source: "crates/rules/src/", parts: RULES },
];

/// Every part of the server, the lowest first. A part uses only parts with an earlier row, so there are no circles.
const SERVER: &[Part] = &[
    Part { name: "clock", may_use: &[] },
    Part { name: "tls", may_use: &[] },
    Part { name: "moment", may_use: &["clock"] },
    Part { name: "telemetry", may_use: &["clock"] },
    Part { name: "pace", may_use: &["clock", "telemetry"] },
    Part { name: "store/error", may_use: &[] },
    Part { name: "store/columns", may_use: &[] },
    Part { name: "store/connection", may_use: &["clock", "store/error"] },
    Part { name: "store/tables", may_use: &["store/error"] },
    Part { name: "store/proof", may_use: &["clock"] },
    Part { name: "store/options", may_use: &[] },
    Part {
        name: "store/sqlite",
        may_use: &[
            "clock",
            "telemetry",
            "store/error",
            "store/connection",
            "store/tables",
            "store/proof",
            "store/options",
        ],
    },
    Part {
        name: "store/postgres",
        may_use: &[
            "clock",
            "telemetry",
            "store/error",
            "store/columns",
            "store/connection",
            "store/tables",
            "store/proof",
            "store/options",
        ],
    },
    Part {
        name: "store/engine",
        may_use: &["telemetry", "store/error", "store/connection", "store/sqlite", "store/postgres"],
    },
    Part {
        name: "store/open",
        may_use: &["store/error", "store/tables", "store/options", "store/sqlite", "store/postgres", "store/engine"],
    },
    Part {
        name: "store/log",
        may_use: &[
            "clock",
            "store/error",
            "store/columns",
            "store/connection",
            "store/sqlite",
            "store/postgres",
            "store/engine",
        ],
    },
    Part {
        name: "store/cold",
        may_use: &[
            "clock",
            "store/error",
            "store/columns",
            "store/connection",
            "store/options",
            "store/postgres",
            "store/engine",
            "store/log",
        ],
    },
    Part { name: "store", may_use: &[] },
    Part { name: "cluster/bus", may_use: &["clock", "telemetry"] },
    Part { name: "config", may_use: &["telemetry", "store", "cluster/bus"] },
    Part { name: "limits", may_use: &["clock", "moment", "telemetry", "cluster/bus", "config"] },
    Part { name: "games/error", may_use: &[] },
    Part { name: "games/options", may_use: &[] },
    Part { name: "games/placement", may_use: &[] },
    Part { name: "games/log", may_use: &["clock", "telemetry", "store"] },
    Part { name: "games/records", may_use: &["store"] },
    Part {
        name: "games/node",
        may_use: &[
            "clock",
            "telemetry",
            "store",
            "cluster/bus",
            "games/error",
            "games/options",
            "games/placement",
            "games/log",
            "games/records",
        ],
    },
    Part { name: "games/live", may_use: &["store", "games/error", "games/options"] },
    Part { name: "games/reading", may_use: &["store", "games/error", "games/log", "games/node", "games/live"] },
    Part {
        name: "games/edge",
        may_use: &["clock", "telemetry", "cluster/bus", "games/options", "games/node", "games/live", "games/reading"],
    },
    Part {
        name: "games/owner",
        may_use: &["telemetry", "store", "cluster/bus", "games/log", "games/records", "games/node", "games/live"],
    },
    Part {
        name: "games/ownership",
        may_use: &[
            "telemetry",
            "cluster/bus",
            "games/error",
            "games/options",
            "games/log",
            "games/node",
            "games/live",
            "games/reading",
            "games/owner",
        ],
    },
    Part {
        name: "games/registry",
        may_use: &[
            "clock",
            "store",
            "cluster/bus",
            "games/error",
            "games/options",
            "games/placement",
            "games/node",
            "games/live",
            "games/reading",
            "games/edge",
            "games/ownership",
        ],
    },
    Part { name: "games", may_use: &[] },
    Part { name: "auth", may_use: &["tls", "clock", "store", "cluster/bus", "config", "limits"] },
    Part { name: "media", may_use: &["clock", "telemetry", "pace", "store", "cluster/bus", "limits"] },
    Part { name: "ws", may_use: &["clock", "moment", "telemetry", "config", "limits", "games", "auth"] },
    Part { name: "webhooks", may_use: &["tls", "clock", "telemetry", "store", "cluster/bus", "config", "limits"] },
    Part { name: "retention", may_use: &["clock", "telemetry", "store", "config", "games"] },
    Part { name: "cluster", may_use: &[] },
    Part { name: "cluster/members", may_use: &["clock", "telemetry", "store", "cluster/bus", "config", "games"] },
    Part { name: "health", may_use: &["clock", "store", "cluster/bus", "config"] },
    Part { name: "verify", may_use: &["store"] },
    Part { name: "library", may_use: &["store", "media"] },
    Part { name: "results", may_use: &["clock", "store", "auth"] },
    Part { name: "sealed", may_use: &["clock"] },
    Part {
        name: "app",
        may_use: &[
            "telemetry",
            "store",
            "config",
            "limits",
            "games",
            "auth",
            "ws",
            "retention",
            "cluster/members",
            "health",
            "media",
            "webhooks",
        ],
    },
    Part {
        name: "http",
        may_use: &[
            "clock",
            "telemetry",
            "pace",
            "config",
            "limits",
            "store",
            "games",
            "auth",
            "media",
            "retention",
            "webhooks",
            "cluster/members",
            "library",
            "results",
            "sealed",
            "app",
        ],
    },
    Part { name: "web", may_use: &["http"] },
    Part {
        name: "ws/upgrade",
        may_use: &["clock", "moment", "telemetry", "pace", "limits", "games", "auth", "ws", "app", "http"],
    },
    Part {
        name: "serve",
        may_use: &[
            "clock",
            "telemetry",
            "pace",
            "store/sqlite",
            "store",
            "cluster/bus",
            "config",
            "limits",
            "games",
            "auth",
            "media",
            "ws",
            "webhooks",
            "retention",
            "cluster/members",
            "health",
            "library",
            "app",
            "http",
            "web",
            "ws/upgrade",
        ],
    },
    Part {
        name: "cli",
        may_use: &[
            "clock",
            "tls",
            "telemetry",
            "store/sqlite",
            "store",
            "config",
            "auth",
            "retention",
            "cluster/members",
            "verify",
            "library",
            "results",
            "sealed",
            "health",
            "serve",
        ],
    },
];

/// Rule `room`: a library is mentioned only in its folder.
pub fn rooms(source: &Source) -> Vec<Finding> {
    let closed = ROOMS.iter().filter(|room| !room.only_in.iter().any(|folder| source.path().starts_with(folder)));
    let closed: Vec<&Room> = closed.collect();
    let mut findings = Vec::new();
    for mention in source.mentions() {
        for room in closed.iter().filter(|room| mention.is_in(room.library)) {
            let what = format!("`{}`: {} only in {}", mention.path, room.why, room.only_in.join(", "));
            findings.push(Finding::new("room", source.path(), mention.line, what));
        }
    }
    findings
}

/// Rule `direction` in a file: its part of the crate has a row in the table, and it mentions what that row names. What a file needs
/// of its crate it names where that is declared, and not as `lib.rs` passes it on.
pub fn directions(source: &Source) -> Vec<Finding> {
    let Some((house, path)) = house_of(source.path()) else { return Vec::new() };
    let Some(part) = house.part_of(path) else {
        let what = format!("`{path}` has no row in the table of the parts of {}", house.source);
        return vec![Finding::new("direction", source.path(), 1, what)];
    };
    let others = house.others(source, part).into_iter();
    let finding = |(mention, other): (Mention, Option<&Part>)| {
        let name = other.map_or("lib", |other| other.name);
        let what = format!("`{}`: `{}` may not use `{name}`", mention.path, part.name);
        Finding::new("direction", source.path(), mention.line, what)
    };
    others.filter(|(_, other)| other.is_none_or(|other| !part.may_use.contains(&other.name))).map(finding).collect()
}

/// Rule `direction` of the whole: a row of a table names only parts that it uses and that have an earlier row, and only
/// parts that exist have one.
pub fn rows(tree: &Tree) -> Vec<Finding> {
    HOUSES.iter().flat_map(|house| house.rows(tree)).collect()
}

impl House {
    fn rows(&self, tree: &Tree) -> Vec<Finding> {
        let (mut used, mut existing) = (BTreeSet::new(), BTreeSet::new());
        for source in &tree.sources {
            if let Some(part) = self.inside(source.path()).and_then(|path| self.part_of(path)) {
                existing.insert(part.name);
                let others = self.others(source, part).into_iter().filter_map(|(_, other)| other);
                used.extend(others.map(|other| (part.name, other.name)));
            }
        }
        let finding = |what| Finding::new("direction", self.source, 1, what);
        let mut findings = Vec::new();
        for (place, Part { name, may_use }) in self.parts.iter().enumerate() {
            if !existing.contains(name) {
                findings.push(finding(format!("`{name}` has a row and no file")));
            }
            let has_row = |other: &str| self.parts[..place].iter().any(|it| it.name == other);
            let untrue = may_use.iter().filter(|other| !used.contains(&(*name, **other)) || !has_row(other));
            let what = |other| format!("`{name}` does not use `{other}`, or `{other}` has no earlier row");
            findings.extend(untrue.map(|other| finding(what(other))));
        }
        findings
    }

    /// The path of a file below the crate's `src`, without `.rs`; of the file of a folder the path of the folder.
    fn inside<'a>(&self, path: &'a str) -> Option<&'a str> {
        let path = path.strip_prefix(self.source)?.trim_end_matches(".rs").trim_end_matches("/mod");
        (!matches!(path, "lib" | "main")).then_some(path)
    }

    /// The part that a path of segments belongs to: of those around it the innermost.
    fn part_of(&self, path: &str) -> Option<&'static Part> {
        let is_around =
            |part: &&Part| path.strip_prefix(part.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.parts.iter().filter(is_around).max_by_key(|part| part.name.len())
    }

    /// Every mention of another part, with that part; without one where it is a name that `lib.rs` passes on.
    fn others(&self, source: &Source, part: &Part) -> Vec<(Mention, Option<&'static Part>)> {
        let mentions = source.mentions().iter().cloned();
        let of_part = |mention: Mention| {
            let other = self.part_of(&mention.path.strip_prefix("crate::")?.replace("::", "/"));
            other.is_none_or(|other| other.name != part.name).then_some((mention, other))
        };
        mentions.filter_map(of_part).collect()
    }
}

/// The crate with a table that a file belongs to, with the file's path inside it.
fn house_of(path: &str) -> Option<(&'static House, &str)> {
    HOUSES.iter().find_map(|house| house.inside(path).map(|inside| (house, inside)))
}
