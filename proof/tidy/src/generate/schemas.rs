//! JSON Schemas of the messages, by schemars from the types of the wire.

use quizhall_protocol::messages::Direction;
use quizhall_protocol::{Dialect, FromAny, FromHost, FromPlayer, Role, ToAll, ToHost, ToPlayer, ToScreen, ToSender};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};

use super::messages::{self, Section};

/// The schemas of all message types and of the shapes inside them.
pub struct Schemas {
    /// Every message, as a branch of its direction's `oneOf`.
    messages: Vec<(Direction, Value)>,
    /// The shapes, by name.
    pub definitions: Map<String, Value>,
}

impl Schemas {
    pub fn new(settings: SchemaSettings) -> Self {
        let settings = settings.with_transform(RecursiveTransform(say_the_range));
        let mut inbound = settings.clone().for_deserialize().into_generator();
        let mut outbound = settings.for_serialize().into_generator();
        inbound.subschema_for::<FromHost>();
        inbound.subschema_for::<FromPlayer>();
        inbound.subschema_for::<FromAny>();
        outbound.subschema_for::<ToAll>();
        outbound.subschema_for::<ToHost>();
        outbound.subschema_for::<ToPlayer>();
        outbound.subschema_for::<ToScreen>();
        outbound.subschema_for::<ToSender>();
        let mut definitions = inbound.take_definitions(true);
        definitions.extend(outbound.take_definitions(true));
        definitions.values_mut().for_each(absent_is_not_null);
        let mut messages = Vec::new();
        for direction in Direction::ALL {
            let schema = definitions.remove(&format!("{direction:?}")).expect("asked for above");
            messages.extend(branches(direction, &schema).into_iter().map(|branch| (direction, branch)));
        }
        Self { messages, definitions }
    }

    /// The schema of the whole envelope of a message.
    ///
    /// # Panics
    /// When the direction has no message of this name.
    pub fn of(&self, direction: Direction, name: &str) -> Value {
        let is_it = |schema: &Value| schema["properties"]["type"]["const"] == name;
        let found = self.messages.iter().find(|(of, schema)| *of == direction && is_it(schema));
        found.expect("every row is a variant of its type").1.clone()
    }
}

/// The sentence a schema carries, on one line.
pub fn description(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// `docs/reference/messages.schema.json`: every message and shape under `$defs`.
pub fn document() -> Value {
    let (messages, schemas) = messages::all(SchemaSettings::draft2020_12());
    let mut definitions = schemas.definitions;
    for section in Section::all() {
        let own = messages.iter().filter(|message| message.section == section);
        let branches: Vec<&Value> = own.map(|message| &message.schema).collect();
        definitions.insert(section.type_name(), json!({ "title": section.heading(), "oneOf": branches }));
    }
    for (client, role) in [("Host", Role::Host), ("Player", Role::Player), ("Screen", Role::Screen)] {
        for (suffix, dialect) in [("", Dialect::Interface), ("V1", Dialect::QuizhallV1)] {
            for (verb, is_inbound) in [("Said", true), ("Heard", false)] {
                let reference = |section: Section| json!({ "$ref": format!("#/$defs/{}", section.type_name()) });
                let parts: Vec<_> = Section::of_client(role, dialect, is_inbound).map(reference).collect();
                if parts.len() > 1 {
                    definitions.insert(format!("{verb}By{client}{suffix}"), json!({ "anyOf": parts }));
                }
            }
        }
    }
    let every = Section::all().into_iter().map(|section| json!({ "$ref": format!("#/$defs/{}", section.type_name()) }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:quizhall:messages",
        "anyOf": every.collect::<Vec<_>>(),
        "title": "Quizhall: messages of the socket /ws/{gameCode}",
        "description": "The root takes every message of every direction. Choose by who speaks: #/$defs/FromHost, #/$defs/FromPlayer, #/$defs/HeardByHost, #/$defs/HeardByPlayer; on a socket of the subprotocol quizhall.v1, #/$defs/SaidByHostV1, #/$defs/SaidByPlayerV1, #/$defs/HeardByHostV1, #/$defs/HeardByPlayerV1, #/$defs/HeardByScreenV1. Clients must ignore fields and types they do not know.",
        "$defs": definitions,
    })
}

fn branches(direction: Direction, schema: &Value) -> Vec<Value> {
    // schemars writes an enum of one variant without `oneOf`.
    let one = [schema.clone()];
    let mut branches = schema["oneOf"].as_array().map_or(&one[..], Vec::as_slice).to_vec();
    for branch in
        branches.iter_mut().filter(|branch| direction.is_inbound() && branch["properties"]["payload"].is_null())
    {
        branch["properties"]["payload"] =
            json!({ "type": ["object", "null"], "description": "None: absent, null or an object that is ignored." });
    }
    branches
}

/// Types of numbers of Rust, which schemars gives as formats. JSON Schema knows none of them, and a validator may refuse it. Of 64 bits
/// only what every reader of JSON holds exactly can be said.
const NUMBERS: [(&str, i64, i64); 8] = [
    ("int8", i8::MIN as i64, i8::MAX as i64),
    ("int16", i16::MIN as i64, i16::MAX as i64),
    ("int32", i32::MIN as i64, i32::MAX as i64),
    ("int64", -MOST_EXACT, MOST_EXACT),
    ("uint8", 0, u8::MAX as i64),
    ("uint16", 0, u16::MAX as i64),
    ("uint32", 0, u32::MAX as i64),
    ("uint64", 0, MOST_EXACT),
];

/// 2^53 − 1.
const MOST_EXACT: i64 = (1 << 53) - 1;

/// A number says its range in place of its type.
fn say_the_range(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    let Some((_, least, most)) = NUMBERS.iter().find(|(name, ..)| Some(*name) == format) else { return };
    schema.remove("format");
    for (bound, value) in [("minimum", least), ("maximum", most)] {
        if schema.get(bound).is_none() {
            schema.insert(bound.to_owned(), json!(value));
        }
    }
}

/// A field that is left out when it is empty is never `null`, but schemars says it could be.
fn absent_is_not_null(schema: &mut Value) {
    let required: Vec<Value> = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        if required.iter().any(|required| required == name) {
            continue;
        }
        if let Some(types) = property.get_mut("type").and_then(Value::as_array_mut) {
            types.retain(|name| name != "null");
            if let [one] = types.as_slice() {
                property["type"] = one.clone();
            }
        }
        if let Some(object) = property.as_object_mut() {
            object.remove("default");
        }
    }
}
