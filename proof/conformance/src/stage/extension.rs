//! What the extension `quizhall.v1` must say of a game, and what the commands among them do to it.
//!
//! A part of the model: it computes from the same plain lists, and a socket that did not ask hears nothing of it.

use quizhall_protocol::Dialect;
use quizhall_protocol::from_host::MarkAnswers;
use serde_json::{Value, json};
use uuid::Uuid;

use super::effects::Effects;
use super::model::{Answer, Model, Phase, Player, message};

/// One marking of the host that can be taken back, single or group.
#[derive(Debug, Clone)]
pub struct Marking {
    /// Answers to which question.
    pub question: Uuid,
    /// Whose answers, and how each counted before.
    pub before: Vec<(Uuid, Before)>,
}

/// How an answer counted before a marking touched it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// There was none: the override made it.
    Nothing,
    /// So, and whether that was the host's word already.
    Counted {
        /// Whether it counted as correct.
        correct: bool,
        /// Whether it had been marked otherwise.
        overridden: bool,
    },
}

impl Model {
    /// What a participant must be sent on connecting with a dialect; `None` is the host.
    pub fn sync_in(&self, dialect: Dialect, player: Option<Uuid>) -> Vec<Value> {
        if dialect == Dialect::Interface {
            return self.sync(player);
        }
        let mut messages = vec![Self::host_status(self.host_here)];
        if player.is_none() {
            messages.push(self.whole_room());
        }
        if self.phase == Phase::Lobby {
            messages.push(self.game_info());
        }
        if matches!(self.phase, Phase::Question | Phase::Review | Phase::Leaderboard) {
            messages.push(self.round_started());
        }
        if self.standings_held {
            messages.push(self.standings_status());
        }
        match player.filter(|_| self.standings_held) {
            Some(player) => messages.push(self.round_scores(player)),
            None => messages.extend(self.sync(player)),
        }
        match (self.phase, player) {
            (Phase::Question, None) => messages.extend(self.all_answered()),
            (Phase::Review, None) => messages.push(self.marking_update()),
            _ => {}
        }
        messages
    }

    /// `host_status`
    pub fn host_status(connected: bool) -> Value {
        message("host_status", json!({ "connected": connected }))
    }

    /// `standings_status`
    pub fn standings_status(&self) -> Value {
        message("standings_status", json!({ "held": self.standings_held }))
    }

    /// `game_info`
    fn game_info(&self) -> Value {
        message("game_info", json!({ "title": self.title }))
    }

    /// `round_started`
    pub fn round_started(&self) -> Value {
        let round = json!({
            "round": self.round + 1, "rounds": self.rounds.len(), "title": self.titles[self.round],
            "questionCount": self.rounds[self.round].len(),
        });
        message("round_started", round)
    }

    /// `room_update` with everybody who has not left the lobby.
    pub fn whole_room(&self) -> Value {
        let seats: Vec<_> = self.players.iter().filter(|player| player.present).map(Self::seat).collect();
        self.room_update(true, &seats)
    }

    /// `room_update` with these seats alone, by number.
    pub fn room_change(&self, seats: &[usize]) -> Value {
        let seats: Vec<_> = seats.iter().map(|seat| Self::seat(&self.players[*seat])).collect();
        self.room_update(false, &seats)
    }

    fn room_update(&self, whole: bool, seats: &[Value]) -> Value {
        let connected = self.players.iter().filter(|player| player.connected).count();
        let room = json!({
            "whole": whole, "players": seats, "total": self.players.len(), "connected": connected, "locked": self.locked,
        });
        message("room_update", room)
    }

    fn seat(player: &Player) -> Value {
        let status = match (player.present, player.connected) {
            (false, _) => "gone",
            (true, false) => "disconnected",
            (true, true) => "connected",
        };
        json!({ "id": player.id, "displayName": player.name, "status": status })
    }

    /// `players_answered`
    pub fn players_answered(question: Uuid, players: &[Uuid]) -> Value {
        message("players_answered", json!({ "questionId": question, "playerIds": players }))
    }

    /// `players_answered` for each released question that somebody has answered.
    fn all_answered(&self) -> Vec<Value> {
        let of = |question: &Uuid| {
            let answers = self.answers.iter().filter(|answer| answer.question == *question);
            let players: Vec<_> = answers.map(|answer| answer.player).collect();
            (!players.is_empty()).then(|| Self::players_answered(*question, &players))
        };
        self.released.iter().filter_map(of).collect()
    }

    /// `answers_marked`
    pub fn answers_marked(question: Uuid, marks: &[(Uuid, bool)]) -> Value {
        let marks: Vec<_> =
            marks.iter().map(|(player, correct)| json!({ "playerId": player, "correct": correct })).collect();
        message("answers_marked", json!({ "questionId": question, "marks": marks }))
    }

    /// `marking_update`
    pub fn marking_update(&self) -> Value {
        message("marking_update", json!({ "undoable": self.markings.len() }))
    }

    pub(super) fn mark_answers(&mut self, command: &MarkAnswers, effects: &mut Effects) {
        let marks = self.mark(command.question_id, &command.answers, command.correct);
        effects.host.extend([Self::answers_marked(command.question_id, &marks), self.marking_update()]);
    }

    pub(super) fn undo_marking(&mut self, effects: &mut Effects) {
        effects.host.extend(self.undo());
        effects.host.push(self.marking_update());
    }

    pub(super) fn lock(&mut self, locked: bool, effects: &mut Effects) {
        self.locked = locked;
        effects.host.push(self.room_change(&[]));
    }

    /// The interface's release to whoever does not speak the extension; who does is told that the standings are held.
    pub(super) fn release_own_scores(&mut self, effects: &mut Effects) {
        self.standings_held = true;
        let status = self.standings_status();
        effects.host.push(status.clone());
        self.release_scores(effects);
        let own = self.players.iter().map(|player| vec![status.clone(), self.round_scores(player.id)]);
        effects.players_v1 = Some(own.collect());
    }

    pub(super) fn show_standings(&mut self, effects: &mut Effects) {
        let were_held = std::mem::take(&mut self.standings_held);
        let status = self.standings_status();
        effects.host.push(status.clone());
        if were_held {
            let shown = vec![status, self.leaderboard("round_leaderboard"), self.leaderboard("scoreboard_update")];
            effects.players_v1 = Some(vec![shown; self.players.len()]);
        }
    }

    /// The host's word on one answer; without one it makes an empty one.
    pub(super) fn overrule(&mut self, player: Uuid, question: Uuid, correct: bool) {
        let before = match self.answer_of(player, question) {
            Some(answer) if answer.correct == correct => return,
            Some(answer) => answer.overrule(correct),
            None => {
                self.answers.push(Answer { player, question, text: String::new(), correct, overridden: correct });
                Before::Nothing
            }
        };
        self.markings.push(Marking { question, before: vec![(player, before)] });
    }

    /// The host's word on every answer that has one of these texts; only those that count otherwise are touched.
    fn mark(&mut self, question: Uuid, texts: &[String], correct: bool) -> Vec<(Uuid, bool)> {
        let named = |answer: &&mut Answer| {
            answer.question == question && answer.correct != correct && texts.contains(&answer.text)
        };
        let touched = self.answers.iter_mut().filter(named);
        let before: Vec<_> = touched.map(|answer| (answer.player, answer.overrule(correct))).collect();
        let marks = before.iter().map(|(player, _)| (*player, correct)).collect();
        if !before.is_empty() {
            self.markings.push(Marking { question, before });
        }
        marks
    }

    fn undo(&mut self) -> Option<Value> {
        let Marking { question, before } = self.markings.pop()?;
        let mut marks = Vec::new();
        for (player, before) in before {
            let Before::Counted { correct, overridden } = before else {
                self.answers.retain(|answer| answer.player != player || answer.question != question);
                marks.push((player, false));
                continue;
            };
            if let Some(answer) = self.answer_of(player, question) {
                (answer.correct, answer.overridden) = (correct, overridden);
                marks.push((player, correct));
            }
        }
        Some(Self::answers_marked(question, &marks))
    }

    /// Nothing of the player remains but what was said before.
    pub fn remove(&mut self, player: Uuid) -> Effects {
        let Some(seat) = self.players.iter().position(|known| known.id == player) else { return Effects::none(self) };
        let mut gone = Self::seat(&self.players.remove(seat));
        gone["status"] = json!("gone");
        self.answers.retain(|answer| answer.player != player);
        self.board.retain(|known| known.id != player);
        for marking in &mut self.markings {
            marking.before.retain(|(touched, _)| *touched != player);
        }
        self.markings.retain(|marking| !marking.before.is_empty());
        let mut effects = Effects::none(self);
        if self.phase == Phase::Lobby {
            effects.for_all(&self.lobby_update());
        }
        effects.host.push(self.room_update(false, &[gone]));
        effects
    }
}

impl Answer {
    fn overrule(&mut self, correct: bool) -> Before {
        let before = Before::Counted { correct: self.correct, overridden: self.overridden };
        (self.correct, self.overridden) = (correct, !self.overridden);
        before
    }
}
