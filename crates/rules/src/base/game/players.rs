//! Looking up the players of a game, in one step each.

use quizhall_quiz::Phase;

use crate::base::command_id::CommandId;
use crate::base::game::Game;
use crate::base::ids::PlayerId;
use crate::base::player::{Player, PlayerSlot};
use crate::base::sheet::Sheet;
use crate::base::token::TokenHash;

impl Game {
    /// Every player who ever joined, removed players included, in order of joining.
    pub fn all_players(&self) -> impl Iterator<Item = &Player> {
        self.roster.all()
    }

    /// The players who were not removed, in order of joining.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.roster.players()
    }

    /// The players of the lobby: those who are present, in order of joining (`lobby_update`).
    pub fn lobby(&self) -> impl Iterator<Item = &Player> {
        self.players().filter(|player| player.present)
    }

    /// How many players were not removed.
    pub fn player_count(&self) -> usize {
        self.roster.count()
    }

    /// How many players are present.
    pub fn present_count(&self) -> usize {
        self.roster.present()
    }

    /// How many players are connected.
    pub fn connected_count(&self) -> usize {
        self.roster.connected()
    }

    /// A player who was not removed.
    pub fn player(&self, player: PlayerId) -> Option<&Player> {
        self.roster.find_player(player).map(|slot| self.roster.player(slot))
    }

    /// The number of a player (not removed) in the order of joining.
    pub fn slot_of(&self, player: PlayerId) -> Option<u32> {
        self.roster.find_player(player)
    }

    /// The player with this number in the order of joining, removed players included.
    pub fn player_at(&self, slot: u32) -> Option<&Player> {
        self.roster.at(slot)
    }

    /// Whether the player joined and was removed.
    pub fn is_removed(&self, player: PlayerId) -> bool {
        self.roster.find(player).is_some_and(|slot| self.roster.player(slot).removed)
    }

    /// The player (not removed) whose session token has this hash.
    pub fn player_by_token(&self, token: &TokenHash) -> Option<&Player> {
        self.roster.find_token(token).map(|slot| self.roster.player(slot)).filter(|player| !player.removed)
    }

    /// Whether the token belonged to a player who was removed.
    pub fn is_removed_token(&self, token: &TokenHash) -> bool {
        self.roster.find_token(token).is_some_and(|slot| self.roster.player(slot).removed)
    }

    /// Whether the token belonged to a banned player or to a phone of a banned team.
    pub fn is_banned_token(&self, token: &TokenHash) -> bool {
        self.roster.find_token(token).is_some_and(|slot| self.roster.player(slot).banned)
    }

    /// The player (not removed) who joined with this idempotency key.
    pub fn player_by_idempotency(&self, key: &TokenHash) -> Option<&Player> {
        self.roster.find_idempotency(key).map(|slot| self.roster.player(slot)).filter(|player| !player.removed)
    }

    /// Marks a player (not removed) as connected or not.
    pub(crate) fn set_player_connected(&mut self, slot: PlayerSlot, connected: bool) {
        if self.roster.player(slot).connected != connected {
            self.roster.set_connected(slot, connected);
            self.asked_sheets().for_each(|sheet| sheet.set_away(slot, !connected));
        }
    }

    /// Removes a player (not removed before).
    pub(crate) fn remove_player(&mut self, slot: PlayerSlot) {
        // An answer that no longer counts is not one of a player who is away either.
        self.set_player_connected(slot, true);
        self.roster.remove(slot);
        self.rounds.iter_mut().flat_map(|played| &mut played.sheets).for_each(|sheet| sheet.forget(slot));
    }

    /// Counts the answers of players who are away, in a state that was read.
    pub(crate) fn count_away(&mut self) {
        let slots = (0..).zip(self.roster.all()).filter(|(_, player)| !player.removed && !player.connected);
        let away: Vec<PlayerSlot> = slots.map(|(slot, _)| slot).collect();
        for sheet in self.asked_sheets() {
            for slot in &away {
                sheet.set_away(*slot, true);
            }
        }
    }

    /// The round takes no more answers, so no player counts as away.
    pub(crate) fn forget_away(&mut self) {
        self.asked_sheets().for_each(Sheet::forget_away);
    }

    /// The sheets of a round that takes answers.
    fn asked_sheets(&mut self) -> impl Iterator<Item = &mut Sheet> {
        let asked = self.rounds.last_mut().filter(|_| self.phase == Phase::Question);
        asked.into_iter().flat_map(|round| &mut round.sheets)
    }

    /// The id of the last stored command of a player.
    pub fn last_command_of(&self, player: PlayerId) -> Option<CommandId> {
        self.player(player)?.command_id
    }
}
