//! The list of a lobby that grows by a player with each join. Each player is encoded once, not once for each list.
//!
//! It only converts a state to `lobby_update`; `edge/lobby.rs` decides when it is sent.

use bytes::Bytes;
use quizhall_protocol::to_all::LobbyUpdate;
use quizhall_protocol::{ToAll, frame};
use quizhall_rules::{DisplayName, PlayerId, State};

use super::Recipient;
use super::outgoing::{lobby_list, lobby_player};

/// Lists of more players are not sent with each join, and are encoded as a whole.
const MOST: usize = 200;

/// The players of the last list, as JSON. This saves a quarter of the instructions of the fixed game, in which 200 players join.
#[derive(Debug, Default)]
pub(crate) struct LobbyList {
    players: Vec<(PlayerId, DisplayName)>,
    json: Vec<u8>,
}

impl LobbyList {
    /// `lobby_update` for plain sockets.
    pub fn of(&mut self, state: &State) -> Bytes {
        if state.present_count() > MOST {
            *self = Self::default();
            return lobby_list(state, Recipient::Plain);
        }
        let is_same = |(player, (id, name)): &(&quizhall_rules::Player, &(PlayerId, DisplayName))| {
            player.id == *id && player.display_name == *name
        };
        // A player has left, or has another name.
        if state.lobby().zip(&self.players).take_while(is_same).count() < self.players.len() {
            *self = Self::default();
        }
        for player in state.lobby().skip(self.players.len()) {
            if !self.json.is_empty() {
                self.json.push(b',');
            }
            serde_json::to_writer(&mut self.json, &lobby_player(player)).expect("wire types cannot fail to serialize");
            self.players.push((player.id, player.display_name.clone()));
        }
        let empty = frame::text(&ToAll::LobbyUpdate(LobbyUpdate { players: Vec::new(), total: None }));
        let empty = frame::payload(&empty);
        let at = empty.iter().position(|byte| *byte == b']').unwrap_or_default();
        frame::text_of_json(&[&empty[..at], &self.json, &empty[at..]])
    }
}
