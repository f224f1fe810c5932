//! Appeals: once the scores of a round are out, a player can ask the host to check the mark of an answer again.
//!
//! Changed by `apply`, read by `decide` and the engine. The state stores that an appeal exists and whether the host left the
//! mark. An accepted appeal is not stored: its answer counts as right.

use std::sync::Arc;

use quizhall_quiz::QuestionId;

use crate::base::{Answer, Appealed, Game, Player, PlayerId, PlayerSlot};

/// Appeals that a player has in each round.
const MOST_IN_A_ROUND: usize = 3;

/// The outcome of an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppealStatus {
    /// Not decided yet.
    Open,
    /// The answer counts as right.
    Accepted,
    /// The host left the mark as it is.
    Dismissed,
}

/// An appeal with its current status. `Debug` does not show its texts.
#[derive(Clone, Copy)]
pub struct Appeal<'a> {
    /// The player who appeals.
    pub player: &'a Player,
    /// The question whose answer it is about.
    pub question: QuestionId,
    /// The answer; empty without one.
    pub answer: &'a str,
    /// The player's reason.
    pub text: Option<&'a str>,
    /// Its outcome.
    pub status: AppealStatus,
}

impl std::fmt::Debug for Appeal<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Appeal({} {:?})", self.question, self.status)
    }
}

impl Game {
    /// A player's appeals, in order of arrival.
    pub fn appeals_of(&self, player: PlayerId) -> impl Iterator<Item = Appeal<'_>> {
        self.roster.find_player(player).into_iter().flat_map(|slot| self.appeals_at(slot))
    }

    /// The appeals of all players that the host has not decided, by order of joining, then by order of arrival.
    pub fn open_appeals(&self) -> impl Iterator<Item = Appeal<'_>> {
        let appealing = (0..).zip(self.roster.all()).filter(|(_, player)| !player.removed && player.has_appealed());
        let appeals = appealing.flat_map(|(slot, _)| self.appeals_at(slot));
        appeals.filter(|appeal| appeal.status == AppealStatus::Open)
    }

    fn appeals_at(&self, slot: PlayerSlot) -> impl Iterator<Item = Appeal<'_>> {
        let player = self.roster.player(slot);
        player.appeals.iter().map(move |appealed| {
            let answer = self.scored_sheet(appealed.question).and_then(|sheet| sheet.answer(slot));
            let status = match answer.is_some_and(Answer::correct) {
                true => AppealStatus::Accepted,
                false if appealed.dismissed => AppealStatus::Dismissed,
                false => AppealStatus::Open,
            };
            Appeal {
                player,
                question: appealed.question,
                answer: answer.map_or("", |answer| &answer.text),
                text: appealed.text.as_deref(),
                status,
            }
        })
    }

    /// Whether a player can appeal about this question; none where the scores of its round have not been shown on phones.
    pub(crate) fn can_appeal(&self, player: PlayerId, question: QuestionId) -> Option<bool> {
        let sheet = self.scored_sheet(question)?;
        let round = self.frozen.place(question)?.round;
        if self.are_scores_waiting(round) {
            return None;
        }
        let slot = self.roster.find_player(player)?;
        let is_of_round =
            |other: &&Appealed| self.frozen.place(other.question).is_some_and(|place| place.round == round);
        let appeals = &self.roster.player(slot).appeals;
        let is_first = !appeals.iter().any(|appealed| appealed.question == question);
        let is_right = sheet.answer(slot).is_some_and(Answer::correct);
        Some(!sheet.withdrawn && is_first && !is_right && appeals.iter().filter(is_of_round).count() < MOST_IN_A_ROUND)
    }

    pub(crate) fn appeal(&mut self, player: PlayerId, question: QuestionId, text: Option<&str>) {
        if self.scored_sheet(question).is_some()
            && let Some(slot) = self.roster.find_player(player)
        {
            let appealed = Appealed { question, text: text.map(Arc::from), dismissed: false };
            self.roster.player_mut(slot).appeals.push(appealed);
        }
    }

    pub(crate) fn dismiss_appeal(&mut self, player: PlayerId, question: QuestionId) {
        let Some(slot) = self.roster.find_player(player) else { return };
        let mut appeals = self.roster.player_mut(slot).appeals.iter_mut();
        if let Some(appealed) = appeals.find(|appealed| appealed.question == question) {
            appealed.dismissed = true;
        }
    }
}
