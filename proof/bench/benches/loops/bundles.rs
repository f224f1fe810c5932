//! Answers as bundles: the owner reads the frame of an edge, decides its rows, marks every text once and releases one event; another
//! node reads the event and applies it.

use std::collections::HashMap;
use std::time::Duration;

use quizhall_engine::{FromOwner, GivenAnswers, ToEdge, ToOwner};
use quizhall_rules::{AnswerText, Rows, SentRow};

use crate::game::{EPOCH, Given, Kind, Stage, TOGETHER};
use crate::singles::{applied, decided, from_json, owner};
use crate::{Table, timed};

pub fn measure(stage: &Stage, kind: Kind, given: &[Given], table: &mut Table) {
    let (mut owner, mut replica) = (owner(stage), stage.state.clone());
    let (mut sent, mut stored) = (0, 0);
    let [mut reading, mut deciding, mut following, mut applying] = [const { Vec::new() }; 4];
    for given in given {
        let [mut read, mut decide, mut follow, mut apply] = [Duration::ZERO; 4];
        for some in given.answers.chunks(TOGETHER) {
            let body = serde_json::to_vec(&frame(given, some)).expect("frames serialize");
            sent += body.len();
            let edge = stage.places[some[0].0 as usize].edge;
            let frame: ToOwner = timed(&mut read, || from_json(&body));
            let events = timed(&mut decide, || decided(&mut owner, edge, vec![frame]));
            let message = ToEdge::Committed { first: 0, chain: None, events };
            let body = serde_json::to_vec(&FromOwner { epoch: EPOCH, message }).expect("frames serialize");
            stored += body.len();
            let frame: FromOwner = timed(&mut follow, || from_json(&body));
            timed(&mut apply, || applied(&mut replica, &frame));
            timed(&mut follow, || drop(frame));
        }
        assert_eq!(replica.answer_count(given.question), stage.players(), "every answer is stored");
        reading.push(read);
        deciding.push(decide);
        following.push(follow);
        applying.push(apply);
    }
    table.add("bundles: owner reads frames", kind, reading);
    table.add("bundles: owner decides and releases", kind, deciding);
    table.add("bundles: another node reads events", kind, following);
    table.add("bundles: another node applies", kind, applying);
    table.bytes(kind, (sent, stored), stage.players() * given.len());
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
