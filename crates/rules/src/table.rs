//! The table of the game: one row for each command, and one for each change of the log.
//!
//! A row says what other places ask about every command and every change. Nothing in it has a default, and the functions that
//! give the rows match their enum in full: a new variant without a row does not compile.

mod changes;
mod commands;

use crate::{HostRole, Phase};

/// The version of the log that this build reads and writes: the largest `since` of all rows. It grows by one whenever a released
/// version could not read what this one may write, or could not carry out a command of this one.
pub const LOG_VERSION: u32 = 1;

/// The row of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandRow {
    /// The actors who may send it.
    pub sender: Sender,
    /// The phases in which it is valid. What the host sends as well, the service may send in every phase.
    pub phases: &'static [Phase],
    /// The [`LOG_VERSION`] in which it came.
    pub since: u32,
    /// What it belongs to.
    pub feature: Feature,
}

/// The row of a change.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Its kind as the log spells it; never changes.
    pub kind: &'static str,
    /// The [`LOG_VERSION`] in which it came.
    pub since: u32,
    /// What it belongs to.
    pub feature: Feature,
    /// What it stops.
    pub stops: &'static [Running],
    /// What it holds of a player, which goes when the player is erased.
    pub holds: &'static [Personal],
}

/// What runs in a game until something stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// The autopilot stops when a message of the host caused the change, because the host has taken over.
    Autopilot,
    /// The break is over.
    Break,
}

/// Personal data of a player. What the host wrote, and names of co-hosts, are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Personal {
    /// A name.
    Name,
    /// What the player wrote: an answer in any form, an appeal.
    Text,
    /// The hash of a token, of an idempotency key or of a seat code.
    Token,
    /// How much more time the player has.
    ExtraTime,
}

/// The actors who may send a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The host, and co-hosts of these roles.
    Host(&'static [HostRole]),
    /// A player, over any device.
    Player,
    /// Only the service.
    Service,
    /// The host, co-hosts of these roles, and the service.
    HostOrService(&'static [HostRole]),
}

/// What a command or a change belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// That the game exists, and which node has it.
    Life,
    /// The course of the game: its start, rounds, questions, scores and end.
    Course,
    /// Players, and the presence of participants.
    People,
    /// Answers over phones.
    Answers,
    /// Marks of the current round.
    Marks,
    /// Marks of a round whose scores are out.
    Corrections,
    /// Appeals about marks.
    Appeals,
    /// The tally of a question, and right answers that the host reveals.
    Showing,
    /// Time limits.
    Timers,
    /// Timers of players who have more time.
    ExtraTime,
    /// Steps without the host.
    Autopilot,
    /// Breaks between rounds.
    Breaks,
    /// Jokers.
    Jokers,
    /// Questions that decide between equals.
    TieBreaks,
    /// Other words for a question, and questions that are withdrawn.
    Wording,
    /// Codes with which another phone takes a seat.
    Seats,
    /// Phones of a team.
    Teams,
    /// Players without a phone.
    Paper,
    /// Who runs the game besides the host.
    CoHosts,
    /// Big screens.
    Screens,
    /// Plain settings.
    Settings,
}
