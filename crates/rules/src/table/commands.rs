//! The rows of the commands: who may send each, and in which phases (messages.md#phases).

use quizhall_quiz::CoHostRole;

use super::CommandRow;
use super::Feature::{
    Adjustments, Answers, Appeals, Autopilot, Breaks, CoHosts, Corrections, Course, ExtraTime, Jokers, Life, Marks,
    Paper, People, Screens, Seats, Settings, Showing, Teams, TieBreaks, Timers, Wording,
};
use super::Sender::{Host, HostOrService, Player, Service};
use crate::base::Phase;
use crate::command::Command;
use crate::showing::settings::Setting;

const LOBBY: &[Phase] = &[Phase::Lobby];
const QUESTION: &[Phase] = &[Phase::Question];
const REVIEW: &[Phase] = &[Phase::RoundReview];
const BOARD: &[Phase] = &[Phase::Leaderboard];
/// The phases in which answers are marked for the first time.
const MARKING: &[Phase] = &[Phase::Question, Phase::RoundReview];
/// The phases after a round is closed and before the next one begins.
const SHOWING: &[Phase] = &[Phase::RoundReview, Phase::Leaderboard];
/// The phases without a question before the end of the game.
const PAUSES: &[Phase] = &[Phase::Lobby, Phase::RoundReview, Phase::Leaderboard];
/// From the start of the game to its end.
const ROUNDS: &[Phase] = &[Phase::Question, Phase::RoundReview, Phase::Leaderboard];
/// All phases before the end.
const LIVE: &[Phase] = Phase::ALL.split_at(4).0;
const ALWAYS: &[Phase] = &Phase::ALL;

/// No co-host.
const NONE: &[CoHostRole] = &[];
/// All further devices of the host.
const DEVICES: &[CoHostRole] = &[CoHostRole::Host];
const MARKERS: &[CoHostRole] = &[CoHostRole::Host, CoHostRole::Marker];
const MODERATORS: &[CoHostRole] = &[CoHostRole::Host, CoHostRole::Moderator];

impl CommandRow {
    /// The row of [`Command::AddScreen`], for the service that promises a screen before it can build the command.
    // A screen also shows the end of a game.
    pub const ADD_SCREEN: Self = Self { sender: Host(DEVICES), phases: ALWAYS, since: 1, feature: Screens };

    /// The row of [`Command::CorrectMarks`]: those who may correct marks may also ask what that would do.
    pub const CORRECT_MARKS: Self = Self { sender: Host(MARKERS), phases: ROUNDS, since: 1, feature: Corrections };

    /// The row of [`Command::AdjustPoints`]: those who may give points may also ask what that would do.
    pub const ADJUST_POINTS: Self = Self { sender: Host(DEVICES), phases: ROUNDS, since: 2, feature: Adjustments };

    /// The row of [`Command::SubmitAnswer`], for answers that come together.
    pub(crate) const SUBMIT_ANSWER: Self = Self { sender: Player, phases: QUESTION, since: 1, feature: Answers };
}

impl Command {
    /// Its row of the table.
    #[expect(clippy::match_same_arms, reason = "a row for each command")]
    pub const fn row(&self) -> &'static CommandRow {
        use {Command as C, CommandRow as Row};
        match self {
            C::Join(_) => &Row { sender: Service, phases: LIVE, since: 1, feature: People },
            C::Leave { .. } => &Row { sender: Service, phases: ALWAYS, since: 1, feature: People },
            C::Return { .. } => &Row { sender: Service, phases: ALWAYS, since: 1, feature: People },
            C::HostLeave => &Row { sender: Service, phases: ALWAYS, since: 1, feature: People },
            C::HostReturn => &Row { sender: Service, phases: ALWAYS, since: 1, feature: People },
            C::Remove { .. } => &Row { sender: HostOrService(MODERATORS), phases: LIVE, since: 1, feature: People },
            C::Ban { .. } => &Row { sender: Host(MODERATORS), phases: LIVE, since: 1, feature: People },
            C::RenamePlayer { .. } => &Row { sender: Host(MODERATORS), phases: LIVE, since: 1, feature: People },
            C::StartGame => &Row { sender: Host(DEVICES), phases: LOBBY, since: 1, feature: Course },
            C::ReleaseQuestion { .. } => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Course },
            C::CloseQuestion { .. } => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Timers },
            C::SetCloseWhenAnswered { .. } => &Row { sender: Host(DEVICES), phases: LIVE, since: 1, feature: Timers },
            C::SetOptions(_) => &Row { sender: Host(DEVICES), phases: LOBBY, since: 1, feature: Life },
            C::EndRound => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Course },
            C::ReleaseScores => &Row { sender: Host(DEVICES), phases: REVIEW, since: 1, feature: Course },
            C::ReleaseOwnScores => &Row { sender: Host(DEVICES), phases: REVIEW, since: 1, feature: Course },
            C::ShowStandings => &Row { sender: Host(DEVICES), phases: BOARD, since: 1, feature: Course },
            C::StartNextRound => &Row { sender: Host(DEVICES), phases: BOARD, since: 1, feature: Course },
            C::EndGame => &Row { sender: Host(DEVICES), phases: BOARD, since: 1, feature: Course },
            // A press that comes after the end is late, not wrong.
            C::Next { .. } => &Row { sender: Host(DEVICES), phases: ALWAYS, since: 1, feature: Course },
            C::Close => &Row { sender: Service, phases: ALWAYS, since: 1, feature: Life },
            C::OverrideAnswer { .. } => &Row { sender: Host(MARKERS), phases: REVIEW, since: 1, feature: Marks },
            // An owner of version 0.1 does not know the field, and would mark the one text only.
            C::MarkAnswers { alike: true, .. } => {
                &Row { sender: Host(MARKERS), phases: REVIEW, since: 2, feature: Marks }
            }
            C::MarkAnswers { .. } => &Row { sender: Host(MARKERS), phases: REVIEW, since: 1, feature: Marks },
            C::AcceptAnswer { .. } => &Row { sender: Host(MARKERS), phases: MARKING, since: 1, feature: Marks },
            C::OpenDesk { .. } => &Row { sender: Host(MARKERS), phases: MARKING, since: 1, feature: Marks },
            C::UndoMarking => &Row { sender: Host(MARKERS), phases: MARKING, since: 1, feature: Marks },
            C::CorrectMarks { .. } => &Row::CORRECT_MARKS,
            C::CorrectPlayers { .. } => &Row { sender: Host(MARKERS), phases: ROUNDS, since: 1, feature: Corrections },
            C::Appeal { .. } => &Row { sender: Player, phases: ROUNDS, since: 1, feature: Appeals },
            C::DismissAppeal { .. } => &Row { sender: Host(MARKERS), phases: ROUNDS, since: 1, feature: Appeals },
            C::AdjustPoints { .. } => &Row::ADJUST_POINTS,
            C::UndoAdjustment { .. } => &Row { sender: Host(DEVICES), phases: ROUNDS, since: 2, feature: Adjustments },
            C::SubmitAnswer { .. } => &CommandRow::SUBMIT_ANSWER,
            C::ShowTally { .. } => &Row { sender: Host(DEVICES), phases: ROUNDS, since: 1, feature: Showing },
            C::RevealAnswer { .. } => &Row { sender: Host(DEVICES), phases: SHOWING, since: 1, feature: Showing },
            C::SetTimer(_) => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Timers },
            C::AddTime(_) => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Timers },
            C::HoldTimers { .. } => &Row { sender: Host(DEVICES), phases: QUESTION, since: 1, feature: Timers },
            C::MarkTimers => &Row { sender: Service, phases: ALWAYS, since: 1, feature: Timers },
            C::Expire(_) => &Row { sender: Service, phases: ALWAYS, since: 1, feature: Timers },
            C::SetExtraTime { .. } => &Row { sender: Host(DEVICES), phases: LIVE, since: 1, feature: ExtraTime },
            C::SetAutopilot(_) => &Row { sender: Host(DEVICES), phases: ROUNDS, since: 1, feature: Autopilot },
            C::StartBreak { .. } => &Row { sender: Host(DEVICES), phases: PAUSES, since: 1, feature: Breaks },
            C::EndBreak => &Row { sender: Host(DEVICES), phases: PAUSES, since: 1, feature: Breaks },
            C::PlayJoker => &Row { sender: Player, phases: LIVE, since: 1, feature: Jokers },
            C::TieBreak(_) => &Row { sender: Host(DEVICES), phases: BOARD, since: 1, feature: TieBreaks },
            C::AnswerTieBreak { .. } => &Row { sender: Player, phases: LIVE, since: 1, feature: TieBreaks },
            C::EndTieBreak => &Row { sender: Host(DEVICES), phases: BOARD, since: 1, feature: TieBreaks },
            C::EditQuestion(_) => &Row { sender: Host(DEVICES), phases: LIVE, since: 1, feature: Wording },
            C::WithdrawQuestion { .. } => &Row { sender: Host(DEVICES), phases: ROUNDS, since: 1, feature: Wording },
            // A phone can also fail at the end of the game.
            C::IssueSeatCode(_) => &Row { sender: HostOrService(MODERATORS), phases: ALWAYS, since: 1, feature: Seats },
            C::RemovePhone { .. } => {
                &Row { sender: HostOrService(MODERATORS), phases: ALWAYS, since: 1, feature: Teams }
            }
            C::MoveSeat(_) => &Row { sender: Service, phases: ALWAYS, since: 1, feature: Seats },
            C::AddDevice(_) => &Row { sender: Service, phases: LIVE, since: 1, feature: Teams },
            C::SuggestAnswer { .. } => &Row { sender: Player, phases: QUESTION, since: 1, feature: Teams },
            C::AddSeat(_) => &Row { sender: Host(MODERATORS), phases: LIVE, since: 1, feature: Paper },
            C::EnterAnswer(_) => &Row { sender: Host(MARKERS), phases: MARKING, since: 1, feature: Paper },
            C::AddCoHost(_) => &Row { sender: Host(NONE), phases: LIVE, since: 1, feature: CoHosts },
            C::RemoveCoHost { .. } => &Row { sender: Host(NONE), phases: ALWAYS, since: 1, feature: CoHosts },
            C::AddScreen(_) => &Row::ADD_SCREEN,
            C::RemoveScreen { .. } => &Row { sender: Host(DEVICES), phases: ALWAYS, since: 1, feature: Screens },
            C::Set(setting) => setting.row(),
        }
    }
}

impl Setting {
    /// The row of the command that sets it.
    #[expect(clippy::match_same_arms, reason = "a row for each setting")]
    pub const fn row(&self) -> &'static CommandRow {
        use CommandRow as Row;
        match self {
            Self::Locked(_) => &Row { sender: HostOrService(MODERATORS), phases: LIVE, since: 1, feature: Settings },
            Self::Screens(_) => &Row { sender: Host(DEVICES), phases: ALWAYS, since: 1, feature: Settings },
            Self::Spectators(_) => &Row { sender: Host(DEVICES), phases: ALWAYS, since: 1, feature: Settings },
        }
    }
}
