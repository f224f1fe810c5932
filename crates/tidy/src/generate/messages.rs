//! The twenty messages of the interface: who sends them to whom, in which phase, and why; and
//! behind them, in directions of their own, the extension `quizhall.v1`.
//!
//! Their fields and descriptions come from the types; what a type cannot say stands here.

use serde_json::Value;

use super::examples;
use super::schemas::{self, Schemas};

/// From whom to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    FromHost,
    FromPlayer,
    ToAll,
    ToHost,
    ToPlayer,
    FromHostV1,
    FromAnyV1,
    ToAllV1,
    ToHostV1,
    ToSenderV1,
}

impl Direction {
    pub const ALL: [Self; 10] = [
        Self::FromHost,
        Self::FromPlayer,
        Self::ToAll,
        Self::ToHost,
        Self::ToPlayer,
        Self::FromHostV1,
        Self::FromAnyV1,
        Self::ToAllV1,
        Self::ToHostV1,
        Self::ToSenderV1,
    ];

    /// The name of its type in `quizhall-protocol`.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::FromHost => "FromHost",
            Self::FromPlayer => "FromPlayer",
            Self::ToAll => "ToAll",
            Self::ToHost => "ToHost",
            Self::ToPlayer => "ToPlayer",
            Self::FromHostV1 => "FromHostV1",
            Self::FromAnyV1 => "FromAnyV1",
            Self::ToAllV1 => "ToAllV1",
            Self::ToHostV1 => "ToHostV1",
            Self::ToSenderV1 => "ToSenderV1",
        }
    }

    pub const fn heading(self) -> &'static str {
        match self {
            Self::FromHost => "Host to server",
            Self::FromPlayer => "Player to server",
            Self::ToAll => "Server to all participants",
            Self::ToHost => "Server to host only",
            Self::ToPlayer => "Server to a single player only",
            Self::FromHostV1 => "Extension quizhall.v1: host to server",
            Self::FromAnyV1 => "Extension quizhall.v1: host or player to server",
            Self::ToAllV1 => "Extension quizhall.v1: server to all who asked for them",
            Self::ToHostV1 => "Extension quizhall.v1: server to host only",
            Self::ToSenderV1 => "Extension quizhall.v1: server to the socket that asked",
        }
    }

    /// Whether a client sends it.
    pub const fn is_inbound(self) -> bool {
        matches!(self, Self::FromHost | Self::FromPlayer | Self::FromHostV1 | Self::FromAnyV1)
    }
}

/// A message with everything that is known about it.
pub struct Message {
    pub direction: Direction,
    /// Its `type`.
    pub name: &'static str,
    pub phases: &'static str,
    /// What makes it come (from the server), or what comes of it (from a client).
    pub cause_or_effect: &'static str,
    /// From the type's comment.
    pub description: String,
    /// Of the whole envelope.
    pub schema: Value,
    /// A whole envelope, as JSON.
    pub example: String,
}

impl Message {
    /// A key that is unique among all: `scoreboard_update` has two shapes.
    pub fn key(&self) -> String {
        let mut words = self.name.split('_');
        let mut key = words.next().unwrap_or_default().to_owned();
        for word in words {
            key.push_str(&word[..1].to_uppercase());
            key.push_str(&word[1..]);
        }
        match (self.name, self.direction) {
            ("scoreboard_update", Direction::ToHost) => key.push_str("Host"),
            ("scoreboard_update", _) => key.push_str("Player"),
            _ => {}
        }
        key
    }
}

type Row = (Direction, &'static str, &'static str, &'static str);

const TABLE: [Row; 36] = [
    (Direction::FromHost, "start_game", "lobby", "The game moves to `question`; everybody gets `game_started`."),
    (
        Direction::FromHost,
        "release_question",
        "question",
        "Everybody gets `question_released`. If it is open already, only the host gets it again.",
    ),
    (
        Direction::FromHost,
        "end_round",
        "question",
        "The game moves to `round_review`; everybody gets `round_ended`, the host gets `round_review`.",
    ),
    (
        Direction::FromHost,
        "override_answer",
        "round_review",
        "The host gets `override_applied`. For any player and any question released in this round; a player who did not answer counts as having answered nothing, marked as said.",
    ),
    (
        Direction::FromHost,
        "release_scores",
        "round_review",
        "The game moves to `leaderboard`; everybody gets `round_leaderboard`, each player `round_scores` and `scoreboard_update`.",
    ),
    (
        Direction::FromHost,
        "start_next_round",
        "leaderboard",
        "The game moves to `question` of the next round. Without a next round: 4002 `invalid_payload: no round left`.",
    ),
    (Direction::FromHost, "end_game", "leaderboard", "The game moves to `ended`; everybody gets `game_ended`."),
    (
        Direction::FromPlayer,
        "submit_answer",
        "question",
        "The player gets `answer_accepted` once the answer is stored; the host gets `scoreboard_update` with the count.",
    ),
    (
        Direction::ToAll,
        "lobby_update",
        "lobby; later when somebody joins late",
        "A player joined, left, came back or was removed.",
    ),
    (Direction::ToAll, "game_started", "question", "`start_game`."),
    (Direction::ToAll, "question_released", "question", "`release_question`."),
    (Direction::ToAll, "round_ended", "round_review", "`end_round`."),
    (Direction::ToAll, "round_leaderboard", "leaderboard", "`release_scores`."),
    (Direction::ToAll, "game_ended", "ended", "`end_game`."),
    (Direction::ToHost, "scoreboard_update", "question", "`submit_answer` of a player."),
    (Direction::ToHost, "round_review", "round_review", "`end_round`."),
    (Direction::ToHost, "override_applied", "round_review", "`override_answer`."),
    (Direction::ToPlayer, "answer_accepted", "question", "`submit_answer` of this player."),
    (Direction::ToPlayer, "round_scores", "leaderboard", "`release_scores`."),
    (Direction::ToPlayer, "scoreboard_update", "leaderboard", "`release_scores`."),
    (
        Direction::FromHostV1,
        "mark_answers",
        "round_review",
        "The host gets `answers_marked`, also when nothing changes, and `marking_update`. Answers that count so already are not touched.",
    ),
    (
        Direction::FromHostV1,
        "undo_marking",
        "round_review",
        "The host gets `answers_marked` for what is restored, and `marking_update`; with nothing to take back, `marking_update` alone. An answer that an override made is gone again and counts as wrong.",
    ),
    (
        Direction::FromHostV1,
        "lock_game",
        "lobby, question, round_review, leaderboard",
        "The host gets `room_update`, also when nothing changes.",
    ),
    (
        Direction::FromHostV1,
        "remove_player",
        "lobby, question, round_review, leaderboard",
        "The player's socket is closed with 4411; the host gets `room_update`, also when they were removed before.",
    ),
    (
        Direction::FromHostV1,
        "release_own_scores",
        "round_review",
        "As `release_scores`, and the standings are held: everybody who speaks `quizhall.v1` gets `standings_status`, and of the players among them each `round_scores` alone. The host and everybody else get what `release_scores` sends. They are held until `show_standings`, `start_next_round` or `end_game`.",
    ),
    (
        Direction::FromHostV1,
        "show_standings",
        "leaderboard",
        "Everybody who speaks `quizhall.v1` gets `standings_status`, and each player among them `round_leaderboard` and `scoreboard_update`; nobody else gets anything. When they are shown already, the host alone gets `standings_status`.",
    ),
    (
        Direction::FromAnyV1,
        "ping",
        "any",
        "This socket gets `pong`, and nobody else anything; the game does not hear of it. It counts as a message of its sender (4008).",
    ),
    (Direction::ToAllV1, "game_info", "lobby", "Connecting."),
    (
        Direction::ToAllV1,
        "round_started",
        "question; on connecting also round_review and leaderboard",
        "`start_game`, `start_next_round`.",
    ),
    (
        Direction::ToAllV1,
        "host_status",
        "any but ended; on connecting in every one",
        "The host's first socket opened, or the last has been gone for 5 s.",
    ),
    (
        Direction::ToAllV1,
        "standings_status",
        "leaderboard; on connecting while they are held, before `round_scores`",
        "`release_own_scores`, `show_standings`.",
    ),
    (
        Direction::ToHostV1,
        "room_update",
        "any",
        "Somebody joined, left, came back, lost the connection or was removed; `lock_game`, `remove_player`.",
    ),
    (
        Direction::ToHostV1,
        "players_answered",
        "question",
        "A player's first answer to the question; before its `scoreboard_update`.",
    ),
    (Direction::ToHostV1, "answers_marked", "round_review", "`mark_answers`, `undo_marking`."),
    (
        Direction::ToHostV1,
        "marking_update",
        "round_review",
        "Behind `override_applied` and `answers_marked`; on connecting, behind `round_review`.",
    ),
    (Direction::ToSenderV1, "pong", "any", "`ping` on this socket."),
];

/// All messages in the order of the interface, and the schemas their payloads refer to.
///
/// # Panics
/// When the table and the types do not name the same messages: the generator must not go on then.
pub fn all(settings: schemars::generate::SchemaSettings) -> (Vec<Message>, Schemas) {
    let schemas = Schemas::new(settings);
    let mut variants = schemas.variants();
    let message = |(direction, name, phases, cause_or_effect): Row| {
        let found = variants.iter().position(|variant| variant.direction == direction && variant.name == name);
        let variant = variants.swap_remove(found.expect("every row of the table is a variant of its type"));
        Message {
            direction,
            name,
            phases,
            cause_or_effect,
            description: schemas::description(&variant.schema),
            schema: variant.schema,
            example: examples::of(direction, name),
        }
    };
    let messages: Vec<Message> = TABLE.into_iter().map(message).collect();
    assert!(variants.is_empty(), "a message is missing in the table");
    (messages, schemas)
}
