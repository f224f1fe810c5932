//! The table of the game: one row for each command, and one for each change of the log.
//!
//! A row holds the properties of a command or change that other places need. Nothing in it has a default, and the functions that
//! give the rows match their enum in full, so a new variant without a row does not compile.

mod changes;
mod commands;
mod options;

pub use options::OptionRow;

use quizhall_quiz::CoHostRole;

use crate::base::Phase;

/// The version of the log that this build reads and writes: the largest `since` of all rows. It grows by one whenever a released
/// version could not read what this version may write, or could not carry out a command of this version. Each node announces
/// it in the list of nodes; a command that came after the oldest of them is not admitted on any node.
pub const LOG_VERSION: u32 = 2;

/// The row of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandRow {
    /// The actors who may send it.
    pub sender: Sender,
    /// The phases in which it is valid. If both the host and the service may send it, the service may send it in every phase.
    pub phases: &'static [Phase],
    /// The [`LOG_VERSION`] in which it came.
    pub since: u32,
    /// The feature that it belongs to.
    pub feature: Feature,
}

impl CommandRow {
    /// Whether nodes down to this version of the log can carry out the command and read what it stores.
    pub const fn is_known_to(&self, oldest: u32) -> bool {
        self.since <= oldest
    }
}

/// The row of a change.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// Its kind as the log spells it; never changes.
    pub kind: &'static str,
    /// The [`LOG_VERSION`] in which it came.
    pub since: u32,
    /// The feature that it belongs to.
    pub feature: Feature,
    /// What the change stops.
    pub stops: &'static [Running],
    /// The personal data that it holds of a player, which is removed when the player is erased.
    pub holds: &'static [Personal],
}

/// Something that runs in a game until a change stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// The autopilot stops when a message of the host caused the change, because the host has taken over.
    Autopilot,
    /// The break ends.
    Break,
}

/// Personal data of a player. Other texts of the host and names of co-hosts do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Personal {
    /// A name.
    Name,
    /// A text of the player, an answer in any form or an appeal; or the host's reason for points of the player.
    Text,
    /// The hash of a token, of an idempotency key or of a seat code.
    Token,
    /// The player's extra time.
    ExtraTime,
}

/// The actors who may send a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The host, and co-hosts of these roles.
    Host(&'static [CoHostRole]),
    /// A player, on any device.
    Player,
    /// Only the service.
    Service,
    /// The host, co-hosts of these roles, and the service.
    HostOrService(&'static [CoHostRole]),
}

/// The feature that a command or a change belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The existence of the game, and the node that owns it.
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
    /// Points that the host gives by hand.
    Adjustments,
    /// The tally of a question, and right answers that the host reveals.
    Showing,
    /// Time limits.
    Timers,
    /// Timers of players with extra time.
    ExtraTime,
    /// Steps without the host.
    Autopilot,
    /// Breaks between rounds.
    Breaks,
    /// Jokers.
    Jokers,
    /// Questions that decide between players with equal scores.
    TieBreaks,
    /// New words for a question, and questions that are withdrawn.
    Wording,
    /// Codes with which another phone can take a seat.
    Seats,
    /// Phones of a team.
    Teams,
    /// Players without a phone.
    Paper,
    /// People who run the game together with the host.
    CoHosts,
    /// Big screens.
    Screens,
    /// Plain settings.
    Settings,
}

impl Feature {
    /// What a sentence calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Life => "such games",
            Self::Course => "the course of this game",
            Self::People => "players",
            Self::Answers => "answers",
            Self::Marks => "marks",
            Self::Corrections => "corrected marks",
            Self::Appeals => "appeals",
            Self::Adjustments => "points by hand",
            Self::Showing => "revealed answers",
            Self::Timers => "time limits",
            Self::ExtraTime => "extra time",
            Self::Autopilot => "the autopilot",
            Self::Breaks => "breaks",
            Self::Jokers => "jokers",
            Self::TieBreaks => "tie-breaks",
            Self::Wording => "edited questions",
            Self::Seats => "seat codes",
            Self::Teams => "teams",
            Self::Paper => "players on paper",
            Self::CoHosts => "co-hosts",
            Self::Screens => "screens",
            Self::Settings => "this setting",
        }
    }
}
