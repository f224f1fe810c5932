//! The host's markings of the current round, and how they are undone one at a time.
//!
//! Part of the state, made only by the log: a replay after a restart can undo as much as before. Emptied when the
//! scores are released. Decides nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::answering::key::Rulings;
use crate::base::{Answer, Device, Game, HostMark, PlayerId, PlayerSlot, Worth};

/// The most markings that are kept; older ones cannot be undone. Neither bound may ever shrink: logs hold undos that were decided
/// under the old bound.
const MOST_MARKINGS: usize = 1_000;
/// The most answers that all kept markings may have touched together; the latest marking is always kept.
const MOST_TOUCHED: usize = 100_000;

/// The markings of a round, single and group alike, oldest first: the latest 1,000, and fewer when they touched more
/// than 100,000 answers together.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Markings(VecDeque<Marking>);

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Marking {
    question: QuestionId,
    /// The host's device that made it.
    #[serde(default, skip_serializing_if = "Device::is_first")]
    by: Device,
    touched: Vec<Touched>,
    /// The earlier rulings on the texts that a change of the key named; none for a marking of answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Rulings>,
}

/// An answer as it was before the marking.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Touched {
    #[serde(rename = "seat")]
    slot: PlayerSlot,
    overridden: Option<bool>,
    /// The points that the host's mark gave it.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_zero")]
    given: u32,
    /// The host's device that had marked it.
    #[serde(default, skip_serializing_if = "Device::is_first")]
    marker: Device,
    /// There was no answer: the marking made an empty one.
    made: bool,
    /// It was the player's first answer of the game, and gave them their place on the board.
    first: bool,
}

/// A mark of the host for answers to a question, which are named by their texts or by their players.
pub(crate) struct Marked<'a, T> {
    pub question: QuestionId,
    pub named: &'a [T],
    pub mark: HostMark,
}

/// The host's rulings on texts, in the form in which the key of a question compares them.
#[derive(Clone, Copy)]
pub(crate) struct Ruling<'a> {
    pub question: QuestionId,
    pub texts: &'a [String],
    pub worth: Worth,
}

impl Marking {
    fn size(&self) -> usize {
        self.touched.len() + self.key.as_ref().map_or(0, Vec::len)
    }

    /// Takes over from an `earlier` marking the previous values of everything that this one has marked again. Undoing this one
    /// then restores the state before both.
    fn inherit(&mut self, earlier: &mut Self) {
        if self.question != earlier.question {
            return;
        }
        let mut before: BTreeMap<PlayerSlot, Touched> =
            earlier.touched.drain(..).map(|touched| (touched.slot, touched)).collect();
        for touched in &mut self.touched {
            *touched = before.remove(&touched.slot).unwrap_or_else(|| touched.clone());
        }
        earlier.touched = before.into_values().collect();
        let (Some(own), Some(rulings)) = (&mut self.key, &mut earlier.key) else { return };
        for (text, ruling) in own {
            if let Some(place) = rulings.iter().position(|(named, _)| named == text) {
                *ruling = rulings.remove(place).1;
            }
        }
    }
}

impl Markings {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the answers of a removed player, which no longer count, from all markings.
    pub fn forget(&mut self, slot: PlayerSlot) {
        for marking in &mut self.0 {
            marking.touched.retain(|touched| touched.slot != slot);
        }
        self.0.retain(|marking| marking.key.is_some() || !marking.touched.is_empty());
    }

    /// Removes from all markings an answer that was replaced by a newer one, because the newer one has none of its marks.
    pub fn forget_answer(&mut self, question: QuestionId, slot: PlayerSlot) {
        for marking in self.0.iter_mut().filter(|marking| marking.question == question) {
            marking.touched.retain(|touched| touched.slot != slot);
        }
        self.0.retain(|marking| marking.key.is_some() || !marking.touched.is_empty());
    }

    /// How many answers and texts of keys the markings touched together.
    pub fn touched(&self) -> usize {
        self.0.iter().map(Marking::size).sum()
    }

    /// Changes the key of a question. A change that names no text is kept as well: the undo after it is meant for it.
    pub fn change_key(&mut self, game: &mut Game, ruling: Ruling<'_>, by: Device) {
        let Ruling { question, texts, worth } = ruling;
        if let Some(before) = game.rule_on(question, texts, worth) {
            self.push(Marking { question, by, touched: Vec::new(), key: Some(before) });
        }
    }

    /// The index of the latest marking, or of the latest from one of the host's devices.
    fn latest(&self, of: Option<Device>) -> Option<usize> {
        self.0.iter().rposition(|marking| of.is_none_or(|device| marking.by == device))
    }

    fn push(&mut self, marking: Marking) {
        self.0.push_back(marking);
        let mut kept = self.touched();
        while self.0.len() > MOST_MARKINGS || (kept > MOST_TOUCHED && self.0.len() > 1) {
            kept -= self.0.pop_front().map_or(0, |oldest| oldest.size());
        }
    }

    /// How many markings of this round can be undone; with a device, only those that were made on it.
    pub fn undoable(&self, of: Option<Device>) -> usize {
        self.0.iter().filter(|marking| of.is_none_or(|device| marking.by == device)).count()
    }

    /// The question of the latest marking of this round and the players whose answers it touched, in order of arrival. With a
    /// device, the latest marking that was made on it.
    pub fn latest_touched(&self, game: &Game, of: Option<Device>) -> Option<(QuestionId, Vec<PlayerId>)> {
        let latest = self.0.get(self.latest(of)?)?;
        if let Some(key) = &latest.key {
            let texts: Vec<&str> = key.iter().map(|(text, _)| text.as_str()).collect();
            return Some((latest.question, game.answers_ruled_by(latest.question, &texts)));
        }
        let players = latest.touched.iter().map(|touched| game.roster.player(touched.slot).id);
        Some((latest.question, players.collect()))
    }

    /// Marks every answer that has one of these texts.
    pub fn mark_all(&mut self, game: &mut Game, Marked { question, named, mark }: Marked<'_, String>) {
        let players = game.answered_by_one_of(question, named, mark.worth());
        self.overrule(game, Marked { question, named: &players, mark });
    }

    /// Makes one marking: sets the host's mark of these players' answers and stores the previous marks.
    pub fn overrule(&mut self, game: &mut Game, Marked { question, named, mark }: Marked<'_, PlayerId>) {
        let mut touched = Vec::new();
        for slot in named.iter().filter_map(|player| game.roster.find_player(*player)).collect::<Vec<_>>() {
            let Some(sheet) = game.sheet_mut(question) else { return };
            let before = sheet.answer(slot);
            let HostMark { overridden, given, marker } = before.map_or(HostMark::NONE, Answer::host_mark);
            let made = before.is_none();
            sheet.overrule(slot, mark);
            let player = game.roster.player_mut(slot);
            touched.push(Touched { slot, overridden, given, marker, made, first: !player.answered });
            player.answered = true;
        }
        if !touched.is_empty() {
            self.push(Marking { question, by: mark.marker, touched, key: None });
        }
    }

    /// Undoes the latest marking exactly; with a device, the latest that was made on it, as if it had never been made. Answers
    /// that have been marked again since keep their newer marks.
    pub fn undo(&mut self, game: &mut Game, of: Option<Device>) {
        let Some(place) = self.latest(of) else { return };
        let Some(mut undone) = self.0.remove(place) else { return };
        self.0.range_mut(place..).for_each(|later| later.inherit(&mut undone));
        let Marking { question, touched, key, .. } = undone;
        if let Some(before) = key {
            return game.restore_key(question, before);
        }
        for Touched { slot, overridden, given, marker, made, first } in touched {
            let Some(sheet) = game.sheet_mut(question) else { return };
            if made {
                sheet.take(slot);
            } else {
                sheet.restore(slot, HostMark { overridden, given, marker });
            }
            if first {
                game.roster.player_mut(slot).answered = false;
            }
        }
    }
}

impl Game {
    /// The answers to an open or closed question of this round whose text `is_named` and which do not yet count as given, or about which
    /// the host has not decided: player and text, in order of arrival.
    pub(crate) fn markable(
        &self,
        question: QuestionId,
        is_named: impl Fn(&str) -> bool,
        worth: Worth,
    ) -> impl Iterator<Item = (PlayerId, &str)> {
        self.answers_to(question)
            .filter(move |answer| is_named(&answer.text))
            .filter(move |answer| !answer.counts_as(worth) || self.is_doubtful(question, answer))
            .map(|answer| (self.roster.player(answer.slot).id, &*answer.text))
    }

    /// The players whose answers a group marking of these texts would touch, in order of arrival.
    pub fn touched_by_marking(&self, question: QuestionId, texts: &[String], mark: (bool, u32)) -> Vec<PlayerId> {
        self.answered_by_one_of(question, texts, Worth { correct: mark.0, partial: mark.1 })
    }

    fn answered_by_one_of(&self, question: QuestionId, texts: &[String], worth: Worth) -> Vec<PlayerId> {
        let texts: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
        self.markable(question, |text| texts.contains(text), worth).map(|(player, _)| player).collect()
    }
}
