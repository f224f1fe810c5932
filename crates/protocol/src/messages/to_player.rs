//! Server to a single player only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example::{self, QUESTION};
use super::to_all::Leaderboard;
use crate::shapes::{AppealOutcome, Player, QuestionResult, TeamDevice};

crate::messages::messages! {
    /// A message that one player receives.
    ToPlayer {
        /// The answer is durably stored. The message has the same bytes whether the answer is right or wrong.
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
            adjustments: Vec::new(),
            round_total: 1_000,
        }):
            "round_scores" since Interface, in "leaderboard", "`release_scores`.";
        /// The current board: whole up to 200 players; above that, the top 100 and the player's own entry. Over `quizhall.v1`, whole up to 20
        /// players; above that, the top ten and the player's own entry with two above and two below it.
        ScoreboardUpdate(Leaderboard = example::board(false)):
            "scoreboard_update" since Interface, in "leaderboard", "`release_scores`; over `quizhall.v1` also on connecting to a game that has ended, when `game_ended` leaves players out.";
        /// The players who joined and left since the last one, in a game that has had more than 10 players present. It replaces
        /// `lobby_update`, which then comes only on connecting. For each id, the last message counts.
        LobbyChanged(LobbyChanged = LobbyChanged { joined: vec![Player { id: example::ANN, display_name: "Ann".to_owned() }], left: Vec::new(), total: 21 }):
            "lobby_changed" since QuizhallV1, in "lobby, question, round_review, leaderboard", "A player joins or leaves; at most 4 a second, and above 100 players once in 10 s, without names.";
        /// The round for which this player has played the joker. On connecting, only once it is played.
        JokerUpdate(JokerUpdate = JokerUpdate { round: Some(2) }):
            "joker_update" since QuizhallV1, in "lobby, question, round_review, leaderboard", "`play_joker` of this player, and options of the lobby that offer no joker any more and give it back.";
        /// All appeals of this player with their outcomes. On connecting, once there is one.
        AppealStatus(AppealStatus = AppealStatus {
            appeals: vec![OwnAppeal { question_id: QUESTION, outcome: AppealOutcome::Open }],
        }):
            "appeal_status" since QuizhallV1, in "question, round_review, leaderboard",
            "`appeal` of this player; `dismiss_appeal`, and `correct_marks` of an answer about which this player has appealed.";
        /// This player's answer to the open tie-break. On connecting, only once there is an answer.
        TieBreakAnswer(TieBreakAnswer = TieBreakAnswer { number: Some(85) }):
            "tie_break_answer" since QuizhallV1, in "lobby, question, round_review, leaderboard", "`answer_tie_break` of this player.";
        /// The phones of this player's team, to each of them; also on connecting.
        TeamUpdate(TeamUpdate = TeamUpdate {
            team_code: "K7QM".to_owned(),
            device_id: example::BEN,
            devices: vec![
                TeamDevice { device_id: example::ANN, display_name: "The Larks".to_owned(), connected: true, moves: 0 },
                TeamDevice { device_id: example::BEN, display_name: "Ben".to_owned(), connected: true, moves: 0 },
            ],
            captain: None,
        }):
            "team_update" since QuizhallV1, in "lobby, question, round_review, leaderboard", "A phone joins the team, connects, or loses its connection.";
        /// The answers of the team in this round, to each of its phones: all of them on connecting, once there is an answer or a suggestion, and after that each new one. A client discards them when a round begins.
        TeamSheet(TeamSheet = TeamSheet {
            whole: true,
            answers: vec![SheetAnswer { question_id: QUESTION, answer: "Trombone".to_owned(), by: example::BEN }],
            suggestions: Vec::new(),
        }):
            "team_sheet" since QuizhallV1, in "question, round_review", "`submit_answer` and `suggest_answer` of a phone of the team.";
        /// How many have answered the newest question, never who. On connecting, too. Sent only while `of` is 5 to 200, and not once the
        /// question is closed for any player.
        AnsweredStatus(AnsweredStatus = AnsweredStatus { question_id: QUESTION, answered: 17, of: 23 }):
            "answered_status" since QuizhallV1, in "question", "A second after an answer, or after a player who came or went; at most one a second.";
    }
}

/// Payload of `answered_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredStatus {
    /// The newest question of the round.
    pub question_id: Uuid,
    /// How many have answered it, from 1.
    pub answered: u32,
    /// Of how many: those who are connected, and those who answered and went.
    pub of: u32,
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
    /// The points that the host gave the player by hand in this round (additive, with `quizhall.v1` only; absent when none).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub adjustments: Vec<PointsByHand>,
    /// The player's points of this round, those by hand included.
    pub round_total: i64,
}

/// Points that the host gave by hand, as their player sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PointsByHand {
    /// The points; below 0 when they were taken away.
    pub points: i32,
    /// The host's reason; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Payload of `lobby_changed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LobbyChanged {
    /// Players who are now present, in order of joining; empty above 100 players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub joined: Vec<Player>,
    /// Players who are no longer present; empty above 100 players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub left: Vec<Uuid>,
    /// How many players are present.
    pub total: u32,
}

/// Payload of `joker_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JokerUpdate {
    /// The round, from 1, that the joker doubles; absent while it is not played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub round: Option<u32>,
}

/// Payload of `appeal_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AppealStatus {
    /// In order of arrival.
    pub appeals: Vec<OwnAppeal>,
}

/// An appeal as its player sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct OwnAppeal {
    /// The question's id.
    pub question_id: Uuid,
    /// Its outcome.
    pub outcome: AppealOutcome,
}

/// Payload of `tie_break_answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TieBreakAnswer {
    /// The number; absent without an answer, or while no tie-break is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub number: Option<i64>,
}

/// Payload of `team_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamUpdate {
    /// The code with which more phones join the team: four symbols.
    pub team_code: String,
    /// The phone of this socket.
    pub device_id: Uuid,
    /// All phones of the team, in order of joining.
    pub devices: Vec<TeamDevice>,
    /// The only phone that answers; absent in games where each phone answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub captain: Option<Uuid>,
}

/// Payload of `team_sheet`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TeamSheet {
    /// Whether this is the whole sheet, which replaces what the client has. Otherwise it is one new answer or suggestion.
    pub whole: bool,
    /// The answers that count, in order of release of their questions. A new answer replaces the answer and all suggestions to its question.
    pub answers: Vec<SheetAnswer>,
    /// The last suggestion of each phone to each question, in order of arrival, until the captain answers the question; absent when there is none. A new suggestion replaces that of the same phone to the same question, and is then the latest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub suggestions: Vec<SheetAnswer>,
}

impl TeamSheet {
    /// Applies a message, as a client does. A new answer is the last one in the list, whichever question was released first.
    pub fn take(&mut self, message: &Self) {
        if message.whole {
            return self.clone_from(message);
        }
        for new in &message.answers {
            self.suggestions.retain(|one| one.question_id != new.question_id);
            match self.answers.iter_mut().find(|one| one.question_id == new.question_id) {
                Some(known) => known.clone_from(new),
                None => self.answers.push(new.clone()),
            }
        }
        for new in &message.suggestions {
            // A suggestion that is already there is confirmed by this, and keeps its place.
            if !self.suggestions.contains(new) {
                self.suggestions.retain(|one| (one.question_id, one.by) != (new.question_id, new.by));
                self.suggestions.push(new.clone());
            }
        }
    }
}

/// An answer of a team, or a suggestion, and the phone that sent it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct SheetAnswer {
    /// The question's id.
    pub question_id: Uuid,
    /// The answer as written.
    pub answer: String,
    /// The phone that sent it last.
    pub by: Uuid,
}
