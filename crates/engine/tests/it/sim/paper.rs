//! A host of a world who adds seats for players without a phone, and enters their answers.

use std::sync::Arc;

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, Message};
use quizhall_protocol::from_host::{AddSeat, EnterAnswer};
use quizhall_rules::QuestionId;

use super::{World, quiz};

/// The most players on paper in a game.
const MOST: usize = 2;

impl World {
    /// Adds a player on paper, sometimes one who exists already; returns whether it did.
    pub fn host_seats(&mut self, socket: usize) -> bool {
        if self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(20) {
            return false;
        }
        let players = &self.store.truth.players;
        let on_paper: Vec<_> =
            players.iter().filter(|player| player.on_paper).map(|player| player.name.clone()).collect();
        let again = on_paper.len() >= MOST || (!on_paper.is_empty() && self.dice.chance(200));
        let display_name = match on_paper.first() {
            Some(name) if again => name.clone(),
            _ => format!("Paper {}", self.dice.range(0, u64::MAX)),
        };
        self.send(socket, Message::Host(FromHost::AddSeat(AddSeat { display_name })));
        true
    }

    /// Enters an answer of a player on paper, sometimes the same again; returns whether it did.
    pub fn host_enters(&mut self, socket: usize, released: &[QuestionId]) -> bool {
        if self.clients[0].dialect != Dialect::QuizhallV1 || released.is_empty() || !self.dice.chance(150) {
            return false;
        }
        let players = self.store.truth.players.iter().filter(|player| player.on_paper);
        let on_paper: Vec<_> = players.map(|player| player.id).collect();
        let question_id = released[self.dice.index(released.len())].uuid();
        if on_paper.is_empty() || self.store.truth.is_withdrawn(question_id) {
            return false;
        }
        let player_id = on_paper[self.dice.index(on_paper.len())];
        let quiz = Arc::clone(&self.store.truth.quiz);
        let Some(asked) = quiz.question(question_id) else { return false };
        let tries = self.dice.index(4);
        let answer = quiz::answer(&mut self.dice, asked, tries);
        self.send(socket, Message::Host(FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer })));
        true
    }
}
