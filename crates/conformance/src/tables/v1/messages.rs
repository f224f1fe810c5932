//! The extension a client may send, a proper message of each, and what must follow it.

use quizhall_protocol::{CloseCode, ExtensionType, Role};

use crate::row::{Framing, MessageCase, Row, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::model::Phase;
use crate::stage::substate::SubState;
use crate::tables::messages::row;

/// A proper message of this type for this sub-state, with placeholders for ids.
pub fn proper(kind: ExtensionType, state: SubState) -> String {
    let payload = match kind {
        ExtensionType::MarkAnswers => {
            let correct = state != SubState::Overridden;
            format!(r#""questionId":"$OPEN","answers":["a first thought"],"correct":{correct}"#)
        }
        ExtensionType::UndoMarking
        | ExtensionType::ReleaseOwnScores
        | ExtensionType::ShowStandings
        | ExtensionType::Ping => return format!(r#"{{"type":"{}"}}"#, kind.as_str()),
        ExtensionType::LockGame => r#""locked":true"#.to_owned(),
        ExtensionType::RemovePlayer => r#""playerId":"$PLAYER""#.to_owned(),
    };
    format!(r#"{{"type":"{}","payload":{{{payload}}}}}"#, kind.as_str())
}

/// Whether a message of this type is valid in a phase.
pub fn is_valid_in(kind: ExtensionType, phase: Phase) -> bool {
    match kind {
        ExtensionType::MarkAnswers | ExtensionType::UndoMarking | ExtensionType::ReleaseOwnScores => {
            phase == Phase::Review
        }
        ExtensionType::ShowStandings => phase == Phase::Leaderboard,
        ExtensionType::LockGame | ExtensionType::RemovePlayer => phase != Phase::Ended,
        ExtensionType::Ping => true,
    }
}

/// What must follow a proper message on a socket that speaks the extension: role before phase, phase before ids.
pub fn verdict(kind: ExtensionType, state: SubState, role: Role) -> Verdict {
    let code = match (kind, state) {
        _ if kind.role().is_some_and(|only| only != role) => CloseCode::WrongRole,
        _ if !is_valid_in(kind, state.phase()) => CloseCode::WrongPhase,
        (ExtensionType::RemovePlayer, SubState::LobbyAlone) => CloseCode::UnknownPlayer,
        _ => return Verdict::Accepted,
    };
    Verdict::closed(Wanted::bare(code))
}

/// A row about one message in a game in which some speak the extension.
pub fn cast_row(id: String, (state, cast): (SubState, Cast), role: Role, (text, verdict): (String, Verdict)) -> Row {
    let case = MessageCase { state, cast, role, text, framing: Framing::Plain, verdict };
    let row = row(id, case);
    Row { given: format!("{}; {}", row.given, cast_words(cast)), ..row }
}

/// The cast in words.
const fn cast_words(cast: Cast) -> &'static str {
    match cast {
        Cast::Interface => "nobody speaks v1",
        Cast::Mixed => "host and first player speak v1",
        Cast::HostOnly => "the host alone speaks v1",
        Cast::FirstPlayerOnly => "the first player alone speaks v1",
    }
}
