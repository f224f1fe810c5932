//! What a client says, typed, so that the model can tell what must follow; and its reading back from a row's text.

use anyhow::{Context, bail};
use quizhall_protocol::from_host::{OverrideAnswer, ReleaseQuestion};
use quizhall_protocol::from_player::SubmitAnswer;
use quizhall_protocol::v1::from_host::{LockGame, MarkAnswers, RemovePlayer};
use quizhall_protocol::{FromAnyV1, FromHost, FromHostV1, FromPlayer};
use serde_json::Value;
use uuid::Uuid;

/// Who says it: the host, or a player by seat number.
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
    /// One of the host's extension messages.
    Extension(FromHostV1),
    /// An extension message that either may send.
    Either(FromAnyV1),
}

impl Command {
    /// `ping`
    pub const PING: Self = Self::Either(FromAnyV1::Ping);

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
        Self::Extension(FromHostV1::MarkAnswers(MarkAnswers { question_id: question, answers, correct }))
    }

    /// `lock_game`
    pub fn lock(locked: bool) -> Self {
        Self::Extension(FromHostV1::LockGame(LockGame { locked }))
    }

    /// `remove_player`
    pub fn remove(player: Uuid) -> Self {
        Self::Extension(FromHostV1::RemovePlayer(RemovePlayer { player_id: player }))
    }

    /// The message's text as a plain client writes it.
    pub fn text(&self) -> String {
        let text = match self {
            Self::Host(message) => serde_json::to_string(message),
            Self::Player(message) => serde_json::to_string(message),
            Self::Extension(message) => serde_json::to_string(message),
            Self::Either(message) => serde_json::to_string(message),
        };
        text.expect("messages have string keys and cannot fail to serialize")
    }

    /// Reads what a row's text means, however it is written.
    ///
    /// # Errors
    /// When the text is no legal message: such a row cannot be one that is accepted.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let message: Value = serde_json::from_str(text).context("an accepted row must be JSON")?;
        let payload = |field: &str| message.get("payload").and_then(|payload| payload.get(field));
        let id = |field: &str| -> anyhow::Result<Uuid> {
            let text = payload(field).and_then(Value::as_str).with_context(|| format!("no `{field}`"))?;
            Ok(Uuid::try_parse(text)?)
        };
        let flag = |field: &str| payload(field).and_then(Value::as_bool).with_context(|| format!("no `{field}`"));
        Ok(match message.get("type").and_then(Value::as_str).unwrap_or_default() {
            "start_game" => Self::Host(FromHost::StartGame),
            "end_round" => Self::Host(FromHost::EndRound),
            "release_scores" => Self::Host(FromHost::ReleaseScores),
            "start_next_round" => Self::Host(FromHost::StartNextRound),
            "end_game" => Self::Host(FromHost::EndGame),
            "release_question" => Self::release(id("questionId")?),
            "override_answer" => Self::overrule(id("playerId")?, id("questionId")?, flag("correct")?),
            "submit_answer" => {
                let answer = payload("answer").and_then(Value::as_str).context("no `answer`")?;
                Self::answer(id("questionId")?, answer)
            }
            "mark_answers" => {
                let answers = payload("answers").and_then(Value::as_array).context("no `answers`")?;
                let answers: Option<Vec<_>> = answers.iter().map(Value::as_str).collect();
                Self::mark(id("questionId")?, &answers.context("an answer that is no text")?, flag("correct")?)
            }
            "undo_marking" => Self::Extension(FromHostV1::UndoMarking),
            "lock_game" => Self::lock(flag("locked")?),
            "remove_player" => Self::remove(id("playerId")?),
            "release_own_scores" => Self::Extension(FromHostV1::ReleaseOwnScores),
            "show_standings" => Self::Extension(FromHostV1::ShowStandings),
            "ping" => Self::PING,
            _ => bail!("an accepted row must have a client's type"),
        })
    }
}
