//! The rows of `quizhall.v1`: the messages that only a socket that asked for it may receive. The rows of state messages are
//! in `stated`.

use quizhall_protocol::Role;

use super::{ENTRY, Of, PLAYER, Shape, may, must, shape};

const STEPS: &[&str] = &[
    "start_game",
    "release_question",
    "close_question",
    "end_round",
    "reveal_answer",
    "show",
    "release_scores",
    "end_tie_break",
    "show_standings",
    "start_next_round",
    "end_game",
    "none",
];
const COMING: &[&str] = &[
    "release",
    "tally",
    "end_round",
    "reveal_answer",
    "release_scores",
    "show",
    "end_tie_break",
    "show_standings",
    "start_next_round",
    "end_game",
];
/// The autopilot's next step.
pub(super) const STEP: &[super::Field] =
    &[must("next", Of::Word(COMING)), must("remainingMs", Of::Number), must("running", Of::Flag)];
const SLIDE: &[super::Field] = &[
    must("kind", Of::Word(&["question", "standings", "next", "podium", "winner", "tie_break"])),
    must("at", Of::Number),
];
const WAITS: &[super::Field] = &[must("reason", Of::Word(&["marking", "answers"])), must("count", Of::Number)];
const ROOM_PLAYER: &[super::Field] = &[
    must("id", Of::Uuid),
    must("displayName", Of::Text),
    must("status", Of::Word(&["connected", "disconnected", "gone"])),
    may("extraTime", Of::Number),
    may("joker", Of::Number),
    may("devices", Of::List(DEVICE)),
    may("onPaper", Of::Flag),
    may("moves", Of::Number),
];
const DEVICE: &[super::Field] =
    &[must("deviceId", Of::Uuid), must("displayName", Of::Text), must("connected", Of::Flag), may("moves", Of::Number)];
const SHEET_ANSWER: &[super::Field] = &[must("questionId", Of::Uuid), must("answer", Of::Text), must("by", Of::Uuid)];
const MARK: &[super::Field] =
    &[must("playerId", Of::Uuid), must("correct", Of::Flag), may("partialPoints", Of::Number), may("ruled", Of::Flag)];
const GROUP: &[super::Field] = &[
    must("text", Of::Text),
    must("count", Of::Number),
    must("correct", Of::Flag),
    may("partialPoints", Of::Number),
    may("nearMiss", Of::Flag),
    may("ruled", Of::Flag),
];
const GROUPED: &[super::Field] = &[
    must("answers", Of::Number),
    must("right", Of::Number),
    may("taken", Of::Numbers),
    must("toCheck", Of::Number),
    must("total", Of::Number),
    must("groups", Of::List(REVIEWED_GROUP)),
];
const REVIEWED_GROUP: &[super::Field] = &[
    must("key", Of::Text),
    must("texts", Of::Texts),
    must("count", Of::Number),
    may("right", Of::Number),
    may("partial", Of::Number),
    may("partialPoints", Of::Number),
    may("nearMiss", Of::Flag),
    may("unread", Of::Flag),
    may("ruled", Of::Flag),
];
const OUTCOMES: &[&str] = &["open", "accepted", "dismissed"];
const OWN_APPEAL: &[super::Field] = &[must("questionId", Of::Uuid), must("outcome", Of::Word(OUTCOMES))];
const APPEAL: &[super::Field] = &[
    must("playerId", Of::Uuid),
    must("displayName", Of::Text),
    must("questionId", Of::Uuid),
    must("answer", Of::Text),
    may("text", Of::Text),
    must("outcome", Of::Word(OUTCOMES)),
];
/// A result with the additional fields of the extension.
const RESULT: &[super::Field] = &[
    must("questionId", Of::Uuid),
    must("question", Of::Text),
    must("yourAnswer", Of::Text),
    must("correctAnswer", Of::Text),
    must("correct", Of::Flag),
    must("points", Of::Signed),
    may("streakPoints", Of::Number),
    may("speedPoints", Of::Number),
    may("jokerPoints", Of::Signed),
];
/// Points by hand, as their player sees them.
const BY_HAND: &[super::Field] = &[must("points", Of::Signed), may("reason", Of::Text)];
const ADJUSTED: &[super::Field] = &[
    must("adjustmentId", Of::Uuid),
    must("playerId", Of::Uuid),
    must("round", Of::Number),
    must("points", Of::Signed),
    may("reason", Of::Text),
    may("givenBy", Of::Text),
];
/// A board with the additional fields of the extension.
const BOARD: &[super::Field] = &[must("leaderboard", Of::List(ENTRY)), may("total", Of::Number)];
pub(super) const COPY: &[super::Field] = &[must("name", Of::Text), must("bytes", Of::Number)];

/// A question with the additional fields of the extension.
const QUESTION: &[super::Field] = &[
    must("id", Of::Uuid),
    must("text", Of::Text),
    must("type", Of::Text),
    may("choices", Of::Texts),
    must("points", Of::Number),
    may("media", Of::Object(MEDIA)),
    may("speedPoints", Of::Flag),
];
pub(super) const MEDIA: &[super::Field] = &[
    must("name", Of::Text),
    must("key", Of::Text),
    must("kind", Of::Word(&["picture", "sound"])),
    must("type", Of::Text),
    must("bytes", Of::Number),
    must("alt", Of::Text),
    may("gameId", Of::Uuid),
    may("width", Of::Number),
    may("height", Of::Number),
];

/// Messages of the interface that have more fields for a socket that asked.
pub(super) const EXTENDED: &[Shape] = &[
    shape("question_released", None, &[must("question", Of::Object(QUESTION))]),
    shape(
        "round_scores",
        Some(Role::Player),
        &[must("results", Of::List(RESULT)), may("adjustments", Of::List(BY_HAND)), must("roundTotal", Of::Signed)],
    ),
    shape("round_leaderboard", None, BOARD),
    shape("game_ended", None, BOARD),
    shape("scoreboard_update", Some(Role::Player), BOARD),
];

/// Every extension message of the server that is no state message.
pub(super) const OTHERS: &[Shape] = &[
    shape("media_preload", None, &[must("gameId", Of::Uuid), must("items", Of::List(COPY))]),
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
    shape(
        "review_groups",
        Some(Role::Host),
        &[
            must("questionId", Of::Uuid),
            must("grouped", Of::Object(GROUPED)),
            may("part", Of::Number),
            may("parts", Of::Number),
        ],
    ),
    shape(
        "answers_update",
        Some(Role::Host),
        &[must("questionId", Of::Uuid), must("groups", Of::List(GROUP)), must("total", Of::Number)],
    ),
    shape("board_update", Some(Role::Host), super::BOARD),
    shape("adjustments_update", Some(Role::Host), &[must("adjustments", Of::List(ADJUSTED))]),
    shape("appeals_update", Some(Role::Host), &[must("appeals", Of::List(APPEAL))]),
    shape("appeal_status", Some(Role::Player), &[must("appeals", Of::List(OWN_APPEAL))]),
    shape("game_options", Some(Role::Host), crate::stated::OPTIONS),
    shape("answers_entered", Some(Role::Host), &[must("answers", Of::List(super::REVIEWED))]),
    shape("marking_update", Some(Role::Host), &[must("undoable", Of::Number)]),
    shape(
        "step_update",
        Some(Role::Host),
        &[
            must("number", Of::Number),
            must("step", Of::Word(STEPS)),
            may("questionId", Of::Uuid),
            may("slide", Of::Object(SLIDE)),
            may("waitsFor", Of::Object(WAITS)),
        ],
    ),
    shape(
        "timer_update",
        None,
        &[
            may("questionId", Of::Uuid),
            must("remainingMs", Of::Number),
            must("running", Of::Flag),
            may("extraMs", Of::Number),
        ],
    ),
    shape("autopilot_step", None, STEP),
    shape("question_closed", None, &[must("questionId", Of::Uuid)]),
    shape("joker_update", Some(Role::Player), &[may("round", Of::Number)]),
    shape(
        "lobby_changed",
        Some(Role::Player),
        &[may("joined", Of::List(PLAYER)), may("left", Of::Uuids), must("total", Of::Number)],
    ),
    shape(
        "team_update",
        Some(Role::Player),
        &[
            must("teamCode", Of::Text),
            must("deviceId", Of::Uuid),
            must("devices", Of::List(DEVICE)),
            may("captain", Of::Uuid),
        ],
    ),
    shape(
        "team_sheet",
        Some(Role::Player),
        &[must("whole", Of::Flag), must("answers", Of::List(SHEET_ANSWER)), may("suggestions", Of::List(SHEET_ANSWER))],
    ),
    shape(
        "answered_status",
        Some(Role::Player),
        &[must("questionId", Of::Uuid), must("answered", Of::Number), must("of", Of::Number)],
    ),
    shape("tie_break_answer", Some(Role::Player), &[may("number", Of::Signed)]),
    shape("pong", None, &[]),
    shape(
        "answer_revealed",
        None,
        &[
            must("questionId", Of::Uuid),
            must("correctAnswer", Of::Text),
            may("explanation", Of::Text),
            may("tally", Of::List(crate::stated::TALLIED)),
        ],
    ),
    shape(
        "question_edited",
        None,
        &[
            must("questionId", Of::Uuid),
            must("text", Of::Text),
            may("choices", Of::Texts),
            may("accepted", Of::Texts),
            must("corrected", Of::Flag),
        ],
    ),
    shape("question_withdrawn", None, &[must("questionId", Of::Uuid)]),
    shape("player_renamed", None, PLAYER),
    shape("break_update", None, &[may("remainingMs", Of::Number), may("text", Of::Text)]),
];
