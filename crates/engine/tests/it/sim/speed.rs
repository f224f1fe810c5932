//! Speed in a world: what was measured at the sockets, and whether the times that the log stores can be true (invariant 15).
//!
//! A model of its own: a slow line and a queue on the way cost nothing, and no time is shorter than what the log says of the timers.

use std::collections::BTreeMap;
use std::sync::Arc;

use quizhall_engine::{Message, Participant, Time};
use quizhall_protocol::FromPlayer;
use quizhall_rules::{Change, Event, PlayerId, QuestionId, State, TimeLeft};

use super::mutation::Mutation;
use super::{Socket, World};

/// What is stated of a timer after a change of owner, at least.
const LEAST_AFTER_CLAIM: u64 = 5_000;
/// Times are whole milliseconds.
const ROUNDING: u64 = 1;

/// An answer of a player to a question.
type Given = (PlayerId, QuestionId, Arc<str>);

/// What was measured at the sockets for each answer, as often as it arrived.
#[derive(Debug, Default)]
pub struct Arrivals(BTreeMap<Given, Vec<Option<u32>>>);

/// What the log says of the timers of the questions in which speed counts.
#[derive(Debug, Default)]
pub struct Stopwatches {
    running: Vec<Stopwatch>,
    /// The latest answer of each player to each question, with its time.
    latest: BTreeMap<(PlayerId, QuestionId), (Arc<str>, Option<u32>)>,
}

#[derive(Debug)]
struct Stopwatch {
    question: QuestionId,
    released: Time,
    left: u64,
    /// For how long the timer has run, as far as that was stated.
    ran: u64,
}

impl Stopwatches {
    /// Takes the next event, decided at this time; an error when the time that it stores cannot be true.
    pub fn take(
        &mut self,
        state: &State,
        event: &Event,
        (now, arrivals): (Time, &Arrivals),
    ) -> Result<(), &'static str> {
        match &event.change {
            Change::QuestionReleased { question } if state.counts_speed(*question) => {
                let limit = state.question(*question).and_then(|asked| asked.time_limit).unwrap_or_default();
                let left = u64::from(limit) * 1_000;
                self.running.push(Stopwatch { question: *question, released: now, left, ran: 0 });
            }
            Change::TimerMark { left, .. } | Change::TimerHeld { left, .. } => {
                for left in left {
                    self.state(*left);
                }
            }
            Change::TimeOver { left, .. } => self.state(*left),
            Change::TimerSet(set) => self.of(set.left.question).into_iter().for_each(|watch| watch.left = set.left.ms),
            Change::Claimed { .. } if !state.are_timers_held() => {
                self.running.iter_mut().for_each(|watch| watch.left = watch.left.max(LEAST_AFTER_CLAIM));
            }
            Change::Answered { player, question, answer, elapsed, .. } => {
                let latest = self.latest.insert((*player, *question), (Arc::clone(answer), *elapsed));
                if let Some((_, before)) = latest.filter(|(text, _)| text == answer) {
                    return if before == *elapsed { Ok(()) } else { Err("the same answer has another time") };
                }
                return self
                    .check((*elapsed, *question), (now, arrivals.0.get(&(*player, *question, Arc::clone(answer)))));
            }
            _ => {}
        }
        Ok(())
    }

    fn state(&mut self, left: TimeLeft) {
        if let Some(watch) = self.of(left.question) {
            watch.ran += watch.left.saturating_sub(left.ms);
            watch.left = left.ms;
        }
    }

    fn of(&mut self, question: Option<QuestionId>) -> Option<&mut Stopwatch> {
        self.running.iter_mut().find(|watch| Some(watch.question) == question)
    }

    fn check(
        &mut self,
        (elapsed, question): (Option<u32>, QuestionId),
        (now, measured): (Time, Option<&Vec<Option<u32>>>),
    ) -> Result<(), &'static str> {
        let Some(watch) = self.of(Some(question)) else {
            return if elapsed.is_none() { Ok(()) } else { Err("a time is stored where it earns nothing") };
        };
        let Some(elapsed) = elapsed.map(u64::from) else { return Err("a time is missing") };
        let measured = measured.map_or(&[][..], Vec::as_slice);
        // Of a socket that was sent the question with its sync messages the owner's time counts.
        let is_bounded = measured.iter().all(Option::is_some);
        let most = measured.iter().flatten().max().filter(|_| is_bounded);
        if u128::from(elapsed) > now.saturating_sub(watch.released).as_millis() + u128::from(ROUNDING) {
            return Err("an answer took longer than its question was open");
        }
        if most.is_some_and(|most| elapsed > u64::from(*most)) {
            return Err("a slow line has cost a player points");
        }
        let least = measured.iter().flatten().min().map_or(watch.ran, |least| watch.ran.min(u64::from(*least)));
        if elapsed + ROUNDING < least { Err("an answer took less time than was measured") } else { Ok(()) }
    }
}

impl World {
    /// What the socket has measured of a message that arrives; kept for the end.
    pub fn measure(&mut self, socket: usize, message: &Message) -> Option<u32> {
        let Message::Player(FromPlayer::SubmitAnswer(submit)) = message else { return None };
        let Socket { who: Participant::Player(player), asked, .. } = &self.sockets[socket] else { return None };
        let (player, question) = (*player, QuestionId::from(submit.question_id));
        let written = asked.iter().find(|(asked, _)| *asked == question).map(|(_, at)| *at);
        let since = written.map(|at| self.agenda.now.saturating_sub(at).as_millis());
        let measured = since.map(|ms| u32::try_from(ms).expect("an evening"));
        self.arrivals.0.entry((player, question, submit.answer.as_str().into())).or_default().push(measured);
        measured.filter(|_| !self.is_mutant(Mutation::SlowLineCosts))
    }
}
