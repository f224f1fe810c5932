//! Fields of the extension, one wrong at a time, and forms of their payload.

use quizhall_protocol::{CloseCode, Dialect, Role};

use crate::row::{Row, Sent, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::tables::Group;
use crate::tables::messages::{MESSAGES, Message, cast_row, since};
use crate::tables::payload::{FORM_NAMES, formed, mutations, with_one};

/// The fields with one value.
pub const FIELDS: Group = Group {
    name: "v1_payload",
    title: "v1: payload fields, 32 fields × 16 values",
    about: "As for the interface's messages. After a refusal the host connects again and is sent exactly the sync messages of before.",
    rows: field_rows,
};

/// The list of texts.
pub const ANSWERS: Group = Group {
    name: "v1_answers",
    title: "v1: the texts of `mark_answers`",
    about: "1 to 1,000 texts without NUL. A text counts letter by letter; one that no answer has is ignored.",
    rows: answer_rows,
};

/// The numbers.
pub const SECONDS: Group = Group {
    name: "v1_seconds",
    title: "v1: the seconds of timers, of the autopilot and of breaks, and the percent of extra time",
    about: "A whole number, 5 to 600, 1 to 600 for `add_time`, 5 to 3,600 for `start_break`, and 100 to 300 percent.",
    rows: seconds_rows,
};

/// The text of a break.
pub const TEXT: Group = Group {
    name: "v1_text",
    title: "v1: the text of `start_break`",
    about: "At most 200 characters without NUL; absent, `null` and empty are no text.",
    rows: text_rows,
};

/// The forms.
pub const FORMS: Group = Group {
    name: "v1_forms",
    title: "v1: forms of `payload`, 5 forms × 33 types",
    about: "As for the interface's messages: absent, `null` or any object where there is no payload, and unknown fields ignored. The \
            type that either role may send, from both.",
    rows: form_rows,
};

/// More texts than one message may name.
const TOO_MANY: usize = 1_001;

fn field_rows() -> Vec<Row> {
    let row = |(id, message, sent): (String, &Message, Sent)| {
        let role = message.sender.unwrap_or(Role::Host);
        cast_row(format!("v1_payload/{id}"), sent.by(role, message.scene(), Cast::Mixed))
    };
    mutations(Dialect::QuizhallV1).into_iter().map(row).collect()
}

fn answer_rows() -> Vec<Row> {
    const FIELD: &str = "answers";
    let named = MESSAGES.iter().find(|message| message.name == "mark_answers");
    let message = named.expect("it is in the table");
    let row = |name: &str, value: Option<&str>, verdict: Verdict| {
        let sent = Sent { text: with_one(message, FIELD, value), verdict };
        cast_row(format!("v1_answers/{name}"), sent.by(Role::Host, message.scene(), Cast::Mixed))
    };
    let refused = || Verdict::closed(Wanted::with(CloseCode::InvalidPayload, FIELD));
    let mut rows: Vec<_> = refusals().into_iter().map(|(name, value)| row(name, value.as_deref(), refused())).collect();
    rows.extend(accepted().into_iter().map(|(name, value)| row(name, Some(&value), Verdict::Accepted)));
    let twice = r#"["a first thought"],"answers":["a first thought"]"#;
    rows.push(row("field_repeated", Some(twice), Verdict::closed(Wanted::any(CloseCode::InvalidPayload))));
    rows
}

fn texts(count: usize) -> String {
    let texts: Vec<_> = (0..count).map(|number| format!(r#""t{number}""#)).collect();
    format!("[{}]", texts.join(","))
}

fn refusals() -> Vec<(&'static str, Option<String>)> {
    let values = [
        ("null", "null"),
        ("number", "7"),
        ("flag", "true"),
        ("object", "{}"),
        ("text", r#""a first thought""#),
        ("no_text", "[]"),
        ("null_among_them", r#"["a first thought",null]"#),
        ("number_among_them", r#"["a first thought",7]"#),
        ("list_among_them", r#"["a first thought",["b"]]"#),
        ("object_among_them", r#"["a first thought",{"answer":"b"}]"#),
        ("nul_among_them", r#"["a first thought","b\u0000c"]"#),
        ("lone_surrogate_among_them", r#"["a first thought","b\ud800c"]"#),
    ];
    let mut rows = vec![("absent", None), ("1001_texts", Some(texts(TOO_MANY)))];
    rows.extend(values.map(|(name, value)| (name, Some(value.to_owned()))));
    rows
}

fn accepted() -> Vec<(&'static str, String)> {
    vec![
        ("one_text", r#"["a first thought"]"#.to_owned()),
        ("1000_texts", texts(TOO_MANY - 1)),
        ("same_text_twice", r#"["a first thought","a first thought"]"#.to_owned()),
        ("no_answer_has_it", r#"["something else"]"#.to_owned()),
        ("one_given_one_not", r#"["something else","a first thought"]"#.to_owned()),
        ("other_case", r#"["A First Thought"]"#.to_owned()),
        ("space_behind", r#"["a first thought "]"#.to_owned()),
        ("empty_text", r#"[""]"#.to_owned()),
        ("escaped", r#"["\u0061 first thought"]"#.to_owned()),
        ("longer_than_an_answer", format!(r#"["{}"]"#, "a".repeat(2_000))),
        ("control_character", r#"["b\u0007c"]"#.to_owned()),
    ]
}

fn seconds_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let of_autopilot = ["answerFor", "revealFor", "breakFor"].map(|field| ("start_autopilot", field, (5, 600)));
    let of_timers = [("set_timer", "seconds", (5, 600)), ("add_time", "seconds", (1, 600))];
    let of_others = [("set_extra_time", "percent", (100, 300)), ("start_break", "seconds", (5, 3_600))];
    for (name, field, (least, most)) in of_timers.into_iter().chain(of_autopilot).chain(of_others) {
        let named = MESSAGES.iter().find(|message| message.name == name);
        let message = named.expect("it is in the table");
        let mut row = |value: String, verdict: Verdict| {
            let sent = Sent { text: with_one(message, field, Some(&value)), verdict };
            let of = if field == "seconds" { name } else { field };
            let id = format!("v1_seconds/{of}/{value}");
            rows.push(cast_row(id, sent.by(Role::Host, message.scene(), Cast::Mixed)));
        };
        for value in [least, most] {
            row(value.to_string(), Verdict::Accepted);
        }
        let (below, above) = ((least - 1).to_string(), (most + 1).to_string());
        for value in [below.as_str(), above.as_str(), "-5", "5.5", "5.0", "1e2", "4294967301", "18446744073709551621"] {
            row(value.to_owned(), Verdict::closed(Wanted::with(CloseCode::InvalidPayload, field)));
        }
    }
    rows
}

fn text_rows() -> Vec<Row> {
    let message = MESSAGES.iter().find(|message| message.name == "start_break").expect("it is in the table");
    let row = |name: &str, value: Option<String>, verdict: Verdict| {
        let sent = Sent { text: with_one(message, "text", value.as_deref()), verdict };
        cast_row(format!("v1_text/{name}"), sent.by(Role::Host, message.scene(), Cast::Mixed))
    };
    let of = |count: usize| Some(format!(r#""{}""#, "é".repeat(count)));
    let accepted = [("absent", None), ("null", Some("null".to_owned())), ("empty", of(0)), ("200_characters", of(200))];
    let wrong = [("number", "7"), ("flag", "true"), ("list", "[]"), ("object", "{}"), ("nul", r#""a\u0000b""#)];
    let wrong = wrong.map(|(name, value)| (name, Some(value.to_owned())));
    let refused = || Verdict::closed(Wanted::with(CloseCode::InvalidPayload, "text"));
    let mut rows: Vec<_> = accepted.into_iter().map(|(name, value)| row(name, value, Verdict::Accepted)).collect();
    rows.extend(
        wrong.into_iter().chain([("201_characters", of(201))]).map(|(name, value)| row(name, value, refused())),
    );
    rows
}

fn form_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for message in since(Dialect::QuizhallV1) {
        for form in FORM_NAMES {
            let row = |id, role| cast_row(id, formed(message, form).by(role, message.scene(), Cast::Mixed));
            let id = format!("v1_forms/{}/{form}", message.name);
            if message.sender.is_none() {
                rows.push(row(format!("{id}/player"), Role::Player));
            }
            rows.push(row(id, message.sender.unwrap_or(Role::Host)));
        }
    }
    rows
}
