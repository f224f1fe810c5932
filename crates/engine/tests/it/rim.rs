//! An edge for tests: each input is a call, and the effects are collected. It asserts nothing itself.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{
    Ahead, BUNDLE_FROM, ConnectionId, Dialect, Edge, EdgeEffect, EdgeInput, EdgeOptions, FromOwner, Head, Liveness,
    Message, OwnerHere, Participant, StoredState, Time, ToEdge,
};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_rules::{CommandId, Event, Refusal, State};

use crate::stage::question;

pub const TIMEOUT: Duration = Duration::from_secs(5);
pub const LINGER: Duration = Duration::from_secs(60);
pub const OPTIONS: EdgeOptions = EdgeOptions {
    command_timeout: TIMEOUT,
    linger: LINGER,
    player_limit: 5,
    most_spectators: 100,
    bundle_from: BUNDLE_FROM,
    liveness: Liveness::ALONE,
};
/// The last row before the events that [`Rim::commit`] commits.
pub const HEAD: Head = Head { seq: 9, batch: 109 };
/// All frames that were sent to the socket are written to it.
pub const ALL: u32 = u32::MAX;

/// An edge with its inputs and effects.
pub struct Rim {
    pub edge: Edge,
    pub now: Time,
    pub out: Vec<EdgeEffect>,
    pub seq: u64,
    /// The id of the last row.
    pub last: u64,
}

impl Rim {
    /// An edge that has just received this state.
    pub fn at(state: State) -> Self {
        Self::with(state, OPTIONS)
    }

    /// The same with other options.
    pub fn with(state: State, options: EdgeOptions) -> Self {
        let mut rim = Self::empty(options);
        rim.say(ToEdge::State { seq: 10, head: HEAD, state: Arc::new(state) });
        rim.taken();
        rim
    }

    /// An edge that has received nothing.
    pub fn empty(options: EdgeOptions) -> Self {
        let mut edge = Edge::new(Time::ZERO, options);
        edge.set_owner_here(Some(OwnerHere { epoch: 0, log_end: 0 }));
        Self { edge, now: Time::ZERO, out: Vec::new(), seq: 10, last: HEAD.batch }
    }

    pub fn step(&mut self, input: EdgeInput) -> &mut Self {
        self.edge.step(self.now, input, &mut self.out);
        self
    }

    pub fn say(&mut self, message: ToEdge) -> &mut Self {
        self.step(EdgeInput::FromOwner(FromOwner { epoch: 1, message }))
    }

    /// Commits events, in a row whose id is 100 above the number of its first event.
    pub fn commit(&mut self, events: Vec<Event>) -> &mut Self {
        let first = self.seq;
        self.seq += events.len() as u64;
        let previous = std::mem::replace(&mut self.last, 100 + first);
        self.say(ToEdge::Committed { first, chain: Some((previous, self.last)), events: events.into() })
    }

    /// The owner reports that the log holds more than the replica; reading the log then gives this state.
    pub fn catch_up(&mut self, seq: u64, state: State) -> &mut Self {
        self.say(ToEdge::Stored { seq });
        assert_eq!(self.out.pop(), Some(EdgeEffect::ReadState));
        self.step(EdgeInput::StateRead(Some(Box::new(StoredState { seq, head: None, ahead: Ahead::default(), state }))))
    }

    /// The effects since the last call, except those for measurements.
    pub fn taken(&mut self) -> Vec<EdgeEffect> {
        let effects = std::mem::take(&mut self.out).into_iter();
        effects.filter(|effect| !matches!(effect, EdgeEffect::Acknowledged(_))).collect()
    }

    /// Attaches, with session 100 + connection.
    pub fn attach(&mut self, connection: u64, participant: Participant) -> Vec<EdgeEffect> {
        self.attach_over(Dialect::Interface, connection, participant)
    }

    /// The same with the extension.
    pub fn attach_v1(&mut self, connection: u64, participant: Participant) -> Vec<EdgeEffect> {
        self.attach_over(Dialect::QuizhallV1, connection, participant)
    }

    fn attach_over(&mut self, dialect: Dialect, connection: u64, participant: Participant) -> Vec<EdgeEffect> {
        let id = ConnectionId(connection);
        self.step(EdgeInput::Attach(id, participant.into(), dialect));
        let shown = self.taken();
        self.say(ToEdge::Attached { connection: id, participant, session: 100 + connection });
        shown
    }

    pub fn message(&mut self, connection: u64, message: Message, closings_written: u32) -> &mut Self {
        self.step(EdgeInput::Message { connection: ConnectionId(connection), message, closings_written, elapsed: None })
    }

    pub fn answer(&mut self, connection: u64, text: &str) -> &mut Self {
        let submit = SubmitAnswer { question_id: question(1).uuid(), answer: text.to_owned() };
        self.message(connection, Message::Player(FromPlayer::SubmitAnswer(submit)), ALL)
    }

    pub fn refuse(&mut self, connection: u64, refusal: Refusal) -> Vec<EdgeEffect> {
        self.taken();
        let command_id = CommandId { session: 100 + connection, number: 1 };
        let seq = self.seq;
        self.say(ToEdge::Refused { connection: ConnectionId(connection), command_id, refusal, seq });
        self.taken()
    }

    pub fn tick_at(&mut self, now: Time) -> Vec<EdgeEffect> {
        self.now = now;
        self.step(EdgeInput::Tick).taken()
    }
}
