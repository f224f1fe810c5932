//! Points that the host gives by hand: a bonus, a penalty, a handicap. They belong to the round that runs or was released last, and
//! count with its scores; jokers, streaks and speed leave them as they are.
//!
//! Changed by `apply`, read by `decide`, by `scoring`, by the engine and by the server. Stored with the players.

use std::sync::Arc;

use crate::base::{Adjustment, AdjustmentId, Device, Game, Player, PlayerId};

/// How often points can be given by hand in a game; undone ones count too.
pub(crate) const MOST: u32 = 500;

/// Points by hand as an event gives them.
pub(crate) struct Given<'a> {
    pub points: i32,
    /// From 0.
    pub round: u32,
    pub reason: Option<&'a Arc<str>>,
    pub by: Device,
}

impl Player {
    /// The points by hand in a round (from 0).
    pub fn adjustments_in(&self, round: usize) -> impl Iterator<Item = &Adjustment> {
        self.adjustments.iter().filter(move |adjustment| adjustment.round as usize == round)
    }

    /// Their sum.
    pub(crate) fn adjusted_in(&self, round: usize) -> i64 {
        self.adjustments_in(round).map(|adjustment| i64::from(adjustment.points)).sum()
    }
}

impl Game {
    /// Whether the host has ever given points by hand.
    pub fn was_adjusted(&self) -> bool {
        self.adjusted > 0
    }

    /// The points by hand of all players who were not removed, in order of giving.
    pub fn adjustments(&self) -> Vec<(&Player, &Adjustment)> {
        if !self.was_adjusted() {
            return Vec::new();
        }
        let of = |player| Player::adjustments(player).iter().map(move |adjustment| (player, adjustment));
        let mut all: Vec<_> = self.players().flat_map(of).collect();
        all.sort_unstable_by_key(|(_, adjustment)| adjustment.number);
        all
    }

    /// Its id.
    pub fn id_of(&self, adjustment: &Adjustment) -> AdjustmentId {
        AdjustmentId::of(self.id, adjustment.number)
    }

    /// The points by hand with this id, and their player; none for a player who was removed.
    pub(crate) fn adjustment(&self, id: AdjustmentId) -> Option<(&Player, &Adjustment)> {
        self.adjustments().into_iter().find(|(_, adjustment)| self.id_of(adjustment) == id)
    }

    pub(crate) fn adjust(&mut self, player: PlayerId, given: &Given<'_>) {
        let Some(slot) = self.roster.find_player(player) else { return };
        self.adjusted = self.adjusted.saturating_add(1);
        let &Given { points, round, reason, by } = given;
        let adjustment = Adjustment { number: self.adjusted, round, points, reason: reason.cloned(), by };
        self.roster.player_mut(slot).adjustments.push(adjustment);
        self.score_again(round);
    }

    pub(crate) fn undo_adjustment(&mut self, player: PlayerId, number: u32) {
        let Some(slot) = self.roster.find_player(player) else { return };
        let adjustments = &mut self.roster.player_mut(slot).adjustments;
        let Some(place) = adjustments.iter().position(|one| one.number == number) else { return };
        let undone = adjustments.remove(place);
        self.score_again(undone.round);
    }

    /// Points by hand of a round that is not out count when its scores are released.
    fn score_again(&mut self, round: u32) {
        if self.is_scored(round as usize) {
            self.score_anew();
        }
    }
}
