//! The sessions that an owner has given: the present one of each participant, found by participant and by its number.
//!
//! Held by `presence`. A row of a bundle finds its session without a search; a session that was replaced leaves four bytes.

use std::collections::HashMap;
use std::hint::black_box;

use foldhash::fast::FixedState;
use quizhall_rules::{CommandId, Refusal};

use super::verdict::Verdict;
use crate::ids::{ConnectionId, EdgeId, Participant};

/// A socket that may become the newest of its participant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attachment {
    pub edge: EdgeId,
    pub connection: ConnectionId,
    pub prior: Option<u64>,
    /// The slot of its player, for the first phone.
    pub slot: Option<u32>,
}

/// The newest socket of a participant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Session {
    pub participant: Participant,
    pub edge: EdgeId,
    pub connection: ConnectionId,
    /// The slot of its player, for the first phone.
    pub slot: Option<u32>,
    /// Its session number.
    pub number: u64,
    /// The number that an earlier owner gave it.
    pub prior: Option<u64>,
    /// The last command on it, if that was refused.
    refused: Option<(CommandId, Refusal)>,
    /// The last command on it that changed nothing.
    done: Option<CommandId>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The hashes are the same in every process, so that a simulation repeats exactly.
    places: HashMap<Participant, u32, FixedState>,
    present: Vec<Option<Session>>,
    /// Places of sessions that have ended.
    free: Vec<u32>,
    /// The place of each session at the time when it was given, in order; later another one can be there.
    given: Vec<u32>,
    /// The places of present sessions by the numbers that an earlier owner gave them.
    priors: HashMap<u64, u32, FixedState>,
}

impl Sessions {
    /// How many were given.
    pub fn count_given(&self) -> u64 {
        self.given.len() as u64
    }

    /// Gives the next session, instead of an earlier one of the same participant.
    pub fn give(&mut self, session: Session) {
        self.remove(session.participant);
        let place = self.free.pop().unwrap_or_else(|| {
            self.present.push(None);
            u32::try_from(self.present.len() - 1).expect("fewer sockets than numbers")
        });
        self.places.insert(session.participant, place);
        self.given.push(place);
        if let Some(prior) = session.prior {
            self.priors.insert(prior, place);
        }
        self.present[place as usize] = Some(session);
    }

    pub fn remove(&mut self, participant: Participant) -> Option<Session> {
        let place = self.places.remove(&participant)?;
        self.free.push(place);
        let session = self.present[place as usize].take();
        if let Some(prior) = session.as_ref().and_then(|session| session.prior) {
            self.priors.remove(&prior);
        }
        session
    }

    pub fn of(&self, participant: Participant) -> Option<&Session> {
        self.present[*self.places.get(&participant)? as usize].as_ref()
    }

    pub fn of_mut(&mut self, participant: Participant) -> Option<&mut Session> {
        self.present[*self.places.get(&participant)? as usize].as_mut()
    }

    /// The session at the place of one that was given, by its number from 1; the caller compares the number.
    pub fn given(&mut self, given: u32) -> Option<&mut Session> {
        let place = self.given.get((given as usize).checked_sub(1)?)?;
        self.present[*place as usize].as_mut()
    }

    /// The session to which an earlier owner gave this number.
    pub fn of_prior(&mut self, prior: u64) -> Option<&mut Session> {
        self.present[*self.priors.get(&prior)? as usize].as_mut()
    }

    /// Touches the memory of that session, and returns the slot of its player.
    pub fn read_ahead_of(&self, given: u32) -> Option<u32> {
        let place = self.given.get((given as usize).checked_sub(1)?)?;
        black_box(self.present[*place as usize].as_ref()?.slot)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Session> {
        self.present.iter().flatten()
    }

    /// How many participants have a session.
    pub fn len(&self) -> usize {
        self.places.len()
    }
}

impl Session {
    pub fn new(participant: Participant, at: Attachment, number: u64) -> Self {
        let Attachment { edge, connection, prior, slot } = at;
        Self { participant, edge, connection, slot, number, prior, refused: None, done: None }
    }

    /// The numbers from this owner and from an earlier one.
    pub fn numbers(&self) -> [Option<u64>; 2] {
        [Some(self.number), self.prior]
    }

    /// The reply to a repeated command without an event: the same as at first, although the game may have continued meanwhile. A delayed
    /// duplicate of a command that changed nothing must change nothing either: it must not undo what another phone of the team has
    /// sent since.
    pub fn repeated(&self, command_id: CommandId) -> Option<Verdict> {
        if let Some((_, refusal)) = self.refused.filter(|(refused, _)| *refused == command_id) {
            return Some(Verdict::Refused(refusal));
        }
        let is_done = self.done.is_some_and(|done| done.session == command_id.session && command_id <= done);
        is_done.then_some(Verdict::Done)
    }

    pub fn note_done(&mut self, command_id: CommandId) {
        self.done = Some(command_id);
    }

    pub fn note_refused(&mut self, command_id: CommandId, refusal: Refusal) {
        self.refused = Some((command_id, refusal));
    }
}
