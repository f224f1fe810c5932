//! The players of a world: they answer open questions, change answers back and forth, send again what was not acknowledged, and
//! sometimes send wrong messages.

use std::sync::Arc;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{Dialect, Message, Participant};
use quizhall_oracle::Phase;
use quizhall_protocol::from_player::{AnswerTieBreak, Appeal, SubmitAnswer};
use quizhall_rules::{PlayerId, QuestionId};

use super::World;
use super::coverage::Kind;
use super::ledger::{Asked, Sent};
use super::quiz;

impl World {
    pub fn player_acts(&mut self, socket: usize, who: Participant) {
        let Some(player) = who.player() else { return };
        if !self.healed && !self.has_captain(who) && self.player_strays(socket, who) {
            return;
        }
        let may_play = !self.healed && self.sockets[socket].dialect == Dialect::QuizhallV1;
        if may_play && self.dice.chance(20) {
            return self.send(socket, Message::Player(FromPlayer::PlayJoker));
        }
        let is_tied = self.store.truth.phase == Phase::Leaderboard;
        if may_play && self.dice.chance(if is_tied { 350 } else { 800 }) && self.player_appeals(socket, player) {
            return;
        }
        if may_play && self.dice.chance(if is_tied { 900 } else { 5 }) {
            let answer = i64::try_from(self.dice.range(0, 5)).expect("small");
            return self.send(socket, Message::Player(FromPlayer::AnswerTieBreak(AnswerTieBreak { answer })));
        }
        if self.has_captain(who) {
            return self.phone_suggests(socket);
        }
        let open = &self.sockets[socket].open;
        if open.is_empty() {
            return;
        }
        let question = open[self.dice.index(open.len())];
        let key = (who, question);
        let tries = self.ledger.answers.get(&key).map_or(0, Vec::len);
        let waits = self.sockets[socket].outstanding.get(&question).is_some_and(|sent| !sent.is_empty());
        let Some(last) = self.ledger.answers.get(&key).and_then(|answers| answers.last()) else {
            return self.answer_anew(socket, key, 0);
        };
        let (acked, text) = (last.acked, last.text.clone());
        if !acked && !waits {
            // The client's contract: answers that were not acknowledged are sent again after the resync.
            self.coverage.note(Kind::AnswerRepeated);
            return self.submit_answer(socket, key, text);
        }
        match self.dice.range(0, 1_000) {
            _ if tries > 12 => {}
            0..100 => {
                self.coverage.note(Kind::AnswerChanged);
                self.answer_anew(socket, key, tries);
            }
            100..180 if tries > 1 => {
                self.coverage.note(Kind::AnswerChangedBack);
                let earlier = self.dice.index(tries);
                let text = self.ledger.answers[&key][earlier].text.clone();
                self.submit_answer(socket, key, text);
            }
            180..220 => {
                self.coverage.note(Kind::AnswerRepeated);
                self.submit_answer(socket, key, text);
            }
            _ => {}
        }
    }

    /// Appeals about a question whose scores are released; returns whether it did.
    fn player_appeals(&mut self, socket: usize, player: PlayerId) -> bool {
        let mut questions = self.store.truth.appealable();
        let is_for_something = self.dice.chance(900);
        questions.retain(|question| {
            !is_for_something || self.store.truth.can_appeal(player.uuid(), *question) == Some(true)
        });
        if questions.is_empty() {
            return false;
        }
        let question_id = questions[self.dice.index(questions.len())];
        let text = self.dice.chance(300).then(|| "as the book has it".to_owned());
        self.send(socket, Message::Player(FromPlayer::Appeal(Appeal { question_id, text })));
        true
    }

    fn player_strays(&mut self, socket: usize, who: Participant) -> bool {
        let stray = self.dice.range(0, 1_000);
        match stray {
            0..12 => {
                let question = self.any_question();
                let tries = self.ledger.answers.get(&(who, question)).map_or(0, Vec::len);
                self.answer_anew(socket, (who, question), tries);
            }
            12..16 => {
                let question = QuestionId::from(self.dice.uuid());
                self.submit_answer(socket, (who, question), "to no question".to_owned());
            }
            16..22 => {
                self.coverage.note(Kind::AnswerOutOfRange);
                let question = self.any_question();
                self.put_answer(socket, question, String::new());
            }
            _ => return false,
        }
        true
    }

    fn any_question(&mut self) -> QuestionId {
        let quiz = Arc::clone(&self.store.truth.quiz);
        let round = &quiz.rounds[self.dice.index(quiz.rounds.len())];
        round.questions[self.dice.index(round.questions.len())].id.into()
    }

    fn answer_anew(&mut self, socket: usize, key: Asked, tries: usize) {
        let quiz = Arc::clone(&self.store.truth.quiz);
        let Some(asked) = quiz.question(key.1.uuid()) else { return };
        let text = quiz::answer(&mut self.dice, asked, tries);
        self.submit_answer(socket, key, text);
    }

    fn submit_answer(&mut self, socket: usize, key: Asked, text: String) {
        let answers = self.ledger.answers.entry(key).or_default();
        answers.push(Sent { text: text.clone(), acked: false });
        let place = answers.len() - 1;
        self.trace.detail(|| format!("answer {place} of {key:?} sent on {socket}: `{text}`"));
        if !self.sockets[socket].open.contains(&key.1) {
            self.sockets[socket].strays.push(key.1);
        }
        self.sockets[socket].outstanding.entry(key.1).or_default().push_back(place);
        self.put_answer(socket, key.1, text);
    }

    fn put_answer(&mut self, socket: usize, question: QuestionId, answer: String) {
        let submit = SubmitAnswer { question_id: question.uuid(), answer };
        self.send(socket, Message::Player(FromPlayer::SubmitAnswer(submit)));
    }
}
