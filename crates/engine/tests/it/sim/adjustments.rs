//! A host of a world who gives points by hand and undoes them.

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, Message};
use quizhall_protocol::from_host::{AdjustPoints, UndoAdjustment};

use super::World;
use super::mutation::Mutation;

impl World {
    /// Gives points, or undoes some, sometimes for the second time; returns whether it did. The version before this one has no points
    /// by hand, and a game whose nodes are to grow stale has enough to do.
    pub fn host_adjusts(&mut self, socket: usize) -> bool {
        let is_out = self.setting.mixed || self.mutation.is_some_and(Mutation::in_silence);
        if is_out || self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(40) {
            return false;
        }
        let given: Vec<_> = self.store.truth.adjustments().iter().map(|one| one.id).collect();
        if !given.is_empty() && self.dice.chance(700) {
            let known = given[self.dice.index(given.len())];
            let adjustment_id = if self.dice.chance(900) { known } else { self.dice.uuid() };
            self.send(socket, Message::Host(FromHost::UndoAdjustment(UndoAdjustment { adjustment_id })));
            return true;
        }
        let players = &self.store.truth.players;
        let chosen = self.dice.index(players.len() + 1);
        let Some(player_id) = players.get(chosen).map(|player| player.id) else { return false };
        let points = [-1_000_000, -5, 1, 7, 1_000_000][self.dice.index(5)];
        let reason = self.dice.chance(500).then(|| "Best name".to_owned());
        self.send(socket, Message::Host(FromHost::AdjustPoints(AdjustPoints { player_id, points, reason })));
        true
    }
}
