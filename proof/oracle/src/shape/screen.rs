//! The row of a screen's picture. It has a field for a key only where an answer is shown, and none for the player who gave
//! an answer.

use quizhall_protocol::Role;

use super::v1::{COPY, MEDIA, STEP};
use super::{Field, Of, PLAYER, Shape, may, must, shape};
use crate::stated::{SECTION, TALLIED, TIED};

const ROUND: &[Field] = &[
    must("number", Of::Number),
    must("of", Of::Number),
    must("title", Of::Text),
    may("section", Of::Object(SECTION)),
    may("wrongPoints", Of::Signed),
];
const TIMER: &[Field] = &[must("remainingMs", Of::Number), must("running", Of::Flag)];
const TALLY: &[Field] = &[must("text", Of::Text), must("cloud", Of::Flag), must("entries", Of::List(TALLIED))];
const QUESTION: &[Field] = &[
    must("id", Of::Uuid),
    must("number", Of::Number),
    must("text", Of::Text),
    must("type", Of::Text),
    may("choices", Of::Texts),
    must("points", Of::Number),
    may("speedPoints", Of::Flag),
    may("media", Of::Object(MEDIA)),
    must("answered", Of::Number),
    must("of", Of::Number),
    must("closed", Of::Flag),
    may("corrected", Of::Flag),
    may("withdrawn", Of::Flag),
    may("timer", Of::Object(TIMER)),
];
const BREAK: &[Field] = &[must("timer", Of::Object(TIMER)), must("text", Of::Text), may("next", Of::Object(ROUND))];
const JOKERS: &[Field] = &[must("round", Of::Number), must("played", Of::Number)];
const CHOICE: &[Field] = &[must("text", Of::Text), must("right", Of::Flag), must("taken", Of::Number)];
const SHARE: &[Field] = &[must("count", Of::Number), must("of", Of::Number)];
const ROW: &[Field] = &[
    must("playerId", Of::Uuid),
    must("displayName", Of::Text),
    must("score", Of::Signed),
    must("rank", Of::Number),
    may("roundScore", Of::Signed),
    may("previousRank", Of::Number),
];
const NAME: &[Field] = &[must("playerId", Of::Uuid), must("displayName", Of::Text)];
const PLACE: &[Field] = &[must("rank", Of::Number), must("score", Of::Signed), must("names", Of::List(NAME))];
const PRELOAD: &[Field] = &[must("gameId", Of::Uuid), must("items", Of::List(COPY))];
/// The fields of every kind of slide.
const SHOW: &[Field] = &[
    must("kind", Of::Word(&["question", "standings", "next", "podium", "winner", "tie_break"])),
    may("number", Of::Signed),
    may("of", Of::Number),
    may("title", Of::Text),
    may("section", Of::Object(SECTION)),
    may("wrongPoints", Of::Signed),
    may("text", Of::Text),
    may("answer", Of::Text),
    may("choices", Of::List(CHOICE)),
    may("right", Of::Object(SHARE)),
    may("tally", Of::Object(TALLY)),
    may("explanation", Of::Text),
    may("media", Of::Object(MEDIA)),
    may("rows", Of::List(ROW)),
    may("page", Of::Number),
    may("pages", Of::Number),
    may("places", Of::List(PLACE)),
    may("whole", Of::Flag),
    may("place", Of::Object(PLACE)),
    may("players", Of::List(TIED)),
];

/// The messages that a screen receives.
pub(super) const PICTURE: &[Shape] = &[shape(
    "screen_update",
    Some(Role::Screen),
    &[
        must("gameCode", Of::Text),
        must("title", Of::Text),
        must("phase", Of::Word(&["lobby", "question", "round_review", "leaderboard", "ended"])),
        must("locked", Of::Flag),
        must("playerTotal", Of::Number),
        may("round", Of::Object(ROUND)),
        may("players", Of::List(PLAYER)),
        may("seal", Of::Text),
        may("questions", Of::List(QUESTION)),
        may("timer", Of::Object(TIMER)),
        may("step", Of::Object(STEP)),
        may("tally", Of::Object(TALLY)),
        may("pause", Of::Object(BREAK)),
        may("jokers", Of::Object(JOKERS)),
        may("show", Of::Object(SHOW)),
        may("preload", Of::Object(PRELOAD)),
        may("blank", Of::Flag),
        must("sound", Of::Flag),
        may("language", Of::Text),
    ],
)];
