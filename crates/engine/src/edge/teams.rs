//! The phones of a player that have a socket here. Which phones a team has is in the replica; which are here, in `sessions`.

use quizhall_rules::PlayerId;

use super::Edge;
use super::marks::Touched;
use super::sessions::Session;
use crate::ids::{ConnectionId, Participant};

impl Edge {
    /// The sockets here of a player's devices, in order of joining.
    pub(super) fn phones(&self, player: PlayerId) -> impl Iterator<Item = ConnectionId> {
        // A removed team still has the sockets that are to be closed.
        let known = self.state().into_iter().flat_map(move |state| state.devices_of(player));
        known.filter_map(move |device| self.sessions.of(Participant::player_over(player, device)))
    }

    /// Those that speak `quizhall.v1`.
    pub(super) fn phones_v1(&self, player: PlayerId) -> impl Iterator<Item = ConnectionId> {
        let has_extension = |to: &ConnectionId| self.sessions.get(*to).is_some_and(Session::has_extension);
        self.phones(player).filter(has_extension)
    }

    /// A player came or left, unless another phone of the team was here before or still is.
    pub(super) fn lobby_changed(&mut self, player: PlayerId, touched: &Touched) {
        let present = self.state().and_then(|state| state.player(player)).is_some_and(|player| player.present);
        if !matches!(touched, Touched::Presence(before) if *before == present) {
            self.pacing.lobby.player_changed(player);
        }
    }
}
