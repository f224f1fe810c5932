//! Recognises messages that only repeat the time left of a timer: a server sends them every ten seconds, however long a row
//! takes.
//!
//! A connection passes every message through it. A row that expects another message, or none, skips a repetition.

use serde_json::Value;

/// The last statement about each timer, and about the next step.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    stated: Vec<Value>,
    is_repeat: bool,
}

impl Repeats {
    /// Notes the next message.
    pub fn note(&mut self, message: &Value) {
        self.is_repeat = false;
        if message["payload"]["remainingMs"].is_null() {
            return;
        }
        match self.stated.iter_mut().find(|stated| is_of_one_timer(stated, message)) {
            Some(stated) => {
                self.is_repeat = is_repeat(stated, message);
                *stated = message.clone();
            }
            None => self.stated.push(message.clone()),
        }
    }

    /// Whether the last message repeated one before it.
    pub fn is_repeat(&self) -> bool {
        self.is_repeat
    }
}

fn is_of_one_timer(stated: &Value, message: &Value) -> bool {
    stated["type"] == message["type"] && stated["payload"]["questionId"] == message["payload"]["questionId"]
}

fn is_repeat(stated: &Value, message: &Value) -> bool {
    let left = |message: &Value| message["payload"]["remainingMs"].as_f64();
    let mut as_before = message.clone();
    as_before["payload"]["remainingMs"] = stated["payload"]["remainingMs"].clone();
    as_before == *stated && left(message) <= left(stated)
}
