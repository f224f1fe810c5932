//! The game: a pure state machine of commands and events.
//!
//! [`decide`] says which event a command makes in a [`State`], if any; [`State::apply`] carries an event out; a log
//! of events replayed gives the same state again. Called by the engine (which stores and sends) and by the server
//! (which checks quizzes and names with it). It never reads a clock, a socket or a random number, knows no wire
//! format, and shows no answer, name or secret in its `Debug` output.

mod autopilot;
mod base;
mod command;
mod decide;
mod erase;
mod event;
mod joining;
mod mending;
mod paper;
mod rule;
mod setting;
mod state;
mod table;
mod timing;
mod tokens;

pub use base::answer::{AnswerError, AnswerText, AnswerTexts};
pub use base::device::{Device, TeamCode};
pub use base::fold::loose as fold_text;
pub use base::ids::{CoHostId, DeviceId, GameId, HostId, PlayerId, ScreenId};
pub use base::marking::{Mark, MarkingRule, mark};
pub use base::moment::Moment;
pub use base::name::{DisplayName, NameError};
pub use base::phase::Phase;
pub use base::refusal::Refusal;
pub use command::{
    Actor, AddDevice, Command, CommandId, EnteredAnswer, Join, NewSeat, Origin, SeatMove, TieQuestion, TokenHash,
};
pub use decide::decide;
pub use erase::{Erasure, erase};
pub use event::{AddedDevice, Change, Created, Event};
pub use quizhall_quiz::choice;
pub use quizhall_quiz::{MediaKind, Question, QuestionId, QuestionKind, QuestionMedia, Quiz, QuizError, Round};
pub use setting::{OnScreens, Setting, Slide};
pub use state::{
    Answer, AnswerGroup, Appeal, AppealStatus, AutopilotPlan, AutopilotStep, Board, CoHost, Earned, Expiry, HostRole,
    MarkedBy, PastAnswer, Player, QuestionEdit, QuestionResult, ReplayError, Revealed, ReviewEntry, RoundResult,
    SEAT_CODE_KEPT_MS, Screen, SeatCode, Standing, State, Suggestion, Tally, TallyEntry, TeamPhone, Teams, TieBreak,
    TimeLeft, TimerLength,
};
pub use table::{ChangeRow, CommandRow, Feature, LOG_VERSION, Personal, Running, Sender};
pub use timing::LONGEST_TIMER;
