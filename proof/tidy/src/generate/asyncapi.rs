//! `docs/reference/asyncapi.json`: the socket as AsyncAPI 3.0, with its close codes as the extension `x-close-codes`.

use quizhall_protocol::{Advice, CloseCode, SUBPROTOCOL};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::messages::{self, Message, Section};

/// The whole document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.definitions_path = "/components/schemas".into());
    let (messages, schemas) = messages::all(settings);
    json!({
        "asyncapi": "3.0.0",
        "info": info(),
        "servers": { "local": {
            "host": "localhost:8080",
            "protocol": "ws",
            "description": "A server on this machine; behind TLS the protocol is wss.",
            "security": [
                { "$ref": "#/components/securitySchemes/bearer" },
                { "$ref": "#/components/securitySchemes/token" },
            ],
        } },
        "defaultContentType": "application/json",
        "channels": { "game": channel(&messages) },
        "operations": operations(&messages),
        "components": {
            "messages": components(&messages),
            "schemas": schemas.definitions,
            "securitySchemes": security_schemes(),
        },
    })
}

fn info() -> Value {
    json!({
        "title": "Quizhall: the socket of a game",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "One connection per participant. Every frame is a JSON text of the envelope {type, payload}. On connecting, the server first sends what rebuilds the participant's view, in these same messages. Clients must ignore fields and types they do not know.",
        "license": { "name": "MIT OR Apache-2.0" },
    })
}

fn channel(messages: &[Message]) -> Value {
    let references = messages.iter().map(|message| {
        let key = message.key();
        let reference = json!({ "$ref": format!("#/components/messages/{key}") });
        (key, reference)
    });
    json!({
        "address": "/ws/{gameCode}",
        "title": "A game",
        "parameters": { "gameCode": {
            "description": "Six symbols of ABCDEFGHJKMNPQRSTUVWXYZ23456789, accepted in any case.",
        } },
        "messages": references.collect::<Map<_, _>>(),
        "bindings": { "ws": {
            "method": "GET",
            "query": { "type": "object", "properties": { "token": {
                "type": "string",
                "description": "The token, where no Authorization header can be sent. Both present and different: HTTP 400.",
            } } },
            "headers": { "type": "object", "properties": {
                "Authorization": { "type": "string", "description": "Bearer and the token." },
                "Sec-WebSocket-Protocol": { "type": "string", "description": format!("Optional: {SUBPROTOCOL}.") },
            } },
            "bindingVersion": "0.1.0",
        } },
        "x-close-codes": close_codes(),
    })
}

fn close_codes() -> Vec<Value> {
    let row = |code: &CloseCode| {
        json!({
            "code": code.number(),
            "reason": code.reason(),
            "when": code.when(),
            "advice": advice(code.advice()),
        })
    };
    CloseCode::ALL.iter().map(row).collect()
}

/// The name of an advice in generated files.
pub fn advice(advice: Advice) -> &'static str {
    match advice {
        Advice::Reconnect => "reconnect",
        Advice::ReconnectAndResend => "reconnect_and_resend",
        Advice::ReconnectNow => "reconnect_now",
        Advice::Stop => "stop",
    }
}

fn operations(messages: &[Message]) -> Map<String, Value> {
    let operation = |section: Section| {
        let own = messages.iter().filter(|message| message.section == section);
        let references = own.map(|message| json!({ "$ref": format!("#/channels/game/messages/{}", message.key()) }));
        let operation = json!({
            "action": if section.direction.is_inbound() { "receive" } else { "send" },
            "channel": { "$ref": "#/channels/game" },
            "title": section.heading(),
            "messages": references.collect::<Vec<_>>(),
        });
        let name = section.type_name();
        (format!("{}{}", name[..1].to_lowercase(), &name[1..]), operation)
    };
    Section::all().into_iter().map(operation).collect()
}

fn components(messages: &[Message]) -> Map<String, Value> {
    let component = |message: &Message| {
        let example: Value = serde_json::from_str(&message.described.example).expect("made by serde_json");
        let component = json!({
            "name": message.name(),
            "title": format!("{} ({})", message.name(), message.section.heading().to_lowercase()),
            "summary": message.description,
            "description": message.described.about,
            "payload": message.schema,
            "examples": [{ "payload": example }],
            "x-phase": message.described.phases,
        });
        (message.key(), component)
    };
    messages.iter().map(component).collect()
}

fn security_schemes() -> Value {
    json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A host's session token, or the sessionToken that POST /join returned.",
        },
        "token": { "type": "httpApiKey", "name": "token", "in": "query", "description": "The same token in the query." },
    })
}
