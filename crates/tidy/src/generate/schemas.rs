//! JSON Schemas of the messages, by schemars from the types of the wire.

use quizhall_protocol::{FromAnyV1, FromHost, FromHostV1, FromPlayer};
use quizhall_protocol::{ToAll, ToAllV1, ToHost, ToHostV1, ToPlayer, ToSenderV1};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::messages::{self, Direction};

/// The schemas of all message types and of the shapes inside them.
pub struct Schemas {
    /// One `oneOf` per direction.
    enums: Vec<(Direction, Value)>,
    /// The shapes, by name.
    pub definitions: Map<String, Value>,
}

/// One message: a branch of its direction's `oneOf`.
pub struct Variant {
    pub direction: Direction,
    pub name: String,
    pub schema: Value,
}

impl Schemas {
    pub fn new(settings: SchemaSettings) -> Self {
        let mut inbound = settings.clone().for_deserialize().into_generator();
        let mut outbound = settings.for_serialize().into_generator();
        inbound.subschema_for::<FromHost>();
        inbound.subschema_for::<FromPlayer>();
        inbound.subschema_for::<FromHostV1>();
        inbound.subschema_for::<FromAnyV1>();
        outbound.subschema_for::<ToAll>();
        outbound.subschema_for::<ToHost>();
        outbound.subschema_for::<ToPlayer>();
        outbound.subschema_for::<ToAllV1>();
        outbound.subschema_for::<ToHostV1>();
        outbound.subschema_for::<ToSenderV1>();
        let mut definitions = inbound.take_definitions(true);
        definitions.extend(outbound.take_definitions(true));
        definitions.values_mut().for_each(absent_is_not_null);
        let mut enums = Vec::new();
        for direction in Direction::ALL {
            let schema = definitions.remove(direction.type_name()).expect("asked for above");
            enums.push((direction, schema));
        }
        Self { enums, definitions }
    }

    /// Every message, as the branches of the enums.
    pub fn variants(&self) -> Vec<Variant> {
        self.enums.iter().flat_map(|(direction, schema)| branches(*direction, schema)).collect()
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
    for direction in Direction::ALL {
        let own = messages.iter().filter(|message| message.direction == direction);
        let branches: Vec<&Value> = own.map(|message| &message.schema).collect();
        definitions
            .insert(direction.type_name().to_owned(), json!({ "title": direction.heading(), "oneOf": branches }));
    }
    let reference = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let any_of = |names: &[&str]| json!({ "anyOf": names.iter().map(|name| reference(name)).collect::<Vec<_>>() });
    let mut union = |name: &str, parts: &[&str]| definitions.insert(name.to_owned(), any_of(parts));
    union("HeardByHost", &["ToAll", "ToHost"]);
    union("HeardByPlayer", &["ToAll", "ToPlayer"]);
    union("SaidByHostV1", &["FromHost", "FromHostV1", "FromAnyV1"]);
    union("SaidByPlayerV1", &["FromPlayer", "FromAnyV1"]);
    union("HeardByHostV1", &["ToAll", "ToHost", "ToAllV1", "ToHostV1", "ToSenderV1"]);
    union("HeardByPlayerV1", &["ToAll", "ToPlayer", "ToAllV1", "ToSenderV1"]);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Quizhall: messages of the socket /ws/{gameCode}",
        "description": "Choose by who speaks: #/$defs/FromHost, #/$defs/FromPlayer, #/$defs/HeardByHost, #/$defs/HeardByPlayer; on a socket of the subprotocol quizhall.v1, #/$defs/SaidByHostV1, #/$defs/SaidByPlayerV1, #/$defs/HeardByHostV1, #/$defs/HeardByPlayerV1. Clients must ignore fields and types they do not know.",
        "$defs": definitions,
    })
}

fn branches(direction: Direction, schema: &Value) -> Vec<Variant> {
    // schemars writes an enum of one variant without `oneOf`.
    let one = [schema.clone()];
    let branches = schema["oneOf"].as_array().map_or(&one[..], Vec::as_slice);
    let mut variants = Vec::new();
    for branch in branches {
        let mut schema = branch.clone();
        let name = schema["properties"]["type"]["const"].as_str().expect("tagged by `type`").to_owned();
        if direction.is_inbound() && schema["properties"]["payload"].is_null() {
            schema["properties"]["payload"] = json!({ "type": ["object", "null"], "description": "None: absent, null or an object that is ignored." });
        }
        variants.push(Variant { direction, name, schema });
    }
    variants
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
