//! The people of a game in the view: the seats as the host knows them, their names, and the players who have answered.

use quizhall_protocol::shapes::Player;
use quizhall_protocol::to_host::{PlayerStatus, PlayersAnswered, RoomPlayer, RoomUpdate};
use uuid::Uuid;

use super::View;

/// The seats of a game as the host knows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Room {
    /// Players in the room, in order of joining; empty in huge games.
    pub players: Vec<RoomPlayer>,
    /// How many seats are taken.
    pub total: u32,
    /// How many of their players are connected.
    pub connected: u32,
    /// Whether joining is refused.
    pub locked: bool,
}

impl Room {
    fn apply(&mut self, update: &RoomUpdate) {
        if update.whole {
            self.players.clear();
        }
        for changed in &update.players {
            let known = self.players.iter().position(|player| player.id == changed.id);
            match (known, changed.status) {
                (Some(at), PlayerStatus::Gone) => drop(self.players.remove(at)),
                (Some(at), _) => self.players[at].clone_from(changed),
                (None, PlayerStatus::Gone) => {}
                (None, _) => self.seat(changed),
            }
        }
        (self.total, self.connected, self.locked) = (update.total, update.connected, update.locked);
    }

    /// Ids grow with time, so a player who left the lobby and returned gets the old place again, or one next to it.
    fn seat(&mut self, player: &RoomPlayer) {
        let at = self.players.partition_point(|other| other.id < player.id);
        self.players.insert(at, player.clone());
    }
}

impl View {
    pub(super) fn room_update(&mut self, update: &RoomUpdate) {
        self.room.apply(update);
        let gone = update.players.iter().filter(|player| player.status == PlayerStatus::Gone);
        for player in gone {
            self.appeals.retain(|appeal| appeal.player_id != player.id);
            self.answered.values_mut().for_each(|players| players.retain(|id| *id != player.id));
        }
    }

    pub(super) fn players_answered(&mut self, PlayersAnswered { question_id, player_ids }: &PlayersAnswered) {
        let known = self.answered.entry(*question_id).or_default();
        known.extend(player_ids);
        known.sort_unstable();
        known.dedup();
    }

    pub(super) fn player_renamed(&mut self, renamed: &Player) {
        let name = |id: Uuid, name: &mut String| {
            if id == renamed.id {
                name.clone_from(&renamed.display_name);
            }
        };
        self.players.iter_mut().for_each(|player| name(player.id, &mut player.display_name));
        self.room.players.iter_mut().for_each(|player| name(player.id, &mut player.display_name));
        self.board.iter_mut().chain(&mut self.running).for_each(|row| name(row.player_id, &mut row.display_name));
        self.review.iter_mut().for_each(|answer| name(answer.player_id, &mut answer.display_name));
        self.appeals.iter_mut().for_each(|appeal| name(appeal.player_id, &mut appeal.display_name));
    }
}
