//! The commands of a game, their actors, and the id that distinguishes a retransmission from a new command.
//!
//! Built by the engine from wire messages and HTTP calls; decided by `decide`. A command is a request and is never stored. It can
//! travel between nodes of neighbouring versions, so names may never change their meaning.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    AnswerText, AnswerTexts, AutopilotPlan, CoHost, CoHostId, Device, DeviceId, DisplayName, Expiry, Moment, PlayerId,
    QuestionEdit, QuestionId, Screen, ScreenId, SeatCode, Setting, TeamCode, TimeLeft,
};

/// The sender of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The host, over the socket or the host API.
    Host,
    /// A co-host, over the socket of this device of the host.
    CoHost(Device),
    /// This player, over the socket of the first device.
    Player(PlayerId),
    /// This player, over the socket of a further device.
    Device(PlayerId, Device),
    /// The service itself: joins, presence, deletion.
    Service,
}

impl Actor {
    /// The actor for a player on one of the player's devices.
    pub fn player_over(player: PlayerId, device: Device) -> Self {
        if device.is_first() { Self::Player(player) } else { Self::Device(player, device) }
    }

    /// The player and the device; `None` for the host, co-hosts and the service.
    pub fn as_player(self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Player(player) => Some((player, Device::FIRST)),
            Self::Device(player, device) => Some((player, device)),
            Self::Host | Self::CoHost(_) | Self::Service => None,
        }
    }

    /// The device of the host; `None` for players and the service.
    pub fn as_host(self) -> Option<Device> {
        match self {
            Self::Host => Some(Device::FIRST),
            Self::CoHost(device) => Some(device),
            Self::Player(_) | Self::Device(..) | Self::Service => None,
        }
    }
}

/// Identifies a command of one participant, so that a retransmission is recognised. Ids are ordered: a newer connection has a
/// larger session, and a later command of a connection has a larger number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct CommandId {
    /// The connection; compared first.
    pub session: u64,
    /// The command within the connection.
    pub number: u64,
}

impl From<(u64, u64)> for CommandId {
    fn from((session, number): (u64, u64)) -> Self {
        Self { session, number }
    }
}

impl From<CommandId> for (u64, u64) {
    fn from(command_id: CommandId) -> Self {
        (command_id.session, command_id.number)
    }
}

/// The origin of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The sender.
    pub actor: Actor,
    /// Its id; none for a command that came over HTTP or from the service.
    pub command_id: Option<CommandId>,
    /// The moment at which it is decided.
    pub at: Moment,
}

/// The SHA-256 of a player's token or of an idempotency key; the thing itself is never here. Stored as 64
/// hexadecimal digits; `Debug` shows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenHash(#[serde(with = "crate::base::hex")] pub [u8; 32]);

impl TokenHash {
    /// The hash of no token: no player, phone or key has it.
    pub(crate) const NONE: Self = Self([0; 32]);
    /// Replaces the token of a removed phone of a team. No token has this hash.
    pub(crate) const NOBODYS: Self = Self([0xff; 32]);

    /// Whether it replaces the token of a removed phone.
    pub fn is_nobodys(&self) -> bool {
        *self == Self::NOBODYS
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TokenHash(..)")
    }
}

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
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
        half: bool,
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
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
        half: bool,
    },
    /// Host: `correct_marks` with named players, in a round whose scores are out.
    CorrectPlayers {
        /// The question.
        question: QuestionId,
        /// The players whose answers are marked, also players without an answer.
        players: Vec<PlayerId>,
        /// Whether they shall count as right.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
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
        /// The player.
        player: PlayerId,
        /// The question.
        question: QuestionId,
    },
    /// Host: `open_desk`. No event follows, because it concerns only the socket.
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
        /// The screen.
        screen: ScreenId,
    },
    /// Host: give a token to a co-host, whose id the caller has made.
    AddCoHost(Box<CoHost>),
    /// Host: revoke the token of a co-host.
    RemoveCoHost {
        /// The co-host.
        co_host: CoHostId,
    },
    /// Host: `tie_break`.
    TieBreak(Box<TieQuestion>),
    /// Player: `answer_tie_break`.
    AnswerTieBreak {
        /// The number that the player answers.
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

/// The question of a tie-break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieQuestion {
    /// The players who are asked.
    pub players: Vec<PlayerId>,
    /// The text of the question.
    pub text: String,
    /// The right answer.
    pub answer: i64,
}

/// The values that another phone brings when it takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatMove {
    /// Hash of the seat's code.
    pub code: TokenHash,
    /// Hash of the token that opens the socket from now on.
    pub token: TokenHash,
    /// The time of the move by the clock of the database, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The values of a join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// The player's id, made by the caller.
    pub player: PlayerId,
    /// The checked name.
    pub display_name: DisplayName,
    /// Hash of the session token that opens the socket.
    pub token: TokenHash,
    /// Hash of the `Idempotency-Key`, if one was sent.
    pub idempotency: Option<TokenHash>,
    /// How many players the game may hold, this one included.
    pub player_limit: u32,
    /// The code with which further phones join, if the player is a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamCode>,
}

/// The values of a player who plays on paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSeat {
    /// The name as the host wrote it.
    pub name: String,
    /// How many players the game may hold, this one included.
    pub player_limit: u32,
}

/// An answer of a player on paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnteredAnswer {
    /// The player.
    pub player: PlayerId,
    /// The question.
    pub question: QuestionId,
    /// The answer as the host typed it.
    pub answer: AnswerText,
}

/// The values that a phone brings when it joins a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddDevice {
    /// The code of the team.
    pub team: TeamCode,
    /// The phone's id, made by the caller.
    pub device: DeviceId,
    /// The checked name.
    pub display_name: DisplayName,
    /// Hash of the session token that opens the socket.
    pub token: TokenHash,
    /// Hash of the `Idempotency-Key`, if one was sent.
    pub idempotency: Option<TokenHash>,
}
