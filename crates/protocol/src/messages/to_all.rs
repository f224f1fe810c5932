//! Server to all participants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use super::example::{self, ANN, BEN, QUESTION};
use super::from_host::AutopilotPlan;
use crate::shapes::{LeaderboardEntry, Player, Question};

crate::messages::messages! {
    /// A message that the host and the players receive.
    ToAll {
        /// A player joined or left.
        LobbyUpdate(LobbyUpdate = LobbyUpdate {
            players: vec![
                Player { id: ANN, display_name: "Ann".to_owned() },
                Player { id: BEN, display_name: "Ben".to_owned() },
            ],
            total: None,
        }):
            "lobby_update" since Interface, in "lobby; later when a player joins late",
            "A player joined, left, came back or was removed.";
        /// The host started the game.
        GameStarted: "game_started" since Interface, in "question", "`start_game`.";
        /// The host released a question.
        QuestionReleased(QuestionReleased = QuestionReleased { question: example::question() }):
            "question_released" since Interface, in "question", "`release_question`.";
        /// The host closed the round: no more answers.
        RoundEnded: "round_ended" since Interface, in "round_review", "`end_round`.";
        /// The standing after the round whose scores were released.
        RoundLeaderboard(Leaderboard = example::board(true)):
            "round_leaderboard" since Interface, in "leaderboard", "`release_scores`.";
        /// The game is over; the final board.
        GameEnded(Leaderboard = example::board(false)): "game_ended" since Interface, in "ended", "`end_game`.";
        /// The title of the quiz that will be played. On connecting in the lobby, before the list of players.
        GameInfo(GameInfo = GameInfo { title: "A night at the opera".to_owned() }):
            "game_info" since QuizhallV1, in "lobby", "Connecting.";
        /// The seal of the quiz, in a game that was created with `sealed`. On connecting.
        SealStatus(SealStatus = SealStatus { seal: "5f1c0a97d2be4c318a69788796a5b4c35f1c0a97d2be4c318a69788796a5b4c3".to_owned() }):
            "seal_status" since QuizhallV1, in "any, in sealed games", "Connecting.";
        /// A round began: after `game_started`, and with `start_next_round`. On connecting, the current round.
        RoundStarted(RoundStarted = RoundStarted { round: 2, rounds: 3, title: "Brass".to_owned(), question_count: 8, section: None, wrong_points: None }):
            "round_started" since QuizhallV1, in "question; on connecting also round_review and leaderboard",
            "`start_game`, `start_next_round`.";
        /// The host connected or disconnected. On connecting, before all other messages.
        HostStatus(HostStatus = HostStatus { connected: true }):
            "host_status" since QuizhallV1, in "any but ended; on connecting in every one",
            "The host's first socket opened, or the host has had none for 5 s.";
        /// The round for which players can play their joker now (`play_joker`). On connecting, only while there is one.
        JokerRound(JokerRound = JokerRound { round: Some(2) }):
            "joker_round" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The scores of the previous round were released, or the first question of the round was released.";
        /// Whether the standings are held or shown. On connecting, only while they are held.
        StandingsStatus(StandingsStatus = StandingsStatus { held: true }):
            "standings_status" since QuizhallV1, in "leaderboard; on connecting while they are held, before `round_scores`",
            "`release_own_scores`, `show_standings`.";
        /// The number of players who gave each answer to a question whose answers are not marked. On connecting, while the host shows it.
        Tally(Tally = Tally {
            question_id: QUESTION,
            entries: vec![
                TallyEntry { answer: "violin".to_owned(), count: 7 },
                TallyEntry { answer: "oboe".to_owned(), count: 2 },
            ],
        }):
            "tally" since QuizhallV1, in "question, round_review, leaderboard",
            "`show_tally`, and the removal of a player while it is shown.";
        /// The pictures and sounds to load before their questions are released. On connecting, when there are any.
        MediaPreload(MediaPreload = MediaPreload {
            game_id: example::GAME,
            items: vec![MediaItem { name: "2b1f0c9a7e5d4c3b8a69788796a5b4c3".to_owned(), bytes: 98_320 }],
        }):
            "media_preload" since QuizhallV1, in "any but ended, when the current or the next round has any",
            "A round ended, or the round changed.";
        /// The time that a timer has left on the server's clock. About a second after it reaches 0, `question_closed` or `round_ended` follows; only these messages close anything.
        TimerUpdate(TimerUpdate = TimerUpdate { question_id: Some(QUESTION), remaining_ms: 30_000, running: true, extra_ms: None }):
            "timer_update" since QuizhallV1, in "question",
            "A question or a round with a time limit begins, the host changes the timers, or 10 s have passed; on connecting, after `question_released`.";
        /// A question takes no more answers.
        QuestionClosed(QuestionClosed = QuestionClosed { question_id: QUESTION }):
            "question_closed" since QuizhallV1, in "question",
            "The time of a question is over, the host closed or withdrew it, or all have answered in a game that closes it then; on connecting, after `question_released`.";
        /// Whether the autopilot runs the game. On connecting, only while it runs.
        AutopilotStatus(AutopilotStatus = AutopilotStatus {
            plan: Some(AutopilotPlan::EXAMPLE),
        }):
            "autopilot_status" since QuizhallV1, in "question, round_review, leaderboard",
            "`start_autopilot`, `stop_autopilot`, a command of the host that stops it; and the start of a game with an autopilot. The end of the game ends it without this message.";
        /// The next step of the autopilot and its time, while no question is open.
        AutopilotStep(AutopilotStep = AutopilotStep { next: NextStep::Release, remaining_ms: 8_000, running: true }):
            "autopilot_step" since QuizhallV1, in "question, round_review, leaderboard",
            "The next step is another one, a tally was shown, the autopilot began, the host left or came back while the plan holds, an answer was marked, or 10 s have passed; on connecting, after `timer_update`.";
        /// The right answer to a question of the round, which the host has revealed. On connecting, each revealed answer.
        AnswerRevealed(AnswerRevealed = AnswerRevealed {
            question_id: QUESTION,
            correct_answer: "violin".to_owned(),
            explanation: Some("It has four strings.".to_owned()),
            tally: vec![
                TallyEntry { answer: "violin".to_owned(), count: 7 },
                TallyEntry { answer: "oboe".to_owned(), count: 2 },
            ],
        }):
            "answer_revealed" since QuizhallV1, in "round_review, leaderboard",
            "`reveal_answer`, and the removal of a player whose answer was in the tally.";
        /// The text of a question changed. On connecting, one for each question of the round that was edited after its release. For a question that is not released in this round, only the host receives it, and not on connecting.
        QuestionEdited(QuestionEdited = QuestionEdited {
            question_id: QUESTION,
            text: "Which of these has four strings?".to_owned(),
            choices: Some(vec!["violin".to_owned(), "oboe".to_owned()].into()),
            accepted: None,
            corrected: true,
        }):
            "question_edited" since QuizhallV1, in "question, round_review, leaderboard; to the host also lobby", "`edit_question`.";
        /// A question was taken out of its round: no player scores it. On connecting, one for each withdrawn question of the round. For a question of an earlier round, only the host receives it, and not on connecting.
        QuestionWithdrawn(QuestionWithdrawn = QuestionWithdrawn { question_id: QUESTION }):
            "question_withdrawn" since QuizhallV1, in "question, round_review, leaderboard", "`withdraw_question`.";
        /// The host renamed a player. On connecting, only to a player whom the host has renamed.
        PlayerRenamed(Player = Player { id: BEN, display_name: "Benedict".to_owned() }):
            "player_renamed" since QuizhallV1, in "lobby, question, round_review, leaderboard", "`rename_player`.";
        /// The tie-breaks after this round, in order. On connecting, when there are any, also after the end of the game.
        TieBreaks(TieBreaks = TieBreaks {
            tie_breaks: vec![TieBreakStatus {
                text: "How many keys has a piano?".to_owned(),
                number: Some(88),
                players: vec![
                    TieBreakPlayer {
                        player_id: ANN,
                        display_name: "Ann".to_owned(),
                        answered: true,
                        number: Some(85),
                        place: Some(1),
                    },
                    TieBreakPlayer {
                        player_id: BEN,
                        display_name: "Ben".to_owned(),
                        answered: false,
                        number: None,
                        place: Some(2),
                    },
                ],
            }],
        }):
            "tie_breaks" since QuizhallV1, in "leaderboard, ended",
            "`tie_break`, `end_tie_break`, the first answer of a player, the removal of a player who is asked, and `end_game` while a tie-break is open.";
        /// The time that the break has left on the server's clock, or that there is no break. On connecting, while there is one.
        BreakUpdate(BreakUpdate = BreakUpdate { remaining_ms: Some(600_000), text: Some("Drinks are served.".to_owned()) }):
            "break_update" since QuizhallV1, in "lobby, round_review, leaderboard; without a break also question",
            "`start_break`, `end_break`, the end of the break, or 10 s have passed; on connecting, after all other messages. `game_ended` ends a break without it.";
    }
}

/// Payload of `lobby_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LobbyUpdate {
    /// The players who are present, in order of joining. Above 2,000, the 100 newest; to a player over `quizhall.v1`, above 100, the 20 newest.
    pub players: Vec<Player>,
    /// The number of players, when `players` does not list all of them (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub total: Option<u32>,
}

/// Payload of `question_edited`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct QuestionEdited {
    /// The question's id.
    pub question_id: Uuid,
    /// Its text now.
    pub text: String,
    /// Its choices now, as in `question_released`; absent when it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Box<Vec<String>>>,
    /// Its accepted answers now. Only hosts receive them, and only before the release (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Box<Vec<String>>>,
    /// Whether its text was edited after its release.
    pub corrected: bool,
}

/// Payload of `question_withdrawn`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuestionWithdrawn {
    /// The question's id.
    pub question_id: Uuid,
}

/// Payload of `question_released`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuestionReleased {
    /// The question, without its correct answer.
    pub question: Question,
}

/// Payload of the messages that carry a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Leaderboard {
    /// By rank, equal ranks by name. Whole up to 200 players; above that, the top 100 (and the player's own entry in a message to one player).
    /// To a player over `quizhall.v1`, whole up to 20 players; above that, the top ten (and, in a message to one player, the own entry with
    /// two above and two below it).
    pub leaderboard: Vec<LeaderboardEntry>,
    /// The number of entries on the whole board, when a player over `quizhall.v1` is sent only a part of it (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub total: Option<u32>,
}

/// Payload of `tie_breaks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct TieBreaks {
    /// In order; the last one can be open.
    pub tie_breaks: Vec<TieBreakStatus>,
}

/// A tie-break. It contains the numbers, including the right one, once it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
pub struct TieBreakStatus {
    /// The text of the question.
    pub text: String,
    /// The right answer; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub number: Option<i64>,
    /// The players who are asked; once the tie-break is over, in their order. A later tie-break orders the players whom the earlier ones left
    /// equal; a player who was not asked follows them.
    pub players: Vec<TieBreakPlayer>,
}

/// A player of a tie-break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct TieBreakPlayer {
    /// The player's id.
    pub player_id: Uuid,
    /// The player's name.
    pub display_name: String,
    /// Whether the player has answered.
    pub answered: bool,
    /// The answer; absent when the player gave none, and while the tie-break is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// From 1; equally near answers share a place (1, 2, 2, 4). Absent while the tie-break is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
}

/// Payload of `game_info`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GameInfo {
    /// The quiz's title.
    pub title: String,
}

/// Payload of `seal_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SealStatus {
    /// The SHA-256 of the questions and their keys as they were when the game was created, 64 hexadecimal digits. It never changes.
    pub seal: String,
}

/// Payload of `round_started`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct RoundStarted {
    /// Which round, from 1.
    pub round: u32,
    /// How many rounds the game has: those of the quiz, or one for each of its questions with pace `question`.
    pub rounds: u32,
    /// The round's title; may be empty.
    pub title: String,
    /// How many questions the round has, released or not.
    pub question_count: u32,
    /// The round of the quiz that the question of the round comes from; only with pace `question` (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<Section>,
    /// The points of a wrong answer, below 0; absent where it costs nothing (additive).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_points: Option<i32>,
}

/// A round of the quiz in a game whose rounds are single questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Its place in the quiz, from 0.
    pub index: u32,
    /// Its title; may be empty.
    pub title: String,
    /// The place of the question in it, from 0.
    pub question_index: u32,
    /// How many questions it has.
    pub question_count: u32,
}

/// Payload of `host_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct HostStatus {
    /// Whether the host has a socket; a gap of less than 5 s is not reported.
    pub connected: bool,
}

/// Payload of `joker_round`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct JokerRound {
    /// The round, from 1; absent while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub round: Option<u32>,
}

/// Payload of `standings_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StandingsStatus {
    /// Whether the standings of the round just scored are held: players receive no board until the host shows them.
    pub held: bool,
}

/// Payload of `tally`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// The question's id. The tally shown before, of any question, is void.
    pub question_id: Uuid,
    /// For a poll, every choice, in order. For a word cloud, at most 50 answers, folded as for marking, the most frequent first.
    pub entries: Vec<TallyEntry>,
}

/// One answer of a tally.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TallyEntry {
    /// The choice, or the folded text.
    pub answer: String,
    /// How many players gave it.
    pub count: u32,
}

/// Payload of `media_preload`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct MediaPreload {
    /// The game in the path of each copy, `/api/v1/games/{gameId}/media/{name}`.
    pub game_id: Uuid,
    /// The copies; their order says nothing about the order of the questions. Each is encrypted; its key comes with its question.
    pub items: Vec<MediaItem>,
}

/// An encrypted copy of a picture or a sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MediaItem {
    /// Its name.
    pub name: String,
    /// Its length, which is padded.
    pub bytes: u64,
}

/// Payload of `timer_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct TimerUpdate {
    /// The question that the timer closes; absent for the timer of the round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<Uuid>,
    /// Milliseconds left when the message was made: at most 3,600,000, or three times that with extra time. A client subtracts half of its round trip.
    pub remaining_ms: u32,
    /// Whether the timer runs: false while the host holds the timers.
    pub running: bool,
    /// Only to the host (additive): how many milliseconds more the player with the most extra time has; absent without extra time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_ms: Option<u32>,
}

/// Payload of `question_closed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuestionClosed {
    /// The question that takes no more answers.
    pub question_id: Uuid,
}

/// Payload of `autopilot_status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AutopilotStatus {
    /// The times that the host set; absent while no autopilot runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub plan: Option<AutopilotPlan>,
}

/// Payload of `autopilot_step`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AutopilotStep {
    /// The next step.
    pub next: NextStep,
    /// Milliseconds left when the message was made, at most 1,200,000. A client subtracts half of its round trip.
    pub remaining_ms: u32,
    /// Whether the time runs: false while the autopilot waits for the host, or for marks.
    pub running: bool,
}

/// The next step of the autopilot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// It releases the next question.
    Release,
    /// It shows the tally of the poll that has closed.
    Tally,
    /// It ends the round.
    EndRound,
    /// It reveals the right answer.
    RevealAnswer,
    /// It releases the scores of the round.
    ReleaseScores,
    /// It shows the next picture on the screens.
    Show,
    /// It ends the open tie-break.
    EndTieBreak,
    /// It shows the standings that were held.
    ShowStandings,
    /// It starts the next round.
    StartNextRound,
    /// It ends the game.
    EndGame,
}

/// Payload of `answer_revealed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct AnswerRevealed {
    /// The question's id. Any earlier `answer_revealed` of this question is void.
    pub question_id: Uuid,
    /// The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers are not marked.
    pub correct_answer: String,
    /// The author's explanation, shown with the answer; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explanation: Option<String>,
    /// How many players gave each choice, in order; for `multiple_choice`, `true_false` and `poll`, absent for other types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub tally: Vec<TallyEntry>,
}

/// Payload of `break_update`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct BreakUpdate {
    /// Milliseconds left when the message was made, at most 3,600,000; absent without a break. A client subtracts half of its round trip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u32>,
    /// The host's text, shown with the clock; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
