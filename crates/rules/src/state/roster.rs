//! The players of a game in order of joining, found by id, token, idempotency key and look of name in one step each.
//!
//! Inside the state a player is a seat: a dense number that never changes and is never given again, so that answers
//! need four bytes to say whose they are. Removed players keep theirs.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize, Serializer};

use crate::{CommandId, DisplayName, PlayerId, TokenHash};

/// A player's number: the place in order of joining.
pub(crate) type Seat = u32;

/// Somebody with a seat in the game. `Debug` shows neither name nor token.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// The seat's public id.
    pub id: PlayerId,
    /// The name shown.
    pub display_name: DisplayName,
    /// Not gone from the lobby. Says nothing of the socket once the game runs.
    pub present: bool,
    /// Has a socket, or has not been missed long enough. Somebody who joined counts as connected until they are missed.
    #[serde(default = "connected_by_default")]
    pub connected: bool,
    pub(crate) token: TokenHash,
    pub(crate) idempotency: Option<TokenHash>,
    #[serde(rename = "stamp")]
    pub(crate) command_id: Option<CommandId>,
    pub(crate) removed: bool,
    /// Has an answer or override in any round, and so a place on the board.
    pub(crate) answered: bool,
    pub(crate) score: u64,
    pub(crate) round_score: u64,
}

impl Player {
    /// Hash of the session token that opens this player's socket.
    pub fn token(&self) -> TokenHash {
        self.token
    }

    /// Points of every round whose scores are out.
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Whether the host threw this player out.
    pub fn is_removed(&self) -> bool {
        self.removed
    }

    pub(crate) fn is_listed(&self) -> bool {
        !self.removed && (self.present || self.answered)
    }
}

/// States made before this was kept.
fn connected_by_default() -> bool {
    true
}

/// All seats with their indexes. Only the seats are stored; the indexes follow from them.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Vec<Player>")]
pub(crate) struct Roster {
    seats: Vec<Player>,
    /// Ids are given by the service: nobody can choose them so that they collide.
    by_id: HashMap<PlayerId, Seat, RandomState>,
    by_token: HashMap<TokenHash, Seat>,
    by_idempotency: HashMap<TokenHash, Seat>,
    /// How many players have each look of a name. Without removed players: their names are free again. Above one only in
    /// logs from before a look was compared.
    looks: HashMap<Box<str>, u32>,
    count: usize,
    present: usize,
    connected: usize,
}

impl Roster {
    /// Every seat ever taken, removed players included.
    pub fn seats(&self) -> impl ExactSizeIterator<Item = &Player> {
        self.seats.iter()
    }

    /// The players who were not removed.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.seats.iter().filter(|player| !player.removed)
    }

    /// How many were not removed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many of those have not left.
    pub fn present(&self) -> usize {
        self.present
    }

    /// How many of those who were not removed are connected.
    pub fn connected(&self) -> usize {
        self.connected
    }

    /// The seat of an id, removed players included.
    pub fn find(&self, player: PlayerId) -> Option<Seat> {
        self.by_id.get(&player).copied()
    }

    /// The seat of an id, if it is not a removed player's.
    pub fn find_player(&self, player: PlayerId) -> Option<Seat> {
        self.find(player).filter(|&seat| !self.player(seat).removed)
    }

    /// The seat of a token, removed players included.
    pub fn find_token(&self, token: &TokenHash) -> Option<Seat> {
        self.by_token.get(token).copied()
    }

    /// The seat taken with an idempotency key, removed players included.
    pub fn find_idempotency(&self, key: &TokenHash) -> Option<Seat> {
        self.by_idempotency.get(key).copied()
    }

    /// Whether a player (not removed) has this name or one that looks like it.
    pub fn is_taken(&self, name: &DisplayName) -> bool {
        name.looks().iter().any(|look| self.looks.contains_key(look.as_str()))
    }

    /// The player in a seat that one of the finders gave.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.seats[seat as usize]
    }

    pub fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.seats[seat as usize]
    }

    pub fn seats_mut(&mut self) -> impl Iterator<Item = &mut Player> {
        self.seats.iter_mut()
    }

    /// Gives the next seat to a new player. A second one with a known id is ignored.
    pub fn seat(&mut self, mut player: Player) {
        // Who left or was removed is not connected; a state from before this was kept does not say so.
        player.connected &= player.present;
        let Ok(seat) = Seat::try_from(self.seats.len()) else { return };
        if self.by_id.contains_key(&player.id) {
            return;
        }
        self.by_id.insert(player.id, seat);
        self.by_token.insert(player.token, seat);
        if let Some(key) = player.idempotency {
            self.by_idempotency.insert(key, seat);
        }
        if !player.removed {
            self.count_looks(&player.display_name);
            self.count += 1;
            self.present += usize::from(player.present);
            self.connected += usize::from(player.connected);
        }
        self.seats.push(player);
    }

    /// Marks a player as there or gone.
    pub fn set_present(&mut self, seat: Seat, present: bool) {
        let player = &mut self.seats[seat as usize];
        match (player.present, present) {
            (false, true) => self.present += 1,
            (true, false) => self.present -= 1,
            _ => {}
        }
        player.present = present;
    }

    /// Marks a player (not removed) as connected or not.
    pub fn set_connected(&mut self, seat: Seat, connected: bool) {
        let player = &mut self.seats[seat as usize];
        match (player.connected, connected) {
            (false, true) => self.connected += 1,
            (true, false) => self.connected -= 1,
            _ => {}
        }
        player.connected = connected;
    }

    /// Takes a player (not removed before) out of every count; name and place become free, the seat does not.
    pub fn remove(&mut self, seat: Seat) {
        self.set_present(seat, false);
        self.set_connected(seat, false);
        self.seats[seat as usize].removed = true;
        self.count -= 1;
        let name = self.player(seat).display_name.clone();
        self.free_looks(&name);
    }

    fn count_looks(&mut self, name: &DisplayName) {
        for look in distinct(name) {
            *self.looks.entry(look).or_default() += 1;
        }
    }

    fn free_looks(&mut self, name: &DisplayName) {
        for look in distinct(name) {
            let count = self.looks.get_mut(&look).map_or(0, |count| {
                *count -= 1;
                *count
            });
            if count == 0 {
                self.looks.remove(&look);
            }
        }
    }
}

/// The looks of a name, each once.
fn distinct(name: &DisplayName) -> impl Iterator<Item = Box<str>> {
    let [folded, written] = name.looks();
    let written = (written != folded).then_some(written);
    std::iter::once(folded).chain(written).map(String::into_boxed_str)
}

impl From<Vec<Player>> for Roster {
    fn from(seats: Vec<Player>) -> Self {
        let mut roster = Self::default();
        for player in seats {
            roster.seat(player);
        }
        roster
    }
}

impl Serialize for Roster {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.seats.serialize(out)
    }
}

impl PartialEq for Roster {
    fn eq(&self, other: &Self) -> bool {
        self.seats == other.seats
    }
}
