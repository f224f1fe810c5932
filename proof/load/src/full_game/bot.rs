//! A bot player of a full game: answers with known correctness, changes its mind, steps out, and reports to its watcher.
//!
//! One task per bot. Decides only by chance and by what it was sent; the director never talks to it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_client::{Event, Participant, Stop};
use quizhall_protocol::{CloseCode, ServerMessage, ToAll, ToPlayer};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::clocks::GRACE;
use super::loader::Loader;
use super::plan::Answering as _;
use super::seating::Turn;
use super::stages::round_of_stage;
use super::watch::Watch;
use super::watcher::Watcher;
use super::world::World;
use crate::pace::Think;

/// Messages a bot sends at once, and then per second: under the server's limit of 5/s with a burst of 20.
const BURST: f64 = 14.0;
const PER_SECOND: f64 = 4.0;

/// How a bot behaves.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Thinking time before an answer.
    pub think: Think,
    /// Chance per question to step out for a moment.
    pub chaos: f64,
    /// Seed of everything it does.
    pub seed: u64,
}

/// A bot at work.
pub struct Bot {
    world: Arc<World>,
    me: usize,
    manner: Manner,
    chance: SmallRng,
    participant: Participant<Watch>,
    watcher: Watcher,
    /// Of a bot that speaks the extension, in a game with pictures.
    loader: Option<Loader>,
    acts: Vec<(Instant, Act)>,
    known: Vec<Uuid>,
    given: HashMap<Uuid, Given>,
    /// Number of the connection, from 1.
    line: u32,
    connected: Instant,
    /// On this connection a round or a question was closed before an answer had its ack.
    crossing: bool,
    allowance: (f64, Instant),
}

#[derive(Debug)]
enum Act {
    Answer(Uuid, String),
    StepOut,
}

#[derive(Debug)]
struct Given {
    text: String,
    at: Instant,
    line: u32,
    acked: bool,
}

impl Bot {
    /// A bot that has joined.
    pub fn new(world: Arc<World>, me: usize, manner: Manner, participant: Participant<Watch>) -> Self {
        let watcher = Watcher::new(Arc::clone(&world), me, world.player_of(me));
        let now = Instant::now();
        Self {
            world,
            me,
            manner,
            chance: SmallRng::seed_from_u64(manner.seed),
            participant,
            watcher,
            loader: None,
            acts: Vec::new(),
            known: Vec::new(),
            given: HashMap::new(),
            line: 0,
            connected: now,
            crossing: false,
            allowance: (BURST, now),
        }
    }

    /// The same, which loads pictures ahead.
    #[must_use]
    pub fn with_loader(self, loader: Loader) -> Self {
        Self { loader: Some(loader), ..self }
    }

    /// Plays until the game is over for it or `stop` is called.
    pub async fn run(mut self, stop: CancellationToken) {
        if self.chance.random_bool(self.manner.chaos) {
            let soon = Instant::now() + self.manner.think.draw(&mut self.chance);
            self.acts.push((soon, Act::StepOut));
        }
        loop {
            self.publish();
            let due = self.acts.iter().map(|(at, _)| *at).min();
            tokio::select! {
                event = self.participant.next() => if !self.take(event) { break },
                () = Loader::next_of(&mut self.loader) => {}
                () = sleep_until(due.unwrap_or(self.connected)), if due.is_some() => self.act(),
                () = stop.cancelled() => {
                    self.world.desks[self.me].online.store(false, Ordering::SeqCst);
                    return self.participant.leave().await;
                }
            }
        }
        let desk = &self.world.desks[self.me];
        desk.online.store(false, Ordering::SeqCst);
        desk.stopped.store(true, Ordering::SeqCst);
    }

    /// `false` at the end.
    fn take(&mut self, event: Event) -> bool {
        let timing = &self.world.timing;
        match event {
            Event::Connected => {
                self.line += 1;
                self.connected = Instant::now();
                self.crossing = false;
                self.watcher.connected();
            }
            Event::Settled { .. } => {
                timing.resync.record(self.connected.elapsed());
                self.watcher.settled();
            }
            Event::Message(message) => self.message(&message),
            Event::Acknowledged(answer) => self.acknowledged(answer.question, &answer.text),
            Event::Unacknowledged(answers) => {
                self.crossing = true;
                for answer in answers {
                    let same_line = self.given.get(&answer.question).is_some_and(|given| given.line == self.line);
                    if same_line {
                        self.world.ledger.void(self.me, answer.question, &answer.text);
                    }
                    self.given.remove(&answer.question);
                }
            }
            Event::Unreadable(error) => self.world.violations.note("message_unreadable", error.to_string()),
            Event::Lost { closed, .. } => {
                self.lost(closed.known(), &closed.reason);
                self.watcher.offline();
            }
            Event::Refused { .. } => timing.refused.add(),
            Event::Stopped(stop) => {
                self.stopped(&stop);
                return false;
            }
        }
        true
    }

    fn message(&mut self, message: &ServerMessage) {
        let live = self.watcher.is_live();
        self.watcher.message(message);
        match message {
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                if let Some(loader) = &mut self.loader {
                    loader.released(&released.question);
                }
                self.think(released.question.id, live);
            }
            ServerMessage::All(ToAll::MediaPreload(preload)) => {
                if let Some(loader) = &mut self.loader {
                    loader.preload(preload);
                }
            }
            ServerMessage::All(ToAll::QuestionClosed(closed)) => {
                self.acts
                    .retain(|(_, act)| !matches!(act, Act::Answer(question, _) if *question == closed.question_id));
            }
            ServerMessage::All(ToAll::RoundEnded | ToAll::RoundLeaderboard(_) | ToAll::GameEnded(_)) => {
                self.acts.retain(|(_, act)| matches!(act, Act::StepOut));
            }
            ServerMessage::Player(ToPlayer::RoundScores(_)) if live => {
                let released = *self.world.scores_released();
                if let Some(released) = released {
                    self.world.timing.scores.record(released.elapsed());
                }
            }
            _ => {}
        }
    }

    /// Makes up its mind about a question it has not seen before.
    fn think(&mut self, question: Uuid, live: bool) {
        let world = Arc::clone(&self.world);
        let Some((item, round)) = world.plan.question(question).zip(world.plan.round_of(question)) else { return };
        if let Some(released) = world.released_at(round, question).filter(|_| live) {
            world.timing.question.record(released.elapsed());
        }
        if self.known.contains(&question) {
            return;
        }
        self.known.retain(|known| world.plan.round_of(*known) == Some(round));
        self.known.push(question);
        let now = Instant::now();
        if self.chance.random_bool(self.manner.chaos) {
            self.acts.push((now + self.manner.think.draw(&mut self.chance), Act::StepOut));
        }
        let Some(mut first) = self.turn(question, round).map(|thinks| now + thinks) else { return };
        if let Some(seconds) = item.time_limit
            && self.chance.random_bool(0.1)
        {
            // About when the question closes: some of these answers count, some are late.
            let end = Duration::from_secs(seconds.into()) + GRACE * 2;
            first = now + end.mul_f64(self.chance.random_range(0.6..1.0));
        }
        if self.chance.random_bool(0.03) {
            return;
        }
        let right = self.chance.random_bool(0.55);
        let wrong = if right { None } else { item.wrong(&mut self.chance) };
        let text = wrong.unwrap_or_else(|| item.right(&mut self.chance));
        match self.chance.random_range(0..100) {
            0..15 => {
                let other = item.wrong(&mut self.chance).unwrap_or_else(|| item.right(&mut self.chance));
                self.acts.push((first + self.manner.think.draw(&mut self.chance) / 2, Act::Answer(question, other)));
            }
            15..20 => self.acts.push((first + self.manner.think.from / 2, Act::Answer(question, text.clone()))),
            _ => {}
        }
        self.acts.push((first, Act::Answer(question, text)));
    }

    /// How long this bot thinks about a question; `None` when it is the turn of another phone of the team.
    fn turn(&mut self, question: Uuid, round: usize) -> Option<Duration> {
        let (think, seating) = (self.manner.think, self.world.seating);
        if !seating.has_teams() {
            return Some(think.draw(&mut self.chance));
        }
        let place = self.world.plan.rounds[round].iter().position(|item| item.id == question)?;
        // The same for all phones of the team.
        let seed = question.as_u64_pair().1 ^ seating.player_of(self.me) as u64;
        let mut chance = SmallRng::seed_from_u64(seed);
        let thinks = think.draw(&mut chance);
        match seating.turn(self.me, place, &mut chance)? {
            Turn::First => Some(thinks),
            Turn::Behind => Some(thinks + think.draw(&mut chance) / 2),
        }
    }

    fn act(&mut self) {
        let now = Instant::now();
        while let Some(place) = self.acts.iter().position(|(at, _)| *at <= now) {
            let (_, act) = self.acts.swap_remove(place);
            match act {
                Act::StepOut => self.step_out(),
                Act::Answer(question, text) if self.may_send(now) => self.answer(question, text),
                act @ Act::Answer(..) => self.acts.push((now + Duration::from_millis(250), act)),
            }
        }
    }

    fn answer(&mut self, question: Uuid, text: String) {
        self.world.ledger.given(self.me, question, &text);
        self.participant.answer(question, text.clone());
        let given = Given { text, at: Instant::now(), line: self.line, acked: false };
        self.given.insert(question, given);
    }

    fn step_out(&mut self) {
        let away = Duration::from_millis(self.chance.random_range(30..1_500));
        let clean = self.chance.random_bool(0.5);
        self.world.timing.stepped_out.add();
        self.watcher.offline();
        self.world.desks[self.me].online.store(false, Ordering::SeqCst);
        self.participant.step_out(clean, away);
    }

    fn acknowledged(&mut self, question: Uuid, text: &str) {
        self.watcher.matched();
        self.world.ledger.acked(self.me, question, text);
        self.world.timing.acked.add();
        if let Some(given) = self.given.get_mut(&question).filter(|given| given.text == text) {
            if given.line == self.line && !given.acked {
                self.world.timing.ack.record(given.at.elapsed());
            }
            given.acked = true;
        }
    }

    /// The server closed the line or it broke; neither may happen unasked, but for an answer that crossed an end.
    fn lost(&mut self, code: Option<CloseCode>, reason: &str) {
        let stage = self.watcher.stage();
        let crossed = match code {
            Some(CloseCode::WrongPhase) => self.world.open_round(stage).is_none(),
            Some(CloseCode::UnknownQuestion) => self.crossing,
            _ => false,
        };
        if crossed {
            return self.world.timing.crossed.add();
        }
        self.world.timing.lost.add();
        if !self.world.losses_allowed {
            self.world.violations.note("line_lost", format!("bot {} in stage {stage}: {reason}", self.me));
        }
    }

    fn stopped(&self, stop: &Stop) {
        let how = match stop {
            Stop::Left => return,
            Stop::Closed(closed) if closed.known() == Some(CloseCode::GameOver) => return,
            Stop::Closed(closed) => closed.reason.clone(),
            Stop::Refused(error) => error.to_string(),
        };
        self.world.violations.note("player_turned_away", format!("bot {}: {how}", self.me));
    }

    /// A leaky bucket: people do not type faster either.
    fn may_send(&mut self, now: Instant) -> bool {
        let (tokens, since) = self.allowance;
        let tokens = (tokens + now.duration_since(since).as_secs_f64() * PER_SECOND).min(BURST);
        let may = tokens >= 1.0;
        self.allowance = (if may { tokens - 1.0 } else { tokens }, now);
        may
    }

    fn publish(&self) {
        let desk = &self.world.desks[self.me];
        let round = round_of_stage(self.watcher.stage());
        let of_round = |question: &Uuid| self.world.plan.round_of(*question) == Some(round);
        let known = self.known.iter().filter(|question| of_round(question)).count();
        let waiting = self.given.iter().filter(|(question, given)| !given.acked && of_round(question)).count();
        let planned = self.acts.iter().filter(|(_, act)| matches!(act, Act::Answer(..))).count();
        let loading = self.loader.as_ref().map_or(0, Loader::outstanding);
        desk.loading.store(u32::try_from(loading).unwrap_or(u32::MAX), Ordering::SeqCst);
        desk.questions.store(u32::try_from(known).unwrap_or(u32::MAX), Ordering::SeqCst);
        desk.busy.store(u32::try_from(waiting + planned).unwrap_or(u32::MAX), Ordering::SeqCst);
    }
}
