//! What the game must be by the interface: a few plain lists, from which every message of the server can be written down.
//!
//! A stage asks it what must follow a legal command and what a participant must be sent on connecting. It never sees the server's
//! answers, and it shares no code with one. It marks an answer right only when it is the key, letter by letter.

use std::collections::BTreeMap;

use anyhow::Context;
use quizhall_protocol::http::games::Game;
use quizhall_protocol::http::quizzes::RoundBody;
use serde_json::{Value, json};
use uuid::Uuid;

use super::extension::Marking;
use crate::quiz::Question;

/// The phases of a game (messages.md#phases).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// `lobby`
    Lobby,
    /// `question`
    Question,
    /// `round_review`
    Review,
    /// `leaderboard`
    Leaderboard,
    /// `ended`
    Ended,
}

impl Phase {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::Lobby, Self::Question, Self::Review, Self::Leaderboard, Self::Ended];

    /// The interface's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lobby => "lobby",
            Self::Question => "question",
            Self::Review => "round_review",
            Self::Leaderboard => "leaderboard",
            Self::Ended => "ended",
        }
    }
}

/// A player as the model knows them.
#[derive(Debug, Clone)]
pub struct Player {
    /// The id that `/join` gave.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// Not gone from the lobby.
    pub present: bool,
    /// Has a socket, or has not been missed for long.
    pub connected: bool,
    /// Points of all released rounds.
    pub score: u64,
    /// Points of the last released round.
    pub round_score: u64,
}

/// An answer of the current round.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Whose.
    pub player: Uuid,
    /// To which question.
    pub question: Uuid,
    /// The text, as given last.
    pub text: String,
    /// As marked, or as the host said.
    pub correct: bool,
    /// It was marked otherwise.
    pub overridden: bool,
}

/// A game as it must be.
#[derive(Debug, Clone)]
pub struct Model {
    /// The quiz's title.
    pub title: String,
    /// The frozen rounds.
    pub rounds: Vec<Vec<Question>>,
    /// Their titles.
    pub titles: Vec<String>,
    /// The current round, from 0.
    pub round: usize,
    /// The phase.
    pub phase: Phase,
    /// In order of joining.
    pub players: Vec<Player>,
    /// Questions released in this round, in order.
    pub released: Vec<Uuid>,
    /// In order of first arrival.
    pub answers: Vec<Answer>,
    /// Scores as of the last release.
    pub board: Vec<Player>,
    /// Whether joining is refused.
    pub locked: bool,
    /// Whether the host has a socket, or has not been missed for long.
    pub host_here: bool,
    /// What can be taken back of this round's markings, the latest last.
    pub markings: Vec<Marking>,
    /// The scores are out, and the host has not shown the standings.
    pub standings_held: bool,
}

impl Model {
    /// A game just created.
    ///
    /// # Errors
    /// When the game does not show its questions with ids, points and keys to its owner.
    pub fn new(game: &Game) -> anyhow::Result<Self> {
        let read = |round: &RoundBody| round.questions.iter().map(Question::read).collect::<Option<Vec<_>>>();
        let rounds = game.rounds.iter().map(read).collect::<Option<Vec<_>>>();
        let rounds = rounds.context("the owner's view of the game lacks question ids, points or keys")?;
        Ok(Self {
            title: game.title.clone(),
            rounds,
            titles: game.rounds.iter().map(|round| round.title.clone()).collect(),
            round: 0,
            phase: Phase::Lobby,
            players: Vec::new(),
            released: Vec::new(),
            answers: Vec::new(),
            board: Vec::new(),
            locked: game.locked,
            host_here: true,
            markings: Vec::new(),
            standings_held: false,
        })
    }

    /// Takes a seat.
    pub fn joined(&mut self, id: Uuid, name: &str) {
        let (present, connected) = (true, true);
        self.players.push(Player { id, name: name.to_owned(), present, connected, score: 0, round_score: 0 });
    }

    /// A question of the current round.
    pub fn question(&self, number: usize) -> &Question {
        &self.rounds[self.round][number]
    }

    /// Any question of the game.
    pub fn find(&self, id: Uuid) -> Option<&Question> {
        self.rounds.iter().flatten().find(|question| question.id == id)
    }

    /// A player's answer of this round.
    pub fn answer_of(&mut self, player: Uuid, question: Uuid) -> Option<&mut Answer> {
        self.answers.iter_mut().find(|answer| answer.player == player && answer.question == question)
    }

    /// Closes the books of the round.
    pub fn score(&mut self) {
        let mut gained: BTreeMap<Uuid, u64> = BTreeMap::new();
        for answer in self.answers.iter().filter(|answer| answer.correct) {
            *gained.entry(answer.player).or_default() +=
                self.find(answer.question).map_or(0, |question| question.points);
        }
        for player in &mut self.players {
            player.round_score = gained.get(&player.id).copied().unwrap_or_default();
            player.score += player.round_score;
        }
        self.board = self.players.clone();
        self.board.sort_by(|left, right| right.score.cmp(&left.score).then_with(|| left.name.cmp(&right.name)));
    }

    /// `lobby_update`
    pub fn lobby_update(&self) -> Value {
        let present = self.players.iter().filter(|player| player.present);
        let players: Vec<_> = present.map(|player| json!({ "id": player.id, "displayName": player.name })).collect();
        message("lobby_update", json!({ "players": players }))
    }

    /// `question_released`
    pub fn question_released(&self, id: Uuid) -> Value {
        let Some(question) = self.find(id) else { return Value::Null };
        let mut shown = json!({
            "id": id, "text": question.text, "type": question.kind.as_str(), "points": question.points,
        });
        if let Some(choices) = &question.choices {
            shown["choices"] = json!(choices);
        }
        message("question_released", json!({ "question": shown }))
    }

    /// `answer_accepted`
    pub fn answer_accepted(id: Uuid) -> Value {
        message("answer_accepted", json!({ "questionId": id }))
    }

    /// The host's `scoreboard_update`
    pub fn answer_count(&self, id: Uuid) -> Value {
        let count = self.answers.iter().filter(|answer| answer.question == id).count();
        message("scoreboard_update", json!({ "questionId": id, "answerCount": count }))
    }

    /// `round_review`: by order of release, then of arrival.
    pub fn round_review(&self) -> Value {
        let entry = |answer: &Answer| {
            json!({
                "playerId": answer.player, "displayName": self.name(answer.player), "questionId": answer.question,
                "answer": answer.text, "correct": answer.correct,
            })
        };
        let of = |question: &Uuid| {
            let question = *question;
            self.answers.iter().filter(move |answer| answer.question == question).map(entry)
        };
        message("round_review", json!({ "answers": self.released.iter().flat_map(of).collect::<Vec<_>>() }))
    }

    /// A board under one of the three types that carry one; only `round_leaderboard` has the points of the round.
    pub fn leaderboard(&self, kind: &str) -> Value {
        let mut entries: Vec<Value> = Vec::with_capacity(self.board.len());
        for player in &self.board {
            let rank = 1 + self.board.iter().filter(|other| other.score > player.score).count();
            let mut entry = json!({
                "playerId": player.id, "displayName": player.name, "score": player.score, "rank": rank,
            });
            if kind == "round_leaderboard" {
                entry["roundScore"] = json!(player.round_score);
            }
            entries.push(entry);
        }
        message(kind, json!({ "leaderboard": entries }))
    }

    /// `round_scores`: one entry per released question, in order of release, answered or not.
    pub fn round_scores(&self, player: Uuid) -> Value {
        let mut total = 0;
        let mut results = Vec::new();
        for question in self.released.iter().filter_map(|id| self.find(*id)) {
            let answer = self.answers.iter().find(|answer| answer.player == player && answer.question == question.id);
            let correct = answer.is_some_and(|answer| answer.correct);
            let points = if correct { question.points } else { 0 };
            total += points;
            results.push(json!({
                "questionId": question.id, "question": question.text, "correctAnswer": question.key,
                "yourAnswer": answer.map_or("", |answer| &answer.text), "correct": correct, "points": points,
            }));
        }
        message("round_scores", json!({ "results": results, "roundTotal": total }))
    }

    /// What a participant must be sent on connecting (messages.md#connecting) in the interface's own messages; `None` is the host.
    pub fn sync(&self, player: Option<Uuid>) -> Vec<Value> {
        match (self.phase, player) {
            (Phase::Lobby, _) => vec![self.lobby_update()],
            (Phase::Question, None) => self.open(|model, id| Some(model.answer_count(id))),
            (Phase::Question, Some(player)) => self.open(|model, id| {
                let answered = |answer: &Answer| answer.player == player && answer.question == id;
                model.answers.iter().any(answered).then(|| Self::answer_accepted(id))
            }),
            (Phase::Review, None) => vec![bare("round_ended"), self.round_review()],
            (Phase::Review, Some(_)) => vec![bare("round_ended")],
            (Phase::Leaderboard, None) => vec![self.leaderboard("round_leaderboard")],
            (Phase::Leaderboard, Some(player)) => vec![
                self.leaderboard("round_leaderboard"),
                self.round_scores(player),
                self.leaderboard("scoreboard_update"),
            ],
            (Phase::Ended, _) => vec![self.leaderboard("game_ended")],
        }
    }

    fn open(&self, of: impl Fn(&Self, Uuid) -> Option<Value>) -> Vec<Value> {
        let mut messages: Vec<_> = self.released.iter().map(|id| self.question_released(*id)).collect();
        messages.extend(self.released.iter().filter_map(|id| of(self, *id)));
        messages
    }

    fn name(&self, player: Uuid) -> &str {
        self.players.iter().find(|known| known.id == player).map_or("", |known| &known.name)
    }
}

/// A message without a payload.
pub fn bare(kind: &str) -> Value {
    json!({ "type": kind })
}

pub(super) fn message(kind: &str, mut payload: Value) -> Value {
    json!({ "type": kind, "payload": payload.take() })
}
