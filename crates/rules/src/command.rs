//! What can be asked of a game, by whom, and the id that distinguishes a retransmission from a new command.
//!
//! Built by the engine from wire messages and HTTP calls; judged by `decide`. A command is a request: it is never stored, but
//! it travels between nodes, which may be of neighbouring versions: names may never change their meaning.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    AnswerText, AnswerTexts, AutopilotPlan, CoHost, CoHostId, Device, DeviceId, DisplayName, Expiry, Moment, PlayerId,
    QuestionEdit, QuestionId, Screen, ScreenId, SeatCode, Setting, TeamCode, TimeLeft,
};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The host, over the socket or the host API.
    Host,
    /// A co-host, over the socket of this device of the host's.
    CoHost(Device),
    /// This player, over the socket of the first device.
    Player(PlayerId),
    /// This player, over the socket of a further device.
    Device(PlayerId, Device),
    /// The service itself: joins, presence, deletion.
    Service,
}

impl Actor {
    /// A player over one of the player's devices.
    pub fn player_over(player: PlayerId, device: Device) -> Self {
        if device.is_first() { Self::Player(player) } else { Self::Device(player, device) }
    }

    /// Which player it is, over which device.
    pub fn as_player(self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Player(player) => Some((player, Device::FIRST)),
            Self::Device(player, device) => Some((player, device)),
            Self::Host | Self::CoHost(_) | Self::Service => None,
        }
    }

    /// Over which of the host's devices; `None` of players and the service.
    pub fn as_host(self) -> Option<Device> {
        match self {
            Self::Host => Some(Device::FIRST),
            Self::CoHost(device) => Some(device),
            Self::Player(_) | Self::Device(..) | Self::Service => None,
        }
    }
}

/// Identifies a command of one participant, so that a retransmission is recognised. Ordered: a newer connection has a larger
/// session, a later command of a connection a larger number.
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

/// Where a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Who sent it.
    pub actor: Actor,
    /// Its id; none for a command that came over HTTP or from the service.
    pub command_id: Option<CommandId>,
    /// When it is decided.
    pub at: Moment,
}

/// The SHA-256 of a player's token or of an idempotency key; the thing itself is never here. Stored as 64
/// hexadecimal digits; `Debug` shows nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenHash(#[serde(with = "crate::base::hex")] pub [u8; 32]);

impl TokenHash {
    /// Of no token: nothing is known that has this hash.
    pub(crate) const NONE: Self = Self([0; 32]);
    /// What a phone of a team has in the place of its token once it was removed: no token that can be found has this hash either.
    pub(crate) const NOBODYS: Self = Self([0xff; 32]);

    /// Whether it stands for a phone that was removed.
    pub fn is_nobodys(&self) -> bool {
        *self == Self::NOBODYS
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TokenHash(..)")
    }
}

/// One thing asked of the game. The comment says who may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Service: a player joins (`POST /join`).
    Join(Box<Join>),
    /// Service: the last socket of a player's device is closed. In the lobby the player leaves, later the player is disconnected, if
    /// there is no other device.
    Leave {
        /// Whose.
        player: PlayerId,
        /// Which device.
        #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
        device: Device,
    },
    /// Service: a player's device without a socket has one again.
    Return {
        /// Who.
        player: PlayerId,
        /// Which device.
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
        /// One of the current round.
        question: QuestionId,
    },
    /// Host: `end_round`.
    EndRound,
    /// Host: `override_answer`.
    OverrideAnswer {
        /// Whose answer.
        player: PlayerId,
        /// To which question.
        question: QuestionId,
        /// What it shall count as.
        correct: bool,
    },
    /// Host: `mark_answers`.
    MarkAnswers {
        /// To which question.
        question: QuestionId,
        /// Which answers, by their texts.
        texts: AnswerTexts,
        /// What they shall count as.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
        half: bool,
    },
    /// Host: `accept_answer`; answers with a text that the key takes for one of these are marked so from now on.
    AcceptAnswer {
        /// To which question.
        question: QuestionId,
        /// As a player may write them.
        texts: AnswerTexts,
        /// What they shall count as.
        correct: bool,
    },
    /// Host: `correct_marks`; of a round whose scores are out.
    CorrectMarks {
        /// To which question.
        question: QuestionId,
        /// Which answers, by their texts.
        texts: AnswerTexts,
        /// What they shall count as.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
        half: bool,
    },
    /// Host: `correct_marks` that names players; of a round whose scores are out.
    CorrectPlayers {
        /// To which question.
        question: QuestionId,
        /// Whose answers, also of those who gave none.
        players: Vec<PlayerId>,
        /// What they shall count as.
        correct: bool,
        /// Whether they earn half of the points when they do not count as right.
        #[serde(default, skip_serializing_if = "crate::event::is_false")]
        half: bool,
    },
    /// Player: `appeal`; about the mark of the player's answer, in a round whose scores are out.
    Appeal {
        /// To which question.
        question: QuestionId,
        /// What the player says about it.
        text: Option<String>,
    },
    /// Host: `dismiss_appeal`.
    DismissAppeal {
        /// Whose.
        player: PlayerId,
        /// About which question.
        question: QuestionId,
    },
    /// Host: `open_desk`; no event follows, it is about the socket alone.
    OpenDesk {
        /// Whether the socket is sent the answers while they come.
        open: bool,
    },
    /// Host: `undo_marking`.
    UndoMarking,
    /// Host: `show_tally`.
    ShowTally {
        /// Of which question.
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
        /// To which question.
        question: QuestionId,
        /// What the player wrote.
        answer: AnswerText,
        /// How long after the question had been written to the sender's socket the answer arrived there, milliseconds; none when that
        /// is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elapsed: Option<u32>,
    },
    /// Host or service: remove a player for good.
    Remove {
        /// Whom.
        player: PlayerId,
    },
    /// Host: remove a player, who cannot join again with the same token or key.
    Ban {
        /// Whom; also one who was removed before.
        player: PlayerId,
    },
    /// Host, and the service where the setting's rule says so: set a plain setting. Named after the first of them.
    #[serde(rename = "set_locked")]
    Set(Setting),
    /// Host: `set_timer`.
    SetTimer(TimeLeft),
    /// Host: `add_time`; the time is added to what is left.
    AddTime(TimeLeft),
    /// Host: `pause_timer`, `resume_timer`.
    HoldTimers {
        /// Whether the timers are held from now on.
        held: bool,
    },
    /// Host: `start_autopilot`; without a plan `stop_autopilot`.
    SetAutopilot(Option<AutopilotPlan>),
    /// Service: state what time the running timers, or the break, have left.
    MarkTimers,
    /// Service: a timer ran out, or the next step of the autopilot is due.
    Expire(Expiry),
    /// Service: the game was deleted or abandoned.
    Close,
    /// Host: `set_extra_time`.
    SetExtraTime {
        /// Whose.
        player: PlayerId,
        /// Which percent of every timer the player has.
        percent: u16,
    },
    /// Host: `reveal_answer`.
    RevealAnswer {
        /// Of which question.
        question: QuestionId,
    },
    /// Host: `start_break`.
    StartBreak {
        /// How long it is, milliseconds.
        ms: u64,
        /// What is shown with it.
        text: Option<String>,
    },
    /// Host: `end_break`.
    EndBreak,
    /// Player: `play_joker`.
    PlayJoker,
    /// Host: give a screen, whose id the caller has made, a token.
    AddScreen(Box<Screen>),
    /// Host: the token of a screen opens nothing any more.
    RemoveScreen {
        /// Which.
        screen: ScreenId,
    },
    /// Host: give a co-host, whose id the caller has made, a token.
    AddCoHost(Box<CoHost>),
    /// Host: the token of a co-host opens nothing any more.
    RemoveCoHost {
        /// Which.
        co_host: CoHostId,
    },
    /// Host: `tie_break`.
    TieBreak(Box<TieQuestion>),
    /// Player: `answer_tie_break`.
    AnswerTieBreak {
        /// With which number.
        answer: i64,
    },
    /// Host: `end_tie_break`.
    EndTieBreak,
    /// Host, or service in the name of the player: issue a code with which another phone takes a seat.
    IssueSeatCode(Box<SeatCode>),
    /// Host, or service in the name of a captain: the token of a team's phone opens nothing any more; the team and its other phones stay.
    RemovePhone {
        /// Which team.
        player: PlayerId,
        /// Which phone of it.
        device: Device,
    },
    /// Service: another phone takes a seat.
    MoveSeat(Box<SeatMove>),
    /// Host: `edit_question`.
    EditQuestion(Box<QuestionEdit>),
    /// Host: `withdraw_question`.
    WithdrawQuestion {
        /// One that was released, in this round or in an earlier one.
        question: QuestionId,
    },
    /// Host: `rename_player`.
    RenamePlayer {
        /// Whom.
        player: PlayerId,
        /// The name as the host wrote it.
        name: String,
    },
    /// Host: `add_seat`; a player without a phone takes a seat.
    AddSeat(Box<NewSeat>),
    /// Host: `enter_answer`; of a player without a phone.
    EnterAnswer(Box<EnteredAnswer>),
    /// Service: another phone joins a team (`POST /join` with the code of one).
    AddDevice(Box<AddDevice>),
    /// Player: `suggest_answer`.
    SuggestAnswer {
        /// To which question.
        question: QuestionId,
        /// What the phone suggests to the captain.
        answer: AnswerText,
    },
}

/// What a tie-break asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieQuestion {
    /// Who is asked.
    pub players: Vec<PlayerId>,
    /// What.
    pub text: String,
    /// The right answer.
    pub answer: i64,
}

/// What another phone brings along that takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatMove {
    /// Hash of the seat's code.
    pub code: TokenHash,
    /// Hash of the token that opens the socket from now on.
    pub token: TokenHash,
    /// When by the clock of the database, in milliseconds since 1970.
    pub at_ms: i64,
}

/// What a join brings along.
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
    /// What more phones join with, when this makes a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamCode>,
}

/// What a player brings along who plays on paper.
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
    /// Whose.
    pub player: PlayerId,
    /// To which question.
    pub question: QuestionId,
    /// As the host typed it.
    pub answer: AnswerText,
}

/// What a phone brings along that joins a team.
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
