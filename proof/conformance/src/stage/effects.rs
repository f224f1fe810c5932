//! What must follow a legal command, for each participant, in order (messages.md#host-to-server, "Effect").

use quizhall_protocol::{Dialect, FromAny, FromHost, FromPlayer};
use serde_json::{Value, json};
use uuid::Uuid;

use super::command::{Actor, Command};
use super::model::{Answer, Model, Phase, bare};
use crate::shape::is_extension;

/// Messages by audience, extension messages among them.
#[derive(Debug, Default)]
pub struct Effects {
    /// To the host, in order.
    pub host: Vec<Value>,
    /// To the host perhaps: the interface leaves it open.
    pub host_perhaps: Vec<Value>,
    /// To each player, by seat number, in order.
    pub players: Vec<Vec<Value>>,
    /// To each player who speaks the extension, where that is not the same and some extension messages besides.
    pub players_v1: Option<Vec<Vec<Value>>>,
}

impl Effects {
    pub(super) fn none(model: &Model) -> Self {
        Self { players: vec![Vec::new(); model.players.len()], ..Self::default() }
    }

    pub(super) fn for_all(&mut self, message: &Value) {
        self.host.push(message.clone());
        self.players.iter_mut().for_each(|player| player.push(message.clone()));
    }

    /// What the player of this seat is sent over a socket of this dialect.
    pub fn to_player(&self, seat: usize, dialect: Dialect) -> Vec<Value> {
        let of_dialect = self.players_v1.as_ref().filter(|_| dialect == Dialect::QuizhallV1);
        let messages = of_dialect.unwrap_or(&self.players).get(seat);
        messages.map_or_else(Vec::new, |messages| Self::heard(messages, dialect))
    }

    /// What of these messages a socket of this dialect is sent.
    pub fn heard(messages: &[Value], dialect: Dialect) -> Vec<Value> {
        let wanted = |message: &&Value| dialect == Dialect::QuizhallV1 || !is_extension(message);
        messages.iter().filter(wanted).cloned().collect()
    }
}

impl Model {
    /// Carries out a command that is legal here, and tells what must be seen of it.
    pub fn play(&mut self, actor: Actor, command: &Command) -> Effects {
        let mut effects = Effects::none(self);
        match (actor, command) {
            (Actor::Player(seat), Command::Player(FromPlayer::SubmitAnswer(message))) => {
                self.submit(seat, message.question_id, &message.answer, &mut effects);
            }
            (_, Command::Host(message)) => self.host_plays(message, &mut effects),
            (Actor::Host, Command::Either(FromAny::Ping)) => effects.host.push(bare("pong")),
            (Actor::Player(seat), Command::Either(FromAny::Ping)) => effects.players[seat].push(bare("pong")),
            (Actor::Host, Command::Player(_)) => {}
        }
        effects
    }

    fn host_plays(&mut self, message: &FromHost, effects: &mut Effects) {
        match message {
            FromHost::StartGame => {
                self.phase = Phase::Question;
                effects.for_all(&bare("game_started"));
                effects.for_all(&self.round_started());
            }
            FromHost::ReleaseQuestion(message) => self.release(message.question_id, effects),
            FromHost::EndRound => {
                self.phase = Phase::Review;
                effects.for_all(&bare("round_ended"));
                effects.host.push(self.round_review());
            }
            FromHost::OverrideAnswer(message) => {
                self.overrule(message.player_id, message.question_id, message.correct);
                effects.host.push(json!({ "type": "override_applied", "payload": message }));
                effects.host.push(self.marking_update());
            }
            FromHost::ReleaseScores => self.release_scores(effects),
            FromHost::StartNextRound => {
                self.phase = Phase::Question;
                self.round += 1;
                self.released.clear();
                self.answers.clear();
                self.standings_held = false;
                effects.for_all(&self.round_started());
            }
            FromHost::EndGame => {
                self.phase = Phase::Ended;
                self.standings_held = false;
                effects.for_all(&self.leaderboard("game_ended"));
            }
            FromHost::MarkAnswers(message) => self.mark_answers(message, effects),
            FromHost::UndoMarking => self.undo_marking(effects),
            FromHost::LockGame(message) => self.lock(message.locked, effects),
            FromHost::RemovePlayer(message) => *effects = self.remove(message.player_id),
            FromHost::ReleaseOwnScores => self.release_own_scores(effects),
            FromHost::ShowStandings => self.show_standings(effects),
        }
    }

    fn release(&mut self, question: Uuid, effects: &mut Effects) {
        let message = self.question_released(question);
        if self.released.contains(&question) {
            effects.host.push(message);
        } else {
            self.released.push(question);
            effects.for_all(&message);
        }
    }

    fn submit(&mut self, seat: usize, question: Uuid, text: &str, effects: &mut Effects) {
        let player = self.players[seat].id;
        let correct = self.find(question).is_some_and(|known| known.key == text);
        effects.players[seat].push(Self::answer_accepted(question));
        let count = |model: &Self| model.answer_count(question);
        match self.answer_of(player, question) {
            Some(answer) if answer.text == text => {}
            Some(answer) => {
                text.clone_into(&mut answer.text);
                answer.correct = correct;
                effects.host_perhaps.push(count(self));
            }
            None => {
                self.answers.push(Answer { player, question, text: text.to_owned(), correct, overridden: false });
                effects.host.push(Self::players_answered(question, &[player]));
                effects.host.push(count(self));
            }
        }
    }

    pub(super) fn release_scores(&mut self, effects: &mut Effects) {
        self.phase = Phase::Leaderboard;
        self.markings.clear();
        self.score();
        effects.for_all(&self.leaderboard("round_leaderboard"));
        for (seat, player) in self.players.iter().enumerate() {
            effects.players[seat].push(self.round_scores(player.id));
            effects.players[seat].push(self.leaderboard("scoreboard_update"));
        }
    }
}
