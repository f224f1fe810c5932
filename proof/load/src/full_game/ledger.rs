//! Who answered what, as the players know it: the last acknowledged answer counts, and nothing acknowledged is lost.
//!
//! Compared with what the server says it stored. An answer whose ack never came may be stored or not, unless the line
//! was open from the sending to the end of the round: then a stored answer would have been acknowledged on it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// What one player did about one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Given {
    acked: Option<String>,
    /// Given after the last acked one, oldest first; no ack so far.
    pending: Vec<String>,
    /// Surely not stored.
    void: Vec<String>,
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

/// The answers of all players, by their number.
#[derive(Debug)]
pub struct Ledger {
    players: Vec<Mutex<HashMap<Uuid, Given>>>,
}

impl Ledger {
    /// A ledger for so many players.
    pub fn new(players: usize) -> Self {
        Self { players: (0..players).map(|_| Mutex::default()).collect() }
    }

    /// The player gives an answer: from now on it may be stored.
    pub fn given(&self, player: usize, question: Uuid, text: &str) {
        self.of(player).entry(question).or_default().pending.push(text.to_owned());
    }

    /// An ack came for this answer; whatever was given before it no longer matters.
    pub fn acked(&self, player: usize, question: Uuid, text: &str) {
        let mut players = self.of(player);
        let given = players.entry(question).or_default();
        if let Some(place) = given.pending.iter().position(|pending| pending == text) {
            given.pending.drain(..=place);
        }
        given.acked = Some(text.to_owned());
    }

    /// The round ended on the very line the answer was given on, without an ack: it cannot have been stored.
    pub fn void(&self, player: usize, question: Uuid, text: &str) {
        let mut players = self.of(player);
        let given = players.entry(question).or_default();
        if let Some(place) = given.pending.iter().rposition(|pending| pending == text) {
            let text = given.pending.remove(place);
            given.void.push(text);
        }
    }

    /// Whether the player has ever given an answer to this question.
    pub fn was_given(&self, player: usize, question: Uuid) -> bool {
        self.of(player).contains_key(&question)
    }

    /// Which of these questions have an acknowledged answer of the player.
    pub fn acked_of(&self, player: usize, questions: &[Uuid]) -> Vec<Uuid> {
        let given = self.of(player);
        let acked = |id: &&Uuid| given.get(*id).is_some_and(|given| given.acked.is_some());
        questions.iter().filter(acked).copied().collect()
    }

    /// How many players have given any answer to the question, acknowledged or not.
    pub fn given_count(&self, question: Uuid) -> usize {
        (0..self.players.len()).filter(|player| self.was_given(*player, question)).count()
    }

    /// How many players have an acknowledged answer to the question.
    pub fn acked_count(&self, question: Uuid) -> usize {
        let acked = |player: &usize| self.of(*player).get(&question).is_some_and(|given| given.acked.is_some());
        (0..self.players.len()).filter(acked).count()
    }

    /// Compares with what the server stored.
    pub fn compare(&self, player: usize, question: Uuid, stored: Option<&str>) -> Result<(), Fault> {
        let players = self.of(player);
        let nothing = Given::default();
        let given = players.get(&question).unwrap_or(&nothing);
        let Some(stored) = stored else {
            return if given.acked.is_some() { Err(Fault::Lost) } else { Ok(()) };
        };
        if given.acked.as_deref() == Some(stored) || given.pending.iter().any(|pending| pending == stored) {
            return Ok(());
        }
        Err(match given.acked {
            _ if given.void.iter().any(|void| void == stored) => Fault::Silent,
            Some(_) => Fault::Other,
            None => Fault::Unasked,
        })
    }

    fn of(&self, player: usize) -> MutexGuard<'_, HashMap<Uuid, Given>> {
        self.players[player].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const Q: Uuid = Uuid::from_u128(1);

    fn ledger(steps: &[(&str, &str)]) -> Ledger {
        let ledger = Ledger::new(1);
        for (step, text) in steps {
            match *step {
                "given" => ledger.given(0, Q, text),
                "acked" => ledger.acked(0, Q, text),
                _ => ledger.void(0, Q, text),
            }
        }
        ledger
    }

    #[test]
    fn the_last_acked_answer_counts() {
        let steps = [("given", "a"), ("acked", "a"), ("given", "b"), ("acked", "b")];
        let ledger = ledger(&steps);
        assert_eq!(ledger.compare(0, Q, Some("b")), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Other));
        assert_eq!(ledger.compare(0, Q, None), Err(Fault::Lost));
        assert_eq!(ledger.acked_count(Q), 1);
    }

    #[test]
    fn without_an_ack_either_is_right() {
        let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b")]);
        assert_eq!(ledger.compare(0, Q, Some("a")), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("b")), Ok(()));
        assert_eq!(ledger.compare(0, Q, None), Err(Fault::Lost));
    }

    #[test]
    fn an_answer_without_any_ack_may_be_absent() {
        let ledger = ledger(&[("given", "a")]);
        assert_eq!(ledger.compare(0, Q, None), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("a")), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("x")), Err(Fault::Unasked));
        assert_eq!((ledger.acked_count(Q), ledger.given_count(Q)), (0, 1));
    }

    #[test]
    fn a_void_answer_must_not_be_there() {
        let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b"), ("void", "b")]);
        assert_eq!(ledger.compare(0, Q, Some("a")), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("b")), Err(Fault::Silent));
    }

    #[test]
    fn an_ack_settles_what_was_given_before_it() {
        let ledger = ledger(&[("given", "a"), ("given", "b"), ("acked", "b")]);
        assert_eq!(ledger.compare(0, Q, Some("a")), Err(Fault::Other));
        assert_eq!(ledger.compare(0, Q, Some("b")), Ok(()));
    }

    #[test]
    fn back_to_the_first_answer_needs_its_own_ack() {
        let ledger = ledger(&[("given", "a"), ("acked", "a"), ("given", "b"), ("given", "a"), ("acked", "b")]);
        assert_eq!(ledger.compare(0, Q, Some("b")), Ok(()));
        assert_eq!(ledger.compare(0, Q, Some("a")), Ok(()), "given again after b, ack unknown");
    }
}
