//! Payload mutations: 6 fields × 16 values, and 5 forms of `payload` × 8 types. The tables of the extension mutate in the same way.

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

/// What a field holds, as far as its mutations are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Question,
    Player,
    Flag,
    Answer,
    /// Not mutated here.
    Other,
}

/// A field of a message.
pub(super) struct Place {
    pub message: &'static str,
    pub field: &'static str,
    pub kind: Kind,
    /// The right value: of a flag or another kind as JSON, else without its quotes.
    pub right: &'static str,
}

const PLACES: [Place; 6] = [
    Place { message: "release_question", field: "questionId", kind: Kind::Question, right: "$NEXT" },
    Place { message: "submit_answer", field: "questionId", kind: Kind::Question, right: "$OPEN" },
    Place { message: "override_answer", field: "questionId", kind: Kind::Question, right: "$OPEN" },
    Place { message: "override_answer", field: "playerId", kind: Kind::Player, right: "$PLAYER" },
    Place { message: "override_answer", field: "correct", kind: Kind::Flag, right: "true" },
    Place { message: "submit_answer", field: "answer", kind: Kind::Answer, right: "a second thought" },
];

/// The values a field is given instead of the right one.
pub(super) const MUTATIONS: [&str; 16] = [
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
        let message = MessageType::ALL.into_iter().find(|kind| kind.as_str() == place.message);
        let message = message.expect("every place is of a type of the interface");
        let (state, role) = (SubState::of_phase(valid_in(message)), message.role());
        for mutation in MUTATIONS {
            let id = format!("payload/{}/{}/{mutation}", place.message, place.field);
            rows.push(plain(id, state, role, mutated(&PLACES, place, mutation)));
        }
    }
    rows
}

/// The message with one field mutated and the others right, and what must follow.
pub(super) fn mutated(places: &[Place], place: &Place, mutation: &str) -> (String, Verdict) {
    (text(places, place, value(place, mutation).as_deref()), judge(place, mutation))
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
            Kind::Flag | Kind::Answer | Kind::Other => r#""TRUE""#.to_owned(),
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
pub(super) fn text(places: &[Place], place: &Place, value: Option<&str>) -> String {
    let fields = places.iter().filter(|other| other.message == place.message).filter_map(|other| {
        let value = if other.field == place.field { value.map(str::to_owned) } else { Some(right(other)) };
        value.map(|value| format!(r#""{}":{value}"#, other.field))
    });
    let fields = fields.collect::<Vec<_>>().join(",");
    format!(r#"{{"type":"{}","payload":{{{fields}}}}}"#, place.message)
}

fn right(place: &Place) -> String {
    if matches!(place.kind, Kind::Flag | Kind::Other) {
        place.right.to_owned()
    } else {
        format!(r#""{}""#, place.right)
    }
}

/// The forms of a payload.
pub(super) const FORM_NAMES: [&str; 5] = ["absent", "null", "array", "string", "extra_fields"];

fn form_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in MessageType::ALL {
        let (state, role) = (SubState::of_phase(valid_in(kind)), kind.role());
        let has_fields = PLACES.iter().any(|place| place.message == kind.as_str());
        for form in FORM_NAMES {
            let name = kind.as_str();
            let sent = formed((name, form), &proper(kind, state), has_fields);
            rows.push(plain(format!("forms/{name}/{form}"), state, role, sent));
        }
    }
    rows
}

/// A message with its payload in one of the forms, and what must follow.
pub(super) fn formed((name, form): (&str, &str), proper: &str, has_fields: bool) -> (String, Verdict) {
    let (text, accepted) = match form {
        "absent" => (format!(r#"{{"type":"{name}"}}"#), !has_fields),
        "null" => (format!(r#"{{"type":"{name}","payload":null}}"#), !has_fields),
        "array" => (format!(r#"{{"type":"{name}","payload":[]}}"#), false),
        "string" => (format!(r#"{{"type":"{name}","payload":"{{}}"}}"#), false),
        _ => (with_extra(name, proper), true),
    };
    let refused = Verdict::closed(Wanted::any(CloseCode::InvalidPayload));
    (text, if accepted { Verdict::Accepted } else { refused })
}

fn with_extra(name: &str, proper: &str) -> String {
    const EXTRA: &str = r#""colour":"blue","list":[1,{"deep":null}]"#;
    match proper.strip_suffix("}}") {
        Some(begun) => format!("{begun},{EXTRA}}}}}"),
        None => format!(r#"{{"type":"{name}","payload":{{{EXTRA}}}}}"#),
    }
}
