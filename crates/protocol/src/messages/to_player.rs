//! Server to a single player only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example::{self, QUESTION};
use super::to_all::Leaderboard;
use crate::shapes::QuestionResult;

crate::messages::messages! {
    /// A message that one player receives.
    ToPlayer {
        /// The answer is durably stored. The same bytes whether it is right or wrong.
        AnswerAccepted(AnswerAccepted = AnswerAccepted { question_id: QUESTION }):
            "answer_accepted" since Interface, in "question", "`submit_answer` of this player.";
        /// This player's results of the round.
        RoundScores(RoundScores = RoundScores {
            results: vec![QuestionResult {
                question_id: QUESTION,
                question: example::question().text,
                your_answer: "Trombone".to_owned(),
                correct_answer: "Trombone".to_owned(),
                correct: true,
                points: 1_000,
                streak_points: 0,
                speed_points: 0,
                joker_points: 0,
            }],
            round_total: 1_000,
        }):
            "round_scores" since Interface, in "leaderboard", "`release_scores`.";
        /// The running board: whole up to 200 players, above that the top 100 and the player's own entry.
        ScoreboardUpdate(Leaderboard = example::board(false)):
            "scoreboard_update" since Interface, in "leaderboard", "`release_scores`.";
        /// For which round this player has played the joker. On connecting, only once it is played.
        JokerUpdate(JokerUpdate = JokerUpdate { round: Some(2) }):
            "joker_update" since QuizhallV1, in "lobby, question, round_review, leaderboard", "`play_joker` of this player.";
    }
}

/// Payload of `answer_accepted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerAccepted {
    /// Which question.
    pub question_id: Uuid,
}

/// Payload of `round_scores`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RoundScores {
    /// One entry per released question of the round, in order of release, answered or not.
    pub results: Vec<QuestionResult>,
    /// The player's points of this round.
    #[ts(type = "number")]
    pub round_total: i64,
}

/// Payload of `joker_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JokerUpdate {
    /// The round, from 1, that the joker doubles; absent while it is not played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub round: Option<u32>,
}
