//! `docs/reference/messages.md`: the socket for people. The prose is beside this file, the tables come from the types.

use std::fmt::Write as _;

use quizhall_protocol::{CloseCode, Dialect};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::asyncapi::advice;
use super::connecting;
use super::limits;
use super::messages::{self, Message, Section};
use super::schemas;

const HEAD: &str = include_str!("reference/head.md");
const SUBPROTOCOL: &str = include_str!("reference/subprotocol.md");
const CLOSES: &str = include_str!("reference/closes.md");

/// The whole page.
pub fn page() -> String {
    let (messages, schemas) = messages::all(SchemaSettings::draft2020_12());
    let mut page = limits::filled(HEAD);
    let mut before = Dialect::Interface;
    for section in Section::all() {
        if section.since > std::mem::replace(&mut before, section.since) {
            page.push('\n');
            page.push_str(&SUBPROTOCOL.replace("{connecting}", &connecting::table()));
        }
        let _ = write!(page, "\n## {}\n", section.heading());
        for message in messages.iter().filter(|message| message.section == section) {
            page.push_str(&entry(message, &schemas.definitions));
        }
    }
    page.push_str("\n## Objects inside messages\n");
    let payloads: Vec<_> =
        messages.iter().filter_map(|message| referred(&message.schema["properties"]["payload"])).collect();
    for (name, shape) in schemas.definitions.iter().filter(|(name, _)| !payloads.contains(&name.as_str())) {
        let _ = write!(page, "\n### {name}\n\n{}\n\n{}", schemas::description(shape), contents(shape));
    }
    page.push('\n');
    page.push_str(CLOSES);
    page.push_str(&close_codes());
    page
}

fn entry(message: &Message, definitions: &Map<String, Value>) -> String {
    let (phase_word, cause_word) =
        if message.section.direction.is_inbound() { ("Valid in phase", "Effect") } else { ("Phase", "Trigger") };
    let mut text = format!(
        "\n### `{}`\n\n{}\n\n{phase_word}: {}. {cause_word}: {}\n\n",
        message.name(),
        message.description,
        message.described.phases,
        message.described.about
    );
    match payload(&message.schema, definitions) {
        Some(payload) => text.push_str(&fields(payload)),
        None => text.push_str("No payload.\n"),
    }
    let _ = write!(text, "\n```json\n{}\n```\n", message.described.example);
    text
}

/// The definition of the payload, if the message has one.
fn payload<'a>(schema: &Value, definitions: &'a Map<String, Value>) -> Option<&'a Value> {
    definitions.get(referred(&schema["properties"]["payload"])?)
}

/// The name a schema refers to, also where null may be in its place.
fn referred(schema: &Value) -> Option<&str> {
    let or_null = schema["anyOf"].as_array().and_then(|parts| parts.first());
    or_null.unwrap_or(schema)["$ref"].as_str()?.rsplit('/').next()
}

/// The fields of an object, or the values of an enumeration.
fn contents(shape: &Value) -> String {
    let Some(values) = shape["oneOf"].as_array() else { return fields(shape) };
    let mut table = String::from("| Value | Meaning |\n|---|---|\n");
    for value in values {
        let _ = writeln!(table, "| {} | {} |", value_of(value), schemas::description(value));
    }
    table
}

/// A word, or the fields of an object that one of them tells apart.
fn value_of(shape: &Value) -> String {
    let Some(properties) = shape["properties"].as_object() else { return shape["const"].to_string() };
    let field = |(name, property): (&String, &Value)| match &property["const"] {
        Value::Null => format!("`{name}` ({})", type_of(property)),
        word => format!("`{name}` {word}"),
    };
    let own = properties.iter().map(field).collect::<Vec<_>>().join(", ");
    referred(shape).map_or(own.clone(), |name| format!("{own}, and the fields of {name}"))
}

fn fields(shape: &Value) -> String {
    let none = Map::new();
    let properties = shape["properties"].as_object().unwrap_or(&none);
    let required: Vec<&str> = shape["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut optional: Vec<&str> = properties.keys().map(String::as_str).collect();
    optional.retain(|name| !required.contains(name));
    optional.sort_unstable();
    let mut table = String::from("| Field | Type | | Meaning |\n|---|---|---|---|\n");
    for (names, presence) in [(required, ""), (optional, "optional")] {
        for name in names {
            let property = &properties[name];
            let meaning = schemas::description(property);
            let _ = writeln!(table, "| `{name}` | {} | {presence} | {meaning} |", type_of(property));
        }
    }
    table
}

fn type_of(property: &Value) -> String {
    if let Some(name) = referred(property) {
        return name.to_owned();
    }
    match (property["type"].as_str(), property["format"].as_str()) {
        (Some("array"), _) => format!("list of {}", type_of(&property["items"])),
        (Some("string"), Some("uuid")) => "string (uuid)".to_owned(),
        (Some(name), _) => name.to_owned(),
        (None, _) => "any".to_owned(),
    }
}

fn close_codes() -> String {
    let mut table = String::from("| Code | Reason | When | The client should |\n|---|---|---|---|\n");
    for code in CloseCode::ALL {
        let advice = advice(code.advice()).replace('_', " ");
        let _ = writeln!(table, "| {} | `{}` | {} | {advice} |", code.number(), code.reason(), code.when());
    }
    table
}
