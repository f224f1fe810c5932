//! The answers as the phones know them: the last acknowledged answer counts, and no acknowledged answer is lost.
//!
//! Compared with what the server says it stored. An answer whose ack never came may be stored or not, unless the line
//! was open from the sending to the end of the round: then a stored answer would have been acknowledged on it. Of several
//! phones of a team each answer has a span, from the sending to the ack, and was stored within it: one whose ack came before
//! another one was sent was replaced by that, and of two with spans that overlap either may be the last.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use super::seating::Seating;

/// What the phones of one player did about one question.
#[derive(Debug, Clone, Default)]
struct Given {
    /// Of all phones, in order of sending.
    answers: Vec<Answer>,
    /// Counts sendings and acks.
    clock: u64,
}

/// One answer.
#[derive(Debug, Clone)]
struct Answer {
    bot: usize,
    text: String,
    sent: u64,
    acked: Option<u64>,
    fate: Fate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// As far as its phone knows, it is the last one or may become so.
    Open,
    /// A later one of its phone is acknowledged.
    Replaced,
    /// Surely not stored.
    Void,
}

impl Given {
    /// Whether the answer can be the one that was stored last: no acknowledged one was sent after its ack.
    fn may_count(&self, answer: &Answer) -> bool {
        let is_later = |other: &Answer| other.acked.is_some() && answer.acked.is_some_and(|acked| acked < other.sent);
        answer.fate == Fate::Open && !self.answers.iter().any(is_later)
    }

    fn has_ack(&self) -> bool {
        self.answers.iter().any(|answer| answer.acked.is_some())
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

/// How the server's word differs from the players'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// An acknowledged answer is not there.
    Lost,
    /// Another answer is there than the last acknowledged one.
    Other,
    /// An answer is there that the player never gave.
    Unasked,
    /// An answer is there that was never acknowledged although the line was open.
    Silent,
}

impl Fault {
    /// A stable word for it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Lost => "ledger_acked_answer_lost",
            Self::Other => "ledger_other_answer_stored",
            Self::Unasked => "ledger_answer_never_given",
            Self::Silent => "ledger_stored_without_ack",
        }
    }
}

/// The answers of all players.
#[derive(Debug)]
pub struct Ledger {
    seating: Seating,
    players: Vec<Mutex<HashMap<Uuid, Given>>>,
}

impl Ledger {
    /// A ledger for these players.
    pub fn new(seating: Seating) -> Self {
        Self { seating, players: (0..seating.players()).map(|_| Mutex::default()).collect() }
    }

    /// The phone sends an answer: from now on it may be stored.
    pub fn given(&self, bot: usize, question: Uuid, text: &str) {
        let mut players = self.of(bot);
        let given = players.entry(question).or_default();
        let sent = given.tick();
        given.answers.push(Answer { bot, text: text.to_owned(), sent, acked: None, fate: Fate::Open });
    }

    /// An ack came for this answer; what the phone sent before it counts no more.
    pub fn acked(&self, bot: usize, question: Uuid, text: &str) {
        let mut players = self.of(bot);
        let given = players.entry(question).or_default();
        let now = given.tick();
        let is_meant = |answer: &Answer| answer.bot == bot && answer.acked.is_none() && answer.text == text;
        let known = given.answers.iter().position(|answer| answer.fate == Fate::Open && is_meant(answer));
        let place = known.unwrap_or(given.answers.len());
        if known.is_none() {
            given.answers.push(Answer { bot, text: text.to_owned(), sent: now, acked: None, fate: Fate::Open });
        }
        for before in given.answers[..place].iter_mut().filter(|answer| answer.bot == bot) {
            before.fate = if before.fate == Fate::Open { Fate::Replaced } else { before.fate };
        }
        given.answers[place].acked = Some(now);
    }

    /// The round ended on the very line the answer was given on, without an ack: it cannot have been stored.
    pub fn void(&self, bot: usize, question: Uuid, text: &str) {
        let mut players = self.of(bot);
        let given = players.entry(question).or_default();
        let is_meant = |answer: &&mut Answer| answer.bot == bot && answer.acked.is_none() && answer.text == text;
        if let Some(answer) = given.answers.iter_mut().rev().filter(is_meant).find(|answer| answer.fate == Fate::Open) {
            answer.fate = Fate::Void;
        }
    }

    /// Whether any phone of this one's player has ever given an answer to the question.
    pub fn was_given(&self, bot: usize, question: Uuid) -> bool {
        self.of(bot).contains_key(&question)
    }

    /// Whether this phone has ever given this answer.
    pub fn was_given_by(&self, bot: usize, question: Uuid, text: &str) -> bool {
        let of_phone = |answer: &Answer| answer.bot == bot && answer.text == text;
        self.of(bot).get(&question).is_some_and(|given| given.answers.iter().any(of_phone))
    }

    /// Whether the answer of this phone can be the one that counts.
    pub fn may_count(&self, bot: usize, question: Uuid, text: &str) -> bool {
        let players = self.of(bot);
        let Some(given) = players.get(&question) else { return false };
        given.answers.iter().any(|answer| answer.bot == bot && answer.text == text && given.may_count(answer))
    }

    /// Which of these questions have an acknowledged answer of this phone's player.
    pub fn acked_of(&self, bot: usize, questions: &[Uuid]) -> Vec<Uuid> {
        let given = self.of(bot);
        questions.iter().filter(|id| given.get(*id).is_some_and(Given::has_ack)).copied().collect()
    }

    /// How many players have given any answer to the question, acknowledged or not.
    pub fn given_count(&self, question: Uuid) -> usize {
        self.count(question, |_| true)
    }

    /// How many players have an acknowledged answer to the question.
    pub fn acked_count(&self, question: Uuid) -> usize {
        self.count(question, Given::has_ack)
    }

    /// Compares with what the server stored for a player. How many acknowledged answers were replaced by the one that counts.
    pub fn compare(&self, player: usize, question: Uuid, stored: Option<&str>) -> Result<u64, Fault> {
        let players = self.of_player(player);
        let nothing = Given::default();
        let given = players.get(&question).unwrap_or(&nothing);
        let Some(stored) = stored else {
            return if given.has_ack() { Err(Fault::Lost) } else { Ok(0) };
        };
        let mut same = given.answers.iter().filter(|answer| answer.text == stored);
        if let Some(counts) = same.clone().find(|answer| given.may_count(answer)) {
            let replaced = given.answers.iter().filter(|answer| answer.acked.is_some() && answer.sent != counts.sent);
            return Ok(replaced.count() as u64);
        }
        Err(match given.has_ack() {
            _ if same.any(|answer| answer.fate == Fate::Void) => Fault::Silent,
            true => Fault::Other,
            false => Fault::Unasked,
        })
    }

    fn count(&self, question: Uuid, is: fn(&Given) -> bool) -> usize {
        (0..self.players.len()).filter(|player| self.of_player(*player).get(&question).is_some_and(is)).count()
    }

    fn of(&self, bot: usize) -> MutexGuard<'_, HashMap<Uuid, Given>> {
        self.of_player(self.seating.player_of(bot))
    }

    fn of_player(&self, player: usize) -> MutexGuard<'_, HashMap<Uuid, Given>> {
        self.players[player].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
