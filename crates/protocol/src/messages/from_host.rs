//! Host to server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

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
            "All participants receive `question_released`. If it is open already, only the host gets it again.";
        /// Question → round review.
        EndRound: "end_round" since Interface, in "question",
            "The game moves to `round_review`; all participants receive `round_ended`, the host gets `round_review`.";
        /// Overrules the marking of one answer, either way.
        OverrideAnswer(OverrideAnswer = OverrideAnswer { player_id: BEN, question_id: QUESTION, correct: true }):
            "override_answer" since Interface, in "round_review",
            "The host gets `override_applied`. For any player and any question released in this round; a player who did not answer counts as having answered nothing, marked as said.";
        /// Round review → leaderboard.
        ReleaseScores: "release_scores" since Interface, in "round_review",
            "The game moves to `leaderboard`; all participants receive `round_leaderboard`, each player `round_scores` and `scoreboard_update`.";
        /// Leaderboard → question, of the next round.
        StartNextRound: "start_next_round" since Interface, in "leaderboard",
            "The game moves to `question` of the next round. Without a next round: 4002 `invalid_payload: no round left`.";
        /// Leaderboard → ended.
        EndGame: "end_game" since Interface, in "leaderboard", "The game moves to `ended`; all participants receive `game_ended`.";
        /// Overrules the marking of every answer to a question that has one of these texts.
        MarkAnswers(MarkAnswers = MarkAnswers {
            question_id: QUESTION,
            answers: ["tuba", "The tuba"].map(str::to_owned).to_vec(),
            correct: false,
            half: Some(true),
        }):
            "mark_answers" since QuizhallV1, in "round_review",
            "The host gets `answers_marked`, also when nothing changes, and `marking_update`. Answers that count so already are not touched; where half of the points, rounded down, is 0, half is wrong.";
        /// Changes the key of this game: answers with this text, those that came and those that come, count so by the key.
        AcceptAnswer(AcceptAnswer = AcceptAnswer { question_id: QUESTION, text: "tuba".to_owned(), correct: true }):
            "accept_answer" since QuizhallV1, in "question, round_review",
            "The host gets `answers_marked` for the answers with this text, also when nothing changes, and `marking_update`. Texts are compared as the key compares them. What the host marked by `override_answer` or `mark_answers` stays. A question that was not released in this round, or whose answers no key marks (`poll`, `word_cloud`, `nearest`): 4005. More than 1,000 texts to a question: 4002.";
        /// Says how all answers to a question with one of these texts, or those of these players, count, in a round whose scores are out. Cannot be taken back; another correction counts instead.
        CorrectMarks(CorrectMarks = CorrectMarks {
            question_id: QUESTION,
            answers: Some(vec!["The tuba".to_owned()]),
            player_ids: None,
            correct: false,
            half: Some(true),
        }):
            "correct_marks" since QuizhallV1, in "question, round_review, leaderboard",
            "The scores and the board are made anew. The host gets `board_update`, also when nothing changes. In `leaderboard`, each player with `quizhall.v1` gets `round_scores`, and `scoreboard_update` unless the standings are held; nothing of both where phones wait for the screen. Others see it on the next board. A question of a round whose scores are not out, or whose answers are not marked: 4005. A player who is none of this game: 4006.";
        /// Leaves a mark as it is about which a player has appealed; to accept an appeal, `correct_marks` is sent. Nothing happens without an open one.
        DismissAppeal(DismissAppeal = DismissAppeal { player_id: BEN, question_id: QUESTION }):
            "dismiss_appeal" since QuizhallV1, in "question, round_review, leaderboard",
            "The host gets `appeals_update`, also when nothing happens; the player gets `appeal_status`. A question that `correct_marks` refuses: 4005.";
        /// Has this socket sent the answers while they come, or not any more.
        OpenDesk(OpenDesk = OpenDesk { open: true }):
            "open_desk" since QuizhallV1, in "question, round_review",
            "The host gets `answers_update` of each open or closed question of the round that has answers which a key marks, while questions are open, and `marking_update`. Another socket has to open it again.";
        /// Takes back the latest marking of this round, be it of one answer, of several or of the key; nothing happens when there is none.
        UndoMarking: "undo_marking" since QuizhallV1, in "question, round_review",
            "The host gets `answers_marked` for what is restored, and `marking_update`; with nothing to take back, `marking_update` alone. An answer that an override made is removed again and counts as wrong.";
        /// Refuses new players, or lets them in again.
        LockGame(LockGame = LockGame { locked: true }):
            "lock_game" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing changes.";
        /// Removes a player for good; the name is free again.
        RemovePlayer(RemovePlayer = RemovePlayer { player_id: BEN, ban: None }):
            "remove_player" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The player's socket is closed with 4411; the host gets `room_update`, also when they were removed before. With `ban`, `POST /join` answers with 403 to the idempotency key of the player, and to the session token as bearer token.";
        /// Releases the scores of the round and holds the standings: players who speak `quizhall.v1` receive their own results only.
        ReleaseOwnScores: "release_own_scores" since QuizhallV1, in "round_review",
            "As `release_scores`, and the standings are held: every socket with `quizhall.v1` receives `standings_status`, and a player's among them `round_scores` without a board. The host and all other sockets receive what `release_scores` sends. They are held until `show_standings`, `start_next_round` or `end_game`.";
        /// Shows the standings that were held; nothing happens when they are shown already.
        ShowStandings: "show_standings" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `standings_status`, and each player among them `round_leaderboard` and `scoreboard_update`; no other socket gets anything. When they are shown already, the host alone gets `standings_status`.";
        /// Shows the tally of a question whose answers are not marked (`poll`, `word_cloud`), as its answers are now.
        ShowTally(ShowTally = ShowTally { question_id: QUESTION, hide: Some(vec!["tuba".to_owned()]) }):
            "show_tally" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `tally`; when the same one is shown already, the host alone. It replaces the tally shown before. Another question: 4005.";
        /// Sets what time an open question, or the round, has left; starts a timer where there is none.
        SetTimer(SetTimer = SetTimer { question_id: Some(QUESTION), seconds: 30 }):
            "set_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update`. For a question that is closed already nothing happens, and the host alone gets `timer_update` of the timers that there are. For a question that was not released: 4005.";
        /// Adds time to what a timer has left, up to an hour.
        AddTime(AddTime = AddTime { question_id: Some(QUESTION), seconds: 10 }):
            "add_time" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update`. Without such a timer nothing happens, and the host alone gets `timer_update` of the timers that there are. For a question that was not released: 4005.";
        /// Holds all timers of the round: no time passes until they are resumed.
        PauseTimer: "pause_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update` of each timer; the host alone when they are held already. Nothing without timers.";
        /// Lets the timers run again.
        ResumeTimer: "resume_timer" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `timer_update` of each timer; the host alone when they run already. Nothing without timers.";
        /// Lets the round run by itself: each question is released, closed by its time, and followed by the next one; behind the last the round ends.
        StartAutopilot(AutopilotPlan = AutopilotPlan { answer_for: 30, reveal_for: 8, break_for: 10, hold_without_host: true }):
            "start_autopilot" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `autopilot_status`; the host alone when it runs with these times already. Timers that are held run again, and every open question without a timer gets one. Any other command of the host that changes the course of the round stops the autopilot first.";
        /// Stops the autopilot; timers that run go on.
        StopAutopilot: "stop_autopilot" since QuizhallV1, in "question",
            "Every socket with `quizhall.v1` receives `autopilot_status`; the host alone when none runs.";
        /// Gives a player a longer part of every timer, or takes it back; no other player is sent anything of it.
        SetExtraTime(SetExtraTime = SetExtraTime { player_id: BEN, percent: 150 }):
            "set_extra_time" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing changes. While timers run, the host and the player get `timer_update` of each with the new time, and the player `question_closed` of a question whose time is over by it. A question that is closed for the player stays closed.";
        /// Reveals the right answer to a question that was released in this round.
        RevealAnswer(RevealAnswer = RevealAnswer { question_id: QUESTION }):
            "reveal_answer" since QuizhallV1, in "round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `answer_revealed`; when the answer is revealed already, the host alone. Marking goes on as before. Another question: 4005.";
        /// Begins a break, or gives the one that is running other time and another text.
        StartBreak(StartBreak = StartBreak { seconds: 600, text: Some("Drinks are served.".to_owned()) }):
            "start_break" since QuizhallV1, in "lobby, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `break_update`. The break ends by itself, with `end_break`, and with the next of `start_game`, `release_scores`, `release_own_scores`, `show_standings`, `start_next_round` and `end_game` that changes anything.";
        /// Ends the break.
        EndBreak: "end_break" since QuizhallV1, in "lobby, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `break_update`; the host alone when there is no break.";
        /// Asks players who are equal a question outside the rounds: the least distance comes first among equals. No one earns a point.
        TieBreak(TieBreak = TieBreak {
            player_ids: vec![ANN, BEN],
            text: "How many keys has a piano?".to_owned(),
            answer: 88,
        }):
            "tie_break" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `tie_breaks`; the host alone when the same is asked already. An open tie-break is dropped.";
        /// Gives a question of the quiz other words. Its choices can be given others, as many and in their order, until it is released; what is right follows them. Behind its release the text alone can be edited, and the question is marked as corrected.
        EditQuestion(EditQuestion = EditQuestion {
            question_id: QUESTION,
            text: Some("Which of these has four strings?".to_owned()),
            choices: None,
        }):
            "edit_question" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `question_edited` when the question was released in this round; otherwise, and when nothing changes, the host alone. Other sockets receive the text with `question_released` when they connect. A question that is not in the quiz: 4005. A text that no question may have: 4002 `text`. Choices that the question cannot have, or of a released question: 4002 `choices`.";
        /// Takes a released question of this round or of an earlier one out of its round: it takes no answers, and no player scores it. Its answers and marks stay in the results. Cannot be taken back.
        WithdrawQuestion(WithdrawQuestion = WithdrawQuestion { question_id: QUESTION }):
            "withdraw_question" since QuizhallV1, in "question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `question_withdrawn` when the question is one of this round, and `question_closed` when it was open; otherwise, and when nothing changes, the host alone. When the scores of its round are out, they are made anew, and what `correct_marks` sends of them follows. Answers to it are dropped or refused as to a closed question. A question that was not released: 4005.";
        /// Gives a player another name.
        RenamePlayer(RenamePlayer = RenamePlayer { player_id: BEN, display_name: "Benedict".to_owned() }):
            "rename_player" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "Every socket with `quizhall.v1` receives `player_renamed`; the host alone when nothing changes. Other sockets see the name in the next message that has it. A player who is not in the game: 4006. A name that `POST /join` refuses, or one that another player has: 4002 `displayName`.";
        /// Gives a player without a phone a seat: a player like the others, but never connected, whose answers the host enters. A seat code brings the player a phone, and the host enters nothing more. Nothing happens when a player without a phone has this very name.
        AddSeat(AddSeat = AddSeat { display_name: "The Paper Tigers".to_owned() }):
            "add_seat" since QuizhallV1, in "lobby, question, round_review, leaderboard",
            "The host gets `room_update`, also when nothing happens; the lobby's list has the player. Also in a locked game. A name that `POST /join` refuses, or one that another player has: 4002 `displayName`. As many players as the game may hold: 4002 `game full`.";
        /// Enters the answer of a player without a phone; a later one to the same question replaces an earlier one. It is marked as any answer is, and earns nothing for speed.
        EnterAnswer(EnterAnswer = EnterAnswer { player_id: BEN, question_id: QUESTION, answer: "Trombone".to_owned() }):
            "enter_answer" since QuizhallV1, in "question, round_review",
            "The host gets `answers_entered`, also when nothing changes; with a first answer `players_answered` and `scoreboard_update` while questions are open. In `round_review` `answers_marked` follows for a question of which other answers are the nearest now, and `marking_update` where the answer replaces one that was marked. Also to a question whose time is over. A question that was not released in this round, or was withdrawn: 4005. A player of another game, or one with a phone: 4006.";
        /// Ends the tie-break: the order of equal players follows from its answers.
        EndTieBreak: "end_tie_break" since QuizhallV1, in "leaderboard",
            "Every socket with `quizhall.v1` receives `tie_breaks`; the host alone when none is open. `start_next_round` and `end_game` drop a tie-break that is open.";
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
    /// Payload of `override_answer`.
    OverrideAnswer {
        /// Whose answer.
        player_id: Uuid = "playerId",
        /// To which released question.
        question_id: Uuid = "questionId",
        /// How it shall count.
        correct: bool = "correct",
    }
}

crate::messages::payload! {
    /// Payload of `mark_answers`.
    MarkAnswers {
        /// A question released in this round.
        question_id: Uuid = "questionId",
        /// 1 to 1,000 texts, each exactly as in `round_review`; one that no player gave is ignored. All of it within the size of a message, 64 KiB.
        answers: Vec<String> = "answers" in 1..=1000,
        /// How these answers shall count.
        correct: bool = "correct",
        /// Whether they earn half of the points of the question (additive; of no effect with `correct`; absent: false).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        half: Option<bool> = "half",
    }
}

crate::messages::payload! {
    /// Payload of `accept_answer`.
    AcceptAnswer {
        /// A question released in this round.
        question_id: Uuid = "questionId",
        /// The text of an answer, 1 to 1,000 characters; no one has to have given it.
        text: String = "text" in 1..=1000,
        /// How answers with this text shall count by the key.
        correct: bool = "correct",
    }
}

/// Payload of `correct_marks`: either `answers` or `playerIds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase")]
pub struct CorrectMarks {
    /// A question of a round whose scores are out.
    pub question_id: Uuid,
    /// 1 to 1,000 texts, each exactly as in the review; one that no player gave is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    #[ts(optional)]
    pub answers: Option<Vec<String>>,
    /// 1 to 1,000 players; one who gave no answer counts as having answered nothing, marked as said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    #[ts(optional)]
    pub player_ids: Option<Box<Vec<Uuid>>>,
    /// How these answers shall count.
    pub correct: bool,
    /// Whether they earn half of the points of the question (additive; of no effect with `correct`; absent: false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub half: Option<bool>,
}

/// Without the macro, which knows no choice between two fields. With both of them, or none, the refusal names `answers`.
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
        /// Whether this socket is sent `answers_update` from now on.
        open: bool = "open",
    }
}

crate::messages::payload! {
    /// Payload of `set_timer`.
    SetTimer {
        /// An open question of the current round; absent for the round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        question_id: Option<Uuid> = "questionId",
        /// 5 to 600.
        seconds: u32 = "seconds" from 5 to 600,
    }
}

crate::messages::payload! {
    /// Payload of `add_time`.
    AddTime {
        /// An open question of the current round; absent for the round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        question_id: Option<Uuid> = "questionId",
        /// 1 to 600.
        seconds: u32 = "seconds" from 1 to 600,
    }
}

crate::messages::payload! {
    /// Payload of `start_autopilot`, and what `autopilot_status` says of it.
    AutopilotPlan {
        /// For how many seconds a question without a time limit of its own is open, 5 to 600.
        answer_for: u32 = "answerFor" from 5 to 600,
        /// For how many seconds the tally of a poll is shown before the break, 5 to 600.
        reveal_for: u32 = "revealFor" from 5 to 600,
        /// How many seconds are before each question, and before the end of the round, 5 to 600.
        break_for: u32 = "breakFor" from 5 to 600,
        /// Whether the next step waits while the host is not connected.
        hold_without_host: bool = "holdWithoutHost",
    }
}

crate::messages::payload! {
    /// Payload of `set_extra_time`.
    SetExtraTime {
        /// Whose.
        player_id: Uuid = "playerId",
        /// Which percent of every timer the player has, 100 to 300; 100 is no extra time.
        percent: u32 = "percent" from 100 to 300,
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
        /// Whether the phone cannot join again with the token or the idempotency key that it had (additive; absent: it can).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
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
        #[ts(optional)]
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
    /// Payload of `start_break`.
    StartBreak {
        /// 5 to 3,600.
        seconds: u32 = "seconds" from 5 to 3600,
        /// At most 200 characters, shown with the clock (additive; none when absent).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        text: Option<String> = "text" in 0..=200,
    }
}

crate::messages::payload! {
    /// Payload of `tie_break`.
    TieBreak {
        /// Who is asked, 2 to 100 players.
        player_ids: Vec<Uuid> = "playerIds" in 2..=100,
        /// What is asked, at most 500 characters.
        text: String = "text" in 1..=500,
        /// The right answer, a whole number of at most 1,000,000,000,000,000 with either sign.
        #[ts(type = "number")]
        answer: i64 = "number",
    }
}

crate::messages::payload! {
    /// Payload of `edit_question`: `text`, `choices` or both.
    EditQuestion {
        /// A question of the quiz.
        question_id: Uuid = "questionId",
        /// 1 to 2,000 characters (absent: the text stays).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        text: Option<String> = "text" in 0..=2000,
        /// As many as the question has, 2 to 20 of 1 to 300 characters (absent: they stay).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        choices: Option<Vec<String>> = "choices" in 0..=20,
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
