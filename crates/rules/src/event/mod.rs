//! What happened in a game: the entries of its log. Replaying them gives the state.
//!
//! Stored as JSON, so names are short and **may never change their meaning**; unknown fields are ignored, new ones
//! need a default. An event looks like `{"c":{"t":"answered","p":"<player>","q":"<question>","a":"Bern","ok":true},
//! "s":[7,3]}`: `c` the change, `t` its kind, `p` player, `q` question, `a` answer, `ok` correct, `near` near miss, `pt` partial
//! points, `r` round, `el` milliseconds until an answer, `as` texts of answers, `ms` milliseconds left of a timer, `of` all of its time, `ts` timers, `st` milliseconds left of a step, `tx` text of a break, an appeal, a tie-break or a question, `ch` choices, `no` a number as an answer, `ps` players, `pl` places, `n` display name, `sc` screen, `cid` co-host, `ro` role of a co-host, `h` device of the host, `ban` banned, `d` number of a device, `di` its id, `tc` code of a team, `k` hash of a token or a seat code, `i` idempotency
//! hash, `e` epoch, `s` the command id (session, number). Flags that are
//! false and options that are none are left out.

mod kinds;
mod parts;

pub use self::parts::{AddedDevice, Created};

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    AutopilotPlan, CoHost, CommandId, Device, DisplayName, PlayerId, QuestionEdit, QuestionId, Screen, ScreenId,
    SeatCode, Setting, TeamCode, TimeLeft, TimerLength, TokenHash,
};

/// One entry of a game's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What changed.
    #[serde(rename = "c")]
    pub change: Change,
    /// Which message of the host or player caused it; none for what the service did.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// Over which of the host's devices the message came; the first for what players and the service did.
    #[serde(rename = "h", default, skip_serializing_if = "Device::is_first")]
    pub host: Device,
}

impl Event {
    /// An event that no co-host caused.
    pub fn new(change: Change, command_id: Option<CommandId>) -> Self {
        Self { change, command_id, host: Device::FIRST }
    }
}

/// What changed. `Debug` shows only the kind: logs may hold it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Change {
    /// The game began; always the first entry and never a later one.
    Created(Box<Created>),
    /// A node took the game over.
    Claimed {
        /// Grows with every claim.
        #[serde(rename = "e")]
        epoch: u64,
        /// Which node.
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
        /// What more phones join with, of a player who is a team.
        #[serde(rename = "tc", default, skip_serializing_if = "Option::is_none")]
        team: Option<TeamCode>,
    },
    /// A player left the lobby, and has no socket; the player stays in the game.
    Left {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// With which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player who had left the lobby is back.
    Returned {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// With which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player has no socket any more; only after the lobby.
    Disconnected {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// With which device; another one may be connected.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// A player who had none has a socket again; only after the lobby.
    Connected {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// With which device.
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
        /// Which.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// A player answered, or replaced an earlier answer.
    Answered {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Over which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// What.
        #[serde(rename = "q")]
        question: QuestionId,
        /// As written.
        #[serde(rename = "a")]
        answer: Arc<str>,
        /// The mark it got.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// Marked wrong, but so close that the host should look.
        #[serde(rename = "near", default, skip_serializing_if = "is_false")]
        near_miss: bool,
        /// The points it earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
        /// How long the player took, milliseconds; only where that earns points.
        #[serde(rename = "el", default, skip_serializing_if = "Option::is_none")]
        elapsed: Option<u32>,
    },
    /// A question closed for answers, because its time was over.
    QuestionClosed {
        /// Which.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host set what time is left, or added some.
    TimerSet(TimerLength),
    /// The host held all timers, or let them run again.
    TimerHeld {
        /// Whether they are held from now on.
        held: bool,
        /// What time each has left.
        #[serde(rename = "ts")]
        left: Vec<TimeLeft>,
    },
    /// What time the running timers have left, for an owner that comes after this one.
    TimerMark {
        /// Of each.
        #[serde(rename = "ts")]
        left: Vec<TimeLeft>,
        /// Of the autopilot's next step, milliseconds.
        #[serde(rename = "st", default, skip_serializing_if = "Option::is_none")]
        step: Option<u64>,
    },
    /// The host started the autopilot of the round, changed its times, or stopped it.
    AutopilotSet {
        /// What the host set; none when it stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<AutopilotPlan>,
    },
    /// The round closed for answers.
    RoundEnded,
    /// The host set a mark.
    AnswerOverridden {
        /// Whose answer.
        #[serde(rename = "p")]
        player: PlayerId,
        /// To which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// What it counts as now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
    },
    /// The host set the mark of every answer that has one of these texts.
    AnswersMarked {
        /// To which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// As written; at least one player's answer counted otherwise for each.
        #[serde(rename = "as")]
        texts: Vec<String>,
        /// What they count as now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// The points each earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// The host changed the key of this game: answers with one of these texts are marked so, those that came and those that come.
    KeyChanged {
        /// Of which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// In the form in which the key compares them.
        #[serde(rename = "as")]
        texts: Vec<String>,
        /// What they count as by the key from now on.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
    },
    /// The host set marks of a round whose scores are out: the scores follow from the marks as they are now.
    MarksCorrected {
        /// To which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// Whose answers; at least one, and each counted otherwise.
        #[serde(rename = "ps")]
        players: Vec<PlayerId>,
        /// What they count as now.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// The points each earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// A player asks the host to look at the mark of an answer again, in a round whose scores are out.
    Appealed {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Over which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// The answer to which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// What the player says about it.
        #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The host leaves the mark as it is.
    AppealDismissed {
        /// Whose appeal.
        #[serde(rename = "p")]
        player: PlayerId,
        /// About which question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host took the latest marking of this round back, or a co-host the latest of their own.
    MarkingUndone {
        /// Whose, where it is not the latest of all.
        #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
        of: Option<Device>,
    },
    /// The host shows the tally of a question, as its answers are now.
    TallyShown {
        /// Of which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// Entries that are left out, folded.
        #[serde(rename = "as", default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<String>,
    },
    /// The round's scores came out, and the standings with them unless they are held. Once more and without `held`: the
    /// standings that were held are shown.
    ScoresReleased {
        /// Whether players are shown their own results only; versions before know no such thing and show the standings.
        #[serde(default, skip_serializing_if = "is_false")]
        held: bool,
    },
    /// The next round began.
    NextRoundStarted,
    /// The game is over.
    Ended,
    /// The host removed a player.
    PlayerRemoved {
        /// Whom.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Whether the player cannot join again with the same token or key.
        #[serde(rename = "ban", default, skip_serializing_if = "is_false")]
        banned: bool,
    },
    /// A plain setting has a new value. Stored under the name of the first of them; the field names the setting.
    #[serde(rename = "lock_changed")]
    Set(Setting),
    /// The game was deleted or abandoned.
    Closed,
    /// The host set which part of every timer a player has.
    ExtraTimeSet {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Percent; 100 is no extra time.
        percent: u16,
    },
    /// The time of a question, or of the round, is over for some players, while others have extra time.
    TimeOver {
        /// What time the next of them have left.
        #[serde(flatten)]
        left: TimeLeft,
        /// The percent of those for whom it is over, who have this or less.
        up: u16,
        /// The percent of those for whom it is over next.
        next: u16,
    },
    /// The host revealed the right answer to a question.
    AnswerRevealed {
        /// Of which question.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// A break began, or the one that was running got other time and another text.
    BreakStarted {
        /// Milliseconds.
        ms: u64,
        /// What is shown with it.
        #[serde(rename = "tx", default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// What the break has left.
    BreakMark {
        /// Milliseconds.
        ms: u64,
    },
    /// The break was over, or the host ended it.
    BreakEnded,
    /// A player played the joker.
    JokerPlayed {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Over which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// For which round, from 0.
        #[serde(rename = "r")]
        round: u32,
    },
    /// A screen got a token.
    ScreenAdded(Screen),
    /// The token of a screen opens nothing any more.
    ScreenRemoved {
        /// Which.
        #[serde(rename = "sc")]
        screen: ScreenId,
    },
    /// A co-host got a token.
    CoHostAdded(Box<CoHost>),
    /// The token of a co-host opens nothing any more.
    CoHostRemoved {
        /// Whose device it was.
        #[serde(rename = "d")]
        device: Device,
    },
    /// The host asked players who are equal a question outside the rounds; one that was open is dropped.
    TieBreakStarted {
        /// Whom.
        #[serde(rename = "ps")]
        players: Vec<PlayerId>,
        /// What.
        #[serde(rename = "tx")]
        text: String,
        /// The right answer.
        #[serde(rename = "no")]
        answer: i64,
    },
    /// A player answered the tie-break, or replaced an earlier answer.
    TieBreakAnswered {
        /// Who.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Over which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// With which number.
        #[serde(rename = "no")]
        answer: i64,
    },
    /// The tie-break is over.
    TieBreakEnded {
        /// In which order its players are, from 1; equal ones share a place.
        #[serde(rename = "pl")]
        places: Vec<(PlayerId, u32)>,
    },
    /// A code was issued with which another phone takes a seat.
    SeatCodeIssued(SeatCode),
    /// Another phone took a seat: the seat has this token from now on. Or a phone of a team was removed: no token opens its place.
    SeatMoved {
        /// Whose seat.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Of which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// Hash of the new token.
        #[serde(rename = "k")]
        token: TokenHash,
    },
    /// The host gave a question another text, or its choices other texts.
    QuestionEdited(Box<QuestionEdit>),
    /// The host took a released question out of its round: no player scores it.
    QuestionWithdrawn {
        /// Which.
        #[serde(rename = "q")]
        question: QuestionId,
    },
    /// The host gave a player another name.
    PlayerRenamed {
        /// Whom.
        #[serde(rename = "p")]
        player: PlayerId,
        /// The name shown from now on.
        #[serde(rename = "n")]
        display_name: DisplayName,
    },
    /// A player without a phone took a seat.
    SeatAdded {
        /// The player's id, which follows from the game ([`PlayerId::on_paper`]).
        #[serde(rename = "p")]
        player: PlayerId,
        /// The name shown.
        #[serde(rename = "n")]
        display_name: DisplayName,
    },
    /// The host entered the answer of a player without a phone, or replaced an earlier one.
    AnswerEntered {
        /// Whose.
        #[serde(rename = "p")]
        player: PlayerId,
        /// To which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// As the host typed it.
        #[serde(rename = "a")]
        answer: Arc<str>,
        /// The mark it got.
        #[serde(rename = "ok", default, skip_serializing_if = "is_false")]
        correct: bool,
        /// Marked wrong, but so close that the host should look.
        #[serde(rename = "near", default, skip_serializing_if = "is_false")]
        near_miss: bool,
        /// The points it earns although it is not right.
        #[serde(rename = "pt", default, skip_serializing_if = "is_zero")]
        partial: u32,
    },
    /// Another phone joined a team.
    DeviceAdded(Box<AddedDevice>),
    /// A phone of a team suggests an answer to its captain; it is never counted.
    Suggested {
        /// Which team.
        #[serde(rename = "p")]
        player: PlayerId,
        /// Which phone of it.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
        /// To which question.
        #[serde(rename = "q")]
        question: QuestionId,
        /// As written.
        #[serde(rename = "a")]
        answer: Arc<str>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(crate) fn is_zero(points: &u32) -> bool {
    *points == 0
}
