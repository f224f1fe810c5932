//! The text of a frame becomes a message, or the close that answers it.
#![allow(clippy::unwrap_used)]

use quizhall_protocol::{
    CloseCode, Dialect, FromAny, FromHost, FromPlayer, HostMessage, Mistake, PlayerMessage, read_screen_message,
};

fn code(code: CloseCode) -> Mistake {
    Mistake(code.into())
}

/// The interface ignores unknown fields, also when they appear twice; the extension has not changed that.
#[test]
fn fields_of_the_extension_are_unknown_to_the_interface() {
    for dialect in [Dialect::Interface, Dialect::QuizhallV1] {
        let started = r#"{"type":"start_game","payload":{"locked":1,"locked":2,"answers":1,"answers":2}}"#;
        assert_eq!(HostMessage::decode(started, dialect).unwrap(), HostMessage::Game(FromHost::StartGame));
        let id = "00000000-0000-0000-0000-000000000001";
        let answer = format!(
            r#"{{"type":"submit_answer","payload":{{"questionId":"{id}","answer":"x","answers":1,"answers":2}}}}"#
        );
        assert!(PlayerMessage::decode(&answer, dialect).is_ok());
    }
}

#[test]
fn either_role_may_ping_where_it_was_agreed_on() {
    let v1 = Dialect::QuizhallV1;
    for payload in ["", r#","payload":null"#, r#","payload":{}"#, r#","payload":{"questionId":1,"questionId":2}"#] {
        let text = format!(r#"{{"type":"ping"{payload}}}"#);
        assert_eq!(HostMessage::decode(&text, v1), Ok(HostMessage::Socket(FromAny::Ping)), "{text}");
        assert_eq!(PlayerMessage::decode(&text, v1), Ok(PlayerMessage::Socket(FromAny::Ping)), "{text}");
        let unknown = code(CloseCode::UnknownType);
        assert_eq!(HostMessage::decode(&text, Dialect::Interface), Err(unknown), "{text}");
        assert_eq!(PlayerMessage::decode(&text, Dialect::Interface), Err(unknown), "{text}");
    }
    for payload in ["7", "[]", r#""{}""#, "true"] {
        let text = format!(r#"{{"type":"ping","payload":{payload}}}"#);
        let invalid = code(CloseCode::InvalidPayload);
        assert_eq!(HostMessage::decode(&text, v1), Err(invalid), "{text}");
        assert_eq!(PlayerMessage::decode(&text, v1), Err(invalid), "{text}");
    }
}

#[test]
fn a_screen_may_ping_and_nothing_else() {
    let v1 = Dialect::QuizhallV1;
    assert_eq!(read_screen_message(r#"{"type":"ping"}"#, v1), Ok(FromAny::Ping));
    for row in FromHost::ROWS.iter().chain(FromPlayer::ROWS) {
        let text = format!(r#"{{"type":"{}"}}"#, row.name);
        assert_eq!(read_screen_message(&text, v1), Err(code(CloseCode::WrongRole)), "{text}");
    }
    for unknown in ["screen_update", "pong", "dance"] {
        let text = format!(r#"{{"type":"{unknown}"}}"#);
        assert_eq!(read_screen_message(&text, v1), Err(code(CloseCode::UnknownType)), "{text}");
    }
    assert_eq!(read_screen_message("{", v1), Err(code(CloseCode::InvalidJson)));
}

#[test]
fn what_is_the_hosts_alone_is_not_a_players() {
    let kinds = ["mark_answers", "undo_marking", "lock_game", "remove_player", "release_own_scores", "show_standings"];
    for kind in kinds {
        let text = format!(r#"{{"type":"{kind}"}}"#);
        let wrong_role = Err(code(CloseCode::WrongRole));
        assert_eq!(PlayerMessage::decode(&text, Dialect::QuizhallV1), wrong_role, "{text}");
    }
}
