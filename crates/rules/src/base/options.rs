//! How a game is played: the options that its host chooses with it and may change in the lobby.
//!
//! Stored in the first event of the log and in the event of each change. Those that shape the quiz are applied to it in one place
//! (`played`).

use quizhall_quiz::{BoardAfter, Pace};
use serde::{Deserialize, Serialize};

use crate::base::left_out::is_false;
use crate::base::team::Teams;

/// The plan of the autopilot. All times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutopilotPlan {
    /// How long a question without a time limit of its own is open.
    pub answer_for: u16,
    /// How long the tally of a poll, a revealed answer, or a picture without standings is shown.
    pub reveal_for: u16,
    /// The time before each question, and before the end of the round.
    pub break_for: u16,
    /// Whether the next step waits while the host is not connected.
    pub hold_without_host: bool,
    /// How long standings are shown; as long as an answer when none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standings_for: Option<u16>,
    /// Whether scores wait until the host has decided about all texts; they do when none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_for_marking: Option<bool>,
    /// Whether it takes every step until the game ends. Logs of earlier versions have autopilots that end with their round.
    #[serde(default, skip_serializing_if = "is_false")]
    pub to_the_end: bool,
}

impl AutopilotPlan {
    /// How long standings are shown, in seconds.
    pub fn standings(&self) -> u16 {
        self.standings_for.unwrap_or(self.reveal_for)
    }

    /// Whether scores wait until the host has decided about all texts.
    pub fn waits_for_marking(&self) -> bool {
        self.hold_for_marking.unwrap_or(true)
    }
}

/// The options of a game. The default is a game without any.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayOptions {
    /// What a round of the game is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pace: Pace,
    /// After which questions the standings are shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub board_after: BoardAfter,
    /// The time limit, in seconds, of each question for which neither the question nor its round has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_seconds: Option<u16>,
    /// Whether a question closes soon after every player who is here has answered it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub close_when_answered: bool,
    /// Whether the course of the game does not wait until the host has marked answers; only with [`Pace::Question`].
    #[serde(default, skip_serializing_if = "is_false")]
    pub mark_later: bool,
    /// The autopilot that begins with the game; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autopilot: Option<AutopilotPlan>,
    /// Whether every round counts speed, whatever the quiz says.
    #[serde(default, skip_serializing_if = "is_false")]
    pub speed_points: bool,
    /// Whether every round counts streaks, whatever the quiz says.
    #[serde(default, skip_serializing_if = "is_false")]
    pub streaks: bool,
    /// Whether held scores are hidden on phones until the host shows them on the screen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub phones_after_screen: bool,
    /// Whether the service checks the names of players who join against a list of words.
    #[serde(default, skip_serializing_if = "is_false")]
    pub clean_names: bool,
    /// How several phones play as a team; none without teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Teams>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
