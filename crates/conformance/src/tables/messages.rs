//! The message types, a proper message of each, and the one judgement of the interface: may this role send it here?

use std::fmt::Write;

use quizhall_protocol::{CloseCode, MessageType, Role};

use crate::row::{Check, Framing, MessageCase, Row, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::model::Phase;
use crate::stage::substate::SubState;

/// Types that only the server sends, `scoreboard_update` once.
pub const SERVER_ONLY: [&str; 11] = [
    "lobby_update",
    "game_started",
    "question_released",
    "round_ended",
    "round_leaderboard",
    "game_ended",
    "scoreboard_update",
    "round_review",
    "override_applied",
    "answer_accepted",
    "round_scores",
];

/// A type that nobody sends.
pub const UNKNOWN: &str = "make_tea";

/// The phase in which a message is valid (messages.md#phases).
pub const fn valid_in(kind: MessageType) -> Phase {
    match kind {
        MessageType::StartGame => Phase::Lobby,
        MessageType::ReleaseQuestion | MessageType::EndRound | MessageType::SubmitAnswer => Phase::Question,
        MessageType::OverrideAnswer | MessageType::ReleaseScores => Phase::Review,
        MessageType::StartNextRound | MessageType::EndGame => Phase::Leaderboard,
    }
}

/// A proper message of this type for this sub-state, with placeholders for ids.
pub fn proper(kind: MessageType, state: SubState) -> String {
    let payload = match kind {
        MessageType::ReleaseQuestion => r#""questionId":"$NEXT""#.to_owned(),
        MessageType::OverrideAnswer => {
            let correct = state != SubState::Overridden;
            format!(r#""playerId":"$PLAYER","questionId":"$OPEN","correct":{correct}"#)
        }
        MessageType::SubmitAnswer => r#""questionId":"$OPEN","answer":"a second thought""#.to_owned(),
        _ => return format!(r#"{{"type":"{}"}}"#, kind.as_str()),
    };
    format!(r#"{{"type":"{}","payload":{{{payload}}}}}"#, kind.as_str())
}

/// What must follow a proper message: role before phase, phase before what the game holds.
pub fn verdict(kind: MessageType, state: SubState, role: Role) -> Verdict {
    if kind.role() != role {
        return Verdict::closed(Wanted::bare(CloseCode::WrongRole));
    }
    if valid_in(kind) != state.phase() {
        return Verdict::closed(Wanted::bare(CloseCode::WrongPhase));
    }
    match (kind, state) {
        (MessageType::SubmitAnswer, SubState::NoneOpen) => Verdict::closed(Wanted::bare(CloseCode::UnknownQuestion)),
        (MessageType::StartNextRound, SubState::LastRound) => {
            Verdict::closed(Wanted::with(CloseCode::InvalidPayload, "no round left"))
        }
        _ => Verdict::Accepted,
    }
}

/// A row about one message.
pub fn row(id: String, case: MessageCase) -> Row {
    Row {
        id,
        given: format!("{}; {}", case.state.words(), role_words(case.role)),
        send: shown(&case.text),
        expect: case.verdict.words(),
        check: Check::Message(case),
    }
}

/// A row about one message in one text frame.
pub fn plain(id: String, state: SubState, role: Role, (text, verdict): (String, Verdict)) -> Row {
    row(id, MessageCase { state, cast: Cast::Interface, role, text, framing: Framing::Plain, verdict })
}

/// The role in an id.
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Host => "host",
        Role::Player => "player",
    }
}

/// Both roles.
pub const ROLES: [Role; 2] = [Role::Host, Role::Player];

const fn role_words(role: Role) -> &'static str {
    match role {
        Role::Host => "host sends",
        Role::Player => "player sends",
    }
}

/// A text short enough for a table, with nothing in it that cannot be printed.
pub fn shown(text: &str) -> String {
    const SHOWN: usize = 100;
    let mut short: String = text.chars().take(SHOWN).flat_map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        let _ = write!(short, "… ({} characters)", text.chars().count());
    }
    short
}

fn visible(symbol: char) -> Vec<char> {
    let plain = symbol == ' ' || symbol.is_alphanumeric() || symbol.is_ascii_punctuation();
    if plain { vec![symbol] } else { symbol.escape_unicode().collect() }
}
