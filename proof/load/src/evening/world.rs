//! What all participants of an evening share: the plan, who is who, what the host has commanded and what is confirmed,
//! the ledger, the expected boards, the clocks and the violations.
//!
//! Filled by the bots and the director, who never talk to each other in any other way.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use tokio::time::Instant;
use uuid::Uuid;

use super::expected::Expected;
use super::ledger::Ledger;
use super::plan::Plan;
use super::stages::{board_stage, question_stage};
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

/// Where one bot stands, for the director to look at.
#[derive(Debug, Default)]
pub struct Desk {
    /// It has a seat.
    pub joined: AtomicBool,
    /// Its line stands and is settled.
    pub online: AtomicBool,
    /// It will not come back.
    pub stopped: AtomicBool,
    /// The stage it has seen completely.
    pub stage: AtomicU32,
    /// Questions of its current round that it knows.
    pub questions: AtomicU32,
    /// Answers it still means to give or waits for.
    pub busy: AtomicU32,
}

/// Who is who.
#[derive(Debug, Default)]
pub struct Roll {
    /// Every name a bot has asked for.
    pub asked: HashSet<String>,
    /// Bot number by player id.
    pub numbers: HashMap<Uuid, usize>,
}

/// A bot's seat.
#[derive(Debug, Clone)]
pub struct Seated {
    /// Its id in the game.
    pub id: Uuid,
    /// The name the game gave it.
    pub name: String,
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
    /// One per bot.
    pub desks: Vec<Desk>,
    /// One per bot, once it has joined.
    pub seats: Vec<OnceLock<Seated>>,
    /// Latencies and counts.
    pub timing: Timing,
    /// Losses of lines are counted, not violations: somebody is pulling plugs.
    pub losses_allowed: bool,
    /// Recently seen broadcasts.
    pub seen: Seen,
    roll: RwLock<Roll>,
    commanded: AtomicU32,
    confirmed: AtomicU32,
    releases: RwLock<Vec<Vec<Release>>>,
    expected: RwLock<Vec<Arc<Expected>>>,
    scores_released: Mutex<Option<Instant>>,
}

impl World {
    /// A world before the first join.
    pub fn new(plan: Plan, players: usize, losses_allowed: bool) -> Self {
        let rounds = plan.rounds.len();
        Self {
            plan,
            violations: Violations::default(),
            ledger: Ledger::new(players),
            desks: (0..players).map(|_| Desk::default()).collect(),
            seats: (0..players).map(|_| OnceLock::new()).collect(),
            timing: Timing::default(),
            losses_allowed,
            seen: Seen::default(),
            roll: RwLock::default(),
            commanded: AtomicU32::new(0),
            confirmed: AtomicU32::new(0),
            releases: RwLock::new(vec![Vec::new(); rounds]),
            expected: RwLock::default(),
            scores_released: Mutex::default(),
        }
    }

    /// The stage after the last board.
    pub fn end_stage(&self) -> u32 {
        board_stage(self.plan.rounds.len() - 1) + 1
    }

    /// The round whose questions are open in this stage.
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

    /// What the scores of a round must be; `None` before the host decided to release them.
    pub fn expected(&self, round: usize) -> Option<Arc<Expected>> {
        self.expected.read().unwrap_or_else(PoisonError::into_inner).get(round).cloned()
    }

    /// Fixes what the scores of the next round must be.
    pub fn expect(&self, expected: Arc<Expected>) {
        self.expected.write().unwrap_or_else(PoisonError::into_inner).push(expected);
        *self.scores_released() = Some(Instant::now());
    }

    /// When the host released the last scores.
    pub fn scores_released(&self) -> MutexGuard<'_, Option<Instant>> {
        self.scores_released.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bot is about to ask for a seat under this name.
    pub fn name_asked(&self, name: &str) {
        self.roll.write().unwrap_or_else(PoisonError::into_inner).asked.insert(name.to_owned());
    }

    /// A bot has a seat.
    pub fn seated(&self, bot: usize, seat: Seated) {
        let earlier = self.roll.write().unwrap_or_else(PoisonError::into_inner).numbers.insert(seat.id, bot);
        self.violations.check(earlier.is_none(), "join_same_id_twice", || format!("player {}", seat.id));
        // A bot joins once.
        let _ = self.seats[bot].set(seat);
        self.desks[bot].joined.store(true, Ordering::SeqCst);
    }

    /// The number of the bot with this player id.
    pub fn number_of(&self, player: Uuid) -> Option<usize> {
        self.roll.read().unwrap_or_else(PoisonError::into_inner).numbers.get(&player).copied()
    }

    /// Looks at the roll.
    pub fn with_roll<T>(&self, look: impl FnOnce(&Roll) -> T) -> T {
        look(&self.roll.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Number and name of every bot with a seat.
    pub fn names(&self) -> Vec<(usize, &str)> {
        let seats = self.seats.iter().enumerate();
        seats.filter_map(|(number, seat)| Some((number, seat.get()?.name.as_str()))).collect()
    }

    /// How many desks this is true of.
    pub fn count(&self, what: impl Fn(&Desk) -> bool) -> usize {
        self.desks.iter().filter(|desk| what(desk)).count()
    }
}
