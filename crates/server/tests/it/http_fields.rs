//! The limits in the description are those of the service: a value at a limit is accepted, one step beyond it is refused at that field.

use serde_json::{Value, json};

use crate::http_stage::{Ask, SCRIPT, Stage};

/// A field of a body, and a request with a value in it.
struct Field {
    /// Its schema in the description.
    schema: &'static str,
    /// The field that a refusal names.
    named: &'static str,
    /// The request with this value.
    ask: fn(Value) -> Ask,
}

fn quiz(change: impl FnOnce(&mut Value)) -> Ask {
    let question = json!({"text": "?", "type": "multiple_choice", "choices": ["a", "b"], "correctAnswers": ["a"]});
    let mut quiz = json!({"title": "A quiz", "rounds": [{"title": "One", "questions": [question]}]});
    change(&mut quiz);
    Ask::post("/api/v1/quizzes", &quiz).bearer(SCRIPT)
}

fn question(member: &str, value: Value) -> Ask {
    quiz(|quiz| quiz["rounds"][0]["questions"][0][member] = value)
}

fn fields() -> Vec<Field> {
    let field = |schema, named, ask| Field { schema, named, ask };
    vec![
        field("QuizUpload.title", "title", |value| quiz(|quiz| quiz["title"] = value)),
        field("QuizUpload.tags", "tags", |value| quiz(|quiz| quiz["tags"] = value)),
        field("QuizUpload.importReport", "importReport", |value| quiz(|quiz| quiz["importReport"] = value)),
        field("RoundBody.timeLimit", "rounds[0].timeLimit", |value| {
            quiz(|quiz| quiz["rounds"][0]["timeLimit"] = value)
        }),
        field("RoundBody.wrongPoints", "rounds[0].wrongPoints", |value| {
            quiz(|quiz| quiz["rounds"][0]["wrongPoints"] = value)
        }),
        field("QuestionBody.text", "rounds[0].questions[0].text", |value| question("text", value)),
        field("QuestionBody.explanation", "rounds[0].questions[0].explanation", |value| question("explanation", value)),
        field("QuestionBody.tags", "rounds[0].questions[0].tags", |value| question("tags", value)),
        field("QuestionBody.points", "rounds[0].questions[0].points", |value| question("points", value)),
        field("QuestionBody.timeLimit", "rounds[0].questions[0].timeLimit", |value| question("timeLimit", value)),
        field("QuestionBody.choices", "rounds[0].questions[0].choices", |value| {
            quiz(|quiz| {
                let question = &mut quiz["rounds"][0]["questions"][0];
                question["correctAnswers"] = json!([value[0]]);
                question["choices"] = value;
            })
        }),
        field("NewHost.name", "name", |value| {
            Ask::post("/api/v1/hosts", &json!({"name": value, "password": "long enough"})).bearer(SCRIPT)
        }),
        field("NewHost.password", "password", |value| {
            let name = format!("Ann {}", uuid::Uuid::new_v4());
            Ask::post("/api/v1/hosts", &json!({"name": name, "password": value})).bearer(SCRIPT)
        }),
    ]
}

/// Values of a schema's type at its limits, and one step beyond them.
fn values(schema: &Value) -> (Vec<Value>, Vec<Value>) {
    let limit = |name: &str| schema.get(name).and_then(Value::as_i64);
    if let (Some(least), Some(most)) = (limit("minimum"), limit("maximum")) {
        return (vec![json!(least), json!(most)], vec![json!(least - 1), json!(most + 1)]);
    }
    let length = |count: i64| usize::try_from(count).unwrap();
    if let Some(most) = limit("maxLength") {
        let text = |count: i64| json!("x".repeat(length(count)));
        let least = limit("minLength").unwrap_or(0);
        return (vec![text(least), text(most)], vec![text(least - 1), text(most + 1)]);
    }
    let most = limit("maxItems").unwrap();
    let longest = schema["items"]["maxLength"].as_i64().unwrap();
    // Entries of the greatest length, all different.
    let entry = |number: i64| json!(format!("{number:0>width$}", width = length(longest)));
    let list = |count: i64| Value::Array((0..count).map(entry).collect());
    let mut too_long = list(2);
    too_long[1] = json!("x".repeat(length(longest) + 1));
    let least = limit("minItems").unwrap_or(0);
    let below = (least > 0).then(|| list(least - 1));
    (vec![list(least), list(most)], below.into_iter().chain([list(most + 1), too_long]).collect())
}

#[tokio::test]
async fn values_that_the_description_allows_are_accepted_and_those_beyond_are_refused() {
    let stage = Stage::new().await;
    let openapi = stage.send(Ask::get("/api/openapi.json")).await.json();
    for Field { schema, named, ask } in fields() {
        let (body, member) = schema.split_once('.').unwrap();
        let described = &openapi["components"]["schemas"][body]["properties"][member];
        let (taken, refused) = values(described);
        for value in taken {
            let reply = stage.send(ask(value.clone())).await;
            assert_eq!(reply.status, 201, "{schema} {value}: {}", reply.text());
        }
        for value in refused {
            let reply = stage.send(ask(value.clone())).await;
            assert_eq!(reply.status, 422, "{schema} {value}: {}", reply.text());
            let field = reply.json()["field"].as_str().unwrap_or_default().to_owned();
            assert!(field.starts_with(named), "{schema} {value}: {field}");
        }
    }
}

#[tokio::test]
async fn parameters_are_taken_and_refused_as_the_description_says() {
    let stage = Stage::new().await;
    let openapi = stage.send(Ask::get("/api/openapi.json")).await.json();
    let parameters = &openapi["paths"]["/api/v1/questions"]["get"]["parameters"];
    let described = |name: &str| {
        let parameters = parameters.as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"].clone()
    };
    let most = described("limit")["maximum"].as_i64().unwrap();
    let longest = usize::try_from(described("q")["maxLength"].as_i64().unwrap()).unwrap();
    let text = |length: usize| "x".repeat(length);
    let (words, beyond) = (text(longest), text(longest + 1));
    for (query, status) in [
        (format!("limit={most}"), 200),
        (format!("limit={}", most + 1), 400),
        ("limit=0".to_owned(), 400),
        (format!("q={words}"), 200),
        (format!("q={beyond}"), 400),
        (format!("tag={beyond}"), 400),
    ] {
        let reply = stage.send(Ask::get(&format!("/api/v1/questions?{query}")).bearer(SCRIPT)).await;
        assert_eq!(reply.status, status, "{query}: {}", reply.text());
    }
}
