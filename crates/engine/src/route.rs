//! Where a game's owner is, as one node knows it, and when this node has to become the owner itself.
//!
//! Learns from frames that are heard and, when there are none, from the record in the database. What it believes may be
//! wrong at any time: a frame that goes astray is sent again, and who may write is decided by the log. Called by the
//! server's game tasks and the simulation; reads and sends nothing itself.

use std::time::Duration;

use crate::ids::{EdgeId, Time};
use crate::liveness::LATE;

/// How long an owner may say nothing before the record is looked at: heartbeats come every second.
const SILENCE: Duration = Duration::from_millis(1_500);
/// Between two looks at the record.
const LOOK_AGAIN: Duration = Duration::from_millis(300);
/// After somebody else was faster: then the record names them.
const LOST: Duration = Duration::from_millis(20);

/// Where the owner is believed to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Not known.
    Nowhere,
    /// On this node.
    Here,
    /// On that node.
    There(EdgeId),
}

/// What the database has on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Who was to own the game; the moment may be past.
    pub owner: Option<EdgeId>,
    /// Whether that node is in the list of nodes.
    pub listed: bool,
}

/// How an attempt to become the owner ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// This node is the owner now, with this epoch.
    Won {
        /// The epoch.
        epoch: u64,
    },
    /// Somebody else was faster.
    Lost,
    /// The database did not answer; whether it took effect is not known.
    Unknown,
}

/// What a node learns about the owner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteInput {
    /// Whether anybody here needs the owner: a socket, or a command that waits. At first somebody does.
    Wanted(bool),
    /// A frame of an owner came.
    Heard {
        /// From which node.
        from: EdgeId,
        /// Its epoch.
        epoch: u64,
    },
    /// The owner has let go of the game, in favour of somebody or of nobody.
    Released {
        /// From which node.
        from: EdgeId,
        /// Its epoch.
        epoch: u64,
        /// Who is to take it.
        to: Option<EdgeId>,
    },
    /// The record was read; `None` when it could not be.
    Record(Option<Record>),
    /// A claim has ended.
    Claimed(Claimed),
    /// The owner on this node has ended.
    OwnerEnded,
    /// Another node sent something for the owner, who is not here.
    SoughtHere,
    /// A node is gone.
    Gone(EdgeId),
    /// Time has passed.
    Tick,
}

/// What a node has to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteEffect {
    /// Read the record; the answer comes back as [`RouteInput::Record`].
    ReadRecord,
    /// Change the record from this owner to this node, then claim the log; comes back as [`RouteInput::Claimed`].
    Claim {
        /// Who is on record.
        from: Option<EdgeId>,
    },
    /// The owner is somewhere else than before: the edge has to say again what is unanswered.
    Moved,
    /// Another node owns the game with a newer epoch: the owner here is to be dropped.
    Dismiss,
}

/// The way to the owner of one game.
#[derive(Debug)]
pub struct Route {
    me: EdgeId,
    place: Place,
    /// The newest epoch heard of.
    epoch: u64,
    heard_at: Time,
    next_look: Time,
    busy: bool,
    wanted: bool,
    claimed_at: Time,
    /// The result of the last claim came late. One that is late again is accepted: the database is slow.
    was_late: bool,
}

impl Route {
    /// A node that knows nothing yet: its first tick looks at the record.
    pub fn new(now: Time, me: EdgeId) -> Self {
        Self {
            me,
            place: Place::Nowhere,
            epoch: 0,
            heard_at: now,
            next_look: now,
            busy: false,
            wanted: true,
            claimed_at: now,
            was_late: false,
        }
    }

    /// Where frames for the owner go now.
    pub fn place(&self) -> Place {
        self.place
    }

    /// When [`RouteInput::Tick`] is wanted next; `None` while nothing has to be looked after.
    pub fn next_deadline(&self) -> Option<Time> {
        match self.place {
            _ if self.busy || !self.wanted => None,
            Place::Here => None,
            Place::Nowhere => Some(self.next_look),
            Place::There(_) => Some(self.next_look.max(self.heard_at + SILENCE)),
        }
    }

    /// Takes one input.
    pub fn step(&mut self, now: Time, input: RouteInput, effects: &mut Vec<RouteEffect>) {
        match input {
            RouteInput::Wanted(wanted) => {
                if wanted && !self.wanted {
                    self.next_look = now;
                }
                self.wanted = wanted;
            }
            RouteInput::Heard { from, epoch } => self.heard(now, from, epoch, effects),
            RouteInput::Released { from, epoch, to } => self.released(now, (from, epoch), to, effects),
            RouteInput::Record(record) => {
                self.busy = false;
                self.next_look = now + LOOK_AGAIN;
                if let Some(record) = record {
                    self.looked(now, record, effects);
                }
            }
            RouteInput::Claimed(claimed) => {
                self.busy = false;
                self.claimed(now, claimed, effects);
            }
            RouteInput::OwnerEnded => {
                if self.place == Place::Here {
                    self.place = Place::Nowhere;
                }
                self.look_if_wanted(now, effects);
            }
            RouteInput::SoughtHere => {
                if self.place != Place::Here && self.next_look <= now {
                    self.look(now, effects);
                }
            }
            RouteInput::Gone(node) => {
                if self.place == Place::There(node) {
                    self.place = Place::Nowhere;
                    self.look_if_wanted(now, effects);
                }
            }
            RouteInput::Tick => {
                if self.next_deadline().is_some_and(|deadline| deadline <= now) {
                    self.look(now, effects);
                }
            }
        }
    }

    fn heard(&mut self, now: Time, from: EdgeId, epoch: u64, effects: &mut Vec<RouteEffect>) {
        if epoch < self.epoch || from == self.me {
            return;
        }
        if epoch == self.epoch && self.place == Place::Here {
            return;
        }
        self.epoch = epoch;
        self.go(now, from, effects);
    }

    fn released(
        &mut self,
        now: Time,
        (from, epoch): (EdgeId, u64),
        to: Option<EdgeId>,
        effects: &mut Vec<RouteEffect>,
    ) {
        let is_news = epoch > self.epoch || epoch == self.epoch && self.place == Place::There(from);
        if !is_news {
            // Somebody has taken it already.
            return;
        }
        self.epoch = epoch;
        if self.place == Place::Here {
            effects.push(RouteEffect::Dismiss);
            self.place = Place::Nowhere;
        }
        match to {
            // The record says the same, and is what a claim has to start from.
            Some(to) if to != self.me => self.go(now, to, effects),
            Some(_) => {
                self.place = Place::Nowhere;
                self.look(now, effects);
            }
            None => {
                self.place = Place::Nowhere;
                self.look_if_wanted(now, effects);
            }
        }
    }

    fn looked(&mut self, now: Time, record: Record, effects: &mut Vec<RouteEffect>) {
        match record.owner {
            Some(owner) if owner == self.me && self.place == Place::Here => {}
            Some(owner) if owner != self.me && record.listed => self.go(now, owner, effects),
            from => {
                self.busy = true;
                self.claimed_at = now;
                effects.push(RouteEffect::Claim { from });
            }
        }
    }

    fn claimed(&mut self, now: Time, claimed: Claimed, effects: &mut Vec<RouteEffect>) {
        let late = now.saturating_sub(self.claimed_at) >= LATE;
        self.was_late = late && !self.was_late;
        match claimed {
            // Somebody may have claimed it behind this one already, and be heard.
            Claimed::Won { epoch } if epoch < self.epoch => effects.push(RouteEffect::Dismiss),
            // This node slept, as a rule, and another may own the game by now. The owner would publish an old state.
            Claimed::Won { epoch } if self.was_late => {
                self.epoch = epoch;
                self.next_look = now;
                effects.push(RouteEffect::Dismiss);
            }
            Claimed::Won { epoch } => {
                self.epoch = epoch;
                self.place = Place::Here;
                effects.push(RouteEffect::Moved);
            }
            Claimed::Lost => self.next_look = now + LOST,
            Claimed::Unknown => self.next_look = now + LOOK_AGAIN,
        }
    }

    /// The owner is there, as far as is known now.
    fn go(&mut self, now: Time, to: EdgeId, effects: &mut Vec<RouteEffect>) {
        if self.place == Place::Here {
            effects.push(RouteEffect::Dismiss);
        }
        let moved = self.place != Place::There(to);
        self.place = Place::There(to);
        if moved {
            effects.push(RouteEffect::Moved);
        }
        self.heard_at = now;
    }

    /// A game that nobody here needs is left to those who do, or to itself.
    fn look_if_wanted(&mut self, now: Time, effects: &mut Vec<RouteEffect>) {
        if self.wanted {
            self.look(now, effects);
        }
    }

    fn look(&mut self, now: Time, effects: &mut Vec<RouteEffect>) {
        if !self.busy {
            self.busy = true;
            self.next_look = now + LOOK_AGAIN;
            effects.push(RouteEffect::ReadRecord);
        }
    }
}
