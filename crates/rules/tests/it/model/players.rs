//! Players of the model: joining, and being removed.

use super::teams::Team;
use super::{Model, Player};

impl Model {
    pub(super) fn join(
        &mut self,
        id: u8,
        name: &'static str,
        keys: (u8, Option<u8>, Option<u8>),
        limit: usize,
    ) -> Result<bool, &'static str> {
        let (token, key, team) = keys;
        if self.phase == "ended" {
            return Err("Ended");
        }
        if let Some(player) = self.all_players.iter().find(|player| player.id == id) {
            return if player.token == token && !player.removed { Ok(false) } else { Err("IdempotencyMismatch") };
        }
        if self.is_key_known(key) {
            return Err("IdempotencyMismatch");
        }
        if team.is_some() && self.teams.is_none() {
            return Err("NoTeams");
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
        let has_code = |other: &Player| other.team.as_ref().map(|other| other.code) == team;
        if team.is_some() && self.players().any(has_code) {
            return Err("TeamCodeTaken");
        }
        self.all_players.push(Player {
            id,
            name,
            here: true,
            connected: true,
            on_paper: false,
            removed: false,
            last: None,
            percent: 100,
            joker: None,
            token,
            key,
            team: team.map(Team::new),
        });
        Ok(true)
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
