//! Seats that move to another phone: the codes issued for this, and how often each seat has moved.
//!
//! Holds neither a token nor a code, only their hashes.

use serde::{Deserialize, Serialize};

use crate::base::{Device, Game, PlayerDevice, PlayerId, TokenHash};

/// How long a seat code is valid, in milliseconds.
pub const SEAT_CODE_KEPT_MS: i64 = 5 * 60 * 1_000;

/// A code with which another phone can take a seat once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatCode {
    /// The player who has the seat.
    #[serde(rename = "p")]
    pub player: PlayerId,
    /// The device of the player that has the seat.
    #[serde(rename = "d", default, skip_serializing_if = "Device::is_first")]
    pub device: Device,
    /// Hash of the code, keyed with the secret of the game.
    #[serde(rename = "k")]
    pub code: TokenHash,
    /// When it was issued by the clock of the database, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The codes and moves that the state stores; empty in most games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seats {
    /// The newest code of each seat that has not been used.
    codes: Vec<SeatCode>,
    /// How often each seat has moved; seats that never moved are left out.
    moves: Vec<(PlayerId, u32)>,
}

impl Seats {
    pub fn are_unused(&self) -> bool {
        *self == Self::default()
    }

    /// A seat has one code. A new code makes an earlier one invalid.
    pub fn issue(&mut self, issued: SeatCode) {
        let has_seat = |code: &SeatCode| (code.player, code.device) == (issued.player, issued.device);
        self.forget(|code| has_seat(code) || code.code == issued.code);
        self.codes.push(issued);
    }

    fn note_move(&mut self, player: PlayerId) {
        self.forget_codes_of(player, Device::FIRST);
        match self.moves.iter_mut().find(|(moved, _)| *moved == player) {
            Some((_, times)) => *times += 1,
            None => self.moves.push((player, 1)),
        }
    }

    /// Removes the codes of a device whose seat has moved.
    fn forget_codes_of(&mut self, player: PlayerId, device: Device) {
        self.forget(|code| (code.player, code.device) == (player, device));
    }

    fn forget(&mut self, is_over: impl Fn(&SeatCode) -> bool) {
        self.codes.retain(|code| !is_over(code));
    }

    /// The seat that a code of this hash is good for at this time.
    pub fn of_code(&self, code: &TokenHash, now_ms: i64) -> Option<(PlayerId, Device)> {
        let lives = |known: &&SeatCode| known.code == *code && now_ms < known.at_ms + SEAT_CODE_KEPT_MS;
        self.codes.iter().find(lives).map(|known| (known.player, known.device))
    }

    /// Whether this is the code that was issued last for its seat.
    pub fn has_code(&self, code: &SeatCode) -> bool {
        self.codes.contains(code)
    }

    /// How often the seat of a device has moved to another phone.
    pub fn moves_over(&self, game: &Game, player: PlayerId, device: Device) -> u32 {
        if device.is_first() { self.moves_of(player) } else { game.phone_moves(player, device) }
    }

    /// The same of a player's first device.
    pub fn moves_of(&self, player: PlayerId) -> u32 {
        self.moves.iter().find(|(moved, _)| *moved == player).map_or(0, |(_, times)| *times)
    }

    /// Another phone takes the seat of a device, whose codes are then no longer valid.
    pub fn move_seat(&mut self, game: &mut Game, PlayerDevice { player, device }: PlayerDevice, token: TokenHash) {
        let Some(slot) = game.roster.find_player(player) else { return };
        if device.is_first() {
            game.roster.set_token(slot, token);
            self.note_move(player);
        } else if game.move_phone(slot, device, token) {
            self.forget_codes_of(player, device);
        }
    }
}
