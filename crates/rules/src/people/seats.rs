//! Seats that move to another phone: the codes issued for this, and how often each seat has moved.
//!
//! Changed by `apply`, read by `decide`, by the engine and by the server. Holds neither tokens nor codes, only their hashes.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::{Device, PlayerId, TokenHash};

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

    /// The seat of a device has moved.
    pub fn forget_codes_of(&mut self, player: PlayerId, device: Device) {
        self.forget(|code| (code.player, code.device) == (player, device));
    }

    fn forget(&mut self, is_over: impl Fn(&SeatCode) -> bool) {
        self.codes.retain(|code| !is_over(code));
    }
}

impl State {
    /// The player and device whose seat can be taken with a code at this time.
    pub fn seat_of_code(&self, code: &TokenHash, now_ms: i64) -> Option<(PlayerId, Device)> {
        let lives = |known: &&SeatCode| known.code == *code && now_ms < known.at_ms + SEAT_CODE_KEPT_MS;
        let SeatCode { player, device, .. } = *self.seats.codes.iter().find(lives)?;
        self.player(player).map(|player| (player.id, device))
    }

    /// How often the seat of a player's first device has moved to another phone. A token from before the last move is no longer
    /// valid.
    pub fn moves_of(&self, player: PlayerId) -> u32 {
        self.seats.moves.iter().find(|(moved, _)| *moved == player).map_or(0, |(_, times)| *times)
    }

    /// Whether this is the code that was issued last for its seat.
    pub(crate) fn has_seat_code(&self, code: &SeatCode) -> bool {
        self.seats.codes.contains(code)
    }

    pub(crate) fn move_seat(&mut self, player: PlayerId, device: Device, token: TokenHash) {
        if !device.is_first() {
            return self.move_phone(player, device, token);
        }
        let Some(slot) = self.roster.find_player(player) else { return };
        self.roster.set_token(slot, token);
        self.seats.note_move(player);
    }
}
