//! The changes of the players and of their answers that a host's socket has not been sent yet (`room_update`,
//! `players_answered`).
//!
//! Filled by committed events, emptied by the pacing; kept for each socket of a host with the extension.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Phase, PlayerId, QuestionId, State};

use crate::ids::Time;
use crate::sections::Named;
use crate::wire::room;

/// At most 4 updates a second, and one a second in games so big that only numbers are sent.
const LISTED: Duration = Duration::from_millis(250);
const HUGE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Room {
    /// Players who changed. Bounded by the players of a game.
    players: BTreeSet<PlayerId>,
    /// Whether an update has to be sent even if nothing changed.
    dirty: bool,
    /// Whether events were missed, so that the changes are not known.
    missed: bool,
    /// Whether the host last received numbers, and so has no list.
    unlisted: bool,
    due: Time,
    /// New answers by question, in order of arrival; none while the host has no list, which comes with all of them.
    answered: BTreeMap<QuestionId, Vec<PlayerId>>,
}

impl Room {
    /// These players changed, or something else of the room, or the host waits for a confirmation.
    pub fn changed(&mut self, players: Named<'_>) {
        self.dirty = true;
        match players {
            Named::All => self.missed = true,
            Named::Only(players) => self.players.extend(players),
        }
    }

    /// Events were missed that changed players.
    pub fn missed(&mut self) {
        self.dirty = true;
        self.missed = true;
    }

    /// A host who had no list missed events: the next update begins the list again.
    pub fn unlist(&mut self) {
        self.unlisted = true;
    }

    pub fn answered(&mut self, question: QuestionId, player: PlayerId) {
        if !self.unlisted {
            self.answered.entry(question).or_default().push(player);
        }
    }

    /// The room of a socket that was sent everything.
    pub fn all_sent(state: &State) -> Self {
        Self { unlisted: !room::is_room_listed(state), ..Self::default() }
    }

    /// The round is over: its review shows who has answered.
    pub fn forget_answers(&mut self) {
        self.answered.clear();
    }

    pub fn next_deadline(&self) -> Option<Time> {
        self.dirty.then_some(self.due)
    }

    /// `room_update`, when one is due; with who has answered, when a list begins again.
    pub fn due(&mut self, now: Time, state: &State) -> Vec<Bytes> {
        if !self.dirty || self.due > now {
            return Vec::new();
        }
        let listed = room::is_room_listed(state);
        let whole = !listed || self.missed || self.unlisted;
        let mut frames =
            vec![room::room_frame(if whole { room::room(state) } else { room::room_changes(state, &self.players) })];
        if listed && state.phase() == Phase::Question {
            let named = if self.unlisted { room::all_answered(state) } else { self.all_new(state) };
            frames.extend(named);
        }
        self.answered.clear();
        self.due = now + if listed { LISTED } else { HUGE };
        (self.dirty, self.missed, self.unlisted) = (false, false, !listed);
        self.players.clear();
        frames
    }

    /// `players_answered` for new ones, if any. While the game and the last message to the host disagree on whether there is a
    /// list, they are kept: the `room_update` that is then due names them, or makes them void.
    pub fn newly_answered(&mut self, question: QuestionId, state: &State) -> Option<Bytes> {
        if self.unlisted || !room::is_room_listed(state) {
            return None;
        }
        let mut players = self.answered.remove(&question)?;
        players.retain(|player| state.answer_of(*player, question).is_some());
        room::players_answered(question, &players)
    }

    fn all_new(&mut self, state: &State) -> Vec<Bytes> {
        let questions: Vec<_> = self.answered.keys().copied().collect();
        questions.into_iter().filter_map(|question| self.newly_answered(question, state)).collect()
    }
}
