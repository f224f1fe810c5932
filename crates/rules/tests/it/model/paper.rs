//! The model's players on paper: their seats, and the answers that the host enters.

use super::{Given, Model, Player, Undo};
use crate::side_by_side::ON_PAPER;

impl Model {
    pub(super) fn seat(&mut self, name: &'static str, limit: usize) -> Result<bool, &'static str> {
        if self.players().any(|player| player.on_paper && player.name == name) {
            return Ok(false);
        }
        if self.players().any(|player| player.name.eq_ignore_ascii_case(name)) {
            return Err("NameTaken");
        }
        if self.players().count() >= limit {
            return Err("Full");
        }
        let id = ON_PAPER + u8::try_from(self.all_players.len()).expect("few players");
        self.all_players.push(Player {
            id,
            name,
            here: true,
            connected: false,
            on_paper: true,
            removed: false,
            last: None,
            percent: 100,
            joker: None,
            token: id,
            key: None,
            team: None,
        });
        Ok(true)
    }

    /// An earlier answer is replaced, together with its marks.
    pub(super) fn enter(&mut self, player: u8, question: u8, text: &'static str) -> Result<bool, &'static str> {
        if !self.is_open(question) || self.withdrawn.contains(&question) {
            return Err("UnknownQuestion");
        }
        if !self.there(player).is_some_and(|player| player.on_paper) {
            return Err("UnknownPlayer");
        }
        let keyed = self.keyed(question, text);
        let (right, text) = (text.starts_with("right"), text.to_owned());
        let (ruled, half, took, percent) = (None, false, None, 100);
        let entered = Given { player, question, by: 0, text, right, ruled, half, keyed, took, percent };
        match self.given.iter_mut().find(|given| given.player == player && given.question == question) {
            Some(given) if given.text == entered.text => return Ok(false),
            Some(given) => *given = entered,
            None => self.given.push(entered),
        }
        for undo in &mut self.markings {
            if let Undo::Marking(marking) = undo {
                marking.retain(|was| (was.0, was.1) != (player, question));
            }
        }
        self.markings.retain(|undo| !matches!(undo, Undo::Marking(marking) if marking.is_empty()));
        Ok(true)
    }
}
