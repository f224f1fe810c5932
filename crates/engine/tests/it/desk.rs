//! An owner together with a log that answers, for tests of owners.

use std::time::Duration;

use quizhall_engine::claim::{Claim, Row, Start};
use quizhall_engine::{
    Append, AppendOutcome, Attaching, ConnectionId, EdgeId, Head, LOG_PER_SEAT, Liveness, Owner, OwnerEffect,
    OwnerInput, Participant, RequestId, SNAPSHOT_EVERY, Time, ToEdge, ToOwner,
};
use quizhall_rules::{Actor, Change, Command, CommandId, Event};
use uuid::Uuid;

use crate::stage::{created, event, joined, question};

/// The edge of the owner's own node.
pub const EDGE: EdgeId = EdgeId(1);
pub const GRACE: Duration = Duration::from_secs(10);
/// The epoch that the claim begins.
pub const EPOCH: u64 = 1;
/// The row before the claim.
pub const BEFORE: Head = Head { seq: 0, batch: 7 };

/// Reading the head of the log without a pause before it.
pub const LOOK: OwnerEffect = OwnerEffect::ReadHead { after: Duration::ZERO };

/// An owner, with the effects since they were last taken.
pub struct Desk {
    pub owner: Owner,
    pub now: Time,
    /// The last row of the log, as far as this desk knows.
    pub head: Head,
    out: Vec<OwnerEffect>,
    /// The append whose outcome is not known yet.
    written: Option<Append>,
}

impl Desk {
    /// An owner that has just claimed a game with one player in the lobby.
    pub fn new() -> Self {
        Self::after(vec![created(), joined(1)])
    }

    /// The same with the host connected too: with the claim, the log has four events.
    pub fn hosted() -> Self {
        Self::after(vec![created(), joined(1), event(Change::HostReturned)])
    }

    pub fn after(events: Vec<Event>) -> Self {
        Self::living(events, Liveness::ALONE)
    }

    /// The same with other times between signs of life.
    pub fn living(events: Vec<Event>, liveness: Liveness) -> Self {
        let next = events.len() as u64;
        let rows = [Row { head: BEFORE, events }];
        let claim = Claim::read(&rows).unwrap();
        let row = claim.row(Uuid::nil(), 8);
        assert_eq!((row.previous, row.seq, row.epoch), (BEFORE, next, EPOCH));
        let head = row.head();
        let snapshot_every = SNAPSHOT_EVERY;
        let options = claim.won(
            Time::ZERO,
            row,
            Start { home: EDGE, nonce: 99, lobby_grace: GRACE, liveness, snapshot_every, log_per_seat: LOG_PER_SEAT },
        );
        Self { owner: Owner::new(Time::ZERO, options), now: Time::ZERO, head, out: Vec::new(), written: None }
    }

    /// The same with question 1 open: six events.
    pub fn asking() -> Self {
        let mut desk = Self::hosted();
        let session = desk.attach(1, Participant::Host);
        for (number, command) in [(1, Command::StartGame), (2, Command::ReleaseQuestion { question: question(1) })] {
            desk.command(1, Participant::Host, (CommandId { session, number }, command)).append();
            desk.commit();
        }
        desk
    }

    pub fn step(&mut self, input: OwnerInput) -> &mut Self {
        self.owner.step(self.now, input, &mut self.out);
        self
    }

    pub fn frame(&mut self, frame: ToOwner) -> &mut Self {
        self.step(OwnerInput::FromEdge(EDGE, frame))
    }

    pub fn attach(&mut self, connection: u64, participant: Participant) -> u64 {
        self.frame(ToOwner::Attach(Attaching {
            connection: ConnectionId(connection),
            participant,
            prior: None,
            moves: 0,
        }));
        let sessions = self.said().into_iter().filter_map(|message| match message {
            ToEdge::Attached { session, .. } => Some(session),
            _ => None,
        });
        sessions.last().unwrap()
    }

    pub fn command(
        &mut self,
        connection: u64,
        participant: Participant,
        (command_id, command): (CommandId, Command),
    ) -> &mut Self {
        let (connection, epoch) = (ConnectionId(connection), Some(EPOCH));
        self.frame(ToOwner::Command { connection, participant, command_id, seen: None, epoch, command })
    }

    pub fn ask(&mut self, request: u64, command: Command) -> &mut Self {
        self.frame(ToOwner::Request { request: RequestId(request), actor: Actor::Service, command })
    }

    pub fn flush(&mut self) -> &mut Self {
        self.owner.flush(&mut self.out);
        self
    }

    pub fn taken(&mut self) -> Vec<OwnerEffect> {
        std::mem::take(&mut self.out)
    }

    /// The messages sent to any edge; no other effects except requests for snapshots may have been produced.
    pub fn said(&mut self) -> Vec<ToEdge> {
        let message = |effect| match effect {
            OwnerEffect::Send(_, frame) => Some(frame.message),
            // Snapshots have tests of their own.
            OwnerEffect::SnapshotDue => None,
            other => panic!("not a frame: {other:?}"),
        };
        self.taken().into_iter().filter_map(message).collect()
    }

    /// The append, which must be the only effect.
    pub fn append(&mut self) -> Append {
        match self.flush().taken().as_slice() {
            [OwnerEffect::Append(append)] => self.written.insert(append.clone()).clone(),
            other => panic!("not one append: {other:?}"),
        }
    }

    /// The append becomes durable; the messages that are then sent.
    pub fn commit(&mut self) -> Vec<ToEdge> {
        self.head = self.written.take().unwrap().head();
        self.step(OwnerInput::Appended(AppendOutcome::Committed)).said()
    }

    /// The messages sent after the head of the log was read, unchanged since the owner's last row. No effects may come before.
    pub fn look(&mut self) -> Vec<ToEdge> {
        assert_eq!(self.flush().taken(), [LOOK], "the head is read first");
        self.step(OwnerInput::HeadRead(Some(self.head))).said()
    }

    /// Lets everything that waits become durable or confirmed; the append that was stored for it, if any.
    pub fn settle(&mut self) -> Option<Append> {
        match self.flush().taken().as_slice() {
            [] => None,
            [OwnerEffect::Append(append)] => {
                self.written = Some(append.clone());
                self.commit();
                Some(append.clone())
            }
            [LOOK] => {
                self.step(OwnerInput::HeadRead(Some(self.head))).said();
                None
            }
            other => panic!("neither an append nor a reading of the head: {other:?}"),
        }
    }
}

pub fn kinds(append: &Append) -> Vec<&'static str> {
    append.events.iter().map(|event| event.change.kind()).collect()
}
