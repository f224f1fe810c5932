//! Jokers: the round for which they can be played, and the messages that must follow when a player plays one.

use quizhall_protocol::http::game_options::{GameOptions, Pace};
use quizhall_protocol::to_all::JokerRound;
use quizhall_protocol::to_player::JokerUpdate;
use quizhall_protocol::{Dialect, ServerMessage, ToAll, ToPlayer};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal};
use crate::game::{Game, Phase};
use crate::messages::count;

impl Game {
    /// The round, from 0, for which a joker can be played now: the next one, until its first question is released.
    pub fn joker_round(&self) -> Option<usize> {
        let next = match self.phase {
            Phase::Lobby => 0,
            Phase::Question if self.released.is_empty() => self.round,
            Phase::Leaderboard => self.round + 1,
            Phase::Question | Phase::Review | Phase::Ended => return None,
        };
        self.quiz.rounds.get(next).filter(|round| round.joker).map(|_| next)
    }

    /// In the lobby, players get a joker back that the game no longer offers.
    pub(crate) fn set_options(&mut self, options: &GameOptions) {
        self.options.clone_from(options);
        if self.phase == Phase::Lobby && options.pace == Pace::Question {
            self.players.iter_mut().for_each(|player| player.joker = None);
        }
    }

    /// `joker_round`
    pub(crate) fn joker_round_message(&self) -> ServerMessage {
        let round = self.joker_round().map(|round| count(round + 1));
        ServerMessage::All(ToAll::JokerRound(JokerRound { round }))
    }

    /// `joker_update` of a player.
    pub fn joker_update(&self, player: Uuid) -> ServerMessage {
        let joker = self.player(player).and_then(|player| player.joker);
        let round = joker.map(|round| count(round + 1));
        ServerMessage::Player(ToPlayer::JokerUpdate(JokerUpdate { round }))
    }

    /// The same on connecting: nothing before it is played.
    pub(crate) fn joker_played(&self, player: Uuid) -> Option<ServerMessage> {
        self.player(player).filter(|_| self.phase != Phase::Ended)?.joker?;
        Some(self.joker_update(player))
    }

    /// A player plays the joker.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn play_joker(&mut self, player: Uuid) -> Result<Effects, Illegal> {
        let is_first = self.player(player).is_some_and(|player| player.joker.is_none());
        let round = self.joker_round().filter(|_| is_first);
        if let Some(round) = round {
            self.apply(&Fact::JokerPlayed(player, round))?;
        }
        let shown = Effects::default().and(To::Player(player, Some(Dialect::QuizhallV1)), self.joker_update(player));
        Ok(shown.and_all(To::Host, round.map(|_| self.room_change(&[player]))))
    }
}
