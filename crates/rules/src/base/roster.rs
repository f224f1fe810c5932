//! The players of a game in order of joining. They are found by id, token, idempotency key and look of name in one step each.
//!
//! Inside the state a player is a slot: a dense number that never changes and is never used again. An answer therefore needs only
//! four bytes for its player. Removed players keep their slots.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize, Serializer};

use crate::base::device::Device;
use crate::base::ids::PlayerId;
use crate::base::name::DisplayName;
use crate::base::player::{Player, PlayerSlot};
use crate::base::team::Phone;
use crate::base::token::TokenHash;

/// All players with their indexes. Only the players are stored; the indexes are derived from them.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Vec<Player>")]
pub(crate) struct Roster {
    players: Vec<Player>,
    /// The service gives out the ids, so a client cannot choose ids that collide.
    by_id: HashMap<PlayerId, PlayerSlot, RandomState>,
    by_token: HashMap<TokenHash, PlayerSlot>,
    by_idempotency: HashMap<TokenHash, PlayerSlot>,
    /// How many players have each look of a name. Removed players do not count, because their names are free again. Counts above
    /// one occur only in logs from before looks were compared.
    looks: HashMap<Box<str>, u32>,
    /// The players whom the host gave another name, each once.
    renamed: Vec<PlayerSlot>,
    count: usize,
    present: usize,
    connected: usize,
}

impl Roster {
    /// Every player who ever joined, removed players included.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &Player> {
        self.players.iter()
    }

    /// The players who were not removed.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| !player.removed)
    }

    /// The players (not removed) whom the host gave another name.
    pub fn renamed(&self) -> impl Iterator<Item = &Player> {
        self.renamed.iter().map(|slot| self.player(*slot)).filter(|player| !player.removed)
    }

    /// How many players were not removed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many of the players who were not removed have not left.
    pub fn present(&self) -> usize {
        self.present
    }

    /// How many of the players who were not removed are connected.
    pub fn connected(&self) -> usize {
        self.connected
    }

    /// The slot of an id, removed players included.
    pub fn find(&self, player: PlayerId) -> Option<PlayerSlot> {
        self.by_id.get(&player).copied()
    }

    /// The slot of an id, unless it is that of a removed player.
    pub fn find_player(&self, player: PlayerId) -> Option<PlayerSlot> {
        self.find(player).filter(|&slot| !self.player(slot).removed)
    }

    /// The slot of a token, removed players included.
    pub fn find_token(&self, token: &TokenHash) -> Option<PlayerSlot> {
        self.by_token.get(token).copied()
    }

    /// The slot of the player who joined with an idempotency key, removed players included.
    pub fn find_idempotency(&self, key: &TokenHash) -> Option<PlayerSlot> {
        self.by_idempotency.get(key).copied()
    }

    /// Whether a player (not removed) has this name or one that looks like it.
    pub fn is_taken(&self, name: &DisplayName) -> bool {
        name.looks().iter().any(|look| self.looks.contains_key(look.as_str()))
    }

    /// The same, without the player of a slot.
    pub fn is_taken_by_another(&self, name: &DisplayName, slot: PlayerSlot) -> bool {
        let own: Vec<_> = distinct(&self.player(slot).display_name).collect();
        let is_anothers = |look: Box<str>| {
            let own = u32::from(own.contains(&look));
            self.looks.get(&look).is_some_and(|count| *count > own)
        };
        distinct(name).any(is_anothers)
    }

    /// The player of a slot. The slot must come from one of the finders.
    pub fn player(&self, slot: PlayerSlot) -> &Player {
        &self.players[slot as usize]
    }

    pub fn player_mut(&mut self, slot: PlayerSlot) -> &mut Player {
        &mut self.players[slot as usize]
    }

    /// The player of any slot, removed players included.
    pub fn at(&self, slot: PlayerSlot) -> Option<&Player> {
        self.players.get(slot as usize)
    }

    /// The same, to write to.
    pub fn at_mut(&mut self, slot: PlayerSlot) -> Option<&mut Player> {
        self.players.get_mut(slot as usize)
    }

    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Player> {
        self.players.iter_mut()
    }

    /// Gives the next slot to a new player. A player whose id exists already is ignored.
    pub fn add(&mut self, mut player: Player) {
        // A player who left or was removed is not connected, but older states can store the opposite.
        player.connected &= player.present;
        let Ok(slot) = PlayerSlot::try_from(self.players.len()) else { return };
        if self.by_id.contains_key(&player.id) {
            return;
        }
        self.by_id.insert(player.id, slot);
        if !player.on_paper {
            self.by_token.insert(player.token, slot);
        }
        if let Some(key) = player.idempotency {
            self.by_idempotency.insert(key, slot);
        }
        for phone in player.team.iter().flat_map(|team| team.phones()) {
            self.by_token.insert(phone.token, slot);
            self.by_idempotency.extend(phone.idempotency.map(|key| (key, slot)));
        }
        if !player.removed {
            self.count_looks(&player.display_name);
            self.count += 1;
            self.present += usize::from(player.present);
            self.connected += usize::from(player.connected);
        }
        if player.renamed {
            self.renamed.push(slot);
        }
        self.players.push(player);
    }

    /// Gives a player another token; the earlier one is no longer valid. A player on paper has a phone from now on.
    pub fn set_token(&mut self, slot: PlayerSlot, token: TokenHash) {
        let player = &mut self.players[slot as usize];
        if !std::mem::take(&mut player.on_paper) {
            self.by_token.remove(&player.token);
        }
        player.token = token;
        self.by_token.insert(token, slot);
    }

    /// Gives a player (not removed) another name.
    pub fn rename(&mut self, slot: PlayerSlot, name: &DisplayName) {
        let player = &mut self.players[slot as usize];
        if !std::mem::replace(&mut player.renamed, true) {
            self.renamed.push(slot);
        }
        let before = std::mem::replace(&mut player.display_name, name.clone());
        self.free_looks(&before);
        self.count_looks(name);
    }

    /// Adds a phone to a team; other players get none.
    pub fn add_phone(&mut self, slot: PlayerSlot, phone: Phone) {
        let Some(team) = &mut self.players[slot as usize].team else { return };
        if team.has_room() {
            self.by_token.insert(phone.token, slot);
            self.by_idempotency.extend(phone.idempotency.map(|key| (key, slot)));
            team.add(phone);
        }
    }

    /// Gives a phone after the first another token. Returns whether the phone exists.
    pub fn set_phone_token(&mut self, slot: PlayerSlot, device: Device, token: TokenHash) -> bool {
        let team = self.players[slot as usize].team.as_mut();
        let Some(phone) = team.and_then(|team| team.phone_mut(device)) else { return false };
        self.by_token.remove(&phone.token);
        phone.set_token(token);
        self.by_token.insert(token, slot);
        true
    }

    /// Marks a player as present or as having left.
    pub fn set_present(&mut self, slot: PlayerSlot, present: bool) {
        let player = &mut self.players[slot as usize];
        match (player.present, present) {
            (false, true) => self.present += 1,
            (true, false) => self.present -= 1,
            _ => {}
        }
        player.present = present;
    }

    /// Marks a player (not removed) as connected or not.
    pub fn set_connected(&mut self, slot: PlayerSlot, connected: bool) {
        let player = &mut self.players[slot as usize];
        match (player.connected, connected) {
            (false, true) => self.connected += 1,
            (true, false) => self.connected -= 1,
            _ => {}
        }
        player.connected = connected;
    }

    /// Removes a player (not removed before) from every count. The name and the place become free; the slot does not.
    pub fn remove(&mut self, slot: PlayerSlot) {
        self.set_present(slot, false);
        self.set_connected(slot, false);
        self.players[slot as usize].removed = true;
        self.count -= 1;
        let name = self.player(slot).display_name.clone();
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
    fn from(players: Vec<Player>) -> Self {
        let mut roster = Self::default();
        for player in players {
            roster.add(player);
        }
        roster
    }
}

impl Serialize for Roster {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.players.serialize(out)
    }
}

impl PartialEq for Roster {
    fn eq(&self, other: &Self) -> bool {
        self.players == other.players
    }
}
