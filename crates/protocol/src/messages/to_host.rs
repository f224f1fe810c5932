//! Server to host only.

mod review;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use super::example::{self, ANN, BEN, QUESTION};
use super::to_all::Leaderboard;
use crate::http::game_options::GameOptions;
use crate::http::screens::Slide;
use crate::shapes::{AppealOutcome, ReviewAnswer, TeamDevice, is_zero};

pub use review::{GroupedAnswers, ReviewGroup, ReviewGroups};

crate::messages::messages! {
    /// A message that only the host receives.
    ToHost {
        /// The number of players who have answered a question; coalesced under load, the last count always arrives.
        ScoreboardUpdate(AnswerCount = AnswerCount { question_id: QUESTION, answer_count: 2 }):
            "scoreboard_update" since Interface, in "question", "`submit_answer` of a player.";
        /// Every answer of the closed round.
        RoundReview(RoundReview = RoundReview {
            answers: vec![ReviewAnswer {
                player_id: BEN,
                display_name: "Ben".to_owned(),
                question_id: QUESTION,
                answer: "Tuba".to_owned(),
                correct: false,
                near_miss: false,
                partial_points: 0,
                elapsed_ms: None,
                ruled: false,
            }],
            part: None,
            parts: None,
        }):
            "round_review" since Interface, in "round_review", "`end_round`.";
        /// The answers to one question of the closed round in groups: in place of `round_review`, in rounds of more than 5,000 answers. One message for each question of the round, in order of release; then the groups that changed.
        ReviewGroups(ReviewGroups = ReviewGroups {
            question_id: QUESTION,
            grouped: GroupedAnswers {
                answers: 2,
                right: 0,
                taken: Vec::new(),
                to_check: 1,
                total: 1,
                groups: vec![ReviewGroup {
                    key: "tubas".to_owned(),
                    texts: vec!["Tubas".to_owned(), "tubas".to_owned()],
                    count: 2,
                    right: 0,
                    partial: 0,
                    partial_points: 0,
                    near_miss: true,
                    unread: false,
                    ruled: false,
                }],
            },
            part: Some(1),
            parts: Some(1),
        }):
            "review_groups" since QuizhallV1, in "round_review",
            "`end_round`. Later without `part`, before the confirmation: each of the commands about marks, `enter_answer`, the removal of a player.";
        /// The confirmation of an override.
        OverrideApplied(OverrideApplied = OverrideApplied { player_id: BEN, question_id: QUESTION, correct: true }):
            "override_applied" since Interface, in "round_review", "`override_answer`.";
        /// The players and whether each is connected: the whole list on connecting, then the changes, at most 4 a second.
        RoomUpdate(RoomUpdate = RoomUpdate {
            whole: true,
            players: vec![
                RoomPlayer { id: ANN, display_name: "Ann".to_owned(), status: PlayerStatus::Connected, extra_time: None, joker: Some(2), devices: Vec::new(), on_paper: false, moves: 0 },
                RoomPlayer { id: BEN, display_name: "Ben".to_owned(), status: PlayerStatus::Disconnected, extra_time: Some(150), joker: None, devices: Vec::new(), on_paper: true, moves: 0 },
            ],
            total: 2,
            connected: 1,
            locked: false,
        }):
            "room_update" since QuizhallV1, in "any",
            "A player joined, left, came back, lost the connection or was removed; a phone of a team did one of the first four; `lock_game`, `remove_player`, `set_extra_time`, `add_seat`, `play_joker`, and options that give jokers back.";
        /// The players who have answered a question: all on connecting, then the new ones with the count.
        PlayersAnswered(PlayersAnswered = PlayersAnswered { question_id: QUESTION, player_ids: vec![ANN, BEN] }):
            "players_answered" since QuizhallV1, in "question",
            "A player's first answer to the question, whether sent or entered; before its `scoreboard_update`.";
        /// The answers that the host entered for players without a phone, as they count now: on connecting while questions are open, all of the round, at most 1,000 in a message; then the ones that changed. In `round_review` they are among the others.
        AnswersEntered(AnswersEntered = AnswersEntered {
            answers: vec![ReviewAnswer {
                player_id: BEN,
                display_name: "Ben".to_owned(),
                question_id: QUESTION,
                answer: "Trombone".to_owned(),
                correct: true,
                near_miss: false,
                partial_points: 0,
                elapsed_ms: None,
                ruled: false,
            }],
        }):
            "answers_entered" since QuizhallV1, in "question, round_review", "`enter_answer`.";
        /// The options of the game as they are now: on connecting, unless it has none, and whenever they change.
        GameOptions(GameOptions = GameOptions { close_when_answered: true, ..GameOptions::default() }):
            "game_options" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "`set_close_when_answered`, `PUT /api/v1/games/{id}/options`.";
        /// The answers that count differently now.
        AnswersMarked(AnswersMarked = AnswersMarked {
            question_id: QUESTION,
            marks: vec![AnswerMark { player_id: BEN, correct: true, partial_points: 0, ruled: true }],
            part: None,
            parts: None,
        }):
            "answers_marked" since QuizhallV1, in "question, round_review",
            "`mark_answers`, `accept_answer`, `undo_marking`; the removal of a player, or an entered answer, when it changes which answers are the nearest.";
        /// The answers to a question, to a socket with an open desk. Answers that the key does not distinguish form a group. At most 4 a second, 1 a second above 2,000 answers; the last state always arrives.
        AnswersUpdate(AnswersUpdate = AnswersUpdate {
            question_id: QUESTION,
            groups: vec![GivenAnswers { text: "The tuba".to_owned(), count: 2, correct: false, partial_points: 0, near_miss: true, ruled: false }],
            total: 1,
        }):
            "answers_update" since QuizhallV1, in "question",
            "`open_desk`; `submit_answer` of a player, `enter_answer`, `accept_answer`, `undo_marking`, the removal of a player.";
        /// The board with the scores as they are now, as in `round_leaderboard`.
        BoardUpdate(Leaderboard = example::board(true)):
            "board_update" since QuizhallV1, in "question, round_review, leaderboard",
            "`correct_marks`; `adjust_points` and `undo_adjustment` in a round whose scores are released.";
        /// Appeals as they are now: on connecting the open ones, at most 1,000 in a message; then the ones that changed. The removal of a player removes the player's appeals.
        AppealsUpdate(AppealsUpdate = AppealsUpdate {
            appeals: vec![Appealed {
                player_id: BEN,
                display_name: "Ben".to_owned(),
                question_id: QUESTION,
                answer: "Sackbut".to_owned(),
                text: Some("A sackbut is a trombone".to_owned()),
                outcome: AppealOutcome::Open,
            }],
        }):
            "appeals_update" since QuizhallV1, in "question, round_review, leaderboard",
            "`appeal` of a player, `dismiss_appeal`; after `board_update`, `correct_marks` of an answer about which its player has appealed.";
        /// The points that the host has given by hand, all of them, in order of giving: on connecting, once there are any, and whenever they change.
        AdjustmentsUpdate(AdjustmentsUpdate = AdjustmentsUpdate {
            adjustments: vec![Adjusted {
                adjustment_id: QUESTION,
                player_id: BEN,
                round: 2,
                points: -5,
                reason: Some("Phone under the table".to_owned()),
                given_by: None,
            }],
        }):
            "adjustments_update" since QuizhallV1, in "question, round_review, leaderboard",
            "`adjust_points`, `undo_adjustment`, the removal of a player who has some.";
        /// The next step of the game, which `next` takes; on connecting too. Only the host and co-hosts of the role `host` receive it.
        StepUpdate(StepUpdate = StepUpdate {
            number: 7,
            step: Step::EndRound,
            question_id: None,
            slide: None,
            waits_for: Some(WaitsFor { reason: WaitReason::Answers, count: 2 }),
        }):
            "step_update" since QuizhallV1, in "any",
            "Everything that changes the next step; `next` with a number that is not the current one. What the step waits for, at most 4 times a second, once a second above 2,000 players; the last state always arrives.";
        /// The number of markings of this round that can be undone; on connecting and after each marking. While questions are open, on connecting only when there is one.
        MarkingUpdate(MarkingUpdate = MarkingUpdate { undoable: 1 }):
            "marking_update" since QuizhallV1, in "question, round_review",
            "After `override_applied` and `answers_marked`; on connecting, after `round_review` or `players_answered`.";
    }
}

/// Payload of the host's `scoreboard_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerCount {
    /// Which question.
    pub question_id: Uuid,
    /// The number of players who have answered it; a changed answer does not count twice.
    pub answer_count: u32,
}

/// Payload of `round_review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RoundReview {
    /// One entry per player and question, by order of release, then of arrival.
    pub answers: Vec<ReviewAnswer>,
    /// The number of this part, from 1, when there are more than 1,000 answers (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// How many parts there are (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
}

/// Payload of `override_applied`: the fields that the host sent, now in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct OverrideApplied {
    /// Whose answer.
    pub player_id: Uuid,
    /// The question's id.
    pub question_id: Uuid,
    /// Whether it counts as right now.
    pub correct: bool,
}

/// Payload of `room_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RoomUpdate {
    /// Whether `players` replaces the list that the client has: it is the whole list, or empty above 2,000 players.
    pub whole: bool,
    /// All or the changed players, in order of joining; a whole list leaves out players who left the lobby. Empty while the game has more than 2,000 players: then only the numbers are sent.
    pub players: Vec<RoomPlayer>,
    /// The number of players who have joined, including those who left the lobby, without removed players.
    pub total: u32,
    /// How many of them are connected.
    pub connected: u32,
    /// Whether joining is refused.
    pub locked: bool,
}

/// A player as the host sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct RoomPlayer {
    /// The player's id.
    pub id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// Whether they are here.
    pub status: PlayerStatus,
    /// Their time as a percentage of every timer, 101 to 300 (additive); absent without extra time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub extra_time: Option<u32>,
    /// The round, from 1, for which they have played their joker (additive); absent while it is not played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub joker: Option<u32>,
    /// The phones of a team, in order of joining (additive); absent for a player who is not a team.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub devices: Vec<TeamDevice>,
    /// Whether the player has never had a phone: the host enters the answers (additive; absent: false).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_paper: bool,
    /// How many times the phone of this seat, of a team the first, has changed: another has taken the seat, or it was removed
    /// (additive; absent when none).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moves: u32,
}

/// Whether a player is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PlayerStatus {
    /// Has a socket, or lost it within the grace period.
    Connected,
    /// Has no socket; the player stays in the game.
    Disconnected,
    /// Was removed by the host, or left the lobby: no longer in the list.
    Gone,
}

/// Payload of `players_answered`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlayersAnswered {
    /// Which question.
    pub question_id: Uuid,
    /// The players who have answered it, in addition to those of earlier messages. Never sent while the game has more than 2,000 players.
    pub player_ids: Vec<Uuid>,
}

/// Payload of `answers_entered`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AnswersEntered {
    /// Each replaces the last one of this player and question.
    pub answers: Vec<ReviewAnswer>,
}

/// Payload of `answers_marked`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct AnswersMarked {
    /// Which question.
    pub question_id: Uuid,
    /// Every answer that the marking touched, as it counts now. Empty after `review_groups`, and while questions are open in a round of more than 5,000 answers.
    pub marks: Vec<AnswerMark>,
    /// The number of this part, from 1, when there are more than 1,000 marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// How many parts there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
}

/// How one answer counts now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerMark {
    /// Whose answer.
    pub player_id: Uuid,
    /// Whether it counts as correct.
    pub correct: bool,
    /// The points that it earns although it does not count as correct; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial_points: u32,
    /// Whether the host has decided how it counts; absent: false, as after an undo.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ruled: bool,
}

/// Payload of `answers_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswersUpdate {
    /// Which question.
    pub question_id: Uuid,
    /// At most 500. Groups that are neither right nor ruled on come first; among them the largest first, then in the order of their texts.
    pub groups: Vec<GivenAnswers>,
    /// How many groups there are.
    pub total: u32,
}

/// Answers that the key does not distinguish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct GivenAnswers {
    /// The text as the first of these players wrote it.
    pub text: String,
    /// The number of players who gave it.
    pub count: u32,
    /// Whether they count as right.
    pub correct: bool,
    /// The points that each earns although they do not count as right; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub partial_points: u32,
    /// Whether they are wrong by the key of the quiz, but close to a right answer; absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub near_miss: bool,
    /// Whether the host has decided how this text counts; absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ruled: bool,
}

/// Payload of `adjustments_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AdjustmentsUpdate {
    /// They replace those that the client has; at most 500.
    pub adjustments: Vec<Adjusted>,
}

/// Points that the host gave a player by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct Adjusted {
    /// Their id, for `undo_adjustment`.
    pub adjustment_id: Uuid,
    /// The player's id.
    pub player_id: Uuid,
    /// The round, from 1, to which they belong.
    pub round: u32,
    /// The points; below 0 when they were taken away.
    pub points: i32,
    /// The reason; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The co-host who gave them; absent when the host did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_by: Option<String>,
}

/// Payload of `appeals_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AppealsUpdate {
    /// Each replaces the last one of this player and question.
    pub appeals: Vec<Appealed>,
}

/// An appeal as the host sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct Appealed {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// The question's id.
    pub question_id: Uuid,
    /// The answer; empty when the player gave none.
    pub answer: String,
    /// The player's reason; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Its outcome.
    pub outcome: AppealOutcome,
}

/// Payload of `step_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct StepUpdate {
    /// Its number in this game, from 1. It grows whenever the step changes, and stays when only what it waits for changes.
    pub number: u32,
    /// The step.
    pub step: Step,
    /// The question of the step; absent when the step is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<Uuid>,
    /// The picture of the step `show`; absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slide: Option<Slide>,
    /// What the step would interrupt; absent when nothing. It is a hint: `next` takes the step nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<WaitsFor>,
}

/// A step of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The game starts.
    StartGame,
    /// The question is released.
    ReleaseQuestion,
    /// The question is closed for all players.
    CloseQuestion,
    /// The round is closed.
    EndRound,
    /// The right answer is revealed.
    RevealAnswer,
    /// The screens show the next picture.
    Show,
    /// The scores of the round are released.
    ReleaseScores,
    /// The open tie-break ends.
    EndTieBreak,
    /// Held standings are shown.
    ShowStandings,
    /// The next round begins.
    StartNextRound,
    /// The game ends.
    EndGame,
    /// Nothing is left.
    None,
}

/// What a step would interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct WaitsFor {
    /// The reason.
    pub reason: WaitReason,
    /// How many texts or players.
    pub count: u32,
}

/// Why a step could wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// Texts that are near a right answer, or no number where one is asked for, and for which the host has not decided.
    Marking,
    /// Connected players who have not answered an open question, or an open tie-break.
    Answers,
}

/// Payload of `marking_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MarkingUpdate {
    /// The number of markings that `undo_marking` can undo now.
    pub undoable: u32,
}
