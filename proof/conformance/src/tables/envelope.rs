//! Envelope variants: texts that are almost a message, and odd but proper ways to send one.

use quizhall_protocol::{CloseCode, Role};

use super::Group;
use super::messages::{plain, row};
use crate::row::{Framing, MessageCase, Row, Sent, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::substate::SubState;
use crate::wire::Build;
use crate::wire::frame::{BINARY, CONTINUATION, PING, TEXT};

/// The group.
pub const GROUP: Group = Group {
    name: "envelope",
    title: "Envelope variants",
    about: "A player's `submit_answer` to an open question, written in every odd way. A text that is not exactly one JSON object with one string \
            `type` is 4000; every form that RFC 8259 and RFC 6455 allow is accepted.",
    rows,
};

/// A proper message that the variants vary.
const PROPER: &str = r#"{"type":"submit_answer","payload":{"questionId":"$OPEN","answer":"bé"}}"#;
const STATE: SubState = SubState::OneOpen;
/// The largest message of a player.
const LARGEST: usize = 16 * 1024;

fn rows() -> Vec<Row> {
    let mut rows: Vec<_> =
        not_envelopes().into_iter().map(|(name, text)| closed(name, text, CloseCode::InvalidJson)).collect();
    rows.extend(odd_types());
    rows.extend(accepted().into_iter().map(|(name, text)| one(name, text, Verdict::Accepted)));
    rows.extend(framings());
    rows.extend(sizes());
    rows
}

fn closed(name: &str, text: impl Into<String>, code: CloseCode) -> Row {
    one(name, text.into(), Verdict::closed(Wanted::bare(code)))
}

fn one(name: &str, text: String, verdict: Verdict) -> Row {
    plain(format!("envelope/{name}"), STATE, Role::Player, Sent { text, verdict })
}

/// A message whose payload nests so deep that the whole has this depth.
fn nested(depth: usize) -> String {
    let lists = depth - 2;
    let (open, close) = ("[".repeat(lists), "]".repeat(lists));
    format!(r#"{{"type":"submit_answer","payload":{{"questionId":"$OPEN","answer":"b","extra":{open}{close}}}}}"#)
}

fn not_envelopes() -> Vec<(&'static str, String)> {
    let own = |name, text: &str| (name, text.to_owned());
    let payload = r#""payload":{"questionId":"$OPEN","answer":"b"}"#;
    vec![
        own("empty", ""),
        own("white_space", " \n\t "),
        ("byte_order_mark", format!("\u{feff}{PROPER}")),
        ("trailing_bytes", format!("{PROPER} x")),
        ("two_objects", format!("{PROPER}{PROPER}")),
        ("two_lines", format!("{PROPER}\n{PROPER}")),
        ("array_of_one", format!("[{PROPER}]")),
        own("array_by_position", r#"["submit_answer",{"questionId":"$OPEN","answer":"b"}]"#),
        own("string_root", r#""submit_answer""#),
        own("number_root", "1e400"),
        own("null_root", "null"),
        own("true_root", "true"),
        own("unfinished", r#"{"type":"submit_answer""#),
        own("no_type", "{}"),
        ("no_type_but_payload", format!("{{{payload}}}")),
        ("type_null", format!(r#"{{"type":null,{payload}}}"#)),
        ("type_number", format!(r#"{{"type":1e400,{payload}}}"#)),
        ("type_flag", format!(r#"{{"type":true,{payload}}}"#)),
        ("type_array", format!(r#"{{"type":["submit_answer"],{payload}}}"#)),
        ("type_object", format!(r#"{{"type":{{}},{payload}}}"#)),
        ("type_repeated", format!(r#"{{"type":"submit_answer","type":"submit_answer",{payload}}}"#)),
        ("payload_repeated", format!(r#"{{"type":"submit_answer",{payload},{payload}}}"#)),
        ("single_quotes", PROPER.replace('"', "'")),
        ("unquoted_key", PROPER.replace(r#""type""#, "type")),
        ("comment", format!("/* hello */{PROPER}")),
        ("trailing_comma", PROPER.replace("}}", "},}")),
        ("not_a_number", PROPER.replace(r#""bé""#, "NaN")),
        ("raw_control_character", PROPER.replace("bé", "b\u{1}")),
        ("raw_nul", format!("{PROPER}\0")),
        ("depth_17", nested(17)),
        ("depth_200", nested(200)),
    ]
}

fn odd_types() -> Vec<Row> {
    let typed = |kind: &str| PROPER.replace("submit_answer", kind);
    let mut rows: Vec<_> = [
        ("type_empty", ""),
        ("type_other_case", "Submit_Answer"),
        ("type_space_after", "submit_answer "),
        ("type_nul_after", r"submit_answer\u0000"),
        ("type_of_dots", "../submit_answer"),
    ]
    .into_iter()
    .map(|(name, kind)| closed(name, typed(kind), CloseCode::UnknownType))
    .collect();
    let either = Verdict::Closed(vec![Wanted::bare(CloseCode::InvalidJson), Wanted::bare(CloseCode::UnknownType)]);
    rows.push(one("type_lone_surrogate", typed(r"\ud800"), either));
    for (name, payload) in [("payload_huge_number", "1e400"), ("payload_flag", "true"), ("payload_number", "7")] {
        let text = format!(r#"{{"type":"submit_answer","payload":{payload}}}"#);
        let verdict = Verdict::closed(Wanted::any(CloseCode::InvalidPayload));
        rows.push(one(name, text, verdict));
    }
    rows
}

fn accepted() -> Vec<(&'static str, String)> {
    vec![
        ("proper", PROPER.to_owned()),
        ("white_space_around", format!("\r\n\t {PROPER} \n")),
        ("payload_first", r#"{"payload":{"answer":"b","questionId":"$OPEN"},"type":"submit_answer"}"#.to_owned()),
        ("unknown_fields", PROPER.replacen('{', r#"{"id":7,"meta":{"a":[null]},"#, 1)),
        ("escaped_type", PROPER.replace("submit_answer", r"submit\u005fanswer")),
        ("escaped_key", PROPER.replace("type", r"typ\u0065")),
        ("depth_16", nested(16)),
        ("brackets_in_text", PROPER.replace("bé", &"[{".repeat(40))),
    ]
}

fn framings() -> Vec<Row> {
    let framed = |name: &str, framing: fn(&str) -> Vec<u8>, verdict: Verdict, what: &str| {
        let case = MessageCase {
            state: STATE,
            cast: Cast::Interface,
            role: Role::Player,
            text: PROPER.to_owned(),
            framing: Framing::By(framing),
            verdict,
        };
        Row { send: what.to_owned(), ..row(format!("envelope/{name}"), case) }
    };
    let accepted = || Verdict::Accepted;
    let closed = |code| Verdict::closed(Wanted::bare(code));
    vec![
        framed("binary", |text| Build::new(BINARY, text).bytes(), closed(CloseCode::TextOnly), "a binary frame"),
        framed("two_fragments", |text| fragments(text, 2), accepted(), "two fragments"),
        framed("32_fragments", |text| fragments(text, 32), accepted(), "32 fragments"),
        framed("33_fragments", |text| fragments(text, 33), closed(CloseCode::MessageTooBig), "33 fragments"),
        framed("every_byte_apart", |text| fragments(text, text.len()), closed(CloseCode::MessageTooBig), {
            "a fragment for every byte"
        }),
        framed("empty_fragments", around_with_empty, accepted(), "an empty fragment before and after"),
        framed("ping_between", |text| with_ping(text, 1), accepted(), "a ping between two fragments"),
        framed("pings_between", |text| with_ping(text, 10), accepted(), "ten pings between two fragments"),
        framed("split_code_point", split_code_point, accepted(), "two fragments that split a code point"),
        framed(
            "binary_fragments",
            |text| relabelled(text, BINARY),
            closed(CloseCode::TextOnly),
            "two binary fragments",
        ),
        framed(
            "pong_before",
            |text| [Build::new(0xA, "unasked").bytes(), Build::text(text).bytes()].concat(),
            accepted(),
            "an unasked pong, then the message",
        ),
    ]
}

fn sizes() -> Vec<Row> {
    fn padded(text: &str, size: usize) -> Vec<u8> {
        Build::text(&format!("{text}{}", " ".repeat(size - text.len()))).bytes()
    }
    let sized = |name: &str, role, framing, verdict: Verdict, what: &str| {
        let (state, text) = match role {
            Role::Player | Role::Screen => (STATE, PROPER),
            Role::Host => (SubState::NoneOpen, r#"{"type":"release_question","payload":{"questionId":"$NEXT"}}"#),
        };
        let (text, framing) = (text.to_owned(), Framing::By(framing));
        let case = MessageCase { state, cast: Cast::Interface, role, text, framing, verdict };
        Row { send: what.to_owned(), ..row(format!("envelope/{name}"), case) }
    };
    let too_big = || Verdict::closed(Wanted::bare(CloseCode::MessageTooBig));
    let player = Role::Player;
    vec![
        sized("player_16_kib", player, |text| padded(text, LARGEST), Verdict::Accepted, "16,384 bytes"),
        sized("player_16_kib_and_one", player, |text| padded(text, LARGEST + 1), too_big(), "16,385 bytes"),
        sized(
            "player_too_big_in_parts",
            player,
            |text| {
                [Build::new(TEXT, text).unfinished().bytes(), Build::new(CONTINUATION, vec![b' '; LARGEST]).bytes()]
                    .concat()
            },
            too_big(),
            "two fragments, together more than 16,384 bytes",
        ),
        sized("host_64_kib", Role::Host, |text| padded(text, 4 * LARGEST), Verdict::Accepted, "65,536 bytes"),
        sized("host_64_kib_and_one", Role::Host, |text| padded(text, 4 * LARGEST + 1), too_big(), "65,537 bytes"),
        sized(
            "depth_30000",
            Role::Host,
            |_| Build::text(&"[".repeat(30_000)).bytes(),
            Verdict::closed(Wanted::bare(CloseCode::InvalidJson)),
            "30,000 opening brackets",
        ),
        sized(
            "depth_100000",
            player,
            |_| Build::text(&"[".repeat(100_000)).bytes(),
            Verdict::Closed(vec![Wanted::bare(CloseCode::MessageTooBig), Wanted::bare(CloseCode::InvalidJson)]),
            "100,000 opening brackets",
        ),
    ]
}

/// The text in this many fragments.
fn fragments(text: &str, count: usize) -> Vec<u8> {
    let bytes = text.as_bytes();
    let bounds = |part: usize| part * bytes.len() / count;
    (0..count).flat_map(|part| fragment(part, count, &bytes[bounds(part)..bounds(part + 1)])).collect()
}

fn fragment(part: usize, count: usize, bytes: &[u8]) -> Vec<u8> {
    let frame = Build::new(if part == 0 { TEXT } else { CONTINUATION }, bytes);
    if part + 1 == count { frame.bytes() } else { frame.unfinished().bytes() }
}

fn around_with_empty(text: &str) -> Vec<u8> {
    [fragment(0, 3, b""), fragment(1, 3, text.as_bytes()), fragment(2, 3, b"")].concat()
}

fn with_ping(text: &str, count: usize) -> Vec<u8> {
    let (head, tail) = text.as_bytes().split_at(text.len() / 2);
    let pings = Build::new(PING, "between").bytes().repeat(count);
    [fragment(0, 2, head), pings, fragment(1, 2, tail)].concat()
}

fn split_code_point(text: &str) -> Vec<u8> {
    let middle = text.find('é').map_or(1, |start| start + 1);
    let (head, tail) = text.as_bytes().split_at(middle);
    [fragment(0, 2, head), fragment(1, 2, tail)].concat()
}

fn relabelled(text: &str, opcode: u8) -> Vec<u8> {
    let (head, tail) = text.as_bytes().split_at(text.len() / 2);
    [Build::new(opcode, head).unfinished().bytes(), fragment(1, 2, tail)].concat()
}
