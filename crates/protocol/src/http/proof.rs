//! The seal of a quiz before the game, and the proof of the game after it: `/api/v1/seals/{gameCode}`,
//! `/api/v1/games/{id}/proof`, `/api/v1/seats/ref`. `docs/sealed.md` says how a proof is checked.
//!
//! A proof names players and questions by their numbers in its own lists, from 1.

use quizhall_quiz::QuestionBody;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The format of a proof that this version writes and reads.
pub const PROOF_FORMAT: &str = "quizhall-proof-1";

/// The seal of a quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealBody {
    /// The SHA-256 of all leaves, 64 hexadecimal digits.
    pub seal: String,
    /// The SHA-256 of each question with its key and a secret salt, in the order of the quiz.
    pub leaves: Vec<String>,
    /// When the game was created and the quiz sealed (RFC 3339, UTC).
    pub created_at: String,
}

/// How the proof of a game names a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct OwnRef {
    /// `ref` of the player in the proof, 64 hexadecimal digits.
    #[serde(rename = "ref")]
    pub of_player: String,
}

/// The proof of a game that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proof {
    /// `quizhall-proof-1`
    pub format: String,
    /// The code that players typed.
    pub game_code: String,
    /// When the game was created and the quiz sealed (RFC 3339, UTC).
    pub created_at: String,
    /// When the game ended (RFC 3339, UTC).
    pub ended_at: String,
    /// The seal of the quiz.
    pub seal: String,
    /// The questions as they were sealed, in the order of the quiz.
    pub questions: Vec<SealedQuestion>,
    /// The rounds as they were played.
    pub rounds: Vec<PlayedRound>,
    /// The players, removed ones included, in order of joining.
    pub players: Vec<ProofPlayer>,
    /// What happened, in order.
    pub events: Vec<ProofEvent>,
    /// The board at each release of scores, and the last one at the end of the game.
    pub boards: Vec<ProofBoard>,
    /// The SHA-256 of all bytes of the file before the line of this field, 64 hexadecimal digits.
    pub digest: String,
}

/// A question as it was sealed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SealedQuestion {
    /// 32 hexadecimal digits.
    pub salt: String,
    /// The fields `id`, `text`, `type`, `choices`, `correctAnswers`, `tolerance`, `points` and `timeLimit`; those that are absent
    /// were left out.
    pub question: QuestionBody,
}

/// A round as it was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct PlayedRound {
    /// The round of the quiz that its questions come from, from 1. A streak goes on in the next round of the same section.
    pub section: u32,
    /// Its questions.
    pub questions: Vec<PlayedQuestion>,
    /// Whether right answers in a row earn more. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub streaks: bool,
    /// Whether speed earns points. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub speed_points: bool,
    /// Whether jokers double it. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joker: bool,
    /// The points of a wrong answer, at most 0. Absent: 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wrong_points: i32,
    /// Whether near misses earn half of the points. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub half_points: bool,
}

/// A question of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayedQuestion {
    /// Its number.
    pub question: u32,
    /// The seconds that it was open, which its author or the options of the game set; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u16>,
}

/// A player of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProofPlayer {
    /// The SHA-256 of a secret salt of the player and of the player's id, 64 hexadecimal digits. The player's page shows it.
    #[serde(rename = "ref")]
    pub of_player: String,
    /// The last name; only where the host wants names to be in the file, and not of an erased player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Whether the player was erased. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProofEvent {
    /// Its number, from 1.
    pub n: u32,
    /// What it did.
    #[serde(flatten)]
    pub what: ProofChange,
}

/// What an event did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ProofChange {
    /// A player joined.
    Joined {
        /// The player.
        player: u32,
    },
    /// A player without a phone took a seat.
    SeatAdded {
        /// The player.
        player: u32,
    },
    /// A player left the lobby.
    Left {
        /// The player.
        player: u32,
    },
    /// A player who had left the lobby returned.
    Returned {
        /// The player.
        player: u32,
    },
    /// The host removed a player, whose answers count no more.
    PlayerRemoved {
        /// The player.
        player: u32,
    },
    /// The host gave a player another name.
    PlayerRenamed {
        /// The player.
        player: u32,
    },
    /// The first round, or the next one, began.
    RoundStarted {
        /// The round.
        round: u32,
    },
    /// A question was shown.
    QuestionReleased {
        /// The question.
        question: u32,
    },
    /// The round closed for answers.
    RoundEnded {
        /// The round.
        round: u32,
    },
    /// A player answered, or replaced an earlier answer and every mark on it.
    Answered(ProofAnswer),
    /// The host entered an answer of a player without a phone.
    AnswerEntered(ProofAnswer),
    /// The host marked an answer.
    AnswerOverridden {
        /// The question.
        question: u32,
        /// The marks that changed.
        marks: Vec<ProofMark>,
    },
    /// The host marked all answers with some texts.
    AnswersMarked {
        /// The question.
        question: u32,
        /// The marks that changed.
        marks: Vec<ProofMark>,
    },
    /// The host corrected marks of a round whose scores were out.
    MarksCorrected {
        /// The question.
        question: u32,
        /// The marks that changed.
        marks: Vec<ProofMark>,
    },
    /// The host undid a marking.
    MarkingUndone {
        /// The question.
        question: u32,
        /// The marks that changed.
        marks: Vec<ProofMark>,
    },
    /// The host ruled how some texts count (`accept_answer`): of these answers, and of later ones (`ruled`).
    KeyChanged {
        /// The question.
        question: u32,
        /// In the form in which the key compares them.
        texts: Vec<String>,
        /// Whether they are right.
        correct: bool,
        /// The points that they earn although they are not right. Absent: 0.
        #[serde(default, skip_serializing_if = "is_nothing")]
        points: u32,
        /// The marks that changed.
        marks: Vec<ProofMark>,
    },
    /// A player asked the host to check a mark again.
    Appealed {
        /// The player.
        player: u32,
        /// The question.
        question: u32,
        /// The text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The host left the mark as it was.
    AppealDismissed {
        /// The player.
        player: u32,
        /// The question.
        question: u32,
    },
    /// The host gave a question other words; before its release also another key.
    QuestionEdited {
        /// The number of the question.
        question: u32,
        /// The question from now on.
        #[schema(value_type = Object)]
        edited: Box<QuestionBody>,
        /// Its leaf, with the salt of the question.
        leaf: String,
    },
    /// The host withdrew a question: its answers earn nothing.
    QuestionWithdrawn {
        /// The question.
        question: u32,
    },
    /// A player played the joker for a round.
    JokerPlayed {
        /// The player.
        player: u32,
        /// The round.
        round: u32,
    },
    /// Every player got the joker back.
    JokersReturned,
    /// The host gave a player points by hand, or took some away.
    PointsAdjusted {
        /// The player.
        player: u32,
        /// The round to which they belong: the one that runs, or that was scored last.
        round: u32,
        /// Their number in the game, from 1.
        number: u32,
        /// The points; not 0.
        points: i32,
        /// The reason, if the host gave one; absent when the player was erased.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The host undid points by hand.
    AdjustmentUndone {
        /// The player.
        player: u32,
        /// Their number in the game.
        number: u32,
    },
    /// The host asked players with equal scores a question outside the rounds.
    TieBreakStarted {
        /// The players who were asked.
        players: Vec<u32>,
        /// The text.
        text: String,
        /// The right number.
        answer: i64,
    },
    /// A player answered it; without a number, the player was erased.
    TieBreakAnswered {
        /// The player.
        player: u32,
        /// The number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<i64>,
    },
    /// It ended with these places.
    TieBreakEnded {
        /// The places.
        places: Vec<TiePlace>,
    },
    /// The scores of a round came out.
    ScoresReleased {
        /// The round.
        round: u32,
    },
    /// The game ended.
    Ended,
}

/// An answer with the mark that it got from the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofAnswer {
    /// The player.
    pub player: u32,
    /// The question.
    pub question: u32,
    /// As written; absent when it was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the key marks it as right. Of `nearest` false: these are marked when the scores come out.
    pub correct: bool,
    /// The points that it earns by the key although it is not right. Absent: 0.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub points: u32,
    /// How it counts by a ruling of the host on its text, made before it came; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruled: Option<Counts>,
    /// The milliseconds that the player took; only where speed earns points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u32>,
    /// The percent of the time limit that the player had. Absent: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_percent: Option<u16>,
}

/// How an answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Whether it is right.
    pub correct: bool,
    /// The points that it earns although it is not right. Absent: 0.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub points: u32,
}

/// The mark of an answer from now on. An answer that does not exist is made, without a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofMark {
    /// The player.
    pub player: u32,
    /// The host's own mark, which comes before the others; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Counts>,
    /// The host's ruling on the text, which comes before the key; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruled: Option<Counts>,
    /// Whether the answer, which a mark had made, is there no more. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// Whether it was what gave the player a place on the board, so that the place is lost too. Absent: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

/// A player's place in a tie-break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TiePlace {
    /// The player.
    pub player: u32,
    /// From 1; players whose answers are equally near share a place.
    pub place: u32,
}

/// A board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofBoard {
    /// The number of the event with which it came: `scores_released`, or `ended`.
    pub event: u32,
    /// By place, then by the number of the player.
    pub entries: Vec<ProofEntry>,
}

/// A line of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProofEntry {
    /// The player.
    pub player: u32,
    /// The points of all rounds whose scores are out.
    pub score: i64,
    /// The points of the last of them.
    pub round_score: i64,
    /// From 1; equal scores share a rank.
    pub rank: u32,
    /// Like the rank, but equal scores share it only where no tie-break has ordered them.
    pub place: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(points: &i32) -> bool {
    *points == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_nothing(points: &u32) -> bool {
    *points == 0
}
