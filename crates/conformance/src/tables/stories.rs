//! The stories as groups of rows.

use super::Group;
use crate::row::{Check, Row, Story};
use crate::stories;

/// Whole games.
pub const EVENING: Group = Group {
    name: "evening",
    title: "Stories: games",
    about: "Whole games. After each step every socket has received exactly what the interface says, in its order, and nothing else; boards, \
            reviews and results are computed by a small model of the suite's own.",
    rows: || rows("evening", stories::evening::STORIES),
};

/// Seats.
pub const LOBBY: Group = Group {
    name: "lobby",
    title: "Stories: seats",
    about: "Joining, leaving, returning, removal and deletion.",
    rows: || rows("lobby", stories::lobby::STORIES),
};

/// Sockets.
pub const SOCKETS: Group = Group {
    name: "sockets",
    title: "Stories: sockets",
    about: "One connection per participant, and the handshake's finer points.",
    rows: || rows("sockets", stories::sockets::STORIES),
};

/// Limits.
pub const LIMITS: Group = Group {
    name: "limits",
    title: "Stories: limits and time-outs",
    about: "Floods are written at once and their close awaited. Time-outs are the server's own; `--longest-wait` bounds them.",
    rows: || rows("limits", stories::limits::STORIES),
};

/// The host API.
pub const HOST_API: Group = Group {
    name: "host_api",
    title: "Stories: the host API",
    about: "Quizzes, games, players and results.",
    rows: || rows("host_api", stories::host_api::STORIES),
};

/// Security.
pub const SECURITY: Group = Group {
    name: "security",
    title: "Stories: security",
    about: "What must not leak, mix or slip through. In every row of the suite, besides, a key that reaches a player before \
            `round_scores` fails the row.",
    rows: || rows("security", stories::security::STORIES),
};

fn rows(group: &str, stories: &'static [Story]) -> Vec<Row> {
    let row = |story: &Story| Row {
        id: format!("{group}/{}", story.name),
        given: story.given.to_owned(),
        send: story.act.to_owned(),
        expect: story.expect.to_owned(),
        check: Check::Story(*story),
    };
    stories.iter().map(row).collect()
}
