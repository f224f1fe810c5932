//! The idempotency keys with which phones join the next game, derived from the seats of the game before.
//!
//! Called by `http` when a phone moves on, and by `results` to find the same player again.

use quizhall_rules::{Device, Player, PlayerId, State};

use super::player_token::idempotency_hash;

/// The key of a phone of this player. No client can send such a key; otherwise it would get the seat of a player whose id
/// it knows.
pub fn next_game_key(player: PlayerId, device: Device) -> String {
    format!("\0next {} {}", player.uuid(), device.0)
}

/// The player of the next game who was `player` in the previous one, if not removed: the place of the first phone that
/// moved on. `last` is the last phone of the player.
pub fn went_on_as(player: PlayerId, last: Device, next: &State) -> Option<&Player> {
    let there = |number| next.device_by_idempotency(&idempotency_hash(&next_game_key(player, Device(number))));
    (0..=last.0).find_map(there).map(|(player, ..)| player)
}
