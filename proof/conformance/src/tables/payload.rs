//! Payload mutations: 6 fields × 16 values, and 5 forms of `payload` × 8 types. The tables of the extension mutate in the same way.

use quizhall_protocol::{CloseCode, Dialect, Role};

use super::Group;
use super::messages::{Field, Kind, Message, plain, since};
use crate::row::{Row, Sent, Verdict, Wanted};

/// The group of the fields.
pub const FIELDS: Group = Group {
    name: "payload",
    title: "Payload fields: 6 fields × 16 values",
    about: "Each field of each message with a payload, one value wrong at a time, the others right. A UUID is the hyphenated form of 36 \
            characters in any case; a well-formed stranger is unknown (4005, 4006), whether random, nil or of another game.",
    rows: field_rows,
};

/// The group of the forms.
pub const FORMS: Group = Group {
    name: "forms",
    title: "Forms of `payload`: 5 forms × 8 types",
    about: "Types without a payload accept it absent, `null` and as any object; unknown fields are ignored everywhere.",
    rows: form_rows,
};

/// The values a field is given instead of the right one.
const MUTATIONS: [&str; 16] = [
    "absent",
    "null",
    "number",
    "bool",
    "array",
    "object",
    "empty",
    "not_uuid",
    "upper_case",
    "braces",
    "nil",
    "unknown",
    "other_game",
    "nul",
    "lone_surrogate",
    "over_long",
];

const NIL: &str = "00000000-0000-0000-0000-000000000000";
/// Longer than any field may be, shorter than a player's message.
const OVER_LONG: usize = 5_000;

fn field_rows() -> Vec<Row> {
    let row = |(id, message, sent): (String, &Message, Sent)| {
        plain(format!("payload/{id}"), message.scene(), message.sender.unwrap_or(Role::Host), sent)
    };
    mutations(Dialect::Interface).into_iter().map(row).collect()
}

/// Every message that the dialect introduces, with one field mutated and the others right, and what must follow.
pub(super) fn mutations(dialect: Dialect) -> Vec<(String, &'static Message, Sent)> {
    let mut rows = Vec::new();
    for message in since(dialect) {
        for field in message.fields.iter().filter(|field| field.kind != Kind::Other) {
            for mutation in MUTATIONS {
                let text = with_one(message, field.name, value(field, mutation).as_deref());
                let id = format!("{}/{}/{mutation}", message.name, field.name);
                let role = message.sender.unwrap_or(Role::Host);
                let judged = judge(field, mutation);
                let is_proper = matches!(judged, Verdict::Accepted);
                let verdict = if is_proper { message.verdict(message.scene(), role) } else { judged };
                rows.push((id, message, Sent { text, verdict }));
            }
        }
    }
    rows
}

/// The JSON of the mutated field; `None` leaves it out.
fn value(place: &Field, mutation: &str) -> Option<String> {
    let stranger = if place.kind == Kind::Player { "$OTHER_PLAYER" } else { "$OTHER_QUESTION" };
    Some(match mutation {
        "absent" => return None,
        "null" => "null".to_owned(),
        "number" => "7".to_owned(),
        "bool" => "true".to_owned(),
        "array" => "[]".to_owned(),
        "object" => "{}".to_owned(),
        "empty" => r#""""#.to_owned(),
        "not_uuid" => r#""not-a-uuid""#.to_owned(),
        "upper_case" => match place.kind {
            Kind::Question | Kind::QuestionOrRound | Kind::Player => format!(r#""{}_UPPER""#, place.right),
            Kind::Flag | Kind::Seconds | Kind::Percent | Kind::Text(_) | Kind::Other => r#""TRUE""#.to_owned(),
        },
        "braces" => format!(r#""{{{}}}""#, place.right),
        "nil" => format!(r#""{NIL}""#),
        "unknown" => r#""$RANDOM""#.to_owned(),
        "other_game" => format!(r#""{stranger}""#),
        "nul" => r#""ab\u0000cd""#.to_owned(),
        "lone_surrogate" => r#""ab\ud800cd""#.to_owned(),
        _ => format!(r#""{}""#, "a".repeat(OVER_LONG)),
    })
}

fn judge(place: &Field, mutation: &str) -> Verdict {
    let invalid = Verdict::closed(Wanted::with(CloseCode::InvalidPayload, place.name));
    match (place.kind, mutation) {
        (Kind::Question | Kind::QuestionOrRound | Kind::Player, "upper_case")
        | (Kind::QuestionOrRound, "absent" | "null")
        | (Kind::Seconds, "number")
        | (Kind::Flag, "bool")
        | (Kind::Text(0), "empty")
        | (Kind::Text(_), "not_uuid" | "upper_case" | "braces" | "nil" | "unknown" | "other_game") => Verdict::Accepted,
        (Kind::Question | Kind::QuestionOrRound, "nil" | "unknown" | "other_game") => {
            Verdict::closed(Wanted::bare(CloseCode::UnknownQuestion))
        }
        (Kind::Player, "nil" | "unknown" | "other_game") => Verdict::closed(Wanted::bare(CloseCode::UnknownPlayer)),
        _ => invalid,
    }
}

/// The message with this value in one field and the others right.
pub(super) fn with_one(message: &Message, name: &str, value: Option<&str>) -> String {
    message.with(|field| if field.name == name { value.map(str::to_owned) } else { Some(field.json()) })
}

/// The forms of a payload.
pub(super) const FORM_NAMES: [&str; 5] = ["absent", "null", "array", "string", "extra_fields"];

fn form_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for message in since(Dialect::Interface) {
        for form in FORM_NAMES {
            let (id, role) = (format!("forms/{}/{form}", message.name), message.sender.unwrap_or(Role::Host));
            rows.push(plain(id, message.scene(), role, formed(message, form)));
        }
    }
    rows
}

/// A message with its payload in one of the forms, and what must follow.
pub(super) fn formed(message: &Message, form: &str) -> Sent {
    let (name, has_fields) = (message.name, !message.fields.is_empty());
    let (text, accepted) = match form {
        "absent" => (format!(r#"{{"type":"{name}"}}"#), !has_fields),
        "null" => (format!(r#"{{"type":"{name}","payload":null}}"#), !has_fields),
        "array" => (format!(r#"{{"type":"{name}","payload":[]}}"#), false),
        "string" => (format!(r#"{{"type":"{name}","payload":"{{}}"}}"#), false),
        _ => (with_extra(name, &message.proper(message.scene())), true),
    };
    let refused = Verdict::closed(Wanted::any(CloseCode::InvalidPayload));
    let role = message.sender.unwrap_or(Role::Host);
    Sent { text, verdict: if accepted { message.verdict(message.scene(), role) } else { refused } }
}

fn with_extra(name: &str, proper: &str) -> String {
    const EXTRA: &str = r#""colour":"blue","list":[1,{"deep":null}]"#;
    match proper.strip_suffix("}}") {
        Some(begun) => format!("{begun},{EXTRA}}}}}"),
        None => format!(r#"{{"type":"{name}","payload":{{{EXTRA}}}}}"#),
    }
}
