//! Players of the model: joining, leaving and returning, and being removed.

use super::{Model, Player};

impl Model {
    pub(super) fn join(
        &mut self,
        id: u8,
        name: &'static str,
        keys: (u8, Option<u8>),
        limit: usize,
    ) -> Result<bool, &'static str> {
        let (token, key) = keys;
        if self.phase == "ended" {
            return Err("Ended");
        }
        if let Some(player) = self.all_players.iter().find(|player| player.id == id) {
            return if player.token == token && !player.removed { Ok(false) } else { Err("IdempotencyMismatch") };
        }
        if key.is_some() && self.all_players.iter().any(|player| player.key == key) {
            return Err("IdempotencyMismatch");
        }
        if self.locked {
            return Err("Locked");
        }
        if self.players().any(|player| player.name.eq_ignore_ascii_case(name)) {
            return Err("NameTaken");
        }
        if self.players().count() >= limit {
            return Err("Full");
        }
        self.all_players.push(Player {
            id,
            name,
            here: true,
            connected: true,
            removed: false,
            last: None,
            percent: 100,
            joker: None,
            token,
            key,
        });
        Ok(true)
    }

    pub(super) fn set_here(&mut self, id: u8, here: bool) -> bool {
        let changes = self.there(id).is_some_and(|player| player.here != here);
        if changes {
            (self.player(id).here, self.player(id).connected) = (here, here);
            self.restage();
        }
        changes
    }

    pub(super) fn set_connected(&mut self, id: u8, connected: bool) -> bool {
        let changes = self.there(id).is_some_and(|player| player.connected != connected);
        if changes {
            self.player(id).connected = connected;
        }
        changes
    }

    pub(super) fn remove(&mut self, id: u8) -> Result<bool, &'static str> {
        if self.there(id).is_none() {
            return if self.all_players.iter().any(|player| player.id == id) {
                Ok(false)
            } else {
                Err("UnknownPlayer")
            };
        }
        self.player(id).removed = true;
        self.restage();
        self.given.retain(|given| given.player != id);
        self.lines.retain(|line| line.0 != id);
        self.forget_markings_of(id);
        Ok(true)
    }
}
