//! Host to server.

mod clock;
mod points;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

pub use self::clock::{
    AddTime, AutopilotPlan, CloseQuestion, SetCloseWhenAnswered, SetExtraTime, SetTimer, StartBreak,
};
pub use self::points::{AdjustPoints, UndoAdjustment};
use super::example::{ANN, BEN, QUESTION};
use crate::Mistake;
use crate::decode::payload::{Field, Fields, Payload};

crate::messages::inbound! {
    /// A message of the host.
    FromHost {
        /// Lobby → question.
        StartGame: "start_game" since Interface, in "lobby", "The game moves to `question`; all participants receive `game_started`.";
        /// Opens a question of the current round.
        ReleaseQuestion(ReleaseQuestion = ReleaseQuestion { question_id: QUESTION }):
            "release_question" since Interface, in "question",
            "All participants receive `question_released`. If it is already open, only the host receives it again.";
        /// Question → round review.
        EndRound: "end_round" since Interface, in "question",
            "The game moves to `round_review`; all participants receive `round_ended`, the host gets `round_review`.";
        /// Overrules the marking of one answer, either way.
        OverrideAnswer(OverrideAnswer = OverrideAnswer { player_id: BEN, question_id: QUESTION, correct: true }):
            "override_answer" since Interface, in "round_review",
            "The host gets `override_applied`. For any player and any question released in this round; a player who did not answer gets an empty answer with this mark.";
        /// Round review → leaderboard.
        ReleaseScores: "release_scores" since Interface, in "round_review",
            "The game moves to `leaderboard`; all participants receive `round_leaderboard`, each player `round_scores` and `scoreboard_update`.";
        /// Leaderboard → question, of the next round.
        StartNextRound: "start_next_round" since Interface, in "leaderboard",
            "The game moves to `question` of the next round. Without a next round: 4002 `invalid_payload: no round left`.";
        /// Leaderboard → ended.
        EndGame: "end_game" since Interface, in "leaderboard", "The game moves to `ended`; all participants receive `game_ended`.";
        /// Takes the next step of the game, as the last `step_update` states it.
        Next(Next = Next { number: 7 }):
            "next" since QuizhallV1, in "lobby, question, round_review, leaderboard, ended",
            "The step with this number is taken, as if the host had sent its message, and every host gets `step_update`. With any other number nothing happens, and only the sender gets `step_update`: two presses, two devices or a repeated message are one step. It does not stop the autopilot, and it ends a break. For the step `show` the screens turn to the picture of `slide`, as with `PUT /api/v1/games/{id}/screens/show`. The first picture with the standings, or after the last round the winner's, also shows held standings, as `show_standings` does. After the last round of a game with screens or spectators, and in pace `question`, the step `release_scores` holds the standings, as `release_own_scores` does. The step `close_question` stays the next one until the question has closed, a second later; taking it again does nothing. The step `reveal_answer` of an open round also ends it: `round_ended` and `round_review` come first.";
        /// Overrules the marking of every answer to a question that has one of these texts.
        MarkAnswers(MarkAnswers = MarkAnswers {
            question_id: QUESTION,
            answers: ["tuba", "The tuba"].map(str::to_owned).to_vec(),
            correct: false,
            half: Some(true),
            alike: None,
        }):
            "mark_answers" since QuizhallV1, in "round_review",
            "The host gets `answers_marked`, also when nothing changes, and `marking_update`. Answers that already count so are not touched, except those about which the host has to decide (`waitsFor` of `step_update`): they are decided then. When half of the points, rounded down, is 0, `half` marks the answers as wrong.";
        /// Changes the key of this game: the key marks all answers with this text so, earlier and later ones.
        AcceptAnswer(AcceptAnswer = AcceptAnswer { question_id: QUESTION, text: "tuba".to_owned(), correct: true, half: None }):
            "accept_answer" since QuizhallV1, in "question, round_review",
            "The host gets `answers_marked` for the answers with this text, also when nothing changes, and `marking_update`. Texts are compared as the key compares them. A mark that the host set by `override_answer` or `mark_answers` stays. A question that was not released in this round, or whose answers no key marks (`poll`, `word_cloud`, `nearest`): 4005. More than 1,000 texts to a question: 4002. When half of the points, rounded down, is 0, `half` marks the answers as wrong.";
        /// Sets how all answers to a question with one of these texts, or the answers of these players, count, in a round whose scores are released. It cannot be undone; another correction replaces it.
        CorrectMarks(CorrectMarks = CorrectMarks {
            question_id: QUESTION,
            answers: Some(vec!["The tuba".to_owned()]),
            player_ids: None,
            correct: false,
            half: Some(true),
        }):
            "correct_marks" since QuizhallV1, in "question, round_review, leaderboard",
            "The scores and the board are computed again. The host gets `board_update`, also when nothing changes. In `leaderboard`, each player with `quizhall.v1` gets `round_scores`, and `scoreboard_update` unless the standings are held; neither of them when phones wait for the screen. Other sockets see the change on the next board. A question of a round whose scores are not released, or whose answers are not marked: 4005. A player who is not in this game: 4006.";
        /// Rejects a player's appeal: the mark stays as it is. To accept an appeal, send `correct_marks`. Nothing happens without an open appeal.
        DismissAppeal(DismissAppeal = DismissAppeal { player_id: BEN, question_id: QUESTION }):
            "dismiss_appeal" since QuizhallV1, in "question, round_review, leaderboard",
            "The host gets `appeals_update`, also when nothing happens; the player gets `appeal_status`. A question that `correct_marks` refuses: 4005.";
        /// Gives a player or a team points by hand, or takes some away. They belong to the round that runs, or to the one whose scores were released last, and count with its scores. A joker does not double them, and they change no streak.
        AdjustPoints(AdjustPoints = AdjustPoints { player_id: BEN, points: -5, reason: Some("Phone under the table".to_owned()) }):
            "adjust_points" since QuizhallV1, in "question, round_review, leaderboard",
            "The host gets `adjustments_update`. When the scores of the round are released, they are computed again, and the boards are sent as after `correct_marks`; otherwise they count with the release. Only the host and co-hosts of the role `host` may send it. A player who is not in this game: 4006. More than 500 times in a game: 4002 `too many adjustments`.";
        /// Undoes points by hand, in whichever round they were given.
        UndoAdjustment(UndoAdjustment = UndoAdjustment { adjustment_id: QUESTION }):
            "undo_adjustment" since QuizhallV1, in "question, round_review, leaderboard",
            "The host gets `adjustments_update`, and the boards are sent as after `adjust_points`. When they were undone before or never given, nothing happens, and only the sender gets `adjustments_update`. Only the host and co-hosts of the role `host` may send it.";
        /// Starts or stops sending the answers to this socket while they arrive.
        OpenDesk(OpenDesk = OpenDesk { open: true }):
            "open_desk" since QuizhallV1, in "question, round_review",
            "While questions are open, the host gets `answers_update` of each open or closed question of the round that has answers and is marked by a key; and `marking_update`. Each new socket has to open its desk again.";
        /// Undoes the latest marking of this round, whether of one answer, of several or of the key; nothing happens when there is none.
        UndoMarking: "undo_marking" since QuizhallV1, in "question, round_review",
            "The host gets `answers_marked` for the restored marks, and `marking_update`; with nothing to undo, only `marking_update`. An answer that an override created is removed again and counts as wrong.";
        /// Refuses new players, or admits them again.
        LockGame(LockGame = LockGame { locked: true }):
            "lock_game" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing changes.";
        /// Removes a player for good; the name is free again.
        RemovePlayer(RemovePlayer = RemovePlayer { player_id: BEN, ban: None }):
            "remove_player" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player's socket is closed with 4411; the host gets `room_update`, also when they were removed before. With `ban`, `POST /join` answers with 403 to the idempotency key of the player, and to the session token as bearer token.";
        /// Releases the scores of the round and holds the standings: players over `quizhall.v1` receive only their own results.
        ReleaseOwnScores: "release_own_scores" since QuizhallV1, in "round_review",
            "As `release_scores`, and the standings are held: every socket with `quizhall.v1` receives `standings_status`, and each player among them `round_scores` without a board. The host and all other sockets receive the messages of `release_scores`. The standings are held until `show_standings`, `start_next_round` or `end_game`.";
        /// Shows the standings that were held; nothing happens when they are already shown.
        ShowStandings: "show_standings" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `standings_status`, and each player among them `round_leaderboard` and `scoreboard_update`; no other socket gets anything. When they are already shown, only the host gets `standings_status`.";
        /// Shows the tally of the present answers to a question whose answers are not marked (`poll`, `word_cloud`).
        ShowTally(ShowTally = ShowTally { question_id: QUESTION, hide: Some(vec!["tuba".to_owned()]) }):
            "show_tally" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `tally`; only the host when the same tally is already shown. It replaces the tally shown before. Another question: 4005.";
        /// Sets the time that an open question, or the round, has left; starts a timer when there is none.
        SetTimer(SetTimer = SetTimer { question_id: Some(QUESTION), seconds: 30 }):
            "set_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update`. For a question that is closed, or that closes within the second (`close_question`, `set_close_when_answered`), nothing happens, and only the host gets `timer_update` of the existing timers. For a question that was not released: 4005.";
        /// Adds time to a timer, up to an hour left.
        AddTime(AddTime = AddTime { question_id: Some(QUESTION), seconds: 10 }):
            "add_time" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update`. Without such a timer, or for a question that closes within the second, nothing happens, and only the host gets `timer_update` of the existing timers. For a question that was not released: 4005.";
        /// Holds all timers of the round: no time passes until they are resumed.
        PauseTimer: "pause_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update` of each timer; only the host when they are already held. Nothing happens without timers other than those of questions that close within the second.";
        /// Lets the timers run again.
        ResumeTimer: "resume_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update` of each timer; only the host when they already run. Nothing happens without timers.";
        /// Closes an open question for all players, those with extra time too, a second later. Answers that were sent in time still count.
        CloseQuestion(CloseQuestion = CloseQuestion { question_id: QUESTION }):
            "close_question" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `question_closed` after a second, also while timers are held. When the question is closed already, only the host gets `question_closed`. A question that was not released in this round: 4005.";
        /// Sets whether an open question closes a second after every player who is connected has answered it. Players without a phone are not waited for.
        SetCloseWhenAnswered(SetCloseWhenAnswered = SetCloseWhenAnswered { on: true }):
            "set_close_when_answered" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `game_options`, also when nothing changes. Open questions that all have answered close.";
        /// Starts the autopilot, which takes every step of `step_update` after a pause until the game ends. A question is closed by its timer; before the next step, the tally of a poll is shown.
        StartAutopilot(AutopilotPlan = AutopilotPlan::EXAMPLE):
            "start_autopilot" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `autopilot_status`; only the host when it already runs with these times. Held timers run again, and every open question without a timer gets one. Any other command of the host that changes the course of the game stops the autopilot first; `next` and marks do not.";
        /// Stops the autopilot; running timers continue.
        StopAutopilot: "stop_autopilot" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `autopilot_status`; only the host when none runs.";
        /// Gives a player extra time on every timer, or removes it; no other player sees it.
        SetExtraTime(SetExtraTime = SetExtraTime { player_id: BEN, percent: 150 }):
            "set_extra_time" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing changes. While timers run, the host and the player get `timer_update` of each with the new time, and the player gets `question_closed` of a question whose time this ends. A question that is closed for the player stays closed.";
        /// Reveals the right answer to a question that was released in this round.
        RevealAnswer(RevealAnswer = RevealAnswer { question_id: QUESTION }):
            "reveal_answer" since QuizhallV1, in "round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `answer_revealed`; only the host when the answer is already revealed. Marking is still possible. Another question: 4005.";
        /// Begins a break, or changes the time and the text of the running one.
        StartBreak(StartBreak = StartBreak { seconds: 600, text: Some("Drinks are served.".to_owned()) }):
            "start_break" since QuizhallV1, in "lobby, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `break_update`. The break ends by itself, with `end_break`, and with the next `start_game`, `release_scores`, `release_own_scores`, `end_tie_break`, `show_standings`, `start_next_round` or `end_game` that changes anything.";
        /// Ends the break.
        EndBreak: "end_break" since QuizhallV1, in "lobby, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `break_update`; only the host when there is no break.";
        /// Asks players with equal scores a question outside the rounds: among equals, the nearest answer is ranked first. It earns no points.
        TieBreak(TieBreak = TieBreak {
            player_ids: vec![ANN, BEN],
            text: "How many keys has a piano?".to_owned(),
            answer: 88,
        }):
            "tie_break" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `tie_breaks`; only the host when the same tie-break is already open. Another open tie-break is dropped.";
        /// Edits the text of a question of the quiz, and until its release also its choices and its accepted answers. The new choices have the number and the order of the old ones, and without `accepted` the right choices stay right. After the release only the text can be edited, and the question is marked as corrected.
        EditQuestion(EditQuestion = EditQuestion {
            question_id: QUESTION,
            text: Some("Which of these has four strings?".to_owned()),
            choices: None,
            accepted: None,
        }):
            "edit_question" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `question_edited` when the question was released in this round; otherwise, and when nothing changes, only the host. Other sockets receive the text with `question_released` when they connect. A question that is not in the quiz: 4005. A text that is not allowed for a question, or no field to edit: 4002 `text`. Choices that the question cannot have, or choices of a released question: 4002 `choices`. Accepted answers that the question cannot have, or those of a released question: 4002 `accepted`.";
        /// Takes a released question of this round or of an earlier one out of its round: it takes no answers, and no player scores it. Its answers and marks stay in the results. This cannot be undone.
        WithdrawQuestion(WithdrawQuestion = WithdrawQuestion { question_id: QUESTION }):
            "withdraw_question" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `question_withdrawn` when the question is one of this round, and `question_closed` when it was open; otherwise, and when nothing changes, only the host. When the scores of its round are released, they are computed again and sent as after `correct_marks`. Answers to it are dropped or refused like answers to a closed question. A question that was not released: 4005.";
        /// Renames a player.
        RenamePlayer(RenamePlayer = RenamePlayer { player_id: BEN, display_name: "Benedict".to_owned() }):
            "rename_player" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `player_renamed`; only the host when nothing changes. Other sockets see the name in the next message that has it. A player who is not in the game: 4006. A name that `POST /join` refuses, or that another player has: 4002 `displayName`.";
        /// Adds a player without a phone: a player like the others, but never connected, whose answers the host enters. Once a phone takes the seat with a seat code, the host can enter nothing more. Nothing happens when a player without a phone already has exactly this name.
        AddSeat(AddSeat = AddSeat { display_name: "The Paper Tigers".to_owned() }):
            "add_seat" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing happens; the lobby's list has the player. It works in a locked game too. A name that `POST /join` refuses, or that another player has: 4002 `displayName`. A game that is full: 4002 `game full`.";
        /// Enters the answer of a player without a phone; a later answer to the same question replaces an earlier one. It is marked like any other answer, and earns nothing for speed.
        EnterAnswer(EnterAnswer = EnterAnswer { player_id: BEN, question_id: QUESTION, answer: "Trombone".to_owned() }):
            "enter_answer" since QuizhallV1, in "question, round_review",
            "The host gets `answers_entered`, also when nothing changes; for a first answer also `players_answered` and `scoreboard_update` while questions are open. In `round_review`, `answers_marked` follows for a question whose nearest answers changed, and `marking_update` when the answer replaces one that was marked. The time of the question may be over. A question that was not released in this round, or was withdrawn: 4005. A player of another game, or one with a phone: 4006.";
        /// Ends the tie-break: the order of equal players follows from its answers.
        EndTieBreak: "end_tie_break" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `tie_breaks`; only the host when none is open. `start_next_round` and `end_game` drop an open tie-break.";
    }
}

crate::messages::payload! {
    /// Payload of `release_question`.
    ReleaseQuestion {
        /// A question of the current round.
        question_id: Uuid = "questionId",
    }
}

crate::messages::payload! {
    /// Payload of `next`.
    Next {
        /// The number of the step, from the last `step_update`.
        number: u32 = "number",
    }
}

crate::messages::payload! {
    /// Payload of `override_answer`.
    OverrideAnswer {
        /// Whose answer.
        player_id: Uuid = "playerId",
        /// The id of a released question.
        question_id: Uuid = "questionId",
        /// Whether it counts as right from now on.
        correct: bool = "correct",
    }
}

crate::messages::payload! {
    /// Payload of `mark_answers`.
    MarkAnswers {
        /// A question released in this round.
        question_id: Uuid = "questionId",
        /// 1 to 1,000 texts, each exactly as in `round_review` or `review_groups`; one that no player gave is ignored. The whole message has at most 64 KiB.
        answers: Vec<String> = "answers" in 1..=1000,
        /// Whether these answers count as right from now on.
        correct: bool = "correct",
        /// Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half: Option<bool> = "half",
        /// Whether each text stands for all answers of its group in `review_groups`, however they are spelled (additive; absent: false).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        alike: Option<bool> = "alike",
    }
}

crate::messages::payload! {
    /// Payload of `accept_answer`.
    AcceptAnswer {
        /// A question released in this round.
        question_id: Uuid = "questionId",
        /// The text of an answer, 1 to 1,000 characters; it may be one that no player gave.
        text: String = "text" in 1..=1000,
        /// Whether the key marks answers with this text as right from now on.
        correct: bool = "correct",
        /// Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half: Option<bool> = "half",
    }
}

/// Payload of `correct_marks`: either `answers` or `playerIds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct CorrectMarks {
    /// A question of a round whose scores are released.
    pub question_id: Uuid,
    /// 1 to 1,000 texts, each exactly as in the review; one that no player gave is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub answers: Option<Vec<String>>,
    /// 1 to 1,000 players; a player who gave no answer gets an empty one with this mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub player_ids: Option<Box<Vec<Uuid>>>,
    /// Whether these answers count as right from now on.
    pub correct: bool,
    /// Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half: Option<bool>,
}

/// Written without the macro, which has no choice between two fields. With both of them, or none, the refusal names `answers`.
impl Payload for CorrectMarks {
    const FIELDS: &'static [&'static str] = &["questionId", "answers", "playerIds", "correct", "half"];

    fn read(fields: &Fields<'_>) -> Result<Self, Mistake> {
        let question_id = fields.get("questionId", &[])?;
        let answers = named(fields, "answers")?;
        let player_ids = named(fields, "playerIds")?.map(Box::new);
        if answers.is_some() == player_ids.is_some() {
            return Err(Mistake::field("answers"));
        }
        Ok(Self {
            question_id,
            answers,
            player_ids,
            correct: fields.get("correct", &[])?,
            half: fields.get("half", &[])?,
        })
    }
}

fn named<T: Field>(fields: &Fields<'_>, name: &'static str) -> Result<Option<T>, Mistake> {
    let entries: Option<T> = fields.get(name, &[])?;
    let is_fit = entries.as_ref().is_none_or(|entries| (1..=1_000).contains(&entries.size()));
    if is_fit { Ok(entries) } else { Err(Mistake::field(name)) }
}

crate::messages::payload! {
    /// Payload of `dismiss_appeal`.
    DismissAppeal {
        /// Whose appeal.
        player_id: Uuid = "playerId",
        /// About which question.
        question_id: Uuid = "questionId",
    }
}

crate::messages::payload! {
    /// Payload of `open_desk`.
    OpenDesk {
        /// Whether this socket receives `answers_update` from now on.
        open: bool = "open",
    }
}

crate::messages::payload! {
    /// Payload of `lock_game`.
    LockGame {
        /// Whether joining is refused from now on (423); players who joined stay.
        locked: bool = "locked",
    }
}

crate::messages::payload! {
    /// Payload of `remove_player`.
    RemovePlayer {
        /// Whom.
        player_id: Uuid = "playerId",
        /// Whether the phone is refused when it joins again with its old token or idempotency key (additive; absent: false).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ban: Option<bool> = "ban",
    }
}

crate::messages::payload! {
    /// Payload of `show_tally`.
    ShowTally {
        /// A `poll` or `word_cloud` question released in this round.
        question_id: Uuid = "questionId",
        /// At most 200 entries to leave out, each as in `tally` (additive; none when absent).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hide: Option<Vec<String>> = "hide" in 0..=200,
    }
}

crate::messages::payload! {
    /// Payload of `reveal_answer`.
    RevealAnswer {
        /// A question released in this round.
        question_id: Uuid = "questionId",
    }
}

crate::messages::payload! {
    /// Payload of `tie_break`.
    TieBreak {
        /// The players who are asked, 2 to 100.
        player_ids: Vec<Uuid> = "playerIds" in 2..=100,
        /// The text of the question, at most 500 characters.
        text: String = "text" in 1..=500,
        /// The right answer, a whole number of at most 1,000,000,000,000,000 with either sign.
        answer: i64 = "number",
    }
}

crate::messages::payload! {
    /// Payload of `edit_question`: at least one of `text`, `choices` and `accepted`.
    EditQuestion {
        /// A question of the quiz.
        question_id: Uuid = "questionId",
        /// 1 to 2,000 characters (absent: the text stays).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String> = "text" in 0..=2000,
        /// The same number as the question has, 2 to 20 of 1 to 300 characters each (absent: they stay).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choices: Option<Vec<String>> = "choices" in 0..=20,
        /// The accepted answers, as in a quiz; of a question with choices, texts of the choices as they are after the edit (additive;
        /// absent: they stay).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<Vec<String>> = "accepted" in 0..=50,
    }
}

crate::messages::payload! {
    /// Payload of `withdraw_question`.
    WithdrawQuestion {
        /// A released question of this round or of an earlier one.
        question_id: Uuid = "questionId",
    }
}

crate::messages::payload! {
    /// Payload of `rename_player`.
    RenamePlayer {
        /// Whom.
        player_id: Uuid = "playerId",
        /// As in `POST /join`.
        display_name: String = "displayName" in 1..=1024,
    }
}

crate::messages::payload! {
    /// Payload of `add_seat`.
    AddSeat {
        /// As in `POST /join`.
        display_name: String = "displayName" in 1..=1024,
    }
}

crate::messages::payload! {
    /// Payload of `enter_answer`.
    EnterAnswer {
        /// A player without a phone.
        player_id: Uuid = "playerId",
        /// A question released in this round.
        question_id: Uuid = "questionId",
        /// As in `submit_answer`.
        answer: String = "answer" in 1..=1000,
    }
}
