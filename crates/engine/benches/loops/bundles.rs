//! Answers as bundles: the owner reads the rows of an edge, finds each player by the number of the session, decides, marks every
//! text once and applies; another node reads the bundle and applies it.

use std::time::Duration;

use quizhall_engine::{EdgeId, READ_AHEAD};
use quizhall_rules::{AnswerText, Answers, Bundle, Moment, QuestionId, Rows, SentRow, State, Taking};
use serde::{Deserialize, Serialize};

use crate::game::{EPOCH, Given, Kind, Place, Stage, TOGETHER};
use crate::{Table, timed};

/// Answers of an edge to one question, as a frame will hold them.
#[derive(Serialize, Deserialize)]
struct Frame {
    epoch: u64,
    question: QuestionId,
    texts: Vec<AnswerText>,
    rows: Rows<SentRow>,
}

pub fn measure(stage: &Stage, kind: Kind, given: &[Given], table: &mut Table) {
    let (mut newest, mut replica) = (stage.state.clone(), stage.state.clone());
    let (mut sent, mut stored) = (0, 0);
    let [mut reading, mut deciding, mut writing, mut following, mut applying] = [const { Vec::new() }; 5];
    for given in given {
        let [mut read, mut decide, mut write, mut follow, mut apply] = [Duration::ZERO; 5];
        for some in given.answers.chunks(TOGETHER) {
            let frame = serde_json::to_vec(&frame(given, some)).expect("frames serialize");
            sent += frame.len();
            let edge = stage.places[some[0].0 as usize].edge;
            let answers: Frame = timed(&mut read, || serde_json::from_slice(&frame).expect("an edge wrote it"));
            let bundle = timed(&mut decide, || taken(&mut newest, &stage.places, (edge, &answers)));
            let body = timed(&mut write, || serde_json::to_vec(&bundle).expect("bundles serialize"));
            stored += body.len();
            let bundle: Bundle = timed(&mut follow, || serde_json::from_slice(&body).expect("the owner wrote it"));
            timed(&mut apply, || replica.apply_bundle(&bundle, Moment::default()));
            timed(&mut follow, || drop(bundle));
            timed(&mut read, || drop(answers));
        }
        assert_eq!(replica.answer_count(given.question), stage.players(), "every answer is stored");
        reading.push(read);
        deciding.push(decide);
        writing.push(write);
        following.push(follow);
        applying.push(apply);
    }
    assert!(newest == replica, "owner and follower agree");
    table.add("bundles: owner reads rows", kind, reading);
    table.add("bundles: owner decides, marks and applies", kind, deciding);
    table.add("bundles: owner writes the bundle", kind, writing);
    table.add("bundles: another node reads the bundle", kind, following);
    table.add("bundles: another node applies", kind, applying);
    let answers = stage.players() * given.len();
    table.bytes(kind, (sent, stored), answers);
}

fn frame(given: &Given, answers: &[(u32, AnswerText)]) -> Frame {
    let mut texts: Vec<AnswerText> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let mut row = |(session, text): &(u32, AnswerText)| {
        let place = *places.entry(text.as_str().to_owned()).or_insert_with(|| {
            texts.push(text.clone());
            texts.len() - 1
        });
        let text = u32::try_from(place).expect("few texts");
        SentRow { session: *session, number: given.number, text, elapsed: None }
    };
    let rows = Rows(answers.iter().map(&mut row).collect());
    Frame { epoch: EPOCH, question: given.question, texts, rows }
}

/// Takes the answers of an edge. A row over a session that is not this edge's is not taken.
fn taken(state: &mut State, places: &[Place], (edge, answers): (EdgeId, &Frame)) -> Option<Bundle> {
    let &Frame { question, epoch, ref texts, .. } = answers;
    let mut taking = Taking::of(state, Answers { question, epoch, texts }, Moment::default());
    for some in answers.rows.0.chunks(READ_AHEAD) {
        let mut slots = [None; READ_AHEAD];
        for (row, slot) in some.iter().zip(&mut slots) {
            *slot = places.get(row.session as usize).filter(|place| place.edge == edge).map(|place| place.slot);
        }
        for slot in slots.iter().flatten() {
            taking.read_ahead(*slot);
        }
        for (row, slot) in some.iter().zip(slots) {
            if let Some(slot) = slot
                && let Ok(Some(decided)) = taking.decide(slot, row)
            {
                taking.store(slot, decided);
            }
        }
    }
    taking.finish()
}
