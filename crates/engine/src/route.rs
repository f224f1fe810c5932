//! The route to a game's owner, as one node knows it, and when this node must claim the game itself.
//!
//! Inputs are frames of owners and, when none arrive, the record in the database. The route may be wrong at any time: frames sent
//! to the wrong node are retransmitted, and the log decides who may write. Called by the server's ownership supervisor and the
//! simulation; does no IO.

use std::time::Duration;

use crate::ids::{EdgeId, Time};
use crate::liveness::LateAnswers;

/// The record is read after this long without a frame of the owner. Heartbeats come every second.
const SILENCE: Duration = Duration::from_millis(1_500);
/// Pause between two reads of the record.
const LOOK_AGAIN: Duration = Duration::from_millis(300);
/// Pause after a lost claim: then the record names the winner.
const LOST: Duration = Duration::from_millis(20);

/// The owner's place, as believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Not known.
    Nowhere,
    /// On this node.
    Here,
    /// On that node.
    There(EdgeId),
}

/// The record in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The node that was recorded as the owner of the game.
    pub owner: Option<EdgeId>,
    /// Whether that node is in the list of nodes.
    pub listed: bool,
}

/// The outcome of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// This node is the owner now, with this epoch.
    Won {
        /// The epoch.
        epoch: u64,
        /// When its row was given to the store. Reading a long log before that takes as long as it takes.
        since: Time,
    },
    /// The game is on record for another node, which suits better and has not claimed it yet.
    Given {
        /// That node.
        to: EdgeId,
    },
    /// Another node claimed first.
    Lost,
    /// The database did not answer; the claim may have taken effect.
    Unknown,
}

/// An input of the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteInput {
    /// Whether this node needs the owner: it has a socket of the game, or a pending command. Initially true.
    Wanted(bool),
    /// A frame of an owner arrived.
    OwnerSeen {
        /// The sending node.
        from: EdgeId,
        /// Its epoch.
        epoch: u64,
    },
    /// The owner released the game, with or without a successor.
    Released {
        /// The sending node.
        from: EdgeId,
        /// Its epoch.
        epoch: u64,
        /// The node that should claim it.
        to: Option<EdgeId>,
    },
    /// The record was read; `None` when it could not be.
    Record(Option<Record>),
    /// A claim has ended.
    Claimed(Claimed),
    /// The owner on this node has ended.
    OwnerEnded,
    /// Another node sent a frame for the owner, which is not here.
    RequestedHere,
    /// A node left the list.
    Gone(EdgeId),
    /// Time has passed.
    Tick,
}

/// What the caller must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteEffect {
    /// Read the record; the answer comes back as [`RouteInput::Record`].
    ReadRecord,
    /// Change the record from this owner to this node, then claim the log; comes back as [`RouteInput::Claimed`].
    Claim {
        /// The recorded owner.
        from: Option<EdgeId>,
    },
    /// The owner moved: the edge must retransmit unacknowledged commands.
    Moved,
    /// Another node owns the game with a newer epoch: the owner here must be dropped.
    Dismiss,
}

/// The route to the owner of one game.
#[derive(Debug)]
pub struct Route {
    me: EdgeId,
    place: Place,
    /// The newest epoch seen.
    epoch: u64,
    seen_at: Time,
    next_look: Time,
    busy: bool,
    wanted: bool,
    claims: LateAnswers,
}

impl Route {
    /// A route without information: its first tick reads the record.
    pub fn new(now: Time, me: EdgeId) -> Self {
        Self {
            me,
            place: Place::Nowhere,
            epoch: 0,
            seen_at: now,
            next_look: now,
            busy: false,
            wanted: true,
            claims: LateAnswers::new(now),
        }
    }

    /// The present place of the owner, to which frames are sent.
    pub fn place(&self) -> Place {
        self.place
    }

    /// When [`RouteInput::Tick`] is needed next; `None` while there is nothing to wait for.
    pub fn next_deadline(&self) -> Option<Time> {
        match self.place {
            _ if self.busy || !self.wanted => None,
            Place::Here => None,
            Place::Nowhere => Some(self.next_look),
            Place::There(_) => Some(self.next_look.max(self.seen_at + SILENCE)),
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
            RouteInput::OwnerSeen { from, epoch } => self.owner_seen(now, from, epoch, effects),
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
            RouteInput::RequestedHere => {
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

    fn owner_seen(&mut self, now: Time, from: EdgeId, epoch: u64, effects: &mut Vec<RouteEffect>) {
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
        let is_current = epoch > self.epoch || epoch == self.epoch && self.place == Place::There(from);
        if !is_current {
            // Another node has claimed it already.
            return;
        }
        self.epoch = epoch;
        if self.place == Place::Here {
            effects.push(RouteEffect::Dismiss);
            self.place = Place::Nowhere;
        }
        match to {
            // The record agrees, and a claim has to start from it.
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
                self.claims.ask(now);
                effects.push(RouteEffect::Claim { from });
            }
        }
    }

    fn claimed(&mut self, now: Time, claimed: Claimed, effects: &mut Vec<RouteEffect>) {
        if let Claimed::Won { since, .. } = claimed {
            self.claims.ask(since);
        }
        let late = self.claims.is_late(now);
        match claimed {
            // Another node may have claimed it after this one already.
            Claimed::Won { epoch, .. } if epoch < self.epoch => effects.push(RouteEffect::Dismiss),
            // This node was probably suspended, and another may own the game by now. This owner would publish an old state.
            Claimed::Won { epoch, .. } if late => {
                self.epoch = epoch;
                self.next_look = now;
                effects.push(RouteEffect::Dismiss);
            }
            Claimed::Won { epoch, .. } => {
                self.epoch = epoch;
                self.place = Place::Here;
                effects.push(RouteEffect::Moved);
            }
            // This node's frames lead that node to its claim; if it stays silent, the record is read again.
            Claimed::Given { to } => self.go(now, to, effects),
            Claimed::Lost => self.next_look = now + LOST,
            Claimed::Unknown => self.next_look = now + LOOK_AGAIN,
        }
    }

    /// Sets the owner's place to that node.
    fn go(&mut self, now: Time, to: EdgeId, effects: &mut Vec<RouteEffect>) {
        if self.place == Place::Here {
            effects.push(RouteEffect::Dismiss);
        }
        let moved = self.place != Place::There(to);
        self.place = Place::There(to);
        if moved {
            effects.push(RouteEffect::Moved);
        }
        self.seen_at = now;
    }

    /// Reads the record if this node needs the owner.
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
