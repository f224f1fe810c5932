//! Fields of the extension, one wrong at a time, and forms of their payload.

use quizhall_protocol::{CloseCode, ExtensionType, Role};

use super::messages::{cast_row, proper};
use crate::row::{Row, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::substate::SubState;
use crate::tables::Group;
use crate::tables::payload::{FORM_NAMES, Kind, MUTATIONS, Place, formed, mutated, text};

/// The fields with one value.
pub const FIELDS: Group = Group {
    name: "v1_payload",
    title: "v1: payload fields, 4 fields × 16 values",
    about: "As for the interface's messages. After a refusal the host connects again and is sent exactly the sync messages of before.",
    rows: field_rows,
};

/// The list of texts.
pub const ANSWERS: Group = Group {
    name: "v1_answers",
    title: "v1: the texts of `mark_answers`",
    about: "1 to 1,000 texts without NUL. A text counts letter by letter; one that nobody gave is ignored.",
    rows: answer_rows,
};

/// The forms.
pub const FORMS: Group = Group {
    name: "v1_forms",
    title: "v1: forms of `payload`, 5 forms × 7 types",
    about: "As for the interface's messages: absent, `null` or any object where there is no payload, and unknown fields ignored. The \
            type that either role may send, from both.",
    rows: form_rows,
};

const PLACES: [Place; 5] = [
    Place { message: "mark_answers", field: "questionId", kind: Kind::Question, right: "$OPEN" },
    Place { message: "mark_answers", field: "correct", kind: Kind::Flag, right: "true" },
    Place { message: "lock_game", field: "locked", kind: Kind::Flag, right: "true" },
    Place { message: "remove_player", field: "playerId", kind: Kind::Player, right: "$PLAYER" },
    Place { message: "mark_answers", field: "answers", kind: Kind::Other, right: r#"["a first thought"]"# },
];
/// More texts than one message may name.
const TOO_MANY: usize = 1_001;

/// Where the rows about a type are played.
fn scene(message: &str) -> (SubState, Cast) {
    let state = match message {
        "mark_answers" | "undo_marking" | "release_own_scores" => SubState::Review,
        "show_standings" => SubState::Held,
        _ => SubState::Lobby,
    };
    (state, Cast::Mixed)
}

fn field_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for place in PLACES.iter().filter(|place| place.kind != Kind::Other) {
        for mutation in MUTATIONS {
            let id = format!("v1_payload/{}/{}/{mutation}", place.message, place.field);
            rows.push(cast_row(id, scene(place.message), Role::Host, mutated(&PLACES, place, mutation)));
        }
    }
    rows
}

fn answer_rows() -> Vec<Row> {
    let [.., place] = &PLACES;
    let row = |name: &str, value: Option<&str>, verdict: Verdict| {
        let sent = (text(&PLACES, place, value), verdict);
        cast_row(format!("v1_answers/{name}"), scene(place.message), Role::Host, sent)
    };
    let refused = || Verdict::closed(Wanted::with(CloseCode::InvalidPayload, place.field));
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
        ("nobody_gave_it", r#"["something else"]"#.to_owned()),
        ("one_given_one_not", r#"["something else","a first thought"]"#.to_owned()),
        ("other_case", r#"["A First Thought"]"#.to_owned()),
        ("space_behind", r#"["a first thought "]"#.to_owned()),
        ("empty_text", r#"[""]"#.to_owned()),
        ("escaped", r#"["\u0061 first thought"]"#.to_owned()),
        ("longer_than_an_answer", format!(r#"["{}"]"#, "a".repeat(2_000))),
        ("control_character", r#"["b\u0007c"]"#.to_owned()),
    ]
}

fn form_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in ExtensionType::ALL {
        let name = kind.as_str();
        let has_fields = !matches!(
            kind,
            ExtensionType::UndoMarking
                | ExtensionType::ReleaseOwnScores
                | ExtensionType::ShowStandings
                | ExtensionType::Ping
        );
        for form in FORM_NAMES {
            let sent = || formed((name, form), &proper(kind, scene(name).0), has_fields);
            let id = format!("v1_forms/{name}/{form}");
            if kind.role().is_none() {
                rows.push(cast_row(format!("{id}/player"), scene(name), Role::Player, sent()));
            }
            rows.push(cast_row(id, scene(name), Role::Host, sent()));
        }
    }
    rows
}
