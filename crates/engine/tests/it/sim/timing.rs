//! Timers of a world: when each event was decided, and whether the times stated in the log can be true (invariant 14).
//!
//! A separate model: the time left is the number stated last, minus the time for which its owner has existed since.

use std::collections::{BTreeMap, BTreeSet};

use quizhall_engine::{Append, Time};
use quizhall_rules::{Change, Event, Moment, Phase, PlayerId, QuestionId, State, TimeLeft, TimerLength};

use super::World;
use super::bundles;
use super::mutation::Mutation;
use super::speed::Stopwatches;

/// How long after its timer, in milliseconds, a question stays open.
const GRACE: u64 = 1_000;
/// The least time in milliseconds that a running timer has left under a new owner.
const LEAST_AFTER_CLAIM: u64 = 5_000;
/// Times are stated in whole milliseconds.
const ROUNDING: u64 = 1;

/// When events were decided.
#[derive(Debug, Default)]
pub struct Timing {
    /// Each event, by epoch and place in the log.
    decided: BTreeMap<(u64, u64), Time>,
    /// The time since which each epoch has had its owner.
    owned_since: BTreeMap<u64, Time>,
}

impl Timing {
    pub fn note_owner(&mut self, epoch: u64, now: Time) {
        self.owned_since.insert(epoch, now);
    }

    /// Whether this row was written before, or is a claim: an owner decides nothing in a claim, and writes it again only when the store
    /// was set back.
    pub fn knows(&self, row: &Append) -> bool {
        let is_claim = row.events.iter().any(|event| matches!(event.change, Change::Claimed { .. }));
        is_claim || self.decided.contains_key(&(row.epoch, row.seq))
    }

    /// A row is written for the first time: its events were decided at these times.
    pub fn note_row(&mut self, row: &Append, times: impl Iterator<Item = Time>) {
        self.decided.extend((row.seq..).zip(times).map(|(place, at)| ((row.epoch, place), at)));
    }
}

/// A timer as it was last stated.
#[derive(Clone)]
struct Timer {
    question: Option<QuestionId>,
    /// Milliseconds that players without extra time had left then; negative when only others had any.
    left: i64,
    /// The time of that statement.
    at: Time,
    /// The whole time for players without extra time, in milliseconds.
    length: i64,
    /// The percentage of the players whose time the log states.
    counts_to: u16,
    /// It is over for players with this percentage or less.
    over: u16,
    /// How long it has run, as far as stated, in milliseconds.
    ran: i64,
}

impl Timer {
    /// The additional time of a percentage compared with 100 %.
    fn extra(&self, percent: u16) -> i64 {
        self.length * i64::from(percent) / 100 - self.length
    }

    fn stated(&self) -> i64 {
        (self.left + self.extra(self.counts_to)).max(0)
    }

    fn state(&mut self, ms: u64, at: Time) {
        (self.left, self.at) = (signed(ms) - self.extra(self.counts_to), at);
    }

    /// Sets what is left after the timer has run.
    fn run_to(&mut self, ms: u64, at: Time) {
        let before = self.left;
        self.state(ms, at);
        self.ran += before - self.left;
    }

    /// The percentage for which it is over next.
    fn next(&self, stages: &[u16]) -> u16 {
        stages.iter().copied().find(|stage| *stage > self.over).unwrap_or(self.over)
    }
}

/// The timers of a round, as known at one place of the log.
#[derive(Default)]
pub struct Model {
    held: bool,
    timers: Vec<Timer>,
    /// The questions that close whatever their timers say, since when, and whether the host closed them.
    closings: Vec<(QuestionId, Time, bool)>,
    /// What the autopilot's next step had left, and the time of that statement.
    step: Option<(u64, Time)>,
    /// The number of the next step of the game.
    number: u32,
    /// What the break had left, and the time of that statement.
    pause: Option<(u64, Time)>,
}

impl Model {
    fn set(&mut self, left: TimeLeft, length: u64, at: Time) {
        let place = self.timers.iter().position(|timer| timer.question == left.question);
        let new = Timer { question: left.question, left: 0, at, length: 0, counts_to: 100, over: 0, ran: 0 };
        let mut timer = place.map_or(new, |place| self.timers.remove(place));
        timer.length = signed(length);
        timer.state(left.ms, at);
        self.timers.push(timer);
    }

    fn of(&self, question: Option<QuestionId>) -> Option<&Timer> {
        self.timers.iter().find(|timer| timer.question == question)
    }

    /// The least time that the timer of a question has run, in milliseconds.
    pub fn ran(&self, question: QuestionId) -> u64 {
        let ran = self.of(Some(question)).map_or(0, |timer| timer.ran);
        u64::try_from(ran).unwrap_or_default()
    }

    /// Whether a timer may state this now: it has fallen by no more than the time that has passed, and not risen.
    fn may_state(&self, stated: TimeLeft, now: Time) -> bool {
        let Some(timer) = self.of(stated.question) else { return false };
        let passed = if self.held { 0 } else { passed(timer.at, now) };
        let (ms, before) = (signed(stated.ms), timer.stated());
        ms <= before && ms + signed(passed + ROUNDING) >= before
    }

    /// Whether the time of a question, or of the round, is over for players with a percentage, including the grace.
    fn is_over(&self, question: Option<QuestionId>, percent: u16, now: Time) -> bool {
        let end = |timer: &Timer| timer.left + timer.extra(percent) + signed(GRACE);
        let is_over = |timer: &Timer| signed(passed(timer.at, now) + ROUNDING) >= end(timer);
        !self.held && self.of(question).is_some_and(is_over)
    }

    fn start(&mut self, question: Option<QuestionId>, limit: Option<u16>, at: Time) {
        if let Some(seconds) = limit {
            let ms = u64::from(seconds) * 1_000;
            self.set(TimeLeft { question, ms }, ms, at);
        }
    }

    /// The set of players changed: the log states the time of those with the largest percentage that was to be over next so far.
    fn restage(&mut self, stages: &[u16]) {
        for timer in &mut self.timers {
            timer.counts_to = timer.counts_to.max(timer.next(stages));
        }
    }

    fn pass(&mut self, left: TimeLeft, (up, next): (u16, u16), now: Time) -> Result<(), &'static str> {
        if !self.is_over(left.question, up, now) {
            return Err("a question was closed for some before its time");
        }
        let Some(timer) = self.timers.iter_mut().find(|timer| timer.question == left.question) else { return Ok(()) };
        let most = timer.left + timer.extra(next);
        let ms = signed(left.ms);
        if ms > most.max(0) || ms + signed(passed(timer.at, now) + ROUNDING) < most {
            return Err("extra time has risen, or fallen faster than time");
        }
        (timer.over, timer.counts_to) = (up, next);
        timer.run_to(left.ms, now);
        Ok(())
    }

    /// Takes the next event; an error when it cannot be true at that time.
    fn take(&mut self, state: &State, event: &Event, now: Time) -> Result<(), &'static str> {
        let stages = stages(state);
        let longest = stages.last().copied().unwrap_or(100);
        if event.is_step && event.command_id.is_none() && !self.is_step_over(now) {
            return Err("a step was taken before its time");
        }
        match &event.change {
            Change::Claimed { .. } => self.claim(state, &stages, now),
            Change::Started | Change::NextRoundStarted => {
                *self = Self::default();
                self.start(None, state.quiz().rounds[state.round()].time_limit, now);
            }
            Change::QuestionReleased { question } => {
                let limit = state.question(*question).and_then(|question| question.time_limit);
                let limit = limit.or_else(|| state.autopilot().map(|plan| plan.answer_for));
                self.start(Some(*question), limit, now);
            }
            Change::TimerSet(TimerLength { left, of }) => self.set(*left, of.unwrap_or(left.ms), now),
            Change::TimeOver { left, up, next } => self.pass(*left, (*up, *next), now)?,
            Change::TimerHeld { left, .. } | Change::TimerMark { left, .. } => {
                if !left.iter().all(|left| self.may_state(*left, now)) {
                    return Err("time left has risen, or fallen faster than time");
                }
                for left in left {
                    if let Some(timer) = self.timers.iter_mut().find(|timer| timer.question == left.question) {
                        timer.run_to(left.ms, now);
                    }
                }
                if let Change::TimerHeld { held, .. } = event.change {
                    self.held = held;
                }
            }
            Change::QuestionClosing { question } => match self.closings.iter_mut().find(|(of, ..)| of == question) {
                Some((.., by_host)) => *by_host = true,
                None => self.closings.push((*question, now, true)),
            },
            Change::QuestionClosed { question } => {
                if !self.is_over(Some(*question), longest, now) && !self.has_closed(*question, now) {
                    return Err("a question was closed before its time");
                }
                self.end(*question);
            }
            Change::QuestionWithdrawn { question } => self.end(*question),
            Change::RoundEnded => {
                if event.command_id.is_none() && !self.is_over(None, longest, now) && !self.is_step_over(now) {
                    return Err("a round was ended before its time");
                }
                // The next step stays what it is when an answer is to be revealed, and so does its time.
                *self = Self { number: self.number, step: self.step, ..Self::default() };
            }
            Change::AutopilotSet { plan: Some(plan) } => {
                // Timers that are held have been held since the last statement; they run again from here.
                if std::mem::take(&mut self.held) {
                    self.timers.iter_mut().for_each(|timer| timer.at = now);
                }
                let open = state.released().map(|asked| asked.id).filter(|question| state.is_open(*question));
                for question in open.filter(|question| self.of(Some(*question)).is_none()).collect::<Vec<_>>() {
                    self.start(Some(question), Some(plan.answer_for), now);
                }
            }
            _ => {}
        }
        if event.is_step {
            self.pause = None;
        }
        self.restage(&stages);
        self.take_answers(state, now);
        self.take_break(&event.change, event.command_id.is_some(), now)?;
        self.take_step(state, event, now)
    }

    fn end(&mut self, question: QuestionId) {
        self.timers.retain(|timer| timer.question != Some(question));
        self.closings.retain(|(of, ..)| *of != question);
        self.held &= !self.timers.is_empty();
    }

    /// Whether the grace of a question that closes early is over.
    fn has_closed(&self, question: QuestionId, now: Time) -> bool {
        let is_over = |since: Time| passed(since, now) + ROUNDING >= GRACE;
        self.closings.iter().any(|(of, since, _)| *of == question && is_over(*since))
    }

    /// Looks at every player after each event: which open questions wait for no player who is here, in a game in which these close.
    fn take_answers(&mut self, state: &State, now: Time) {
        let closes = state.options().close_when_answered && state.phase() == Phase::Question;
        let here: Vec<_> = state.players().filter(|player| player.connected).map(|player| player.id).collect();
        let open = state.released().map(|asked| asked.id).filter(|question| closes && state.is_open(*question));
        let open: Vec<_> = open.collect();
        self.closings.retain(|(question, _, by_host)| *by_host || open.contains(question));
        for question in open {
            let waits_for = |player: &PlayerId| {
                state.answer_of(*player, question).is_none() && state.is_open_for(question, *player)
            };
            let waits = here.iter().any(waits_for);
            let known = self.closings.iter().any(|(of, ..)| *of == question);
            if waits {
                self.closings.retain(|(of, _, by_host)| *of != question || *by_host);
            } else if !known && !here.is_empty() {
                self.closings.push((question, now, false));
            }
        }
    }

    /// A new owner gives every timer and the next step a least time.
    fn claim(&mut self, state: &State, stages: &[u16], now: Time) {
        self.closings.iter_mut().for_each(|(_, since, _)| *since = now);
        if let Some((left, at)) = self.step.as_mut().filter(|_| !state.is_autopilot_held()) {
            (*left, *at) = ((*left).max(LEAST_AFTER_CLAIM), now);
        }
        for timer in &mut self.timers {
            let least = signed(if self.held { 0 } else { LEAST_AFTER_CLAIM });
            let next = timer.next(stages);
            let short = if self.held { 0 } else { least - timer.left - timer.extra(next) };
            (timer.left, timer.at) = (timer.left + short.max(0), now);
        }
    }

    /// A break falls with time, has a least time left under a new owner, and ends in its time unless the host ends it.
    fn take_break(&mut self, change: &Change, by_host: bool, now: Time) -> Result<(), &'static str> {
        match (change, self.pause) {
            (Change::BreakStarted { ms, .. }, _) => self.pause = Some((*ms, now)),
            (Change::Claimed { .. }, Some((left, _))) => self.pause = Some((left.max(LEAST_AFTER_CLAIM), now)),
            (Change::BreakMark { ms }, Some((before, at))) => {
                if *ms > before || ms + passed(at, now) + ROUNDING < before {
                    return Err("the time left of a break has risen, or fallen faster than time");
                }
                self.pause = Some((*ms, now));
            }
            (Change::BreakEnded, Some((left, at))) => {
                if !by_host && passed(at, now) + ROUNDING < left {
                    return Err("a break ended before its time");
                }
                self.pause = None;
            }
            (Change::Started | Change::ScoresReleased { .. } | Change::NextRoundStarted | Change::Ended, _) => {
                self.pause = None;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the time until the autopilot's next step is over.
    fn is_step_over(&self, now: Time) -> bool {
        self.step.is_some_and(|(left, at)| passed(at, now) + ROUNDING >= left)
    }

    /// A step begins with the time of the state, and falls with time until it is due.
    fn take_step(&mut self, state: &State, event: &Event, now: Time) -> Result<(), &'static str> {
        let begins = match &event.change {
            Change::TimerMark { step, .. } => {
                if let (Some(stated), Some((before, at))) = (*step, self.step) {
                    if stated > before || stated + passed(at, now) + ROUNDING < before {
                        return Err("the time to the next step has risen, or fallen faster than time");
                    }
                    self.step = Some((stated, now));
                }
                false
            }
            Change::HostLeft | Change::HostReturned => state.autopilot().is_some_and(|plan| plan.hold_without_host),
            Change::AutopilotSet { .. } | Change::QuestionClosed { .. } | Change::TallyShown { .. } => true,
            Change::QuestionWithdrawn { .. } => self.step.is_none(),
            _ => false,
        };
        let is_other = std::mem::replace(&mut self.number, state.step_number()) != state.step_number();
        if begins || is_other || state.autopilot_step(Moment::default()).is_none() {
            self.step = state.autopilot_step(Moment::default()).map(|(_, ms)| (ms, now));
        }
        Ok(())
    }
}

/// The percentages of the players who have not left, and 100, in order.
fn stages(state: &State) -> Vec<u16> {
    let percents: BTreeSet<u16> = state.lobby().map(|player| state.time_percent_of(player.id)).chain([100]).collect();
    percents.into_iter().collect()
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).expect("an evening")
}

fn passed(from: Time, to: Time) -> u64 {
    u64::try_from(to.saturating_sub(from).as_millis()).expect("an evening")
}

impl World {
    /// Invariant 14 at the end: no time that the log states is impossible, and nothing was closed before its time. Invariant 15: no
    /// time that is stored with an answer is impossible.
    pub fn check_timing(&mut self) {
        let mut events = self.store.events.iter();
        let Some(Change::Created(created)) = events.next().map(|event| &event.change) else { return };
        let (mut state, mut model, mut epoch) = (State::created(created), Model::default(), 0);
        let (mut watches, mut wrong, mut joined) = (Stopwatches::default(), None, Vec::new());
        for (place, event) in (1_u64..).zip(events) {
            state.apply(event);
            joined.extend(bundles::joins(&event.change));
            let at = if let Change::Claimed { epoch: newest, .. } = event.change {
                epoch = newest;
                self.timing.owned_since.get(&epoch)
            } else {
                self.timing.decided.get(&(epoch, place))
            };
            let Some(at) = at.copied() else { continue };
            if let Err(what) = model.take(&state, event, at) {
                wrong.get_or_insert(format!("14: event {place} at {at:?}: {what}"));
            }
            for single in bundles::singles(event, &joined) {
                if let Err(what) = watches.take((&state, &model), &single, (at, &self.arrivals)) {
                    wrong.get_or_insert(format!("15: event {place} at {at:?}: {what}"));
                }
            }
        }
        if let Some(wrong) = wrong {
            self.fail(wrong);
        }
    }

    /// For a mutant without the grace: closes at once whatever has just run out.
    pub fn close_early(&mut self, node: usize, run: u64) {
        let soon = Moment(Moment::from(self.agenda.now).0 + GRACE);
        let state = self.nodes[node].edge.as_ref().and_then(|slot| slot.edge.state());
        let due = state
            .into_iter()
            .flat_map(State::expiries)
            .filter(|(closes_at, expiry)| *closes_at <= soon && !expiry.is_step);
        let due: Vec<_> = due.map(|(_, expiry)| expiry).collect();
        for expiry in due {
            self.expired(node, run, expiry);
        }
    }

    /// For a mutant without the break: takes the autopilot's next step at once.
    pub fn step_early(&mut self, node: usize, run: u64) {
        let state = self.nodes[node].edge.as_ref().and_then(|slot| slot.edge.state());
        let step = state.into_iter().flat_map(State::expiries).map(|(_, expiry)| expiry).find(|expiry| expiry.is_step);
        if let Some(step) = step {
            self.expired(node, run, step);
        }
    }

    /// For a mutant without the check: an expiry of the timer as it is now, whatever the host has changed meanwhile.
    pub fn unchecked(&self, expiry: quizhall_rules::Expiry) -> quizhall_rules::Expiry {
        let state = State::replay(&self.store.events).ok();
        let now = state.and_then(|state| {
            state
                .expiries()
                .map(|(_, newest)| newest)
                .find(|newest| (newest.question, newest.is_step) == (expiry.question, expiry.is_step))
        });
        now.filter(|_| self.is_mutant(Mutation::ExpiryUnchecked)).unwrap_or(expiry)
    }
}
