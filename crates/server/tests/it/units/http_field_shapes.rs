//! The description as the service serves it: every value that a client sends has a bound, and every moment has its format.

use std::collections::BTreeSet;

use quizhall::http::openapi;
use serde_json::Value;

/// The names of the bodies to which this part of the description refers.
fn bodies_in(part: &Value) -> Vec<String> {
    let text = part.to_string();
    let names = text.split("#/components/schemas/").skip(1);
    names.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// The fields of a body.
fn fields(body: &Value) -> impl Iterator<Item = (&String, &Value)> {
    body["properties"].as_object().into_iter().flatten()
}

fn is_bounded(schema: &Value) -> bool {
    let has = |word: &str| schema.get(word).is_some();
    let kinds = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    let is_of = |kind: &str| kinds.iter().any(|known| known == kind);
    if is_of("string") {
        return has("maxLength") || has("pattern") || has("enum") || schema["format"] == "uuid";
    }
    if is_of("array") {
        // A list of enum words is bounded by the number of words.
        let named = schema["items"].get("$ref").is_some();
        return has("maxItems") && (named || is_bounded(&schema["items"])) || named && has("minItems");
    }
    has("minimum") || !is_of("integer") && !is_of("number")
}

#[test]
fn everything_that_a_client_sends_has_a_bound() {
    let description = serde_json::to_value(openapi()).unwrap();
    let schemas = &description["components"]["schemas"];
    let paths = description["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|item| item.as_object().unwrap().values());
    let mut open: Vec<String> = operations.flat_map(|operation| bodies_in(&operation["requestBody"])).collect();
    let (mut sent, mut without) = (BTreeSet::new(), Vec::new());
    while let Some(body) = open.pop() {
        if sent.contains(&body) {
            continue;
        }
        open.extend(bodies_in(&schemas[&body]));
        // The service sets these fields and ignores them in requests; the words of questions are listed in the text.
        let ignored = ["QuestionMedia.type", "QuestionBody.type"];
        let unbounded = fields(&schemas[&body]).filter(|(_, schema)| !is_bounded(schema));
        let names = unbounded.map(|(field, _)| format!("{body}.{field}"));
        without.extend(names.filter(|name| !ignored.contains(&name.as_str())));
        sent.insert(body);
    }
    assert!(sent.len() > 20, "{sent:?}");
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_moment_is_one() {
    let description = serde_json::to_value(openapi()).unwrap();
    let mut moments = 0;
    for (body, schema) in description["components"]["schemas"].as_object().unwrap() {
        for (member, schema) in fields(schema) {
            let is_said = schema["description"].as_str().is_some_and(|text| text.contains("RFC 3339"));
            assert_eq!(schema["format"] == "date-time", is_said, "{body}.{member}: {schema}");
            moments += usize::from(is_said);
        }
    }
    assert!(moments > 15, "{moments}");
}
