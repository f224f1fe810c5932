//! Player to server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example::QUESTION;
use crate::Mistake;
use crate::decode::payload::{Fields, Payload};

crate::messages::inbound! {
    /// A message of a player.
    FromPlayer {
        /// Answers an open question; a later, different answer replaces an earlier one until the round ends.
        SubmitAnswer(SubmitAnswer = SubmitAnswer { question_id: QUESTION, answer: "Trombone".to_owned() }):
            "submit_answer" since Interface, in "question",
            "The player gets `answer_accepted` once the answer is stored; the host gets `scoreboard_update` with the count.";
        /// Plays the joker for the round of `joker_round`: it doubles what the player earns there. Does nothing without such a round, and for a player who has played it.
        PlayJoker: "play_joker" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player gets `joker_update`; the host gets `room_update`.";
        /// Answers the open tie-break, if the player is asked; a later answer replaces an earlier one. Otherwise it does nothing.
        AnswerTieBreak(AnswerTieBreak = AnswerTieBreak { answer: 85 }):
            "answer_tie_break" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player gets `tie_break_answer`; after a first answer every socket with `quizhall.v1` receives `tie_breaks`.";
    }
}

/// Payload of `submit_answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct SubmitAnswer {
    /// Which open question.
    pub question_id: Uuid,
    /// The answer: 1 to 1,000 code points, at most 4 KiB; for a choice, its text.
    #[schemars(length(min = 1, max = 1000))]
    pub answer: String,
}

/// Without the macro, for two reasons: the length of an answer is a rule of the game and not checked here, and when both
/// fields are wrong the refusal names `answer`.
impl Payload for SubmitAnswer {
    const FIELDS: &'static [&'static str] = &["questionId", "answer"];

    fn read(fields: &Fields<'_>) -> Result<Self, Mistake> {
        let answer = fields.get("answer", &[])?;
        Ok(Self { question_id: fields.get("questionId", &[])?, answer })
    }
}

crate::messages::payload! {
    /// Payload of `answer_tie_break`.
    AnswerTieBreak {
        /// A whole number of at most 1,000,000,000,000,000 with either sign.
        #[ts(type = "number")]
        answer: i64 = "number",
    }
}
