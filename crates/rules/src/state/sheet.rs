//! The answers of a round: one sheet per released question, in order of release, each in order of first arrival.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::roster::Seat;

/// Stands for "this seat has not answered".
const NONE: u32 = u32::MAX;

/// One player's answer to one question. `Debug` does not show the text.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// As written; empty when only an override exists.
    pub text: Arc<str>,
    /// What marking said.
    pub marked_correct: bool,
    /// Marked wrong, but close: the host should look.
    pub near_miss: bool,
    /// What the host said, if anything.
    pub overridden: Option<bool>,
    pub(crate) seat: Seat,
}

impl Answer {
    /// Whether it counts as right: the host's word, else the mark.
    pub fn correct(&self) -> bool {
        self.overridden.unwrap_or(self.marked_correct)
    }

    /// Whether it counts otherwise than it was marked. A word of the host that was changed back overrules nothing.
    pub fn is_overruled(&self) -> bool {
        self.correct() != self.marked_correct
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Answer(..)")
    }
}

/// The answers to one released question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredSheet")]
pub(crate) struct Sheet {
    /// The question's place in its round.
    pub question: usize,
    /// In order of first arrival; a changed answer keeps its place.
    answers: Vec<Answer>,
    /// How many of the answers are of players who were not removed.
    live: usize,
    /// For each seat the index of its answer, or `NONE`; ends at the highest seat that answered.
    #[serde(skip)]
    slots: Vec<u32>,
}

#[derive(Deserialize)]
struct StoredSheet {
    question: usize,
    answers: Vec<Answer>,
    live: usize,
}

impl From<StoredSheet> for Sheet {
    fn from(stored: StoredSheet) -> Self {
        let mut sheet = Self::new(stored.question);
        for answer in stored.answers {
            sheet.put(answer);
        }
        sheet.live = stored.live;
        sheet
    }
}

impl Sheet {
    pub fn new(question: usize) -> Self {
        Self { question, answers: Vec::new(), live: 0, slots: Vec::new() }
    }

    /// How many players (not removed) have an answer here.
    pub fn live(&self) -> usize {
        self.live
    }

    pub fn answers(&self) -> impl ExactSizeIterator<Item = &Answer> {
        self.answers.iter()
    }

    pub fn answer(&self, seat: Seat) -> Option<&Answer> {
        self.slot(seat).map(|slot| &self.answers[slot])
    }

    /// Stores an answer; an earlier one of the same seat is replaced where it stands.
    pub fn put(&mut self, answer: Answer) {
        let seat = answer.seat as usize;
        if let Some(slot) = self.slot(answer.seat) {
            self.answers[slot] = answer;
            return;
        }
        let Ok(slot) = u32::try_from(self.answers.len()) else { return };
        if self.slots.len() <= seat {
            self.slots.resize(seat + 1, NONE);
        }
        self.slots[seat] = slot;
        self.answers.push(answer);
        self.live += 1;
    }

    /// Stores the host's word; without an answer it makes an empty one.
    pub fn overrule(&mut self, seat: Seat, correct: bool) {
        let overridden = Some(correct);
        match self.slot(seat) {
            Some(slot) => self.answers[slot].overridden = overridden,
            None => {
                self.put(Answer { text: Arc::default(), marked_correct: false, near_miss: false, overridden, seat });
            }
        }
    }

    /// Gives a seat's answer an earlier word of the host back.
    pub fn restore(&mut self, seat: Seat, overridden: Option<bool>) {
        if let Some(slot) = self.slot(seat) {
            self.answers[slot].overridden = overridden;
        }
    }

    /// Takes the answer of a player (not removed) away.
    pub fn take(&mut self, seat: Seat) {
        let Some(gone) = self.slot(seat) else { return };
        self.answers.remove(gone);
        self.live -= 1;
        self.slots[seat as usize] = NONE;
        for (slot, answer) in self.answers.iter().enumerate().skip(gone) {
            self.slots[answer.seat as usize] = u32::try_from(slot).unwrap_or(NONE);
        }
        while self.slots.last() == Some(&NONE) {
            self.slots.pop();
        }
    }

    /// Leaves a removed player's answer out of the count.
    pub fn forget(&mut self, seat: Seat) {
        self.live -= usize::from(self.slot(seat).is_some());
    }

    fn slot(&self, seat: Seat) -> Option<usize> {
        let slot = *self.slots.get(seat as usize)?;
        (slot != NONE).then_some(slot as usize)
    }
}

/// One round that was or is being played.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Played {
    /// In order of release.
    pub sheets: Vec<Sheet>,
    /// How many seats were taken when it was closed; none while it is open.
    pub seats: Option<Seat>,
    /// Its scores are out.
    pub scored: bool,
}

impl Played {
    /// The sheet of the question at a place in the round. A scan, but of a hundred entries at most.
    pub fn sheet(&self, question: usize) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.question == question)
    }

    pub fn sheet_mut(&mut self, question: usize) -> Option<&mut Sheet> {
        self.sheets.iter_mut().find(|sheet| sheet.question == question)
    }
}
