//! Speed in a world: the times measured at the sockets, and whether the times in the log can be true (invariant 15).
//!
//! A separate model: a slow connection and a queue cost no points, and no time is shorter than the log's timers allow.

use std::collections::BTreeMap;
use std::sync::Arc;

use quizhall_engine::{Message, Time};
use quizhall_protocol::FromPlayer;
use quizhall_rules::{Change, Event, PlayerId, QuestionId, State};

use super::mutation::Mutation;
use super::timing::Model;
use super::{Socket, World};

/// Times are whole milliseconds.
const ROUNDING: u64 = 1;

/// An answer of a player to a question.
type Given = (PlayerId, QuestionId, Arc<str>);

/// The times measured at the sockets for each answer, once per arrival.
#[derive(Debug, Default)]
pub struct Arrivals(BTreeMap<Given, Vec<Option<u32>>>);

/// The questions of a round in which speed counts, and the answers to them.
#[derive(Debug, Default)]
pub struct Stopwatches {
    /// When each question was released.
    released: BTreeMap<QuestionId, Time>,
    /// The latest answer of each player to each question, with its time.
    latest: BTreeMap<(PlayerId, QuestionId), (Arc<str>, Option<u32>)>,
}

impl Stopwatches {
    /// Takes the next event, decided at this time; an error when the time that it stores cannot be true.
    pub fn take(
        &mut self,
        (state, timers): (&State, &Model),
        event: &Event,
        (now, arrivals): (Time, &Arrivals),
    ) -> Result<(), &'static str> {
        match &event.change {
            Change::QuestionReleased { question } if state.counts_speed(*question) => {
                self.released.insert(*question, now);
            }
            Change::Answered { player, question, answer, elapsed, .. } => {
                let latest = self.latest.insert((*player, *question), (Arc::clone(answer), *elapsed));
                if let Some((_, before)) = latest.filter(|(text, _)| text == answer) {
                    return if before == *elapsed { Ok(()) } else { Err("the same answer has another time") };
                }
                let measured = arrivals.0.get(&(*player, *question, Arc::clone(answer)));
                return self.check((*elapsed, *question), (now, timers.ran(*question)), measured);
            }
            _ => {}
        }
        Ok(())
    }

    fn check(
        &self,
        (elapsed, question): (Option<u32>, QuestionId),
        (now, ran): (Time, u64),
        measured: Option<&Vec<Option<u32>>>,
    ) -> Result<(), &'static str> {
        let Some(released) = self.released.get(&question) else {
            return if elapsed.is_none() { Ok(()) } else { Err("a time is stored where it earns nothing") };
        };
        let Some(elapsed) = elapsed.map(u64::from) else { return Err("a time is missing") };
        let measured = measured.map_or(&[][..], Vec::as_slice);
        // For a socket that was sent the question in its sync messages, the owner's time counts.
        let is_bounded = measured.iter().all(Option::is_some);
        let most = measured.iter().flatten().max().filter(|_| is_bounded);
        if u128::from(elapsed) > now.saturating_sub(*released).as_millis() + u128::from(ROUNDING) {
            return Err("an answer took longer than its question was open");
        }
        if most.is_some_and(|most| elapsed > u64::from(*most)) {
            return Err("a slow line has cost a player points");
        }
        let least = measured.iter().flatten().min().map_or(ran, |least| ran.min(u64::from(*least)));
        if elapsed + ROUNDING < least { Err("an answer took less time than was measured") } else { Ok(()) }
    }
}

impl World {
    /// The time that the socket measured for an arriving message; recorded for the end.
    pub fn measure(&mut self, socket: usize, message: &Message) -> Option<u32> {
        let Message::Player(FromPlayer::SubmitAnswer(submit)) = message else { return None };
        let Socket { who, asked, .. } = &self.sockets[socket];
        let (player, question) = (who.player()?, QuestionId::from(submit.question_id));
        let written = asked.iter().find(|(asked, _)| *asked == question).map(|(_, at)| *at);
        let since = written.map(|at| self.agenda.now.saturating_sub(at).as_millis());
        let measured = since.map(|ms| u32::try_from(ms).expect("an evening"));
        self.arrivals.0.entry((player, question, submit.answer.as_str().into())).or_default().push(measured);
        measured.filter(|_| !self.is_mutant(Mutation::SlowLineCosts))
    }
}
