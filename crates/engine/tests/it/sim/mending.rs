//! A host of a world who edits the text of questions, withdraws questions and renames players.

use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, Message};
use quizhall_protocol::from_host::{EditQuestion, RenamePlayer, WithdrawQuestion};
use quizhall_rules::QuestionId;

use super::World;

impl World {
    /// Edits, withdraws or renames; returns whether it did. Choices are edited only in later rounds, in which no question is released
    /// meanwhile.
    pub fn host_mends(&mut self, socket: usize, (released, round): (&[QuestionId], usize)) -> bool {
        if self.clients[0].dialect != Dialect::QuizhallV1 || !self.dice.chance(30) {
            return false;
        }
        let message = match self.dice.range(0, 10) {
            0..3 => self.other_name(),
            3..5 if !released.is_empty() => {
                let question_id = released[self.dice.index(released.len())].uuid();
                Some(FromHost::WithdrawQuestion(WithdrawQuestion { question_id }))
            }
            5..7 => self.other_choices(round),
            _ => Some(self.other_text()),
        };
        let Some(message) = message else { return false };
        self.send(socket, Message::Host(message));
        true
    }

    fn other_name(&mut self) -> Option<FromHost> {
        let players = &self.store.truth.players;
        let chosen = self.dice.index(players.len() + 1);
        let player_id = players.get(chosen)?.id;
        let display_name = format!("Renamed {}", self.dice.range(0, u64::MAX));
        Some(FromHost::RenamePlayer(RenamePlayer { player_id, display_name }))
    }

    /// Edits the text of any question, released or not.
    fn other_text(&mut self) -> FromHost {
        let rounds = self.store.truth.quiz.rounds.iter();
        let questions: Vec<_> = rounds.flat_map(|round| round.questions.iter().map(|asked| asked.id)).collect();
        let question_id = questions[self.dice.index(questions.len())];
        let text = Some(format!("In other words {}?", self.dice.range(0, 3)));
        FromHost::EditQuestion(EditQuestion { question_id, text, choices: None, accepted: None })
    }

    fn other_choices(&mut self, round: usize) -> Option<FromHost> {
        let later = self.store.truth.quiz.rounds.iter().skip(round + 1).flat_map(|round| &round.questions);
        let with_choices: Vec<_> = later.filter_map(|asked| Some((asked.id, asked.choices.clone()?))).collect();
        if with_choices.is_empty() {
            return None;
        }
        let (question_id, mut choices) = with_choices[self.dice.index(with_choices.len())].clone();
        let last = choices.len() - 1;
        choices.swap(0, last);
        Some(FromHost::EditQuestion(EditQuestion { question_id, text: None, choices: Some(choices), accepted: None }))
    }
}
