//! The boundary between game and wire: events and states become frames, messages become commands, refusals become closes.
//!
//! Together with `sections`, this is the only room of this crate that imports the protocol. It never decides anything.

mod answered;
pub mod appeals;
mod boards;
mod canonical;
mod closing;
mod frames;
mod incoming;
mod lobby_list;
pub mod marks;
pub mod mending;
pub mod options;
mod outgoing;
mod picture;
pub mod review;
pub mod room;
mod screen;
pub mod seal;
mod slides;
mod step;
mod sync;
pub mod teams;
mod ties;
pub mod timers;

use quizhall_rules::QuestionId;

pub use answered::{answered_status, may_show_answered};
pub use boards::{Boards, game_ended, round_leaderboard};
pub use closing::{answer_out_of_range, close_for};
pub use frames::{Audience, Frames, Recipient};
pub use incoming::{command_of, submitted};
pub(crate) use lobby_list::LobbyList;
pub use outgoing::{
    Scores, answer_accepted, answer_count, game_started, given_by, lobby_changed, lobby_update, override_applied,
    question_released, round_ended, round_review, round_scores, scores_of,
};
pub(crate) use outgoing::{WHOLE_LOBBY, is_lobby_named, lobby_list, media_preload, review_answer};
pub use picture::Picture;
pub use quizhall_protocol::http::moments::MomentKind;
pub use quizhall_protocol::{Close, CloseCode, Dialect, FromHost, FromPlayer};
pub(crate) use screen::entries as tally_entries;
pub use screen::screen_update;
pub use slides::described as described_slide;
pub use step::{step_frame, step_update};
pub(crate) use sync::has_boards;
pub use sync::{catch_up, frames_of, is_withheld, room_changed, sync_of_phase, sync_own, sync_shared, sync_withheld};
pub use ties::{tie_break_status, tie_breaks};

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The subject that a frame closes for the client that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// Everything that the round allowed.
    Round,
    /// The answers to one question.
    Question(QuestionId),
}

/// How a socket's queue treats a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// In order, never dropped.
    Queued,
    /// Like `Queued`, and the socket counts these frames when written: a command that crosses one is not a mistake.
    Closes(Closing),
    /// Like `Queued`, and the socket stores when it has written this question completely: an answer earns points for speed.
    Asks(QuestionId),
    /// A state that replaces an unsent older one of the same key.
    Replace(u64),
}

/// The conflation key of lobby lists.
pub const LOBBY_KEY: u64 = 0;

/// The conflation key of `lobby_changed` without names.
pub const LOBBY_TOTAL_KEY: u64 = 8;

/// The conflation key of a timer's time left.
pub fn timer_key(question: Option<QuestionId>) -> u64 {
    // Even, where keys of counts are odd, and never that of lobby lists.
    question.map_or(2, |question| (count_key(question) | 3) ^ 1)
}

/// The conflation key of a question's groups of answers: even, and another half of the id than that of its timer.
pub fn groups_key(question: QuestionId) -> u64 {
    let (high, low) = question.uuid().as_u64_pair();
    (high ^ low.rotate_left(32) | 9) ^ 1
}

/// The conflation key of the autopilot's next step.
pub const STEP_KEY: u64 = 4;

/// The conflation key of the time left of a break.
pub const BREAK_KEY: u64 = 6;

/// The conflation key of the pictures of a screen.
pub const PICTURE_KEY: u64 = 8;

/// The conflation key of a team's phones.
pub const TEAM_KEY: u64 = 10;

/// The conflation key of the next step of the game.
pub const NEXT_KEY: u64 = 12;

/// The conflation key of the number of players who have answered, for phones.
pub const ANSWERED_KEY: u64 = 14;

/// The conflation key of a question's answer count.
pub fn count_key(question: QuestionId) -> u64 {
    // The random tail of the id; two questions of a game that share it would only conflate their counts.
    let (_, low) = question.uuid().as_u64_pair();
    low | 1
}
