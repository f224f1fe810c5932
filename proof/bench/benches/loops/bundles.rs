//! Answers as bundles: the owner reads the frame of an edge, decides its rows, marks every text once and releases one event; another
//! node reads the event and applies it.

use std::collections::HashMap;

use quizhall_engine::{GivenAnswers, ToOwner};
use quizhall_rules::{AnswerText, Rows, SentRow};

use crate::game::{EPOCH, Given, Stage};

/// All answers in one frame.
pub fn frames(_: &Stage, given: &Given, answers: &[(u32, AnswerText)]) -> Vec<Vec<u8>> {
    vec![serde_json::to_vec(&frame(given, answers)).expect("frames serialize")]
}

fn frame(given: &Given, answers: &[(u32, AnswerText)]) -> ToOwner {
    let mut texts: Vec<AnswerText> = Vec::new();
    let mut places = HashMap::new();
    let mut row = |(session, text): &(u32, AnswerText)| {
        let place = *places.entry(text.as_str().to_owned()).or_insert_with(|| {
            texts.push(text.clone());
            texts.len() - 1
        });
        let text = u32::try_from(place).expect("few texts");
        SentRow { session: session + 1, number: given.number, text, elapsed: None }
    };
    let rows = Rows(answers.iter().map(&mut row).collect());
    ToOwner::Answers(GivenAnswers { epoch: EPOCH, given_by: None, question: given.question, texts, rows })
}
