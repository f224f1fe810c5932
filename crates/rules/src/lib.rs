//! The game: a pure state machine of commands and events.
//!
//! [`decide`] returns the event that a command causes in a [`State`], if any; [`State::apply`] applies an event; replaying a log
//! of events gives the same state again. Called by the engine (which stores and sends) and by the server (which checks quizzes
//! and names with it). It never reads a clock, a socket or a random number, knows no wire format, and shows no answer, name or
//! secret in its `Debug` output.

mod answering;
mod apply;
mod base;
mod clock;
mod command;
mod decide;
mod erase;
mod event;
mod people;
mod showing;
mod state;
mod table;
mod taking;
mod what_if;

pub use answering::appeals::{Appeal, AppealStatus};
pub use answering::groups::AnswerGroup;
pub use answering::review::{PastAnswer, QuestionResult, ReviewEntry, RoundResult};
pub use answering::review_groups::{ReviewGroup, Reviewed};
pub use answering::wording::QuestionEdit;
pub use base::adjustment::Adjustment;
pub use base::answer::{AnswerError, AnswerText, AnswerTexts};
pub use base::board::Board;
pub use base::command_id::CommandId;
pub use base::device::{Device, TeamCode};
pub use base::fold::loose as fold_text;
pub use base::game::Game;
pub use base::ids::{AdjustmentId, CoHostId, DeviceId, GameId, HostId, PlayerId, ScreenId};
pub use base::marking::{Mark, MarkingRule, mark};
pub use base::moment::Moment;
pub use base::name::{DisplayName, NameError};
pub use base::options::{AutopilotPlan, PlayOptions};
pub use base::played::Section;
pub use base::player::Player;
pub use base::refusal::Refusal;
pub use base::rows::{Reader, Row, Rows, Writer};
pub use base::seal::{Seal, SealHash};
pub use base::sheet::{Answer, Counting, MarkedBy};
pub use base::standing::Standing;
pub use base::team::{Suggestion, TeamPhone, Teams};
pub use base::token::TokenHash;
pub use clock::span::{Expiry, TimeLeft, TimerLength};
pub use command::{Actor, AddDevice, Command, EnteredAnswer, Join, NewSeat, Origin, SeatMove, TieQuestion};
pub use decide::{LONGEST_TIMER, decide};
pub use erase::{Erasure, erase};
pub use event::{Bundle, BundleRow, Change, Created, Event, MarkedText, SentRow};
pub use people::co_hosts::{CoHost, CoHosts};
pub use people::screens::{Screen, Screens};
pub use people::seats::{SEAT_CODE_KEPT_MS, SeatCode};
pub use people::teams::AddedDevice;
pub use quizhall_quiz::CoHostRole as HostRole;
pub use quizhall_quiz::{BoardAfter, Pace, Phase};
pub use quizhall_quiz::{MediaKind, Question, QuestionId, QuestionKind, QuestionMedia, Quiz, QuizError, Round};
pub use quizhall_quiz::{choice, number};
pub use showing::reveal::Revealed;
pub use showing::settings::{OnScreens, Setting, Slide};
pub use showing::slides::PAGE;
pub use showing::streaks::Earned;
pub use showing::tally::{Tally, TallyEntry};
pub use showing::tie_breaks::TieBreak;
pub use state::step::{AutopilotStep, Step, WaitsFor, next_step, waits_for};
pub use state::{ReplayError, State};
pub use table::{ChangeRow, CommandRow, Feature, LOG_VERSION, OptionRow, Personal, Running, Sender};
pub use taking::{Answers, Taking};
pub use what_if::{Lines, Named, Outcome, Supposed, Unfit, what_if};
