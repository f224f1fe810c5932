//! The state that all participants of a full game share: the plan, the participants, the host's commands and
//! confirmations, the ledger, the oracle, the clocks and the violations.
//!
//! Filled by the bots and the director, who never talk to each other in any other way.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use quizhall_oracle::{Fact, Form, Game};
use quizhall_protocol::Dialect;
use quizhall_protocol::to_all::Leaderboard;
use tokio::time::Instant;
use uuid::Uuid;

use super::clocks::Clocks;
use super::features::Features;
use super::ledger::Ledger;
use super::pictures::Pictures;
use super::plan::Plan;
use super::seating::Seating;
use super::stages::{board_stage, question_stage};
use super::teams::{TeamView, Teams};
use super::timing::Timing;
use super::violations::Violations;
use super::watch::Seen;

/// A question the host has released.
#[derive(Debug, Clone)]
pub struct Release {
    /// Which.
    pub question: Uuid,
    /// When the command went out.
    pub at: Instant,
    /// The host has seen it happen.
    pub confirmed: bool,
}

/// The state of one bot, for the director to look at.
#[derive(Debug, Default)]
pub struct Desk {
    /// It is a player of the game.
    pub joined: AtomicBool,
    /// Its line is open and settled.
    pub online: AtomicBool,
    /// It will not come back.
    pub stopped: AtomicBool,
    /// The stage it has seen completely.
    pub stage: AtomicU32,
    /// Questions of its current round that it knows.
    pub questions: AtomicU32,
    /// Answers it still means to give or waits for.
    pub busy: AtomicU32,
    /// Copies it still loads, and pictures of released questions it has not opened.
    pub loading: AtomicU32,
    /// What it has been sent of its team; `None` while its line is not settled, and always for one that is sent nothing of it.
    pub team: Mutex<Option<TeamView>>,
}

/// A board as a participant is shown it.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// The round, from 0, after which it is true.
    pub round: usize,
    /// Of what it consists.
    pub form: Form,
}

/// Everything shared.
#[derive(Debug)]
pub struct World {
    /// The quiz with its keys.
    pub plan: Plan,
    /// What went wrong.
    pub violations: Violations,
    /// The answers as the players know them.
    pub ledger: Ledger,
    /// Which bots are the phones of which player.
    pub seating: Seating,
    /// One per bot.
    pub desks: Vec<Desk>,
    /// The id of each player in the game, once one has joined.
    pub players: Vec<OnceLock<Uuid>>,
    /// What the phones of teams know of each other.
    pub teams: Teams,
    /// Latencies and counts.
    pub timing: Timing,
    /// Losses of lines are counted, not violations: connections are cut on purpose.
    pub losses_allowed: bool,
    /// Recently seen broadcasts.
    pub seen: Seen,
    /// What the questions have besides.
    pub features: Features,
    /// The timers.
    pub clocks: Clocks,
    /// The pictures.
    pub pictures: Pictures,
    asked: RwLock<HashSet<String>>,
    commanded: AtomicU32,
    confirmed: AtomicU32,
    releases: RwLock<Vec<Vec<Release>>>,
    oracle: Mutex<Game>,
    scored: RwLock<Vec<Arc<Game>>>,
    scores_released: Mutex<Option<Instant>>,
}

impl World {
    /// A world before the first join.
    pub fn new(plan: Plan, seating: Seating, losses_allowed: bool) -> Self {
        let rounds = plan.rounds.len();
        let mut oracle = Game::new(Arc::clone(&plan.quiz));
        oracle.teams = seating.option();
        oracle.options.teams = oracle.teams;
        Self {
            plan,
            violations: Violations::default(),
            ledger: Ledger::new(seating),
            seating,
            desks: (0..seating.bots()).map(|_| Desk::default()).collect(),
            players: (0..seating.players()).map(|_| OnceLock::new()).collect(),
            teams: Teams::new(seating),
            timing: Timing::default(),
            losses_allowed,
            seen: Seen::default(),
            features: Features::default(),
            clocks: Clocks::default(),
            pictures: Pictures::default(),
            asked: RwLock::default(),
            commanded: AtomicU32::new(0),
            confirmed: AtomicU32::new(0),
            releases: RwLock::new(vec![Vec::new(); rounds]),
            oracle: Mutex::new(oracle),
            scored: RwLock::default(),
            scores_released: Mutex::default(),
        }
    }

    /// The same with questions that have more.
    #[must_use]
    pub fn with(self, features: Features, pictures: Pictures) -> Self {
        Self { features, pictures, ..self }
    }

    /// What the socket of the host speaks.
    pub fn host_dialect(&self) -> Dialect {
        let is_extended = self.features.any() || self.seating.has_teams();
        if is_extended { Dialect::QuizhallV1 } else { Dialect::Interface }
    }

    /// What the socket of a bot speaks: the others of each four see the same game without the extension. In teams that is one of four.
    pub fn dialect_of(&self, bot: usize) -> Dialect {
        let extended = if self.seating.has_teams() { 3 } else { 2 };
        if bot % 4 < extended { self.host_dialect() } else { Dialect::Interface }
    }

    /// The stage after the last board.
    pub fn end_stage(&self) -> u32 {
        board_stage(self.plan.rounds.len() - 1) + 1
    }

    /// The round with open questions in this stage.
    pub fn open_round(&self, stage: u32) -> Option<usize> {
        (0..self.plan.rounds.len()).find(|round| question_stage(*round) == stage)
    }

    /// The furthest stage the host has asked for.
    pub fn commanded(&self) -> u32 {
        self.commanded.load(Ordering::SeqCst)
    }

    /// Notes a command before it is sent.
    pub fn command(&self, stage: u32) {
        self.commanded.fetch_max(stage, Ordering::SeqCst);
    }

    /// The furthest stage the host has seen.
    pub fn confirmed(&self) -> u32 {
        self.confirmed.load(Ordering::SeqCst)
    }

    /// Notes that the host has seen a stage.
    pub fn confirm(&self, stage: u32) {
        self.confirmed.fetch_max(stage, Ordering::SeqCst);
    }

    /// Notes that the host is about to release a question.
    pub fn release(&self, round: usize, question: Uuid) {
        if let Some(seconds) = self.plan.question(question).and_then(|item| item.time_limit) {
            self.clocks.begin(question, Instant::now(), seconds);
        }
        let release = Release { question, at: Instant::now(), confirmed: false };
        self.releases.write().unwrap_or_else(PoisonError::into_inner)[round].push(release);
    }

    /// Notes that the host has seen a question released.
    pub fn confirm_release(&self, round: usize, question: Uuid) {
        let mut releases = self.releases.write().unwrap_or_else(PoisonError::into_inner);
        for release in &mut releases[round] {
            release.confirmed |= release.question == question;
        }
    }

    /// The releases of a round, in order.
    pub fn releases(&self, round: usize) -> Vec<Release> {
        self.releases.read().unwrap_or_else(PoisonError::into_inner)[round].clone()
    }

    /// When the question was released; `None` when it was not.
    pub fn released_at(&self, round: usize, question: Uuid) -> Option<Instant> {
        let releases = self.releases.read().unwrap_or_else(PoisonError::into_inner);
        releases[round].iter().find(|release| release.question == question).map(|release| release.at)
    }

    /// Passes to the oracle what happened to the game.
    pub fn happened(&self, fact: &Fact) {
        if let Err(illegal) = self.oracle().apply(fact) {
            self.violations.note("fact_illegal", illegal.to_string());
        }
    }

    /// The game as it must be now, for the director.
    pub fn oracle(&self) -> MutexGuard<'_, Game> {
        self.oracle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it must be on the leaderboard of a round; `None` before the host decided to release its scores.
    pub fn scored(&self, round: usize) -> Option<Arc<Game>> {
        self.scored.read().unwrap_or_else(PoisonError::into_inner).get(round).cloned()
    }

    /// Fixes what the scores of the current round must be.
    pub fn score(&self) {
        self.happened(&Fact::ScoresReleased { held: false });
        let scored = Arc::new(self.oracle().clone());
        self.scored.write().unwrap_or_else(PoisonError::into_inner).push(scored);
        *self.scores_released() = Some(Instant::now());
    }

    /// Compares a board that a participant received with that of the oracle.
    pub fn check_board(&self, who: &str, shown: Shown, received: &Leaderboard) {
        let Shown { round, form } = shown;
        let Some(scored) = self.scored(round) else {
            return self.violations.note("board_early", format!("{who}: {form:?} of round {round}"));
        };
        if let Err(what) = scored.board.compare(form, received) {
            self.violations.note("board_wrong", format!("{who}: {form:?} of round {round}: {what}"));
        }
    }

    /// When the host released the last scores.
    pub fn scores_released(&self) -> MutexGuard<'_, Option<Instant>> {
        self.scores_released.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bot is about to join under this name.
    pub fn name_asked(&self, name: &str) {
        self.asked.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }

    /// A bot has joined as a player.
    pub fn joined(&self, bot: usize, id: Uuid, name: String) {
        self.happened(&Fact::Joined(id, name));
        // A bot joins once.
        let _ = self.players[self.seating.player_of(bot)].set(id);
        self.desks[bot].joined.store(true, Ordering::SeqCst);
    }

    /// The id of the player whose phone this bot is; nil before one has joined.
    pub fn player_of(&self, bot: usize) -> Uuid {
        self.players[self.seating.player_of(bot)].get().copied().unwrap_or_default()
    }

    /// How many players have joined.
    pub fn player_count(&self) -> usize {
        self.players.iter().filter(|player| player.get().is_some()).count()
    }

    /// Whether any bot has asked for this name.
    pub fn was_asked(&self, name: &str) -> bool {
        self.asked.read().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    /// How many desks this is true of.
    pub fn count(&self, what: impl Fn(&Desk) -> bool) -> usize {
        self.desks.iter().filter(|desk| what(desk)).count()
    }
}
