//! Payloads of the extension that a host sends → typed messages; the order of checks is the parent's.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Mistake, field, id};
use crate::close::CloseCode;
use crate::v1::from_host::{FromHostV1, LockGame, MarkAnswers, RemovePlayer};
use crate::v1::{ExtensionType, MOST_TEXTS};

/// Every field a payload of an extension message can have, unread. Not among those of the interface: its messages ignore them as
/// any other field they do not know.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payload<'a> {
    #[serde(borrow, default)]
    question_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    player_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    correct: Option<&'a RawValue>,
    #[serde(borrow, default)]
    answers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    locked: Option<&'a RawValue>,
}

impl FromHostV1 {
    pub(super) fn from_payload(kind: ExtensionType, payload: &Payload<'_>) -> Result<Self, Mistake> {
        Ok(match kind {
            ExtensionType::MarkAnswers => Self::MarkAnswers(MarkAnswers {
                question_id: id(payload.question_id, "questionId")?,
                answers: texts(payload)?,
                correct: field(payload.correct, "correct")?,
            }),
            ExtensionType::UndoMarking => Self::UndoMarking,
            ExtensionType::LockGame => Self::LockGame(LockGame { locked: field(payload.locked, "locked")? }),
            ExtensionType::RemovePlayer => {
                Self::RemovePlayer(RemovePlayer { player_id: id(payload.player_id, "playerId")? })
            }
            ExtensionType::ReleaseOwnScores => Self::ReleaseOwnScores,
            ExtensionType::ShowStandings => Self::ShowStandings,
            ExtensionType::Ping => return Err(Mistake::code(CloseCode::WrongRole)),
        })
    }
}

/// The length of a text is not checked: one that nobody can have given matches nothing.
fn texts(payload: &Payload<'_>) -> Result<Vec<String>, Mistake> {
    let texts: Vec<Cow<'_, str>> = field(payload.answers, "answers")?;
    if texts.is_empty() || texts.len() > MOST_TEXTS || texts.iter().any(|text| text.contains('\0')) {
        return Err(Mistake::field("answers"));
    }
    Ok(texts.into_iter().map(Cow::into_owned).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Dialect, HostMessage, Mistake, PlayerMessage};
    use crate::close::CloseCode;
    use crate::from_host::FromHost;
    use crate::v1::{FromAnyV1, FromHostV1};

    /// What the interface does not know it ignores, twice as well as once; the extension has not changed that.
    #[test]
    fn fields_of_the_extension_are_unknown_to_the_interface() {
        for dialect in [Dialect::Interface, Dialect::QuizhallV1] {
            let started = r#"{"type":"start_game","payload":{"locked":1,"locked":2,"answers":1,"answers":2}}"#;
            assert_eq!(HostMessage::decode(started, dialect).unwrap(), HostMessage::Interface(FromHost::StartGame));
            let id = "00000000-0000-0000-0000-000000000001";
            let answer = format!(
                r#"{{"type":"submit_answer","payload":{{"questionId":"{id}","answer":"x","answers":1,"answers":2}}}}"#
            );
            assert!(PlayerMessage::decode(&answer, dialect).is_ok());
        }
        let undone = r#"{"type":"undo_marking","payload":{"answer":1,"answer":2}}"#;
        let undo = HostMessage::V1(FromHostV1::UndoMarking);
        assert_eq!(HostMessage::decode(undone, Dialect::QuizhallV1).unwrap(), undo);
    }

    #[test]
    fn either_role_may_ping_where_it_was_agreed_on() {
        let v1 = Dialect::QuizhallV1;
        for payload in ["", r#","payload":null"#, r#","payload":{}"#, r#","payload":{"questionId":1,"questionId":2}"#] {
            let text = format!(r#"{{"type":"ping"{payload}}}"#);
            assert_eq!(HostMessage::decode(&text, v1), Ok(HostMessage::AnyV1(FromAnyV1::Ping)), "{text}");
            assert_eq!(PlayerMessage::decode(&text, v1), Ok(PlayerMessage::AnyV1(FromAnyV1::Ping)), "{text}");
            let unknown = Mistake::code(CloseCode::UnknownType);
            assert_eq!(HostMessage::decode(&text, Dialect::Interface), Err(unknown), "{text}");
            assert_eq!(PlayerMessage::decode(&text, Dialect::Interface), Err(unknown), "{text}");
        }
        for payload in ["7", "[]", r#""{}""#, "true"] {
            let text = format!(r#"{{"type":"ping","payload":{payload}}}"#);
            let invalid = Mistake::code(CloseCode::InvalidPayload);
            assert_eq!(HostMessage::decode(&text, v1), Err(invalid), "{text}");
            assert_eq!(PlayerMessage::decode(&text, v1), Err(invalid), "{text}");
        }
    }

    #[test]
    fn what_is_the_hosts_alone_is_not_a_players() {
        let kinds =
            ["mark_answers", "undo_marking", "lock_game", "remove_player", "release_own_scores", "show_standings"];
        for kind in kinds {
            let text = format!(r#"{{"type":"{kind}"}}"#);
            let wrong_role = Err(Mistake::code(CloseCode::WrongRole));
            assert_eq!(PlayerMessage::decode(&text, Dialect::QuizhallV1), wrong_role, "{text}");
        }
    }
}
