//! Payload mutations: 6 fields × 16 values, and 5 forms of `payload` × 8 types.

use quizhall_protocol::{CloseCode, MessageType};

use super::Group;
use super::messages::{plain, proper, valid_in};
use crate::row::{Row, Verdict, Wanted};
use crate::stage::substate::SubState;

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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Question,
    Player,
    Flag,
    Answer,
}

struct Place {
    message: MessageType,
    field: &'static str,
    kind: Kind,
    /// The right value, and the prefix that makes its upper-case form.
    right: &'static str,
}

const PLACES: [Place; 6] = [
    Place { message: MessageType::ReleaseQuestion, field: "questionId", kind: Kind::Question, right: "$NEXT" },
    Place { message: MessageType::SubmitAnswer, field: "questionId", kind: Kind::Question, right: "$OPEN" },
    Place { message: MessageType::OverrideAnswer, field: "questionId", kind: Kind::Question, right: "$OPEN" },
    Place { message: MessageType::OverrideAnswer, field: "playerId", kind: Kind::Player, right: "$PLAYER" },
    Place { message: MessageType::OverrideAnswer, field: "correct", kind: Kind::Flag, right: "true" },
    Place { message: MessageType::SubmitAnswer, field: "answer", kind: Kind::Answer, right: "a second thought" },
];

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
    let mut rows = Vec::new();
    for place in &PLACES {
        let (state, role) = (SubState::of_phase(valid_in(place.message)), place.message.role());
        for mutation in MUTATIONS {
            let id = format!("payload/{}/{}/{mutation}", place.message.as_str(), place.field);
            let sent = (text(place, value(place, mutation).as_deref()), judge(place, mutation));
            rows.push(plain(id, state, role, sent));
        }
    }
    rows
}

/// The JSON of the mutated field; `None` leaves it out.
fn value(place: &Place, mutation: &str) -> Option<String> {
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
            Kind::Question | Kind::Player => format!(r#""{}_UPPER""#, place.right),
            Kind::Flag | Kind::Answer => r#""TRUE""#.to_owned(),
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

fn judge(place: &Place, mutation: &str) -> Verdict {
    let invalid = Verdict::closed(Wanted::with(CloseCode::InvalidPayload, place.field));
    match (place.kind, mutation) {
        (Kind::Question | Kind::Player, "upper_case")
        | (Kind::Flag, "bool")
        | (Kind::Answer, "not_uuid" | "upper_case" | "braces" | "nil" | "unknown" | "other_game") => Verdict::Accepted,
        (Kind::Question, "nil" | "unknown" | "other_game") => Verdict::closed(Wanted::bare(CloseCode::UnknownQuestion)),
        (Kind::Player, "nil" | "unknown" | "other_game") => Verdict::closed(Wanted::bare(CloseCode::UnknownPlayer)),
        _ => invalid,
    }
}

/// The message with this field as said and the others right.
fn text(place: &Place, value: Option<&str>) -> String {
    let fields = PLACES.iter().filter(|other| other.message == place.message).filter_map(|other| {
        let value = if other.field == place.field { value.map(str::to_owned) } else { Some(right(other)) };
        value.map(|value| format!(r#""{}":{value}"#, other.field))
    });
    let fields = fields.collect::<Vec<_>>().join(",");
    format!(r#"{{"type":"{}","payload":{{{fields}}}}}"#, place.message.as_str())
}

fn right(place: &Place) -> String {
    if place.kind == Kind::Flag { place.right.to_owned() } else { format!(r#""{}""#, place.right) }
}

const FORM_NAMES: [&str; 5] = ["absent", "null", "array", "string", "extra_fields"];

fn form_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in MessageType::ALL {
        let (state, role) = (SubState::of_phase(valid_in(kind)), kind.role());
        let has_fields = PLACES.iter().any(|place| place.message == kind);
        for form in FORM_NAMES {
            let name = kind.as_str();
            let (text, accepted) = match form {
                "absent" => (format!(r#"{{"type":"{name}"}}"#), !has_fields),
                "null" => (format!(r#"{{"type":"{name}","payload":null}}"#), !has_fields),
                "array" => (format!(r#"{{"type":"{name}","payload":[]}}"#), false),
                "string" => (format!(r#"{{"type":"{name}","payload":"{{}}"}}"#), false),
                _ => (with_extra(kind, state), true),
            };
            let refused = Verdict::closed(Wanted::any(CloseCode::InvalidPayload));
            let verdict = if accepted { Verdict::Accepted } else { refused };
            rows.push(plain(format!("forms/{name}/{form}"), state, role, (text, verdict)));
        }
    }
    rows
}

fn with_extra(kind: MessageType, state: SubState) -> String {
    const EXTRA: &str = r#""colour":"blue","list":[1,{"deep":null}]"#;
    let text = proper(kind, state);
    match text.strip_suffix("}}") {
        Some(begun) => format!("{begun},{EXTRA}}}}}"),
        None => format!(r#"{{"type":"{}","payload":{{{EXTRA}}}}}"#, kind.as_str()),
    }
}
