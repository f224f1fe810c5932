//! The host's side of a full game: what the host has seen, checked as it comes; driven by the director.
//!
//! Only the director sends commands, one after the other, so what may come next is known exactly.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quizhall_client::{Event, Participant, Stop};
use quizhall_oracle::{Form, Reader};
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::to_host::{AnswerCount, OverrideApplied, RoundReview};
use quizhall_protocol::{FromHost, ServerMessage, ToAll, ToHost};
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use super::stages::{board_stage, question_stage, review_stage, round_of_stage};
use super::timed::Timers;
use super::watch::Watch;
use super::world::{Shown, World};

/// How often conditions outside the host's own messages are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What the host has seen.
pub struct Host {
    world: Arc<World>,
    participant: Participant<Watch>,
    /// The stage that the messages show.
    pub stage: u32,
    /// Players in the last lobby list.
    pub lobby: usize,
    /// The highest count per question.
    pub counts: HashMap<Uuid, u32>,
    /// The review of the round, once complete.
    pub review: Option<Vec<ReviewAnswer>>,
    /// Whether the round has so many answers that the server groups them: `review` is empty then, and the answers are read in pages.
    pub grouped: bool,
    /// The last override confirmed.
    pub applied: Option<OverrideApplied>,
    /// Questions that were shown once more.
    pub again: Vec<Uuid>,
    /// The line is up and its sync messages are through.
    pub live: bool,
    /// It will not come back.
    pub stopped: bool,
    /// What it was sent of timers.
    pub timers: Timers,
    /// What this connection has shown of the round.
    shown: Vec<Uuid>,
    counted: Vec<Uuid>,
    parts: Vec<ReviewAnswer>,
}

impl Host {
    /// A host who has seen nothing.
    pub fn new(world: Arc<World>, participant: Participant<Watch>) -> Self {
        Self {
            world,
            participant,
            stage: 0,
            lobby: 0,
            counts: HashMap::new(),
            review: None,
            grouped: false,
            applied: None,
            again: Vec::new(),
            live: false,
            stopped: false,
            timers: Timers::default(),
            shown: Vec::new(),
            counted: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Runs until `done` holds; `false` when that takes longer than `within` or the host was refused.
    pub async fn until(&mut self, within: Duration, mut done: impl FnMut(&Self) -> bool) -> bool {
        let end = Instant::now() + within;
        loop {
            if done(self) {
                return true;
            }
            if self.stopped || Instant::now() >= end {
                return false;
            }
            tokio::select! {
                event = self.participant.next() => self.take(event),
                () = sleep(LOOK) => {}
            }
        }
    }

    /// Takes in messages for a while.
    pub async fn pause(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(event) = timeout_at(end, self.participant.next()).await {
            self.take(event);
        }
    }

    /// Sends a command and runs until `done`; sends it again when the line broke before. `false`: it did not happen.
    pub async fn command(&mut self, command: FromHost, within: Duration, done: impl Fn(&Self) -> bool) -> bool {
        let end = Instant::now() + within;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if !self.until(left, |host| host.live || done(host)).await {
                return false;
            }
            if done(self) {
                return true;
            }
            self.participant.command(&command);
            let left = end.saturating_duration_since(Instant::now());
            if !self.until(left, |host| !host.live || done(host)).await {
                return false;
            }
            if done(self) {
                return true;
            }
        }
    }

    /// Sends a command that nothing answers; the line must be live.
    pub fn say(&mut self, command: &FromHost) -> bool {
        self.participant.command(command)
    }

    /// Drops the line and comes back at once.
    pub fn step_out(&mut self, clean: bool) {
        self.world.timing.stepped_out.add();
        self.live = false;
        self.participant.step_out(clean, Duration::from_millis(10));
    }

    /// Leaves for good.
    pub async fn leave(&mut self) {
        self.participant.leave().await;
    }

    /// Whether this connection has shown the question.
    pub fn shows(&self, question: Uuid) -> bool {
        self.shown.contains(&question)
    }

    /// A new round begins: nothing of it has been seen.
    pub fn begin_round(&mut self) {
        self.timers = Timers::default();
        self.counts.clear();
        self.review = None;
        self.applied = None;
        self.again.clear();
        self.shown.clear();
        self.parts.clear();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Connected => {
                self.live = false;
                self.shown.clear();
                self.counted.clear();
                self.parts.clear();
                self.timers = Timers::default();
            }
            Event::Settled { .. } => {
                self.live = true;
                self.check_sync();
            }
            Event::Message(message) => self.message(&message),
            Event::Unreadable(error) => self.note("message_unreadable", &error.to_string()),
            Event::Lost { closed, .. } => {
                self.live = false;
                self.world.timing.lost.add();
                if !self.world.losses_allowed {
                    self.note("host_line_lost", &closed.reason);
                }
            }
            Event::Refused { .. } => self.world.timing.refused.add(),
            Event::Stopped(stop) => {
                (self.live, self.stopped) = (false, true);
                match stop {
                    Stop::Left => {}
                    Stop::Closed(closed) => self.note("host_turned_away", &closed.reason),
                    Stop::Refused(error) => self.note("host_turned_away", &error.to_string()),
                }
            }
            Event::Acknowledged(_) | Event::Unacknowledged(_) => {}
        }
    }

    fn message(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::All(ToAll::LobbyUpdate(lobby)) => {
                self.lobby = lobby.total.map_or(lobby.players.len(), |total| total as usize);
            }
            ServerMessage::All(ToAll::GameStarted) => self.enter(question_stage(0), "game_started"),
            ServerMessage::All(ToAll::QuestionReleased(released)) => self.released(released.question.id),
            ServerMessage::All(ToAll::RoundEnded) => {
                let round = self.world.open_round(self.stage).unwrap_or_else(|| round_of_stage(self.stage));
                self.enter(review_stage(round), "round_ended");
            }
            ServerMessage::All(ToAll::RoundLeaderboard(board)) => {
                let round = round_of_stage(self.stage);
                self.enter(board_stage(round), "round_leaderboard");
                self.world.check_board("host", Shown { round, form: Form::Round(Reader::Other) }, board);
            }
            ServerMessage::All(ToAll::GameEnded(board)) => {
                self.enter(self.world.end_stage(), "game_ended");
                let round = self.world.plan.rounds.len() - 1;
                self.world.check_board("host", Shown { round, form: Form::Final(Reader::Other) }, board);
            }
            ServerMessage::All(ToAll::TimerUpdate(update)) => self.timers.update(update),
            ServerMessage::All(ToAll::QuestionClosed(closed)) => self.timers.close(closed.question_id, &self.world),
            ServerMessage::Host(ToHost::ScoreboardUpdate(count)) => self.count(count),
            ServerMessage::Host(ToHost::RoundReview(review)) => self.part(review),
            ServerMessage::Host(ToHost::ReviewGroups(review)) if review.part.is_some() => {
                self.grouped = true;
                self.review = (review.part == review.parts).then(Vec::new);
            }
            ServerMessage::Host(ToHost::OverrideApplied(applied)) => {
                if self.stage != review_stage(round_of_stage(self.stage)) {
                    self.note("override_out_of_phase", &format!("stage {}", self.stage));
                }
                self.applied = Some(applied.clone());
            }
            // Noted, by the reader or above.
            ServerMessage::All(_)
            | ServerMessage::Host(_)
            | ServerMessage::Player(_)
            | ServerMessage::Screen(_)
            | ServerMessage::Sender(_) => {}
        }
    }

    fn released(&mut self, question: Uuid) {
        let Some(round) = self.world.plan.round_of(question) else { return };
        self.enter(question_stage(round), "question_released");
        if self.world.released_at(round, question).is_none() {
            return self.note("question_not_released", &format!("question {question}"));
        }
        if self.shown.contains(&question) {
            return self.again.push(question);
        }
        self.shown.push(question);
        self.world.confirm_release(round, question);
    }

    fn count(&mut self, AnswerCount { question_id, answer_count }: &AnswerCount) {
        if self.world.open_round(self.stage).is_none() {
            self.note("count_out_of_phase", &format!("question {question_id} in stage {}", self.stage));
        }
        if !self.shown.contains(question_id) {
            self.note("count_of_closed_question", &format!("question {question_id}"));
        }
        let before = self.counts.insert(*question_id, *answer_count).unwrap_or(0);
        if before > *answer_count {
            self.note("count_fell", &format!("question {question_id}: {before}, then {answer_count}"));
        }
        let given = self.world.ledger.given_count(*question_id);
        if *answer_count as usize > given {
            self.note("count_too_high", &format!("question {question_id}: {answer_count} of {given} given"));
        }
        self.counted.push(*question_id);
    }

    fn part(&mut self, review: &RoundReview) {
        if self.stage != review_stage(round_of_stage(self.stage)) {
            self.note("review_out_of_phase", &format!("stage {}", self.stage));
        }
        self.grouped = false;
        let (part, parts) = (review.part.unwrap_or(1), review.parts.unwrap_or(1));
        if part == 1 {
            self.parts.clear();
        }
        let before = self.parts.len();
        self.parts.extend(review.answers.iter().cloned());
        // A part that is missing or repeated shows as answers missing or twice.
        if part > parts || (part > 1 && before == 0) {
            self.note("review_parts", &format!("part {part} of {parts}"));
        }
        if part == parts {
            self.review = Some(std::mem::take(&mut self.parts));
        }
    }

    fn enter(&mut self, stage: u32, by: &str) {
        let commanded = self.world.commanded();
        if stage > commanded {
            self.note("phase_early", &format!("{by} for stage {stage}, commanded {commanded}"));
        }
        if stage < self.stage {
            return self.note("phase_back", &format!("{by} for stage {stage} in stage {}", self.stage));
        }
        self.stage = stage;
        self.world.confirm(stage);
    }

    /// A new connection must show what the host knew.
    fn check_sync(&self) {
        let Some(round) = self.world.open_round(self.stage) else { return };
        let releases = self.world.releases(round);
        let known: Vec<Uuid> =
            releases.iter().filter(|release| release.confirmed).map(|release| release.question).collect();
        if !self.shown.starts_with(&known) {
            self.note("sync_missing", &format!("{} of {} open questions", self.shown.len(), known.len()));
        }
        if known.iter().any(|question| !self.counted.contains(question)) {
            self.note("sync_missing", "an answer count");
        }
        let closed = self.world.clocks.closed();
        let missed =
            known.iter().filter(|question| closed.contains(question) && !self.timers.closed.contains(question));
        if missed.count() > 0 {
            self.note("sync_missing", "a closed question");
        }
    }

    fn note(&self, kind: &'static str, what: &str) {
        self.world.violations.note(kind, format!("host: {what}"));
    }
}
