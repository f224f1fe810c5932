//! Points that the host gives by hand, and the messages that must follow.

use quizhall_protocol::from_host::AdjustPoints;
use quizhall_protocol::http::results::AdjustmentResult;
use quizhall_protocol::to_host::{Adjusted, AdjustmentsUpdate};
use quizhall_protocol::to_player::PointsByHand;
use quizhall_protocol::{ServerMessage, ToHost};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Viewer};
use crate::messages::count;

/// Points by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    /// Their id, which the server has made.
    pub id: Uuid,
    /// The player.
    pub player: Uuid,
    /// The round, from 0.
    pub round: usize,
    /// The points; below 0 when they were taken away.
    pub points: i32,
    /// The host's reason.
    pub reason: Option<String>,
}

impl Game {
    /// The points by hand of the players in the game, in order of giving.
    pub fn adjustments(&self) -> &[Adjustment] {
        &self.adjustments
    }

    /// Those of a player in a round, from 0.
    fn adjusted(&self, player: Uuid, round: usize) -> impl Iterator<Item = &Adjustment> {
        self.adjustments.iter().filter(move |one| (one.player, one.round) == (player, round))
    }

    /// Those of a player in the current round, as the player sees them.
    pub(crate) fn points_by_hand(&self, player: Uuid) -> Vec<PointsByHand> {
        let own = self.adjusted(player, self.round);
        own.map(|one| PointsByHand { points: one.points, reason: one.reason.clone() }).collect()
    }

    /// Those of the current round in the form of results.
    pub fn adjustments_in_results(&self) -> Vec<AdjustmentResult> {
        let of_round = self.adjustments.iter().filter(|one| one.round == self.round);
        let result = |one: &Adjustment| AdjustmentResult {
            adjustment_id: one.id,
            player_id: one.player,
            display_name: self.name(one.player),
            points: one.points,
            reason: one.reason.clone(),
            given_by: None,
        };
        of_round.map(result).collect()
    }

    /// `adjustments_update`
    pub fn adjustments_update(&self) -> ServerMessage {
        let stated = |one: &Adjustment| Adjusted {
            adjustment_id: one.id,
            player_id: one.player,
            round: count(one.round + 1),
            points: one.points,
            reason: one.reason.clone(),
            given_by: None,
        };
        let adjustments = self.adjustments.iter().map(stated).collect();
        ServerMessage::Host(ToHost::AdjustmentsUpdate(AdjustmentsUpdate { adjustments }))
    }

    /// The message that the host receives on connecting.
    pub(crate) fn sync_of_adjustments(&self, viewer: Viewer) -> Option<ServerMessage> {
        let is_sent = viewer == Viewer::Host && self.running().is_ok() && !self.adjustments.is_empty();
        is_sent.then(|| self.adjustments_update())
    }

    pub(crate) fn check_adjustment(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::PointsAdjusted(id, player, points, _) => {
                let is_new = !self.adjustments.iter().any(|one| one.id == *id);
                let is_fit = *points != 0 && points.unsigned_abs() <= 1_000_000;
                require(is_new && is_fit && self.player(*player).is_some(), "no such player, or no such points")
            }
            Fact::AdjustmentUndone(id) => {
                require(self.adjustments.iter().any(|one| one.id == *id), "no such points by hand")
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fold_adjustments(&mut self, fact: &Fact) {
        let round = match fact {
            Fact::PointsAdjusted(id, player, points, reason) => {
                let (id, player, points, reason) = (*id, *player, *points, reason.clone());
                self.adjustments.push(Adjustment { id, player, round: self.round, points, reason });
                self.round
            }
            Fact::AdjustmentUndone(id) => {
                let Some(place) = self.adjustments.iter().position(|one| one.id == *id) else { return };
                self.adjustments.remove(place).round
            }
            Fact::Removed(player) => return self.adjustments.retain(|one| one.player != *player),
            _ => return,
        };
        if round < self.rounds_out() {
            self.score_anew();
        }
    }

    /// The host gives points by hand; their id is the server's to make.
    ///
    /// # Errors
    /// When the player is not in the game, or in another phase.
    pub fn host_adjusts(&mut self, id: Uuid, command: &AdjustPoints) -> Result<Effects, Illegal> {
        let reason = command.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        let reason = reason.map(str::to_owned);
        self.apply(&Fact::PointsAdjusted(id, command.player_id, command.points, reason))?;
        Ok(self.adjusted_in(self.round))
    }

    /// Points that were undone before, or never given, are confirmed and change nothing.
    pub(crate) fn undo_adjustment(&mut self, id: Uuid) -> Result<Effects, Illegal> {
        let round = self.adjustments.iter().find(|one| one.id == id).map(|one| one.round);
        let Some(round) = round else { return Ok(Effects::default().and(To::Host, self.adjustments_update())) };
        self.apply(&Fact::AdjustmentUndone(id))?;
        Ok(self.adjusted_in(round))
    }

    /// Boards follow when the scores of the round are out.
    fn adjusted_in(&self, round: usize) -> Effects {
        let mut effects = Effects::default();
        if round < self.rounds_out() {
            effects = self.with_board(effects.and(To::Host, self.board_update()));
        }
        effects.and(To::Host, self.adjustments_update())
    }
}
