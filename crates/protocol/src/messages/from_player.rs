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
        /// Plays the joker for the round of `joker_round`, which doubles the points that the player earns there. It does nothing without such a round, or when the player has already played it.
        PlayJoker: "play_joker" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player gets `joker_update`; the host gets `room_update`.";
        /// Asks the host to review the mark of an answer, at most three times for a round. It does nothing for an answer that counts as right, for a question about which the player has already appealed, and for a fourth question in a round.
        Appeal(Appeal = Appeal { question_id: QUESTION, text: Some("A sackbut is a trombone".to_owned()) }):
            "appeal" since QuizhallV1, in "question, round_review, leaderboard",
            "The player gets `appeal_status`, also when nothing happens; the host gets `appeals_update`. A question of a round whose scores phones have not received, or whose answers are not marked: 4005.";
        /// Answers the open tie-break, if the player is asked; a later answer replaces an earlier one. Otherwise it does nothing.
        AnswerTieBreak(AnswerTieBreak = AnswerTieBreak { answer: 85 }):
            "answer_tie_break" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player gets `tie_break_answer`; after a first answer every socket with `quizhall.v1` receives `tie_breaks`.";
        /// Suggests an answer to the captain of a team; a later one to the same question replaces an earlier one. It never counts, and disappears when the captain answers the question.
        SuggestAnswer(SuggestAnswer = SuggestAnswer { question_id: QUESTION, answer: "Trombone".to_owned() }):
            "suggest_answer" since QuizhallV1, in "question",
            "Every phone of the team with `quizhall.v1` gets `team_sheet` with the suggestion. From a captain, or in a game where every phone answers: 4004.";
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

crate::messages::payload! {
    /// Payload of `appeal`.
    Appeal {
        /// A question of a round whose scores are released; the player need not have answered it.
        question_id: Uuid = "questionId",
        /// At most 200 characters for the host (additive; none when absent).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String> = "text" in 0..=200,
    }
}

/// Written without the macro for two reasons: the length of an answer is a rule of the game and not checked here, and when
/// both fields are wrong the refusal names `answer`.
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
        answer: i64 = "number",
    }
}

crate::messages::payload! {
    /// Payload of `suggest_answer`.
    SuggestAnswer {
        /// Which open question.
        question_id: Uuid = "questionId",
        /// 1 to 200 code points; otherwise as in `submit_answer`.
        answer: String = "answer" in 1..=200,
    }
}
