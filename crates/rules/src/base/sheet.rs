//! The answers of a round: one sheet per released question, in order of release. Each sheet holds its answers in order of first
//! arrival.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::device::Device;
use crate::base::left_out::is_false;
use crate::base::percent::{NOMINAL, is_nominal, nominal};
use crate::base::player::PlayerSlot;

/// Replaces a missing index: this player has not answered.
const NONE: u32 = u32::MAX;

/// One player's answer to one question. `Debug` does not show the text.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The text as written; empty when only an override exists.
    pub text: Arc<str>,
    /// Whether the key marks it as right.
    pub marked_correct: bool,
    /// Whether it is marked wrong but close, so that the host should check it.
    pub near_miss: bool,
    /// The host's ruling on this text in the changed key; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ruled: Option<Worth>,
    /// Whether the host marked it as right or wrong; none without a mark of the host.
    pub overridden: Option<bool>,
    /// The points that the host's mark gives it although it is not right.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_zero")]
    pub given: u32,
    /// The host's device that marked it last, if any.
    #[serde(default, skip_serializing_if = "Device::is_first")]
    pub marker: Device,
    /// The points that the key gives it although it is not right.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_zero")]
    pub partial: u32,
    /// How long the player took for it, milliseconds; none where speed earns nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<u32>,
    /// The device that sent it last.
    #[serde(default, skip_serializing_if = "Device::is_first")]
    pub by: Device,
    /// The percent of the time limit that the player had when the answer was given; 100 where no time is stored.
    #[serde(rename = "of", default = "nominal", skip_serializing_if = "is_nominal")]
    pub(crate) time_percent: u16,
    #[serde(rename = "seat")]
    pub(crate) slot: PlayerSlot,
}

/// How an answer counts: as right, or otherwise with the points that it earns although it is not right.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredWorth", into = "StoredWorth")]
pub(crate) struct Worth {
    pub correct: bool,
    pub partial: u32,
}

/// A flag, as before there were partial points, or the points.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredWorth {
    Counts(bool),
    Earns(u32),
}

impl From<StoredWorth> for Worth {
    fn from(stored: StoredWorth) -> Self {
        match stored {
            StoredWorth::Counts(correct) => Self { correct, partial: 0 },
            StoredWorth::Earns(partial) => Self { correct: false, partial },
        }
    }
}

impl From<Worth> for StoredWorth {
    fn from(Worth { correct, partial }: Worth) -> Self {
        if correct || partial == 0 { Self::Counts(correct) } else { Self::Earns(partial) }
    }
}

impl Worth {
    pub const WRONG: Self = Self { correct: false, partial: 0 };
}

/// A mark that the host has set.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct HostMark {
    /// Whether the answer counts as right; none where the key decides.
    pub overridden: Option<bool>,
    /// The points that it earns although it is not right.
    pub given: u32,
    /// The device of the host on which it was set.
    pub marker: Device,
}

impl HostMark {
    pub const NONE: Self = Self { overridden: None, given: 0, marker: Device::FIRST };

    /// How the answer counts by this mark.
    pub fn worth(self) -> Worth {
        Worth { correct: self.overridden == Some(true), partial: self.given }
    }

    pub fn of(correct: bool, partial: u32, marker: Device) -> Self {
        Self { overridden: Some(correct), given: partial, marker }
    }
}

/// How the key marks an answer.
#[derive(Clone, Copy, Default)]
pub(crate) struct KeyMark {
    pub correct: bool,
    pub near_miss: bool,
    pub partial: u32,
    /// The host's ruling on the text in the changed key; none without one.
    pub ruled: Option<Worth>,
}

impl Answer {
    /// An answer from the player's first device, without a mark of the host and without a bonus for speed.
    pub(crate) fn new(slot: PlayerSlot, text: Arc<str>, mark: KeyMark) -> Self {
        let (by, marker) = (Device::FIRST, Device::FIRST);
        let KeyMark { correct: marked_correct, near_miss, partial, ruled } = mark;
        let (overridden, given, elapsed, time_percent) = (None, 0, None, NOMINAL);
        Self {
            text,
            marked_correct,
            near_miss,
            ruled,
            overridden,
            given,
            marker,
            partial,
            elapsed,
            by,
            time_percent,
            slot,
        }
    }

    /// The mark that the host has set on it.
    pub(crate) fn host_mark(&self) -> HostMark {
        HostMark { overridden: self.overridden, given: self.given, marker: self.marker }
    }

    /// Whether it counts as right: by the host's mark, otherwise by the key.
    pub fn correct(&self) -> bool {
        self.overridden.unwrap_or(self.by_key())
    }

    /// Whether the key of the game, with the host's changes, marks it as right.
    fn by_key(&self) -> bool {
        self.ruled.map_or(self.marked_correct, |ruled| ruled.correct)
    }

    /// The points that it earns although it does not count as right: by the host's mark, otherwise by the key.
    pub fn partial_points(&self) -> u32 {
        if self.overridden.is_some() { self.given } else { self.partial_by_key() }
    }

    fn partial_by_key(&self) -> u32 {
        let by_quiz = if self.marked_correct { 0 } else { self.partial };
        self.ruled.map_or(by_quiz, |ruled| ruled.partial)
    }

    /// Whether it counts as right, or else earns these points, so that a mark of the host to this effect changes nothing.
    pub(crate) fn counts_as(&self, worth: Worth) -> bool {
        self.correct() == worth.correct && self.partial_points() == worth.partial
    }

    /// Whether the host has decided how it counts, by a mark on it or by a ruling on its text.
    pub fn is_ruled(&self) -> bool {
        self.overridden.is_some() || self.ruled.is_some()
    }

    /// Whether its result differs from that of the key. A mark of the host that was changed back overrules nothing.
    pub fn is_overruled(&self) -> bool {
        (self.correct(), self.partial_points()) != (self.by_key(), self.partial_by_key())
    }

    /// How it counts by the host's mark on it, if there is one.
    pub fn by_host(&self) -> Option<Counting> {
        self.overridden.map(|_| self.host_mark().worth().into())
    }

    /// How it counts by the host's ruling on its text, if there is one.
    pub fn by_ruling(&self) -> Option<Counting> {
        self.ruled.map(Counting::from)
    }

    /// The percent of the time limit that the player had; 100 where no time is stored.
    pub fn time_percent(&self) -> u16 {
        self.time_percent
    }

    /// The source of its mark.
    pub fn marked_by(&self) -> MarkedBy {
        match (self.is_overruled(), self.ruled) {
            (true, _) => MarkedBy::Host,
            (false, Some(_)) => MarkedBy::ChangedKey,
            (false, None) => MarkedBy::Key,
        }
    }
}

/// How an answer counts by one of the things that decide it: the points are those of an answer that is not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Whether it counts as right.
    pub correct: bool,
    /// The points that it earns although it does not.
    pub points: u32,
}

impl From<Worth> for Counting {
    fn from(Worth { correct, partial }: Worth) -> Self {
        Self { correct, points: partial }
    }
}

/// The source of an answer's mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkedBy {
    /// The key of the quiz.
    Key,
    /// The key with the changes that the host made in this game.
    ChangedKey,
    /// The host, who marked the answer differently from the key.
    Host,
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
    /// How many of the answers belong to players who were not removed.
    live: usize,
    /// How many of these players are not connected, while the round takes answers. It follows from the players, so it is not
    /// stored.
    #[serde(skip)]
    away: usize,
    /// The host's changes to the key: texts in the form in which the key compares them, and how each counts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rulings: BTreeMap<String, Worth>,
    /// The question takes no more answers, although the round continues.
    #[serde(skip_serializing_if = "is_false")]
    pub closed: bool,
    /// Whether the text of the question was edited after its release.
    #[serde(skip_serializing_if = "is_false")]
    pub corrected: bool,
    /// Whether the question was withdrawn, so that its answers earn nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub withdrawn: bool,
    /// For each slot the index of its answer, or `NONE`; ends at the highest slot that answered.
    #[serde(skip)]
    places: Vec<u32>,
}

#[derive(Deserialize)]
struct StoredSheet {
    question: usize,
    answers: Vec<Answer>,
    live: usize,
    #[serde(default)]
    rulings: BTreeMap<String, Worth>,
    #[serde(default)]
    closed: bool,
    #[serde(default)]
    corrected: bool,
    #[serde(default)]
    withdrawn: bool,
}

impl From<StoredSheet> for Sheet {
    fn from(stored: StoredSheet) -> Self {
        let mut sheet = Self::new(stored.question);
        for answer in stored.answers {
            sheet.put(answer);
        }
        (sheet.live, sheet.closed, sheet.rulings) = (stored.live, stored.closed, stored.rulings);
        (sheet.corrected, sheet.withdrawn) = (stored.corrected, stored.withdrawn);
        sheet
    }
}

impl Sheet {
    pub fn new(question: usize) -> Self {
        let (answers, places, rulings) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { question, answers, live: 0, away: 0, rulings, closed: false, corrected: false, withdrawn: false, places }
    }

    /// How many players (not removed) have an answer here.
    pub fn live(&self) -> usize {
        self.live
    }

    /// How many players who are connected have an answer here.
    pub fn answers_of_connected(&self) -> usize {
        self.live.saturating_sub(self.away)
    }

    /// A player (not removed) with an answer here is away from now on, or is not any more.
    pub fn set_away(&mut self, slot: PlayerSlot, away: bool) {
        if self.place_of(slot).is_some() {
            self.away = if away { self.away + 1 } else { self.away.saturating_sub(1) };
        }
    }

    pub fn forget_away(&mut self) {
        self.away = 0;
    }

    pub fn answers(&self) -> impl ExactSizeIterator<Item = &Answer> {
        self.answers.iter()
    }

    pub fn answer(&self, slot: PlayerSlot) -> Option<&Answer> {
        self.place_of(slot).map(|place| &self.answers[place])
    }

    /// Stores an answer. It replaces an earlier one of the same player in its place. Repeating the same answer keeps its time.
    pub fn put(&mut self, answer: Answer) {
        let slot = answer.slot as usize;
        if let Some(place) = self.place_of(answer.slot) {
            let before = &self.answers[place];
            let time_percent = if before.text == answer.text { before.time_percent } else { answer.time_percent };
            self.answers[place] = Answer { time_percent, ..answer };
            return;
        }
        let Ok(place) = u32::try_from(self.answers.len()) else { return };
        if self.places.len() <= slot {
            self.places.resize(slot + 1, NONE);
        }
        self.places[slot] = place;
        self.answers.push(answer);
        self.live += 1;
    }

    /// Stores an answer of a player (not removed). `is_away`: the player is not connected, while the round takes answers.
    pub fn answered(&mut self, answer: Answer, is_away: bool) {
        let (slot, before) = (answer.slot, self.live);
        self.put(answer);
        if is_away && self.live > before {
            self.set_away(slot, true);
        }
    }

    /// Stores the host's mark. Without an answer, an empty one is made for it.
    pub fn overrule(&mut self, slot: PlayerSlot, mark: HostMark) {
        if self.place_of(slot).is_none() {
            self.put(Answer::new(slot, Arc::default(), KeyMark::default()));
        }
        self.restore(slot, mark);
    }

    /// Marks every answer again; marks of the host stay.
    pub fn mark_each(&mut self, is_right: impl Fn(&Answer) -> bool) {
        for answer in &mut self.answers {
            answer.marked_correct = is_right(answer);
        }
    }

    /// Applies the host's rulings to each answer that a player wrote.
    pub fn rule_each(&mut self, ruling: impl Fn(&str) -> Option<Worth>) {
        for answer in self.answers.iter_mut().filter(|answer| !answer.text.is_empty()) {
            answer.ruled = ruling(&answer.text);
        }
    }

    /// Restores an earlier mark of the host on a player's answer, with its points.
    pub fn restore(&mut self, slot: PlayerSlot, mark: HostMark) {
        if let Some(place) = self.place_of(slot) {
            let answer = &mut self.answers[place];
            (answer.overridden, answer.given, answer.marker) = (mark.overridden, mark.given, mark.marker);
        }
    }

    /// Removes the answer of a player (not removed).
    pub fn take(&mut self, slot: PlayerSlot) {
        let Some(taken) = self.place_of(slot) else { return };
        self.answers.remove(taken);
        self.live -= 1;
        self.places[slot as usize] = NONE;
        for (place, answer) in self.answers.iter().enumerate().skip(taken) {
            self.places[answer.slot as usize] = u32::try_from(place).unwrap_or(NONE);
        }
        while self.places.last() == Some(&NONE) {
            self.places.pop();
        }
    }

    /// Leaves a removed player's answer out of the count.
    pub fn forget(&mut self, slot: PlayerSlot) {
        self.live -= usize::from(self.place_of(slot).is_some());
    }

    fn place_of(&self, slot: PlayerSlot) -> Option<usize> {
        let place = *self.places.get(slot as usize)?;
        (place != NONE).then_some(place as usize)
    }
}

/// One round that was or is being played.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Played {
    /// The sheets of the released questions, in order of release.
    pub sheets: Vec<Sheet>,
    /// How many players had joined when the round was closed; none while it is open.
    #[serde(rename = "seats")]
    pub joined: Option<PlayerSlot>,
    /// Whether its scores are out.
    pub scored: bool,
}

/// The place of a sheet in a game. It stays the same for as long as the game runs.
#[derive(Clone, Copy)]
pub(crate) struct SheetPlace {
    pub round: usize,
    /// By order of release.
    pub sheet: usize,
}

impl SheetPlace {
    pub fn of_mut(self, rounds: &mut [Played]) -> Option<&mut Sheet> {
        rounds.get_mut(self.round)?.sheets.get_mut(self.sheet)
    }
}

impl Played {
    /// The sheet of the question at a place in the round. It is found by a scan of at most a hundred entries.
    pub fn sheet(&self, question: usize) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.question == question)
    }

    pub fn sheet_mut(&mut self, question: usize) -> Option<&mut Sheet> {
        self.sheets.iter_mut().find(|sheet| sheet.question == question)
    }
}
