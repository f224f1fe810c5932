//! A player's unacknowledged answers: which to send again, and which one an ack acknowledges.
//!
//! Pure bookkeeping of [`crate::Participant`]. The server handles a connection's messages in order, so acks arrive in
//! the order of sending, and a close for a mistake concerns the oldest message without an ack.

use std::collections::VecDeque;

use uuid::Uuid;

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The question.
    pub question: Uuid,
    /// The text as it was sent.
    pub text: String,
}

/// Answers without an ack.
#[derive(Debug, Default)]
pub struct Answers {
    /// The latest unacknowledged answer to each question, which a new connection sends again.
    wanted: Vec<Answer>,
    /// Sent on this connection and not acknowledged, oldest first; a changed answer is here twice.
    in_flight: VecDeque<Answer>,
}

impl Answers {
    /// Keeps an answer until it is acknowledged; it replaces an earlier one to the same question.
    pub fn keep(&mut self, answer: Answer) {
        self.wanted.retain(|kept| kept.question != answer.question);
        self.wanted.push(answer);
    }

    /// The answers to `open` questions that are not under way on this connection; from now on they count as sent.
    pub fn send(&mut self, open: &[Uuid]) -> Vec<Answer> {
        let due: Vec<Answer> = self
            .wanted
            .iter()
            .filter(|answer| open.contains(&answer.question))
            .filter(|answer| self.last_in_flight(answer.question) != Some(&answer.text))
            .cloned()
            .collect();
        self.in_flight.extend(due.iter().cloned());
        due
    }

    /// Takes the ack of the oldest answer to `question` sent on this connection; `None` when nothing was sent.
    pub fn acknowledged(&mut self, question: Uuid) -> Option<Answer> {
        let place = self.in_flight.iter().position(|answer| answer.question == question)?;
        let answer = self.in_flight.remove(place)?;
        if self.last_in_flight(question).is_none() {
            self.wanted.retain(|kept| *kept != answer);
        }
        Some(answer)
    }

    /// The server refused the oldest message without an ack (a 40xx close): it is not sent again.
    pub fn refused(&mut self) -> Option<Answer> {
        let answer = self.in_flight.pop_front()?;
        self.wanted.retain(|kept| *kept != answer);
        Some(answer)
    }

    /// The connection is lost: no answer is in flight any more, and all unacknowledged ones wait for the next connection.
    pub fn line_lost(&mut self) {
        self.in_flight.clear();
    }

    /// The round is over: nothing more can be accepted. Returns the answers that never got an ack.
    pub fn round_over(&mut self) -> Vec<Answer> {
        self.in_flight.clear();
        std::mem::take(&mut self.wanted)
    }

    /// The question takes no more answers: returns the answer that never got an ack. Answers that were sent stay in
    /// flight, because a close for one of them may still be under way.
    pub fn question_closed(&mut self, question: Uuid) -> Option<Answer> {
        let place = self.wanted.iter().position(|answer| answer.question == question)?;
        Some(self.wanted.remove(place))
    }

    /// Gives up the answers to questions that are not among `open`, and returns them.
    pub fn forget_all_but(&mut self, open: &[Uuid]) -> Vec<Answer> {
        self.wanted.extract_if(.., |answer| !open.contains(&answer.question)).collect()
    }

    /// How many questions have an answer without an ack.
    pub fn waiting(&self) -> usize {
        self.wanted.len()
    }

    fn last_in_flight(&self, question: Uuid) -> Option<&String> {
        self.in_flight.iter().rev().find(|answer| answer.question == question).map(|answer| &answer.text)
    }
}
