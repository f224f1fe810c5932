//! `POST /join`: bodies, names and their answers.

use super::Group;
use super::http::{Answer, Ask, HttpCase, row};
use super::messages::shown;
use crate::row::Row;

/// The group.
pub const GROUP: Group = Group {
    name: "join",
    title: "`POST /join`",
    about: "201 carries exactly `sessionToken`, `gameCode`, `playerId` and `displayName`. A refusal is a problem body and adds no player.",
    rows,
};

fn rows() -> Vec<Row> {
    let mut rows = bodies();
    rows.extend(admission());
    rows.extend(carriers());
    rows.extend(good_names());
    rows.extend(bad_names());
    rows
}

fn join(name: &str, body: &str, statuses: &[u16], answer: Answer) -> Row {
    let ask = Ask::post("/join", body);
    let case = HttpCase { ask, statuses: statuses.to_vec(), answer };
    Row { send: format!("`{}`", shown(body)), ..row(format!("join/{name}"), case) }
}

fn bodies() -> Vec<Row> {
    let player = || Answer::Joined(None);
    let problem = || Answer::Problem(None);
    let of = |field| Answer::Problem(Some(field));
    vec![
        join("proper", r#"{"gameCode":"$CODE","displayName":"$NAME"}"#, &[201], player()),
        join("other_name_of_the_code", r#"{"code":"$CODE","displayName":"$NAME"}"#, &[201], player()),
        join("lower_case_code", r#"{"gameCode":"$LOWER","displayName":"$NAME"}"#, &[201], player()),
        join("unknown_fields", r#"{"gameCode":"$CODE","displayName":"$NAME","admin":true,"x":[1]}"#, &[201], player()),
        join("empty_body", "", &[400], problem()),
        join("not_json", "gameCode=$CODE", &[400], problem()),
        join("cut_off", r#"{"gameCode":"$CODE""#, &[400], problem()),
        join("two_objects", r#"{"gameCode":"$CODE","displayName":"$NAME"}{}"#, &[400], problem()),
        join("array", r#"["$CODE","$NAME"]"#, &[400, 422], problem()),
        join("string", r#""$CODE""#, &[400, 422], problem()),
        join("null", "null", &[400, 422], problem()),
        join("no_code", r#"{"displayName":"$NAME"}"#, &[422], of("gameCode")),
        join("no_name", r#"{"gameCode":"$CODE"}"#, &[422], of("displayName")),
        join("code_is_a_number", r#"{"gameCode":234567,"displayName":"$NAME"}"#, &[422], of("gameCode")),
        join("code_is_null", r#"{"gameCode":null,"displayName":"$NAME"}"#, &[422], of("gameCode")),
        join("name_is_null", r#"{"gameCode":"$CODE","displayName":null}"#, &[422], of("displayName")),
        join("name_is_an_object", r#"{"gameCode":"$CODE","displayName":{}}"#, &[422], of("displayName")),
        join(
            "key_repeated",
            r#"{"gameCode":"$CODE","displayName":"$NAME","displayName":"$NAME"}"#,
            &[400, 422],
            problem(),
        ),
        join(
            "code_given_twice",
            r#"{"gameCode":"$CODE","code":"$CODE","displayName":"$NAME"}"#,
            &[400, 422],
            problem(),
        ),
        join("deep", &format!("{}{}", "[".repeat(1_500), "]".repeat(1_500)), &[400, 422], problem()),
        join("lone_surrogate", r#"{"gameCode":"$CODE","displayName":"A\ud800"}"#, &[400, 422], problem()),
    ]
}

fn admission() -> Vec<Row> {
    let problem = || Answer::Problem(None);
    let code = |name: &str, code: &str, statuses: &[u16]| {
        join(name, &format!(r#"{{"gameCode":"{code}","displayName":"$NAME"}}"#), statuses, problem())
    };
    vec![
        code("unknown_code", "ZZ22ZZ", &[404]),
        code("short_code", "ABC", &[422]),
        code("empty_code", "", &[422]),
        code("long_code", &"A".repeat(300), &[422]),
        code("letters_no_code_has", "O0I1L0", &[422]),
        code("code_of_sql", "' OR 1=1--", &[422]),
        code("code_of_a_path", "../../x", &[422]),
        code("ended_game", "$ENDED", &[410]),
        code("locked_game", "$LOCKED", &[423]),
        join("name_taken", r#"{"gameCode":"$CODE","displayName":"Ada"}"#, &[409], Answer::Problem(None)),
        join(
            "name_taken_in_other_case",
            r#"{"gameCode":"$CODE","displayName":" ADA "}"#,
            &[409],
            Answer::Problem(None),
        ),
        join(
            "name_taken_by_a_look_alike",
            r#"{"gameCode":"$CODE","displayName":"А\u0064a"}"#,
            &[409],
            Answer::Problem(None),
        ),
        join(
            "name_taken_in_full_width",
            r#"{"gameCode":"$CODE","displayName":"Ａｄａ"}"#,
            &[409],
            Answer::Problem(None),
        ),
        join(
            "too_large",
            &format!(r#"{{"gameCode":"$CODE","displayName":"$NAME","pad":"{}"}}"#, "x".repeat(4_096)),
            &[413],
            Answer::Problem(None),
        ),
    ]
}

fn carriers() -> Vec<Row> {
    let body = r#"{"gameCode":"$CODE","displayName":"$NAME"}"#;
    let typed = |name: &str, kind: Option<&'static str>, statuses: &[u16], answer: Answer| {
        let case = HttpCase { ask: Ask::typed("POST", "/join", kind, body), statuses: statuses.to_vec(), answer };
        row(format!("join/{name}"), case)
    };
    let method = |method: &'static str, statuses: &[u16], answer: Answer| {
        let case = HttpCase { ask: Ask::bare(method, "/join"), statuses: statuses.to_vec(), answer };
        row(format!("join/method_{}", method.to_lowercase()), case)
    };
    let problem = || Answer::Problem(None);
    vec![
        typed("charset", Some("application/json; charset=utf-8"), &[201], Answer::Joined(None)),
        typed("type_in_capitals", Some("Application/JSON"), &[201], Answer::Joined(None)),
        typed("text_plain", Some("text/plain"), &[415], problem()),
        typed("form", Some("application/x-www-form-urlencoded"), &[415], problem()),
        typed("multipart", Some("multipart/form-data; boundary=x"), &[415], problem()),
        typed("no_content_type", None, &[415], problem()),
        method("GET", &[405], problem()),
        method("PUT", &[405], problem()),
        method("DELETE", &[405], problem()),
        method("HEAD", &[405], Answer::Nothing),
        method("OPTIONS", &[204, 405], Answer::NoSharing),
    ]
}

fn good_names() -> Vec<Row> {
    let name = |id: &str, sent: &str, kept: &str| {
        let body = format!(r#"{{"gameCode":"$CODE","displayName":"{sent}"}}"#);
        join(&format!("name/{id}"), &body, &[201], Answer::Joined(Some(kept.to_owned())))
    };
    vec![
        name("one_letter", "q", "q"),
        name("24_letters", &"n".repeat(24), &"n".repeat(24)),
        name("40_letters", &"n".repeat(40), &"n".repeat(40)),
        name("trimmed", "  Tri Mmed ", "Tri Mmed"),
        name("spaces_collapsed", r"Col \u00a0\u2003 lapsed", "Col lapsed"),
        name("composed", r"Zoe\u0308 C", "Zoë C"),
        name("chinese", "李雷", "李雷"),
        name("arabic", "محمد", "محمد"),
        name("cyrillic", "Жанна", "Жанна"),
        name("two_marks", r"Q\u0301\u0302", "Q\u{301}\u{302}"),
        name("emoji_family", "👩‍👩‍👧‍👦 Fam", "👩‍👩‍👧‍👦 Fam"),
        name("markup", "<img src=x onerror=a()>", "<img src=x onerror=a()>"),
        name("sql", "'); DROP TABLE game;--", "'); DROP TABLE game;--"),
        name("percent", "%00%0d%0a", "%00%0d%0a"),
        name("lookup", "${jndi:ldap://x}", "${jndi:ldap://x}"),
        name("formula", "=1+1", "=1+1"),
        name("quote_and_backslash", r#"\"q\\b"#, r#""q\b"#),
    ]
}

fn bad_names() -> Vec<Row> {
    let name = |id: &str, sent: &str| {
        let body = format!(r#"{{"gameCode":"$CODE","displayName":"{sent}"}}"#);
        join(&format!("name/{id}"), &body, &[422], Answer::Problem(Some("displayName")))
    };
    vec![
        name("empty", ""),
        name("spaces", "   "),
        name("41_letters", &"n".repeat(41)),
        name("too_many_bytes", &"👩‍👩‍👧‍👦".repeat(12)),
        name("right_to_left_override", r"Ann\u202egnp"),
        name("isolate", r"Ann\u2066x"),
        name("zero_width_space", r"\u200b"),
        name("zero_width_inside", r"An\u200bn"),
        name("word_joiner", r"An\u2060n"),
        name("soft_hyphen", r"An\u00adn"),
        name("byte_order_mark", r"\ufeffAnn"),
        name("tag_letters", r"Ann\udb40\udc61"),
        name("hangul_filler", r"\u3164"),
        name("half_width_filler", r"\uffa0"),
        name("braille_blank", r"\u2800"),
        name("zalgo", &format!("Z{}", r"\u0301".repeat(50))),
        name("three_marks", r"Q\u0301\u0302\u0303"),
        name("control_character", r"An\u0007n"),
        name("nul", r"An\u0000n"),
        name("private_use", r"An\ue000n"),
        name("unassigned", r"An\u0378n"),
        name("joiner_outside_emoji", r"An\u200dn"),
        name("punctuation_only_marks", r"\u0301"),
        name("reserved_host", "Host"),
        name("reserved_admin", "admin"),
        name("reserved_by_look", "аdmin"),
        name("reserved_system", "SYSTEM"),
    ]
}
