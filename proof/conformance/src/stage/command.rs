//! A client's message as a type, from which the oracle derives what must follow, and its parsing from a row's text.

use anyhow::Context;
use quizhall_protocol::from_host::{
    AcceptAnswer, AddTime, AutopilotPlan, CorrectMarks, DismissAppeal, LockGame, MarkAnswers, OverrideAnswer,
    ReleaseQuestion, RemovePlayer, SetExtraTime, SetTimer, ShowTally,
};
use quizhall_protocol::from_player::{Appeal, SubmitAnswer};
use quizhall_protocol::{FromAny, FromHost, FromPlayer, Role, ServerMessage, ToSender};
use serde_json::Value;
use uuid::Uuid;

use crate::tables::messages::MESSAGES;
use crate::wire::Build;

/// The answer to a `ping`.
pub const PONG: ServerMessage = ServerMessage::Sender(ToSender::Pong);

/// The sender: the host, or a player by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The host.
    Host,
    /// The player who joined as number n, from 0.
    Player(usize),
}

/// A message of a client.
#[derive(Debug, Clone)]
pub enum Command {
    /// One of the host's.
    Host(FromHost),
    /// The player's.
    Player(FromPlayer),
    /// A message that either may send.
    Either(FromAny),
}

impl From<FromHost> for Command {
    fn from(message: FromHost) -> Self {
        Self::Host(message)
    }
}

impl Command {
    /// `ping`
    pub const PING: Self = Self::Either(FromAny::Ping);

    /// `release_question`
    pub fn release(question: Uuid) -> Self {
        Self::Host(FromHost::ReleaseQuestion(ReleaseQuestion { question_id: question }))
    }

    /// `override_answer`
    pub fn overrule(player: Uuid, question: Uuid, correct: bool) -> Self {
        let payload = OverrideAnswer { player_id: player, question_id: question, correct };
        Self::Host(FromHost::OverrideAnswer(payload))
    }

    /// `submit_answer`
    pub fn answer(question: Uuid, answer: &str) -> Self {
        Self::Player(FromPlayer::SubmitAnswer(SubmitAnswer { question_id: question, answer: answer.to_owned() }))
    }

    /// `mark_answers`
    pub fn mark(question: Uuid, answers: &[&str], correct: bool) -> Self {
        let answers = answers.iter().map(|text| (*text).to_owned()).collect();
        Self::Host(FromHost::MarkAnswers(MarkAnswers {
            question_id: question,
            answers,
            correct,
            half: None,
            alike: None,
        }))
    }

    /// `mark_answers` of all answers with the same meaning.
    pub fn mark_alike(question: Uuid, text: &str, correct: bool) -> Self {
        let answers = vec![text.to_owned()];
        let marked = MarkAnswers { question_id: question, answers, correct, half: None, alike: Some(true) };
        Self::Host(FromHost::MarkAnswers(marked))
    }

    /// `mark_answers` with half of the points.
    pub fn halve(question: Uuid, answers: &[&str]) -> Self {
        let answers = answers.iter().map(|text| (*text).to_owned()).collect();
        let marked = MarkAnswers { question_id: question, answers, correct: false, half: Some(true), alike: None };
        Self::Host(FromHost::MarkAnswers(marked))
    }

    /// `correct_marks`
    pub fn correct(question: Uuid, answers: &[&str], correct: bool) -> Self {
        let answers = answers.iter().map(|text| (*text).to_owned()).collect();
        let (answers, player_ids) = (Some(answers), None);
        Self::correction(CorrectMarks { question_id: question, answers, player_ids, correct, half: None })
    }

    /// `correct_marks` of players
    pub fn credit(question: Uuid, players: &[Uuid], correct: bool) -> Self {
        let (answers, player_ids) = (None, Some(players.to_vec().into()));
        Self::correction(CorrectMarks { question_id: question, answers, player_ids, correct, half: None })
    }

    /// `correct_marks` with half of the points.
    pub fn correct_half(question: Uuid, answers: &[&str]) -> Self {
        let answers = Some(answers.iter().map(|text| (*text).to_owned()).collect());
        let (player_ids, correct, half) = (None, false, Some(true));
        Self::correction(CorrectMarks { question_id: question, answers, player_ids, correct, half })
    }

    fn correction(payload: CorrectMarks) -> Self {
        Self::Host(FromHost::CorrectMarks(payload))
    }

    /// `appeal`
    pub fn appeal(question: Uuid, text: Option<&str>) -> Self {
        Self::Player(FromPlayer::Appeal(Appeal { question_id: question, text: text.map(str::to_owned) }))
    }

    /// `dismiss_appeal`
    pub fn dismiss(player: Uuid, question: Uuid) -> Self {
        Self::Host(FromHost::DismissAppeal(DismissAppeal { player_id: player, question_id: question }))
    }

    /// `accept_answer`
    pub fn accept(question: Uuid, text: &str, correct: bool) -> Self {
        let (text, half) = (text.to_owned(), None);
        Self::Host(FromHost::AcceptAnswer(AcceptAnswer { question_id: question, text, correct, half }))
    }

    /// `accept_answer` with half of the points.
    pub fn accept_half(question: Uuid, text: &str) -> Self {
        let (text, half) = (text.to_owned(), Some(true));
        Self::Host(FromHost::AcceptAnswer(AcceptAnswer { question_id: question, text, correct: false, half }))
    }

    /// `show_tally`
    pub fn tally(question: Uuid, hide: &[&str]) -> Self {
        let hide: Vec<_> = hide.iter().map(|entry| (*entry).to_owned()).collect();
        let hide = Some(hide).filter(|hide| !hide.is_empty());
        Self::Host(FromHost::ShowTally(ShowTally { question_id: question, hide }))
    }

    /// `lock_game`
    pub fn lock(locked: bool) -> Self {
        Self::Host(FromHost::LockGame(LockGame { locked }))
    }

    /// `remove_player`
    pub fn remove(player: Uuid) -> Self {
        Self::Host(FromHost::RemovePlayer(RemovePlayer { player_id: player, ban: None }))
    }

    /// `set_timer` of a question, or of the round.
    pub fn set_timer(question_id: Option<Uuid>, seconds: u32) -> Self {
        Self::Host(FromHost::SetTimer(SetTimer { question_id, seconds }))
    }

    /// `add_time`
    pub fn add_time(question_id: Option<Uuid>, seconds: u32) -> Self {
        Self::Host(FromHost::AddTime(AddTime { question_id, seconds }))
    }

    /// `start_autopilot` with breaks of this many seconds; it does not wait for an absent host.
    pub fn start_autopilot(break_for: u32) -> Self {
        let plan = AutopilotPlan {
            answer_for: 600,
            reveal_for: 5,
            break_for,
            hold_without_host: false,
            standings_for: None,
            hold_for_marking: None,
        };
        Self::Host(FromHost::StartAutopilot(plan))
    }

    /// `set_extra_time`
    pub fn extra_time(player_id: Uuid, percent: u32) -> Self {
        Self::Host(FromHost::SetExtraTime(SetExtraTime { player_id, percent }))
    }

    /// The message's text as a plain client writes it.
    pub fn text(&self) -> String {
        let text = match self {
            Self::Host(message) => serde_json::to_string(message),
            Self::Player(message) => serde_json::to_string(message),
            Self::Either(message) => serde_json::to_string(message),
        };
        text.expect("messages have string keys and cannot fail to serialize")
    }

    /// The message in one frame, as a plain client writes it.
    pub fn bytes(&self) -> Vec<u8> {
        Build::text(&self.text()).bytes()
    }

    /// Reads the message in a row's text, in whatever form it is written.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let mut message: Value = serde_json::from_str(text).context("an accepted row must be JSON")?;
        let known = MESSAGES.iter().find(|known| message["type"] == known.name);
        let known = known.context("an accepted row must have a client's type")?;
        if let Some(envelope) = message.as_object_mut().filter(|_| known.fields.is_empty()) {
            envelope.remove("payload");
        }
        Ok(match known.sender {
            Some(Role::Host) => Self::Host(serde_json::from_value(message)?),
            Some(Role::Player) => Self::Player(serde_json::from_value(message)?),
            Some(Role::Screen) | None => Self::Either(serde_json::from_value(message)?),
        })
    }
}
