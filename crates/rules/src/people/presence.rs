//! Presence: players who leave the lobby, and devices that lose their socket and come back.

use crate::base::{Device, Game, PlayerId, PlayerSlot};

impl Game {
    /// A player leaves the lobby or returns, over one of the player's devices; whether the player has that device.
    pub(crate) fn set_present(&mut self, player: PlayerId, device: Device, present: bool) -> bool {
        let Some((slot, present)) = self.connect(player, device, present) else { return false };
        self.roster.set_present(slot, present);
        self.set_player_connected(slot, present);
        true
    }

    /// A device loses its socket, or has one again.
    pub(crate) fn set_connected(&mut self, player: PlayerId, device: Device, connected: bool) {
        if let Some((slot, connected)) = self.connect(player, device, connected) {
            self.set_player_connected(slot, connected);
        }
    }

    /// Stores whether a device is connected. Returns its player, and whether any device of that player is connected now.
    fn connect(&mut self, player: PlayerId, device: Device, connected: bool) -> Option<(PlayerSlot, bool)> {
        let slot = self.roster.find_player(player)?;
        let any = self.roster.player_mut(slot).connect(device, connected)?;
        Some((slot, any))
    }
}
