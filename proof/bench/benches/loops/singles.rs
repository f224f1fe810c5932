//! What both ways share: the owner's frames and decisions, and the events of another node. And the frames of answers one by one.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::{
    Append, AppendOutcome, Attaching, EdgeId, FromOwner, Head, LOG_PER_SEAT, Liveness, Owner, OwnerEffect, OwnerInput,
    OwnerOptions, Participant, READ_AHEAD, Time, ToEdge, ToOwner, snapshot::Ahead,
};
use quizhall_rules::{AnswerText, Change, Command, CommandId, Event, State};

use crate::game::{EPOCH, Given, Kind, Stage, TOGETHER};
use crate::{Table, timed};

const HOME: EdgeId = EdgeId(0);

/// The frames of an edge with some answers of its sockets, as bytes.
pub type Frames = fn(&Stage, &Given, &[(u32, AnswerText)]) -> Vec<Vec<u8>>;

/// Measures both nodes while all players answer these questions, `way` being the name of how the frames hold the answers.
pub fn measure(stage: &Stage, (way, frames): (&str, Frames), kind: Kind, given: &[Given], table: &mut Table) {
    let (mut owner, mut replica) = (owner(stage), stage.state.clone());
    let (mut sent, mut stored) = (0, 0);
    let [mut reading, mut deciding, mut following, mut applying] = [const { Vec::new() }; 4];
    for given in given {
        let [mut read, mut decide, mut follow, mut apply] = [Duration::ZERO; 4];
        for some in given.answers.chunks(TOGETHER) {
            let frames = frames(stage, given, some);
            sent += frames.iter().map(Vec::len).sum::<usize>();
            let edge = stage.places[some[0].0 as usize].edge;
            let frames: Vec<ToOwner> = timed(&mut read, || frames.iter().map(|frame| from_json(frame)).collect());
            let events = timed(&mut decide, || decided(&mut owner, edge, frames));
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
    table.add(way, "owner reads frames", kind, reading);
    table.add(way, "owner decides and releases", kind, deciding);
    table.add(way, "another node reads events", kind, following);
    table.add(way, "another node applies", kind, applying);
    table.bytes(way, kind, (sent, stored), stage.players() * given.len());
}

/// Each answer in a frame of its own.
pub fn frames(stage: &Stage, given: &Given, answers: &[(u32, AnswerText)]) -> Vec<Vec<u8>> {
    answers.iter().map(|answer| frame(stage, given, answer)).collect()
}

fn from_json<T: serde::de::DeserializeOwned>(body: &[u8]) -> T {
    serde_json::from_slice(body).expect("it was written by a node")
}

/// An owner with the sessions of all players.
fn owner(stage: &Stage) -> Owner {
    let event = Event::new(Change::Claimed { epoch: EPOCH, node: uuid::Uuid::from_u64_pair(4, 1) }, None);
    let events: Arc<[Event]> = [event].into();
    let previous = Head { seq: 0, batch: 1 };
    let options = OwnerOptions {
        state: stage.state.clone(),
        for_home: None,
        claim: Append { previous, seq: 1, epoch: EPOCH, batch: 2, events, phase: None },
        home: HOME,
        next_seq: 2,
        nonce: 99,
        lobby_grace: Duration::from_secs(3_600),
        liveness: Liveness::ALONE,
        snapshot_every: u64::MAX,
        ahead: Ahead::default(),
        log_per_seat: LOG_PER_SEAT,
    };
    let mut owner = Owner::new(Time::ZERO, options);
    let mut effects = Vec::new();
    for place in &stage.places {
        let participant = Participant::Player(stage.ids[place.slot as usize]);
        let frame = ToOwner::Attach(Attaching { connection: place.connection, participant, prior: None, moves: 0 });
        owner.step(Time::ZERO, OwnerInput::FromEdge(place.edge, frame), &mut effects);
        effects.clear();
    }
    owner
}

fn frame(stage: &Stage, given: &Given, (session, answer): &(u32, AnswerText)) -> Vec<u8> {
    let place = stage.places[*session as usize];
    let command_id =
        CommandId { session: CommandId::session_of(EPOCH, u64::from(*session) + 1), number: given.number.into() };
    let last = given.number.checked_sub(1).filter(|last| *last > 0);
    let frame = ToOwner::Command {
        connection: place.connection,
        participant: Participant::Player(stage.ids[place.slot as usize]),
        command_id,
        seen: last.map(|last| CommandId { number: last.into(), ..command_id }),
        epoch: Some(EPOCH),
        command: Command::SubmitAnswer { question: given.question, answer: answer.clone(), elapsed: None },
    };
    serde_json::to_vec(&frame).expect("frames serialize")
}

/// Decides the commands of some frames and releases their events, as the task of an owner does.
fn decided(owner: &mut Owner, edge: EdgeId, frames: Vec<ToOwner>) -> Arc<[Event]> {
    let mut effects = Vec::new();
    let mut frames = frames.into_iter();
    while !frames.as_slice().is_empty() {
        let some = frames.as_slice().len().min(READ_AHEAD);
        owner.read_ahead(frames.as_slice()[..some].iter());
        for frame in frames.by_ref().take(some) {
            owner.step(Time::ZERO, OwnerInput::FromEdge(edge, frame), &mut effects);
        }
    }
    owner.flush(&mut effects);
    let row = effects.drain(..).find_map(|effect| match effect {
        OwnerEffect::Append(row) => Some(row.events),
        _ => None,
    });
    owner.step(Time::ZERO, OwnerInput::Appended(AppendOutcome::Committed), &mut effects);
    black_box(effects);
    row.expect("answers are stored")
}

fn applied(replica: &mut State, frame: &FromOwner) {
    let ToEdge::Committed { events, .. } = &frame.message else { panic!("no events") };
    for some in events.chunks(READ_AHEAD) {
        for event in some {
            if let Change::Answered { player, .. } = event.change {
                replica.read_ahead(player);
            }
        }
        for event in some {
            replica.apply(event);
        }
    }
}
