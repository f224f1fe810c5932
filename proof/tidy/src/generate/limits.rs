//! `web/sdk/src/generated/limits.ts`, and the same numbers in the reference: the limits of a quiz and the kinds of questions.

use std::fmt::Write as _;

use quizhall_quiz::{Question, QuestionKind, Quiz};
use serde_json::Value;

const HEAD: &str = "// Generated from crates/quiz by `make generate`. Do not edit: a test compares.\n";

/// The whole module.
pub fn module() -> String {
    let mut text = format!("{HEAD}\n/** The limits of a quiz; lengths in code points. */\nexport const LIMITS = {{\n");
    for (name, limit) in limits() {
        let _ = writeln!(text, "  {name}: {},", grouped(limit, '_'));
    }
    let kinds: Vec<String> = QuestionKind::ALL.iter().map(|kind| format!("\"{}\"", kind.as_str())).collect();
    let _ = write!(
        text,
        "}} as const;\n\n/** The kinds of questions; a `type` on the wire may be one of a later version. */\n\
         export const QUESTION_KINDS = [{}] as const;\n\n\
         /** How a question is answered and marked. */\n\
         export type QuestionKind = (typeof QUESTION_KINDS)[number];\n",
        kinds.join(", ")
    );
    text
}

/// The text with each `{limit}` replaced by its number.
pub fn filled(text: &str) -> String {
    limits()
        .into_iter()
        .fold(text.to_owned(), |text, (name, limit)| text.replace(&format!("{{{name}}}"), &grouped(limit, ',')))
}

/// By name, in one order.
fn limits() -> Vec<(String, u64)> {
    let objects = [serde_json::to_value(Quiz::LIMITS), serde_json::to_value(Question::LIMITS)];
    let fields = objects.into_iter().flat_map(|object| match object {
        Ok(Value::Object(fields)) => fields.into_iter().collect::<Vec<_>>(),
        _ => panic!("limits are an object"),
    });
    let mut limits: Vec<_> =
        fields.map(|(name, limit)| (name, limit.as_u64().expect("limits are whole numbers"))).collect();
    limits.sort_unstable();
    limits
}

/// `1,000,000`
fn grouped(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}
