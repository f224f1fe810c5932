//! Values at the edge of what a field may hold, and payloads that are almost right.

use quizhall_protocol::{CloseCode, Role};

use super::Group;
use super::messages::plain;
use crate::row::{Row, Sent, Verdict, Wanted};
use crate::stage::substate::SubState;

/// The group.
pub const GROUP: Group = Group {
    name: "fields",
    title: "Edges of fields",
    about: "An answer has 1 to 1,000 code points, at most 4 KiB, and no control characters but tab and line feed. Other spellings of a \
            UUID are refused; ids of the game that do not fit the moment are unknown.",
    rows,
};

fn rows() -> Vec<Row> {
    answers().into_iter().chain(ids()).collect()
}

fn answer(name: &str, json: &str, accepted: bool) -> Row {
    let text = format!(r#"{{"type":"submit_answer","payload":{{"questionId":"$OPEN","answer":"{json}"}}}}"#);
    let refused = Verdict::closed(Wanted::with(CloseCode::InvalidPayload, "answer"));
    let verdict = if accepted { Verdict::Accepted } else { refused };
    plain(format!("fields/answer/{name}"), SubState::OneOpen, Role::Player, Sent { text, verdict })
}

fn answers() -> Vec<Row> {
    vec![
        answer("one_letter", "b", true),
        answer("1000_letters", &"b".repeat(1_000), true),
        answer("1000_of_four_bytes", &"𝄞".repeat(1_000), true),
        answer("1000_escaped_pairs", &r"\ud834\udd1e".repeat(1_000), true),
        answer("1001_letters", &"b".repeat(1_001), false),
        answer("1001_of_four_bytes", &"𝄞".repeat(1_001), false),
        answer("tab", r"b\tc", true),
        answer("line_feed", r"b\nc", true),
        answer("carriage_return", r"b\rc", false),
        answer("bell", r"b\u0007c", false),
        answer("escape", r"b\u001bc", false),
        answer("delete", r"b\u007fc", false),
        answer("next_line", r"b\u0085c", false),
        answer("markup", r"<b>b</b> & \u003cscript\u003e", true),
        answer("right_to_left", "שלום عليكم", true),
    ]
}

fn ids() -> Vec<Row> {
    let invalid = |field| Verdict::closed(Wanted::with(CloseCode::InvalidPayload, field));
    let release = |id: &str| format!(r#"{{"type":"release_question","payload":{{"questionId":"{id}"}}}}"#);
    let host = |name: &str, state, sent| plain(format!("fields/{name}"), state, Role::Host, sent);
    let unknown = || Verdict::closed(Wanted::bare(CloseCode::UnknownQuestion));
    let overrule = |rest: &str| format!(r#"{{"type":"override_answer","payload":{{"playerId":"$PLAYER",{rest}}}}}"#);
    let player = |name: &str, state, sent| plain(format!("fields/{name}"), state, Role::Player, sent);
    let sent = |text, verdict| Sent { text, verdict };
    let submit = |rest: &str| format!(r#"{{"type":"submit_answer","payload":{{{rest}}}}}"#);
    vec![
        host("id/bare_hex", SubState::NoneOpen, sent(release("$NEXT_BARE"), invalid("questionId"))),
        host("id/urn", SubState::NoneOpen, sent(release("urn:uuid:$NEXT"), invalid("questionId"))),
        host("id/space_before", SubState::NoneOpen, sent(release(" $NEXT"), invalid("questionId"))),
        host("id/one_digit_more", SubState::NoneOpen, sent(release("$NEXT0"), invalid("questionId"))),
        host(
            "id/key_repeated",
            SubState::NoneOpen,
            sent(release(r#"$NEXT","questionId":"$NEXT"#), Verdict::closed(Wanted::any(CloseCode::InvalidPayload))),
        ),
        host("release/already_open", SubState::OneOpen, sent(release("$OPEN"), Verdict::Accepted)),
        host("override/not_released", SubState::Review, {
            sent(overrule(r#""questionId":"$NEXT","correct":true"#), unknown())
        }),
        host("override/flag_as_text", SubState::Review, {
            sent(overrule(r#""questionId":"$OPEN","correct":"true""#), invalid("correct"))
        }),
        host("override/flag_huge", SubState::Review, {
            sent(overrule(r#""questionId":"$OPEN","correct":1e400"#), invalid("correct"))
        }),
        player(
            "submit/not_released",
            SubState::OneOpen,
            sent(submit(r#""questionId":"$NEXT","answer":"b""#), unknown()),
        ),
        player("submit/other_player_named", SubState::OneOpen, {
            sent(submit(r#""questionId":"$OPEN","answer":"b","playerId":"$OTHER_PLAYER""#), Verdict::Accepted)
        }),
        player("submit/answer_repeated", SubState::OneOpen, {
            let twice = submit(r#""questionId":"$OPEN","answer":"b","answer":"c""#);
            sent(twice, Verdict::closed(Wanted::any(CloseCode::InvalidPayload)))
        }),
        player("submit/same_again", SubState::Answered, {
            sent(submit(r#""questionId":"$OPEN","answer":"a first thought""#), Verdict::Accepted)
        }),
    ]
}
