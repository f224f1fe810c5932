//! The changes that a game's log holds, one variant each.

use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::bundle::Bundle;
use super::created::Created;
use crate::answering::wording::QuestionEdit;
use crate::base::{
    AutopilotPlan, Device, DisplayName, PlayOptions, PlayerId, ScreenId, TeamCode, TokenHash, is_false, is_zero,
};
use crate::clock::span::{TimeLeft, TimerLength};
use crate::people::co_hosts::CoHost;
use crate::people::screens::Screen;
use crate::people::seats::SeatCode;
use crate::people::teams::AddedDevice;
use crate::showing::settings::Setting;

/// A change. `Debug` shows only its kind, so it may be logged.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "t", rename_all = "snake_case")]
pub enum Change {
    /// The game began; always the first entry and never a later one.
    Created(Box<Created>),
    /// A node took the game over.
    Claimed {
        /// Grows with every claim.
        #[serde(rename = "e")]
        epoch: u64,
        /// The node.
        node: Uuid,
    },
    /// A player joined.
    Joined {
        /// The player's id.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The name shown.
        #[serde(rename = "n")]
        display_name: DisplayName,
        /// Hash of the session token.
        #[serde(rename = "k")]
        token: TokenHash,
        /// Hash of the idempotency key of the join.
        #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
        idempotency: Option<TokenHash>,
        /// The code with which more phones join; only of a team.
        #[serde(rename = "tc", default, skip_serializing_if = "Option::is_none")]
        team: Option<TeamCode>,
    },
    /// A player left the lobby and has no socket. The player stays in the game.
    Left {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player who had left the lobby has returned.
    Returned {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player no longer has a socket; only after the lobby.
    Disconnected {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device. Another device may still be connected.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player without a socket has one again; only after the lobby.
    Connected {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// The host has had no socket for a while.
    HostLeft,
    /// The host has a socket, for the first time or again.
    HostReturned,
    /// The first round began.
    Started,
    /// A question of the current round was shown.
    QuestionReleased {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// A player answered, or replaced an earlier answer.
    Answered {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The answer as written.
        #[serde(rename = "a")]
        answer: Arc<str>,
        /// The mark it got.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// Whether it is marked wrong but close, so that the host should check it.
        #[serde(rename = "near", default, skip_serializing_if = "is_false")]
        near_miss: bool,
        /// The points that it earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
        /// How long the player took, milliseconds; only where that earns points.
        #[serde(rename = "el", default, skip_serializing_if = "Option::is_none")]
        elapsed: Option<u32>,
    },
    /// Players answered a question with their first devices: means the [`Change::Answered`] of each of its rows.
    Answers(Box<Bundle>),
    /// The host closed a question, which takes answers until its grace is over.
    QuestionClosing {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host changed how the game is played; after the lobby, only whether answers close questions.
    OptionsSet(Box<PlayOptions>),
    /// A question closed for answers: its time was over, the host had closed it, or every player who was here had answered.
    QuestionClosed {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host set or increased the time left.
    TimerSet(TimerLength),
    /// The host held all timers, or let them run again.
    TimerHeld {
        /// Whether they are held from now on.
        held: bool,
        /// How much time each has left.
        #[serde(rename = "ts")]
        left: Vec<TimeLeft>,
    },
    /// The time that the running timers have left, for a later owner.
    TimerMark {
        /// The time left of each timer.
        #[serde(rename = "ts")]
        left: Vec<TimeLeft>,
        /// The time left until the autopilot's next step, milliseconds.
        #[serde(rename = "st", default, skip_serializing_if = "Option::is_none")]
        step: Option<u64>,
    },
    /// The host started the autopilot of the round, changed its times, or stopped it.
    AutopilotSet {
        /// The plan that the host set; none when it stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<AutopilotPlan>,
    },
    /// The round closed for answers.
    RoundEnded,
    /// The host set a mark.
    AnswerOverridden {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// Whether it counts as right now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
    },
    /// The host set the mark of every answer that has one of these texts.
    AnswersMarked {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The texts as written. For each, at least one player's answer counted differently before, or was doubtful.
        #[serde(rename = "as")]
        texts: Vec<String>,
        /// Whether they count as right now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// The points each earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// The host changed the key of this game. Earlier and later answers with one of these texts are marked accordingly.
    KeyChanged {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The texts, in the form in which the key compares them.
        #[serde(rename = "as")]
        texts: Vec<String>,
        /// Whether the key marks them as right from now on.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// The points that they earn although they are not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// The host set marks of a round whose scores are out. The scores are calculated again from the current marks.
    MarksCorrected {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The players whose answers are marked: at least one, and each answer counted differently before.
        #[serde(rename = "ps")]
        players: Vec<PlayerId>,
        /// Whether they count as right now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// The points each earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// A player asks the host to check the mark of an answer again, in a round whose scores are out.
    Appealed {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The player's reason.
        #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The host leaves the mark as it is.
    AppealDismissed {
        /// The player who appealed.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host undid the latest marking of this round, or a co-host the latest of their own.
    MarkingUndone {
        /// The device whose latest marking was undone; none when it was the latest of all.
        #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
        of: Option<Device>,
    },
    /// The host shows the tally of a question, counted from its current answers.
    TallyShown {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The folded texts of the entries that are left out.
        #[serde(rename = "as", default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<String>,
    },
    /// The round's scores came out, together with the standings unless these are held. A second such event, without `held`, shows
    /// the standings that were held.
    ScoresReleased {
        /// Whether players see only their own results. Earlier versions do not know this field and show the standings.
        #[serde(default, skip_serializing_if = "is_false")]
        held: bool,
    },
    /// The next round began.
    NextRoundStarted,
    /// The game is over.
    Ended,
    /// The host removed a player.
    PlayerRemoved {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Whether the player cannot join again with the same token or key.
        #[serde(rename = "ban", default, skip_serializing_if = "is_false")]
        banned: bool,
    },
    /// A plain setting has a new value. It is stored under the name of the first setting; its field names the setting.
    #[serde(rename = "lock_changed")]
    Set(Setting),
    /// The game was deleted or abandoned.
    Closed,
    /// The host set the percent of every timer that a player has.
    ExtraTimeSet {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The percent; 100 means no extra time.
        percent: u16,
    },
    /// The time of a question, or of the round, is over for some players, while others have extra time.
    TimeOver {
        /// How much time the players of the next stage have left.
        #[serde(flatten)]
        left: TimeLeft,
        /// It is over for players with this percent or less.
        up: u16,
        /// It is over next for players with this percent.
        next: u16,
    },
    /// The host revealed the right answer to a question.
    AnswerRevealed {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// A break began, or the current one got another time and text.
    BreakStarted {
        /// Milliseconds.
        ms: u64,
        /// The text shown with it.
        #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The time that the break has left.
    BreakMark {
        /// Milliseconds.
        ms: u64,
    },
    /// The break is over, or the host ended it.
    BreakEnded,
    /// A player played the joker.
    JokerPlayed {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The round for which it was played, from 0.
        #[serde(rename = "r")]
        round: u32,
    },
    /// A screen was given a token.
    ScreenAdded(Screen),
    /// The token of a screen is no longer valid.
    ScreenRemoved {
        /// The question.
        #[serde(rename = "sc")]
        screen: ScreenId,
    },
    /// A co-host was given a token.
    CoHostAdded(Box<CoHost>),
    /// The token of a co-host is no longer valid.
    CoHostRemoved {
        /// The device that the co-host had.
        #[serde(rename = "d")]
        device: Device,
    },
    /// The host asked players with equal scores a question outside the rounds. An open tie-break is dropped.
    TieBreakStarted {
        /// The players who are asked.
        #[serde(rename = "ps")]
        players: Vec<PlayerId>,
        /// The text of the question.
        #[serde(rename = "tx")]
        text: String,
        /// The right answer.
        #[serde(rename = "no")]
        answer: i64,
    },
    /// A player answered the tie-break, or replaced an earlier answer.
    TieBreakAnswered {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The number that the player answered.
        #[serde(rename = "no")]
        answer: i64,
    },
    /// The tie-break is over.
    TieBreakEnded {
        /// The places of its players, from 1; players with equal distances share a place.
        #[serde(rename = "pl")]
        places: Vec<(PlayerId, u32)>,
    },
    /// A code was issued with which another phone can take a seat.
    SeatCodeIssued(SeatCode),
    /// Another phone took a seat, which has this token from now on. Or a phone of a team was removed, so that its seat has no
    /// valid token.
    SeatMoved {
        /// The player who has the seat.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The player's device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// Hash of the new token.
        #[serde(rename = "k")]
        token: TokenHash,
    },
    /// The host gave a question a new text, or its choices new texts.
    QuestionEdited(Box<QuestionEdit>),
    /// The host withdrew a released question from its round, so that no player earns points for it.
    QuestionWithdrawn {
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host gave a player another name.
    PlayerRenamed {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The name shown from now on.
        #[serde(rename = "n")]
        display_name: DisplayName,
    },
    /// A player without a phone took a seat.
    SeatAdded {
        /// The player's id, which is derived from the game ([`PlayerId::on_paper`]).
        #[serde(rename = "p")]
        player: PlayerId,
        /// The name shown.
        #[serde(rename = "n")]
        display_name: DisplayName,
    },
    /// The host entered the answer of a player without a phone, or replaced an earlier one.
    AnswerEntered {
        /// The player on paper.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The answer as the host typed it.
        #[serde(rename = "a")]
        answer: Arc<str>,
        /// The mark it got.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// Whether it is marked wrong but close, so that the host should check it.
        #[serde(rename = "near", default, skip_serializing_if = "is_false")]
        near_miss: bool,
        /// The points that it earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// The host gave a player points by hand.
    PointsAdjusted {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The round, from 0, to which they belong.
        #[serde(rename = "r")]
        round: u32,
        /// The points; not 0.
        #[serde(rename = "pts")]
        points: i32,
        /// The reason, which the player is shown.
        #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
        reason: Option<Arc<str>>,
    },
    /// The host undid points by hand.
    AdjustmentUndone {
        /// The player.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The round, from 0, to which they belonged.
        #[serde(rename = "r")]
        round: u32,
        /// Their number in the game, from 1.
        #[serde(rename = "adj")]
        number: u32,
    },
    /// Another phone joined a team.
    DeviceAdded(Box<AddedDevice>),
    /// A phone of a team suggests an answer to its captain; it is never counted.
    Suggested {
        /// The team.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The phone of the team.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// The answer as written.
        #[serde(rename = "a")]
        answer: Arc<str>,
    },
}
