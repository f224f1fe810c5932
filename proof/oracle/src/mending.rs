//! Corrections by the host other than marks: the words of a question, the withdrawal of a question, the name of a player; and the
//! messages that must follow.

use std::sync::Arc;

use quizhall_protocol::from_host::{EditQuestion, RenamePlayer};
use quizhall_protocol::shapes;
use quizhall_protocol::to_all::{QuestionEdited, QuestionWithdrawn};
use quizhall_protocol::{FromHost, ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, Words, require};
use crate::game::{Game, Phase, Viewer};
use crate::timers::question_closed;

impl Game {
    /// Whether a question was released, in this round or before.
    fn was_ever_released(&self, question: Uuid) -> bool {
        let past = self.past.iter().any(|(released, _)| released.contains(&question));
        past || self.released.contains(&question)
    }

    /// Whether a question was withdrawn.
    pub fn is_withdrawn(&self, question: Uuid) -> bool {
        self.withdrawn.contains(&question)
    }

    /// Whether the text of a question was edited after its release.
    pub fn is_corrected(&self, question: Uuid) -> bool {
        self.corrected.contains(&question)
    }

    /// `question_edited` and `question_withdrawn` of each question of the round, in order of release.
    pub fn questions_mended(&self) -> Vec<ServerMessage> {
        if matches!(self.phase, Phase::Lobby | Phase::Ended) {
            return Vec::new();
        }
        let corrected = self.released.iter().filter(|question| self.is_corrected(**question));
        let edited = corrected.filter_map(|question| self.question_edited(*question));
        let withdrawn = self.released.iter().filter(|question| self.is_withdrawn(**question));
        edited.chain(withdrawn.map(|question| question_withdrawn(*question))).collect()
    }

    fn question_edited(&self, question: Uuid) -> Option<ServerMessage> {
        let asked = self.quiz.question(question)?;
        Some(ServerMessage::All(ToAll::QuestionEdited(QuestionEdited {
            question_id: question,
            text: asked.text.clone(),
            choices: asked.choices.clone().map(Box::new),
            accepted: (!self.was_ever_released(question)).then(|| asked.accepted.clone().into()),
            corrected: self.is_corrected(question),
        })))
    }

    fn player_renamed(&self, player: Uuid) -> ServerMessage {
        ServerMessage::All(ToAll::PlayerRenamed(shapes::Player { id: player, display_name: self.name(player) }))
    }

    /// The message about their own name that a player receives on connecting.
    pub(crate) fn own_name(&self, viewer: Viewer) -> Option<ServerMessage> {
        let player = viewer.player()?;
        let is_renamed = self.phase != Phase::Ended && self.player(player).is_some_and(|player| player.renamed);
        is_renamed.then(|| self.player_renamed(player))
    }

    /// Whether a message about a question or a name may be sent to this viewer here. Only the host is sent a message
    /// that does not go to all.
    pub(crate) fn is_mended_so(&self, sent: &ToAll, message: &ServerMessage, viewer: Viewer) -> bool {
        let is_for_all = || self.questions_mended().contains(message);
        let running = self.phase != Phase::Ended;
        match sent {
            ToAll::QuestionEdited(edited) => {
                let is_so = self.question_edited(edited.question_id).as_ref() == Some(message);
                running && is_so && (viewer == Viewer::Host || is_for_all())
            }
            ToAll::QuestionWithdrawn(withdrawn) => {
                running && self.is_withdrawn(withdrawn.question_id) && (viewer == Viewer::Host || is_for_all())
            }
            ToAll::PlayerRenamed(player) => {
                let is_renamed = self.player(player.id).is_some_and(|known| known.renamed || viewer == Viewer::Host);
                running && is_renamed && self.name(player.id) == player.display_name
            }
            _ => false,
        }
    }

    pub(crate) fn check_mending(&self, fact: &Fact) -> Result<(), Illegal> {
        require(self.phase != Phase::Ended, "the game has ended")?;
        match fact {
            Fact::QuestionEdited(question, Words { text, choices, accepted }) => {
                let asked = self.quiz.question(*question).ok_or(Illegal::UNKNOWN)?;
                let is_new = |text: &String| *text != asked.text;
                let fits = |choices: &Vec<String>| {
                    let before = asked.choices.as_ref();
                    let is_new = before.is_some_and(|before| before.len() == choices.len() && before != choices);
                    is_new && !self.was_ever_released(*question)
                };
                let does_something = text.is_some() || choices.is_some() || accepted.is_some();
                require(accepted.is_none() || !self.was_ever_released(*question), "a key that was used")?;
                let is_fit = text.as_ref().is_none_or(is_new) && choices.as_ref().is_none_or(fits);
                require(does_something && is_fit, "no other words, or choices that were shown")
            }
            Fact::QuestionWithdrawn(question) => {
                require(self.was_ever_released(*question) && !self.is_withdrawn(*question), "nothing to withdraw")
            }
            Fact::Renamed(player, name) => {
                let is_new = self.player(*player).is_some_and(|player| player.name != *name);
                let taken = self.players.iter().any(|other| other.id != *player && other.name == *name);
                require(is_new && !taken, "no other name, or one that is taken")
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fold_mending(&mut self, fact: &Fact) {
        match fact {
            Fact::QuestionEdited(question, words) => {
                self.edit(*question, words);
                if self.was_ever_released(*question) {
                    self.corrected.insert(*question);
                }
            }
            Fact::QuestionWithdrawn(question) => {
                self.withdrawn.insert(*question);
                if self.is_open(*question) {
                    self.timers.close(*question);
                }
                if self.is_out(*question) {
                    self.score_anew();
                }
            }
            Fact::Renamed(player, name) => {
                if let Some(player) = self.player_mut(*player) {
                    (player.name, player.renamed) = (name.clone(), true);
                    if let Some(first) = player.team.as_mut().and_then(|team| team.phones.first_mut()) {
                        first.name.clone_from(name);
                    }
                }
                self.board.rename(*player, name);
                self.reorder_board();
            }
            _ => {}
        }
    }

    /// Without new ones, the right answers follow their choices.
    fn edit(&mut self, question: Uuid, Words { text, choices, accepted }: &Words) {
        let quiz = Arc::make_mut(&mut self.quiz);
        let mut questions = quiz.rounds.iter_mut().flat_map(|round| &mut round.questions);
        let Some(asked) = questions.find(|asked| asked.id == question) else { return };
        if let Some(text) = text {
            asked.text.clone_from(text);
        }
        if let Some((before, after)) = asked.choices.clone().zip(choices.as_ref()) {
            for accepted in &mut asked.accepted {
                let place = before.iter().position(|choice| choice == accepted);
                accepted.clone_from(&after[place.expect("what is right is a choice")]);
            }
            asked.choices = Some(after.clone());
        }
        if let Some(accepted) = accepted {
            asked.accepted.clone_from(accepted);
        }
    }

    /// Whether the scores of a question's round are out.
    fn is_out(&self, question: Uuid) -> bool {
        (0..self.rounds_out()).any(|round| self.played(round).0.contains(&question))
    }

    /// Carries out a command about words, a withdrawal or a name.
    pub(crate) fn mend(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        match command {
            FromHost::EditQuestion(command) => self.edit_question(command),
            FromHost::WithdrawQuestion(command) => self.withdraw_question(command.question_id),
            FromHost::RenamePlayer(command) => self.rename_player(command),
            _ => Err(Illegal::UNKNOWN),
        }
    }

    fn edit_question(&mut self, command: &EditQuestion) -> Result<Effects, Illegal> {
        let EditQuestion { question_id, text, choices, accepted } = command;
        let asked = self.quiz.question(*question_id).ok_or(Illegal::UNKNOWN)?;
        require(text.is_some() || choices.is_some() || accepted.is_some(), "no new words")?;
        let text = text.clone().filter(|text| *text != asked.text);
        let choices = choices.clone().filter(|choices| asked.choices.as_ref() != Some(choices));
        let accepted = accepted.clone().filter(|accepted| choices.is_some() || *accepted != asked.accepted);
        let is_new = text.is_some() || choices.is_some() || accepted.is_some();
        if is_new {
            self.apply(&Fact::QuestionEdited(*question_id, Words { text, choices, accepted }))?;
        }
        let to = if is_new && self.released.contains(question_id) { To::All } else { To::Host };
        Ok(Effects::default().and_all(to, self.question_edited(*question_id)))
    }

    fn withdraw_question(&mut self, question: Uuid) -> Result<Effects, Illegal> {
        require(self.was_ever_released(question), "not a released question")?;
        let withdrawn = |to| Effects::default().and(to, question_withdrawn(question));
        if self.is_withdrawn(question) {
            return Ok(withdrawn(To::Host));
        }
        let was_open = self.is_open(question);
        let open: Vec<Uuid> = self.players.iter().map(|player| player.id).collect();
        let open: Vec<Uuid> = open.into_iter().filter(|player| self.is_open_for(question, *player)).collect();
        self.apply(&Fact::QuestionWithdrawn(question))?;
        let mut effects = withdrawn(if self.released.contains(&question) { To::All } else { To::Host });
        if self.is_out(question) {
            effects = self.with_board(effects.and(To::Host, self.board_update()));
        }
        let closed = || question_closed(question);
        let effects = effects.and_all(To::Host, was_open.then(closed));
        let effects = open.iter().fold(effects, |effects, player| effects.and(To::Player(*player, None), closed()));
        Ok(effects.and_all(To::All, self.autopilot_step()))
    }

    fn rename_player(&mut self, command: &RenamePlayer) -> Result<Effects, Illegal> {
        let RenamePlayer { player_id, display_name } = command;
        let before = self.player(*player_id).ok_or(Illegal::UNKNOWN)?;
        let is_new = before.name != *display_name;
        if is_new {
            self.apply(&Fact::Renamed(*player_id, display_name.clone()))?;
        }
        Ok(Effects::default().and(if is_new { To::All } else { To::Host }, self.player_renamed(*player_id)))
    }
}

/// `question_withdrawn`
fn question_withdrawn(question: Uuid) -> ServerMessage {
    ServerMessage::All(ToAll::QuestionWithdrawn(QuestionWithdrawn { question_id: question }))
}
