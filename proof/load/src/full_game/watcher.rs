//! One player's memory: checks that messages arrive in order and complete, and that no others arrive.
//!
//! Fed by the bot with every event of its participant. *Live* means: the sync messages of this connection are through.
//! Before that, messages show the state of the game; after it they must follow the interface step by step. What only the extension
//! has says nothing of the stage: a socket of either dialect is checked alike, and one of the extension for closed questions too.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use quizhall_oracle::{Form, Reader, Viewer};
use quizhall_protocol::to_all::Leaderboard;
use quizhall_protocol::to_player::{RoundScores, TeamSheet};
use quizhall_protocol::{Dialect, ServerMessage, ToAll, ToPlayer};
use uuid::Uuid;

use super::stages::{board_stage, question_stage, review_stage, round_of_stage};
use super::teams::Member;
use super::world::{Shown, World};

/// What one player has seen.
#[derive(Debug)]
pub struct Watcher {
    world: Arc<World>,
    me: usize,
    id: Uuid,
    /// The furthest stage seen, on any connection.
    seen: u32,
    live: bool,
    line: Line,
    before: Baseline,
    team: Member,
}

/// What this connection has brought since the current stage began on it.
#[derive(Debug, Default)]
struct Line {
    questions: Vec<Uuid>,
    /// Those that closed by themselves.
    closed: Vec<Uuid>,
    acks: Vec<Uuid>,
    /// A message of the interface has come.
    stated: bool,
    /// Acks on a live line that no sent answer has been matched with yet.
    unmatched: u32,
    leaderboards: u32,
    scores: u32,
    running: u32,
}

/// The state that was certain before this connection was opened: it must show at least that.
#[derive(Debug, Default)]
struct Baseline {
    confirmed: u32,
    released: Vec<Uuid>,
    closed: Vec<Uuid>,
    acked: Vec<Uuid>,
}

impl Watcher {
    /// A player who has seen nothing.
    pub fn new(world: Arc<World>, me: usize, id: Uuid) -> Self {
        let team = Member::new(Arc::clone(&world), me);
        let (line, before) = (Line::default(), Baseline::default());
        let mut watcher = Self { world, me, id, seen: 0, live: false, line, before, team };
        watcher.offline();
        watcher
    }

    /// The furthest stage seen.
    pub fn stage(&self) -> u32 {
        self.seen
    }

    /// Whether the sync messages of this connection are through.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// The connection is lost: notes what the next one must show.
    pub fn offline(&mut self) {
        self.live = false;
        let confirmed = self.world.confirmed();
        self.before = Baseline { confirmed, ..Baseline::default() };
        if let Some(round) = self.world.open_round(confirmed) {
            let releases = self.world.releases(round);
            self.before.released =
                releases.iter().filter(|release| release.confirmed).map(|release| release.question).collect();
            if self.world.dialect_of(self.me) == Dialect::QuizhallV1 {
                self.before.closed = self.world.clocks.closed();
                self.before.closed.retain(|question| self.before.released.contains(question));
            }
            self.before.acked = self.world.ledger.acked_of(self.me, &self.before.released);
        }
        self.publish();
    }

    /// A connection is established.
    pub fn connected(&mut self) {
        self.live = false;
        self.line = Line::default();
        self.team.connected();
    }

    /// The sync messages are through.
    pub fn settled(&mut self) {
        self.live = true;
        if !self.line.stated {
            self.settled_in_silence();
        } else if self.seen < self.before.confirmed {
            let (seen, confirmed) = (self.seen, self.before.confirmed);
            self.note("sync_outdated", &format!("stage {seen}, the host had seen {confirmed}"));
        } else {
            self.check_sync();
        }
        self.publish();
    }

    /// An ack was matched with an answer sent on this line.
    pub fn matched(&mut self) {
        self.line.unmatched = self.line.unmatched.saturating_sub(1);
    }

    /// Takes a message.
    pub fn message(&mut self, message: &ServerMessage) {
        if self.live && self.line.unmatched > 0 {
            self.line.unmatched = 0;
            self.note("ack_without_answer", "");
        }
        self.line.stated |= message.since() == Dialect::Interface;
        match message {
            ServerMessage::All(ToAll::GameStarted) => self.game_started(),
            ServerMessage::All(ToAll::QuestionReleased(released)) => self.released(released.question.id),
            ServerMessage::All(ToAll::QuestionClosed(closed)) => self.question_closed(closed.question_id),
            ServerMessage::All(ToAll::RoundEnded) => self.round_ended(),
            ServerMessage::All(ToAll::RoundLeaderboard(board)) => self.leaderboard(board),
            ServerMessage::All(ToAll::GameEnded(board)) => self.ended(board),
            ServerMessage::Player(ToPlayer::AnswerAccepted(accepted)) => self.accepted(accepted.question_id),
            ServerMessage::Player(ToPlayer::RoundScores(scores)) => self.scores(scores),
            ServerMessage::Player(ToPlayer::ScoreboardUpdate(board)) => self.running(board),
            ServerMessage::Player(ToPlayer::TeamUpdate(update)) => self.team.update(update),
            ServerMessage::Player(ToPlayer::TeamSheet(sheet)) => self.sheet(sheet),
            // The reader has looked at the list, and noted a message that is not for players.
            ServerMessage::All(_)
            | ServerMessage::Host(_)
            | ServerMessage::Player(
                ToPlayer::JokerUpdate(_)
                | ToPlayer::AppealStatus(_)
                | ToPlayer::LobbyChanged(_)
                | ToPlayer::AnsweredStatus(_)
                | ToPlayer::TieBreakAnswer(_),
            )
            | ServerMessage::Screen(_)
            | ServerMessage::Sender(_) => {}
        }
        self.publish();
    }

    fn game_started(&mut self) {
        if !self.live {
            self.note("sync_foreign", "game_started");
        }
        if self.seen > 0 {
            self.note("phase_twice", "game_started");
        }
        self.enter(question_stage(0), "game_started");
    }

    fn released(&mut self, question: Uuid) {
        let Some(round) = self.world.plan.round_of(question) else { return };
        if self.world.released_at(round, question).is_none() {
            self.note("question_not_released", &format!("question {question}"));
        }
        let stage = question_stage(round);
        if self.live && stage > self.seen {
            if self.seen == 0 || self.seen + 1 != stage {
                self.note("phase_skipped", &format!("question_released in stage {}", self.seen));
            }
            self.board_is_complete();
        }
        if stage > self.seen {
            self.line = Line { stated: true, ..Line::default() };
            self.team.round_begins();
        }
        self.enter(stage, "question_released");
        if self.line.questions.contains(&question) {
            self.note("question_twice", &format!("question {question}"));
        }
        self.line.questions.push(question);
    }

    fn question_closed(&mut self, question: Uuid) {
        if !self.line.questions.contains(&question) {
            self.note("closed_unreleased", &format!("question {question}"));
        }
        if self.line.closed.contains(&question) {
            self.note("closed_twice", &format!("question {question}"));
        }
        self.line.closed.push(question);
    }

    fn accepted(&mut self, question: Uuid) {
        if self.line.closed.contains(&question) {
            self.note("ack_after_close", &format!("question {question}"));
        }
        let stage = self.world.plan.round_of(question).map(question_stage);
        if stage != Some(self.seen) {
            self.note("ack_out_of_phase", &format!("question {question} in stage {}", self.seen));
        }
        if !self.world.ledger.was_given(self.me, question) {
            self.note("ack_without_answer", &format!("question {question}"));
        }
        if self.live {
            self.line.unmatched += 1;
        } else {
            self.line.acks.push(question);
        }
    }

    /// A live line is sent its team's answers while the round is open, and none after the end of the round.
    fn sheet(&mut self, sheet: &TeamSheet) {
        if self.live && self.world.open_round(self.seen).is_none() {
            self.note("sheet_out_of_phase", &format!("stage {}", self.seen));
        }
        self.team.sheet(sheet, &self.line.questions);
    }

    fn round_ended(&mut self) {
        if self.live {
            let Some(round) = self.world.open_round(self.seen) else {
                return self.note("phase_order", &format!("round_ended in stage {}", self.seen));
            };
            let released: Vec<Uuid> = self.world.releases(round).iter().map(|release| release.question).collect();
            if self.line.questions != released {
                let (seen, released) = (self.line.questions.len(), released.len());
                self.note("questions_missed", &format!("round {round}: saw {seen} of {released}, or in another order"));
            }
            self.closings_are_complete(&released);
            return self.enter(review_stage(round), "round_ended");
        }
        let from = self.seen.max(self.before.confirmed);
        match self.rounds().map(review_stage).find(|stage| *stage >= from) {
            Some(stage) => self.enter(stage, "round_ended"),
            None => self.note("phase_order", &format!("round_ended on connecting after stage {from}")),
        }
    }

    fn leaderboard(&mut self, shown: &Leaderboard) {
        self.line.leaderboards += 1;
        if self.line.leaderboards > 1 {
            return self.note("board_twice", "round_leaderboard");
        }
        if self.live && self.seen != review_stage(round_of_stage(self.seen)) {
            self.note("phase_skipped", &format!("round_leaderboard in stage {}", self.seen));
        }
        // A line that came back in a review may not know which; the board shows it.
        let from = if self.live { self.seen + 1 } else { self.seen.max(self.before.confirmed) };
        let mut wrong = None;
        for round in self.rounds().filter(|round| board_stage(*round) >= from) {
            let Some(scored) = self.world.scored(round) else { break };
            match scored.board.compare(Form::Round(self.reader()), shown) {
                Ok(()) => return self.enter(board_stage(round), "round_leaderboard"),
                Err(what) => wrong = wrong.or(Some(what)),
            }
        }
        let what = wrong.unwrap_or_else(|| format!("no scores were released after stage {from}"));
        self.note("board_wrong", &format!("round_leaderboard: {what}"));
        self.enter(self.seen.next_multiple_of(3), "round_leaderboard");
    }

    fn scores(&mut self, shown: &RoundScores) {
        self.line.scores += 1;
        match self.board_round() {
            _ if self.line.scores > 1 => self.note("board_twice", "round_scores"),
            None => self.note("phase_order", &format!("round_scores in stage {}", self.seen)),
            Some(round) => {
                let must = self.world.scored(round).map(|scored| scored.scores(self.id));
                if must.is_some_and(|must| must != *shown) {
                    self.note("scores_wrong", &format!("round {round}"));
                }
            }
        }
    }

    fn running(&mut self, shown: &Leaderboard) {
        self.line.running += 1;
        let round = self.board_round().or_else(|| (self.seen == self.world.end_stage()).then(|| self.last_round()));
        match round {
            _ if self.line.running > 1 => self.note("board_twice", "scoreboard_update"),
            None => self.note("phase_order", &format!("scoreboard_update in stage {}", self.seen)),
            Some(round) => {
                let form = Form::Running(self.id, self.reader());
                self.world.check_board(&format!("player {}", self.id), Shown { round, form }, shown);
            }
        }
    }

    fn ended(&mut self, shown: &Leaderboard) {
        let end = self.world.end_stage();
        if self.live {
            if self.seen >= end {
                return self.note("phase_twice", "game_ended");
            }
            if self.seen + 1 != end {
                self.note("phase_skipped", &format!("game_ended in stage {}", self.seen));
            }
            self.board_is_complete();
        }
        self.enter(end, "game_ended");
        let last = Shown { round: self.last_round(), form: Form::Final(self.reader()) };
        self.world.check_board(&format!("player {}", self.id), last, shown);
    }

    fn last_round(&self) -> usize {
        self.world.plan.rounds.len() - 1
    }

    fn reader(&self) -> Reader {
        Reader::of(Viewer::Player(self.id), self.world.dialect_of(self.me))
    }

    /// Goes to a stage, which is never one that is over and never one the host has not asked for.
    fn enter(&mut self, stage: u32, by: &str) {
        if stage < self.seen {
            return self.note("phase_back", &format!("{by} for stage {stage} in stage {}", self.seen));
        }
        let commanded = self.world.commanded();
        if stage > commanded {
            self.note("phase_early", &format!("{by} for stage {stage}, the host is at {commanded}"));
        }
        self.seen = stage;
    }

    fn settled_in_silence(&mut self) {
        let Baseline { confirmed, ref released, .. } = self.before;
        let from = self.seen.max(confirmed);
        let fits = |stage: &u32| *stage > from || *stage == from && released.is_empty();
        let commanded = self.world.commanded();
        match self.rounds().map(question_stage).filter(|stage| *stage <= commanded).find(fits) {
            Some(stage) => self.seen = stage,
            None => self.note("sync_missing", &format!("nothing came, stage {from}")),
        }
    }

    fn check_sync(&mut self) {
        if self.world.open_round(self.seen).is_some() {
            if self.seen == self.before.confirmed {
                let missing = |had: &[Uuid], has: &[Uuid]| had.iter().filter(|id| !has.contains(id)).count();
                let questions = missing(&self.before.released, &self.line.questions);
                let acks = missing(&self.before.acked, &self.line.acks);
                let closed = missing(&self.before.closed, &self.line.closed);
                let sheet = self.team.lacks(&self.before.acked);
                if questions + acks + closed + sheet > 0 {
                    let what = format!(
                        "{questions} open questions, {acks} accepted answers, {closed} closed questions, {sheet} of the sheet"
                    );
                    self.note("sync_missing", &what);
                }
            }
        } else if self.board_round().is_some() {
            self.board_is_complete();
        }
    }

    /// A socket of the extension was sent each closing that the host has seen before the round ended.
    fn closings_are_complete(&self, released: &[Uuid]) {
        if self.world.dialect_of(self.me) == Dialect::QuizhallV1 {
            let closed = self.world.clocks.closed();
            let missed = |question: &&Uuid| closed.contains(question) && !self.line.closed.contains(question);
            let count = released.iter().filter(missed).count();
            self.world.violations.check(count == 0, "closings_missed", || format!("player {}: {count}", self.id));
        }
    }

    /// Each of the three messages of a board came once.
    fn board_is_complete(&self) {
        let Line { leaderboards, scores, running, .. } = self.line;
        if self.board_round().is_some() && (leaderboards, scores, running) != (1, 1, 1) {
            self.note("scores_missed", &format!("stage {}: {leaderboards}, {scores}, {running} messages", self.seen));
        }
    }

    /// The round of the board this player looks at.
    fn board_round(&self) -> Option<usize> {
        let round = round_of_stage(self.seen);
        (self.seen > 0 && self.seen == board_stage(round)).then_some(round)
    }

    fn rounds(&self) -> std::ops::Range<usize> {
        0..self.world.plan.rounds.len()
    }

    /// Shows the director how far this player is; a board counts when all of it has come.
    fn publish(&self) {
        let complete =
            self.board_round().is_none() || self.line.leaderboards + self.line.scores + self.line.running >= 3;
        let stage = if complete { self.seen } else { self.seen - 1 };
        let desk = &self.world.desks[self.me];
        desk.stage.store(stage, Ordering::SeqCst);
        desk.online.store(self.live, Ordering::SeqCst);
        self.team.publish(self.live);
    }

    fn note(&self, kind: &'static str, what: &str) {
        self.world.violations.note(kind, format!("player {}: {what}", self.id));
    }
}
