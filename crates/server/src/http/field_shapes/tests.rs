//! Tests the description as the service serves it: every value that a client sends has a bound, and every moment has
//! its format.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::http::openapi;

fn description() -> Value {
    serde_json::to_value(openapi()).unwrap()
}

/// Collects the names of the bodies that this part of the description refers to, and of those inside them.
fn bodies_in(part: &Value, schemas: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
            if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                bodies_in(&schemas[name], schemas, found);
            }
            members.values().for_each(|member| bodies_in(member, schemas, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| bodies_in(entry, schemas, found)),
        _ => {}
    }
}

fn is_of(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|known| known == kind))
}

fn is_bounded(schema: &Value) -> bool {
    let has = |word: &str| schema.get(word).is_some();
    match schema {
        _ if is_of(schema, "string") => has("maxLength") || has("pattern") || has("enum") || schema["format"] == "uuid",
        // A list of enum words is bounded by the number of words.
        _ if is_of(schema, "array") => {
            let named = schema["items"].get("$ref").is_some();
            has("maxItems") && (named || is_bounded(&schema["items"])) || named && has("minItems")
        }
        _ if is_of(schema, "integer") || is_of(schema, "number") => has("minimum"),
        _ => true,
    }
}

#[test]
fn everything_that_a_client_sends_has_a_bound() {
    let description = description();
    let schemas = &description["components"]["schemas"];
    let mut sent = BTreeSet::new();
    let operations = || {
        let paths = description["paths"].as_object().unwrap().values();
        paths.flat_map(|item| item.as_object().unwrap().values())
    };
    operations().for_each(|operation| bodies_in(&operation["requestBody"], schemas, &mut sent));
    assert!(sent.len() > 20, "{sent:?}");
    // The service sets these fields and ignores them in requests; the words of questions are listed in the text.
    let ignored = ["QuestionMedia.type", "QuestionBody.type"];
    let mut without = Vec::new();
    for body in &sent {
        for (member, schema) in schemas[body]["properties"].as_object().into_iter().flatten() {
            let field = format!("{body}.{member}");
            if !is_bounded(schema) && !ignored.contains(&field.as_str()) {
                without.push(field);
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_moment_is_one() {
    let description = description();
    let mut moments = 0;
    for (body, schema) in description["components"]["schemas"].as_object().unwrap() {
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            let is_said = schema["description"].as_str().is_some_and(|text| text.contains("RFC 3339"));
            assert_eq!(schema["format"] == "date-time", is_said, "{body}.{member}: {schema}");
            moments += usize::from(is_said);
        }
    }
    assert!(moments > 15, "{moments}");
}
