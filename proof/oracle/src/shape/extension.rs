//! The rows of `quizhall.v1`: what only a socket that asked for it may be sent.

use quizhall_protocol::Role;

use super::{Of, Shape, may, must, shape};

const ROOM_PLAYER: &[super::Field] = &[
    must("id", Of::Uuid),
    must("displayName", Of::Text),
    must("status", Of::Word(&["connected", "disconnected", "gone"])),
];
const MARK: &[super::Field] = &[must("playerId", Of::Uuid), must("correct", Of::Flag)];

/// Every extension message a server sends.
pub const EXTENSION: &[Shape] = &[
    shape("host_status", None, &[must("connected", Of::Flag)]),
    shape("game_info", None, &[must("title", Of::Text)]),
    shape("standings_status", None, &[must("held", Of::Flag)]),
    shape(
        "round_started",
        None,
        &[
            must("round", Of::Number),
            must("rounds", Of::Number),
            must("title", Of::Text),
            must("questionCount", Of::Number),
        ],
    ),
    shape(
        "room_update",
        Some(Role::Host),
        &[
            must("whole", Of::Flag),
            must("players", Of::List(ROOM_PLAYER)),
            must("total", Of::Number),
            must("connected", Of::Number),
            must("locked", Of::Flag),
        ],
    ),
    shape("players_answered", Some(Role::Host), &[must("questionId", Of::Uuid), must("playerIds", Of::Uuids)]),
    shape(
        "answers_marked",
        Some(Role::Host),
        &[
            must("questionId", Of::Uuid),
            must("marks", Of::List(MARK)),
            may("part", Of::Number),
            may("parts", Of::Number),
        ],
    ),
    shape("marking_update", Some(Role::Host), &[must("undoable", Of::Number)]),
    shape(
        "timer_update",
        None,
        &[may("questionId", Of::Uuid), must("remainingMs", Of::Number), must("running", Of::Flag)],
    ),
    shape("question_closed", None, &[must("questionId", Of::Uuid)]),
    shape("pong", None, &[]),
];
