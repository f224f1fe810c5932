//! Who may mention what inside a crate: libraries that live in one folder, and folders that do not look up.
//!
//! The tables are the architecture; tests are exempt, for they stand outside the house.

use crate::rust::{mentions, module_of};
use crate::tree::{Finding, Source};

/// A library that may be mentioned in some places only.
struct Room {
    library: &'static str,
    only_in: &'static [&'static str],
    why: &'static str,
}

/// Folders, or files, of one crate that may not mention some paths.
struct Direction {
    from: &'static [&'static str],
    never: &'static [&'static str],
    why: &'static str,
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
            "crates/server/src/socket/upgrade.rs",
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

const DIRECTIONS: &[Direction] = &[
    Direction {
        from: &["crates/server/src/store/", "crates/server/src/bus/"],
        never: &["crate::http", "crate::socket", "crate::hall", "crate::app", "crate::web", "crate::cli"],
        why: "store and bus are below everything that uses them",
    },
    Direction {
        from: &["crates/server/src/hall/", "crates/server/src/hall.rs"],
        never: &["crate::http", "crate::web", "crate::cli", "crate::app", "crate::config"],
        why: "a live game does not know who asks",
    },
    Direction {
        from: &["crates/server/src/auth/", "crates/server/src/config/", "crates/server/src/telemetry/"],
        never: &["crate::cli", "crate::web"],
        why: "main and cli are on top",
    },
    Direction {
        from: &["crates/server/src/socket/"],
        never: &["crate::store", "crate::cli", "crate::web"],
        why: "a socket speaks to the game, never to the database",
    },
    Direction {
        from: &["crates/server/src/verify/"],
        never: &[
            "crate::http",
            "crate::socket",
            "crate::hall",
            "crate::app",
            "crate::web",
            "crate::cli",
            "crate::config",
            "crate::serve",
        ],
        why: "verify reads the store and replays the rules, without a running service",
    },
    Direction { from: &["crates/server/src/clock.rs"], never: &["crate"], why: "the clock is below everything" },
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

/// Rule `direction`: imports go down, never up.
pub fn directions(source: &Source) -> Vec<Finding> {
    let applies = |direction: &&Direction| direction.from.iter().any(|from| source.path().starts_with(from));
    let directions: Vec<&Direction> = DIRECTIONS.iter().filter(applies).collect();
    if directions.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for mention in mentions(source.production(), &module_of(source.path())) {
        let broken = directions.iter().filter(|direction| direction.never.iter().any(|path| mention.is_in(path)));
        for direction in broken {
            let what = format!("`{}`: {}", mention.path, direction.why);
            findings.push(Finding::new("direction", source.path(), mention.line, what));
        }
    }
    findings
}
