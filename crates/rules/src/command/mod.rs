//! What can be asked of a game.
//!
//! Built by the engine from wire messages and HTTP calls; decided by `decide`. A command is a request and is never stored. It can
//! travel between nodes of neighbouring versions, so names may never change their meaning.

mod origin;
mod parts;

pub use origin::{Actor, Origin};
pub use parts::{AddDevice, EnteredAnswer, Join, NewSeat, SeatMove, TieQuestion};

use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::answering::wording::QuestionEdit;
use crate::base::{
    AdjustmentId, AnswerText, AnswerTexts, AutopilotPlan, CoHostId, Device, PlayOptions, PlayerId, ScreenId,
};
use crate::clock::span::{Expiry, TimeLeft};
use crate::people::co_hosts::CoHost;
use crate::people::screens::Screen;
use crate::people::seats::SeatCode;
use crate::showing::settings::Setting;

/// A request to the game. Each comment begins with the actors who may send it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Service: a player joins (`POST /join`).
    Join(Box<Join>),
    /// Service: the last socket of a player's device is closed. In the lobby the player leaves; later, the player is disconnected
    /// if no other device is connected.
    Leave {
        /// The player.
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// Service: a player's device without a socket has one again.
    Return {
        /// The player.
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// Service: the host has had no socket for the grace period.
    HostLeave,
    /// Service: the host has a socket.
    HostReturn,
    /// Host: `start_game`.
    StartGame,
    /// Host: `release_question`.
    ReleaseQuestion {
        /// The question, one of the current round.
        question: QuestionId,
    },
    /// Host: `close_question`.
    CloseQuestion {
        /// The question, released in the current round.
        question: QuestionId,
    },
    /// Host: `set_close_when_answered`.
    SetCloseWhenAnswered {
        /// Whether a question closes soon after every player who is here has answered it.
        on: bool,
    },
    /// Host: change how the game is played, while it is in its lobby.
    SetOptions(Box<PlayOptions>),
    /// Host: `end_round`.
    EndRound,
    /// Host: `override_answer`.
    OverrideAnswer {
        /// The player.
        player: PlayerId,
        /// The question.
        question: QuestionId,
        /// Whether it shall count as right.
        correct: bool,
    },
    /// Host: `mark_answers`.
    MarkAnswers {
        /// The question.
        question: QuestionId,
        /// The texts of the answers.
        texts: AnswerTexts,
        /// Whether they shall count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
        half: bool,
        /// Whether the texts stand for all answers with the same meaning.
        #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
        alike: bool,
    },
    /// Host: `accept_answer`. Answers with a text that the key regards as equal to one of these are marked accordingly from now
    /// on.
    AcceptAnswer {
        /// The question.
        question: QuestionId,
        /// The texts, as a player may write them.
        texts: AnswerTexts,
        /// Whether they shall count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
        half: bool,
    },
    /// Host: `correct_marks`, in a round whose scores are out.
    CorrectMarks {
        /// The question.
        question: QuestionId,
        /// The texts of the answers.
        texts: AnswerTexts,
        /// Whether they shall count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
        half: bool,
    },
    /// Host: `correct_marks` with named players, in a round whose scores are out.
    CorrectPlayers {
        /// The question.
        question: QuestionId,
        /// The players whose answers are marked, including players without an answer.
        players: Vec<PlayerId>,
        /// Whether they shall count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
        half: bool,
    },
    /// Player: `appeal`, about the mark of the player's answer in a round whose scores are out.
    Appeal {
        /// The question.
        question: QuestionId,
        /// The player's reason.
        text: Option<String>,
    },
    /// Host: `dismiss_appeal`.
    DismissAppeal {
        /// The player who appeals.
        player: PlayerId,
        /// The question.
        question: QuestionId,
    },
    /// Host: `open_desk`; it only concerns the socket, so no event follows.
    OpenDesk {
        /// Whether the socket receives answers as they arrive.
        open: bool,
    },
    /// Host: `undo_marking`.
    UndoMarking,
    /// Host: `show_tally`.
    ShowTally {
        /// The question.
        question: QuestionId,
        /// The entries that are left out, by their texts.
        hidden: AnswerTexts,
    },
    /// Host: `release_scores`.
    ReleaseScores,
    /// Host: `release_own_scores`.
    ReleaseOwnScores,
    /// Host: `show_standings`.
    ShowStandings,
    /// Host: `start_next_round`.
    StartNextRound,
    /// Host: `end_game`.
    EndGame,
    /// Host: `next`: take the next step if it still has this number.
    Next {
        /// The number of the step.
        number: u32,
    },
    /// Player: `submit_answer`.
    SubmitAnswer {
        /// The question.
        question: QuestionId,
        /// The answer as the player wrote it.
        answer: AnswerText,
        /// The time from writing the question to the sender's socket until the answer arrived there, milliseconds; none when it
        /// is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elapsed: Option<u32>,
    },
    /// Host or service: remove a player for good.
    Remove {
        /// The player.
        player: PlayerId,
    },
    /// Host: remove a player and ban them, so that they cannot join again with the same token or key.
    Ban {
        /// The player, who may have been removed before.
        player: PlayerId,
    },
    /// Host, and the service where the setting's row allows it: set a plain setting. It is stored under the name of the first
    /// setting.
    #[serde(rename = "set_locked")]
    Set(Setting),
    /// Host: `set_timer`.
    SetTimer(TimeLeft),
    /// Host: `add_time`; the time is added to the time left.
    AddTime(TimeLeft),
    /// Host: `pause_timer`, `resume_timer`.
    HoldTimers {
        /// Whether the timers are held from now on.
        held: bool,
    },
    /// Host: `start_autopilot`, or `stop_autopilot` without a plan.
    SetAutopilot(Option<AutopilotPlan>),
    /// Service: state how much time the running timers, or the break, have left.
    MarkTimers,
    /// Service: a timer ran out, or the next step of the autopilot is due.
    Expire(Expiry),
    /// Service: the game was deleted or abandoned.
    Close,
    /// Host: `set_extra_time`.
    SetExtraTime {
        /// The player.
        player: PlayerId,
        /// The percent of every timer that the player has.
        percent: u16,
    },
    /// Host: `reveal_answer`.
    RevealAnswer {
        /// The question.
        question: QuestionId,
    },
    /// Host: `start_break`.
    StartBreak {
        /// The length of the break, milliseconds.
        ms: u64,
        /// The text shown with it.
        text: Option<String>,
    },
    /// Host: `end_break`.
    EndBreak,
    /// Player: `play_joker`.
    PlayJoker,
    /// Host: give a token to a screen, whose id the caller has made.
    AddScreen(Box<Screen>),
    /// Host: revoke the token of a screen.
    RemoveScreen {
        /// The question.
        screen: ScreenId,
    },
    /// Host: give a token to a co-host, whose id the caller has made.
    AddCoHost(Box<CoHost>),
    /// Host: revoke the token of a co-host.
    RemoveCoHost {
        /// The question.
        co_host: CoHostId,
    },
    /// Host: `tie_break`.
    TieBreak(Box<TieQuestion>),
    /// Player: `answer_tie_break`.
    AnswerTieBreak {
        /// The number that the player answered.
        answer: i64,
    },
    /// Host: `end_tie_break`.
    EndTieBreak,
    /// Host, or service on behalf of the player: issue a code with which another phone can take a seat.
    IssueSeatCode(Box<SeatCode>),
    /// Host, or service on behalf of a captain: revoke the token of a team's phone. The team and its other phones stay.
    RemovePhone {
        /// The team.
        player: PlayerId,
        /// The phone of the team.
        device: Device,
    },
    /// Service: another phone takes a seat.
    MoveSeat(Box<SeatMove>),
    /// Host: `edit_question`.
    EditQuestion(Box<QuestionEdit>),
    /// Host: `withdraw_question`.
    WithdrawQuestion {
        /// The question, released in this round or in an earlier one.
        question: QuestionId,
    },
    /// Host: `rename_player`.
    RenamePlayer {
        /// The player.
        player: PlayerId,
        /// The name as the host wrote it.
        name: String,
    },
    /// Host: `add_seat`: a player without a phone takes a seat.
    AddSeat(Box<NewSeat>),
    /// Host: `enter_answer`, for a player without a phone.
    EnterAnswer(Box<EnteredAnswer>),
    /// Host: `adjust_points`.
    AdjustPoints {
        /// The player.
        player: PlayerId,
        /// The points; not 0.
        points: i32,
        /// The reason, which the player is shown.
        reason: Option<Arc<str>>,
    },
    /// Host: `undo_adjustment`.
    UndoAdjustment {
        /// The points by hand that are undone.
        adjustment: AdjustmentId,
    },
    /// Service: another phone joins a team (`POST /join` with the code of one).
    AddDevice(Box<AddDevice>),
    /// Player: `suggest_answer`.
    SuggestAnswer {
        /// The question.
        question: QuestionId,
        /// The answer that the phone suggests to the captain.
        answer: AnswerText,
    },
}
