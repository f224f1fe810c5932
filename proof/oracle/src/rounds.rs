//! The events between two rounds: right answers that the host reveals, and breaks.
//!
//! The oracle has no clock. Between two statements a break may have any time left up to the stated one.

use quizhall_protocol::from_host::StartBreak;
use quizhall_protocol::to_all::{AnswerRevealed, BreakUpdate};
use quizhall_protocol::{QuestionKind, ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase};

/// The least time that a break has left after a change of owner, milliseconds.
const LEAST_AFTER_CLAIM: u64 = 5_000;

/// A break: the time left as last stated, in milliseconds, and its text.
pub type Break = (u64, Option<String>);

impl Game {
    /// Whether a fact between two rounds can happen here.
    pub(crate) fn check_between(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::AnswerRevealed(question, _) => {
                let is_over = matches!(self.phase, Phase::Review | Phase::Leaderboard);
                let closes = self.phase == Phase::Question && self.is_single();
                let can_be =
                    (is_over || closes) && self.released.contains(question) && !self.revealed.contains(question);
                require(can_be, "not a question to reveal")
            }
            Fact::BreakStarted(..) => self.can_have_break(),
            Fact::BreakMarked(left) => {
                let is_less = self.pause.as_ref().is_some_and(|(before, _)| left <= before);
                require(is_less, "the time left of the break has risen, or there is none")
            }
            Fact::BreakEnded => require(self.pause.is_some(), "there is no break"),
            _ => Ok(()),
        }
    }

    fn can_have_break(&self) -> Result<(), Illegal> {
        let is_between = matches!(self.phase, Phase::Lobby | Phase::Review | Phase::Leaderboard);
        require(is_between, "no break in this phase")
    }

    /// The effect of an applied fact on breaks and revealed answers.
    pub(crate) fn fold_between(&mut self, fact: &Fact) {
        match fact {
            Fact::AnswerRevealed(question, is_step) => {
                if *is_step {
                    self.pause = None;
                }
                if self.phase == Phase::Question {
                    self.end_round();
                    self.show_cloud(*question);
                }
                self.revealed.push(*question);
            }
            Fact::BreakStarted(ms, text) => self.pause = Some((*ms, text.clone())),
            Fact::BreakMarked(ms) => self.pause.iter_mut().for_each(|(left, _)| *left = *ms),
            Fact::OwnerChanged => self.pause.iter_mut().for_each(|(left, _)| *left = LEAST_AFTER_CLAIM.max(*left)),
            Fact::BreakEnded
            | Fact::Started
            | Fact::ScoresReleased { .. }
            | Fact::StandingsShown
            | Fact::TieBreakEnded => {
                self.pause = None;
            }
            Fact::NextRound | Fact::Ended => {
                self.pause = None;
                self.revealed.clear();
            }
            _ => {}
        }
    }

    /// `answer_revealed` of each question that is revealed, in that order.
    pub fn answers_revealed(&self) -> Vec<ServerMessage> {
        self.revealed.iter().filter_map(|question| self.answer_revealed(*question)).collect()
    }

    fn answer_revealed(&self, question: Uuid) -> Option<ServerMessage> {
        let asked = self.quiz.question(question)?;
        let is_of_one_choice =
            matches!(asked.kind.or_text(), QuestionKind::MultipleChoice | QuestionKind::TrueFalse | QuestionKind::Poll);
        let tally = if is_of_one_choice { self.count_tally(question, &[]).entries } else { Vec::new() };
        Some(ServerMessage::All(ToAll::AnswerRevealed(AnswerRevealed {
            question_id: question,
            correct_answer: asked.key(),
            explanation: asked.explanation.clone(),
            tally,
        })))
    }

    /// `break_update` with all the stated time: a received one may have less.
    ///
    /// # Panics
    /// When there is more time than a message can hold.
    pub fn break_update(&self) -> ServerMessage {
        let (left, text) = self.pause.clone().unzip();
        let remaining_ms = left.map(|ms| u32::try_from(ms).expect("an hour at most"));
        ServerMessage::All(ToAll::BreakUpdate(BreakUpdate { remaining_ms, text: text.flatten() }))
    }

    /// Whether the message about the break may be sent here.
    pub(crate) fn may_say_break(&self, update: &BreakUpdate) -> bool {
        match (&self.pause, update.remaining_ms) {
            (Some((stated, text)), Some(left)) => u64::from(left) <= *stated && *text == update.text,
            (None, None) => update.text.is_none(),
            _ => false,
        }
    }

    pub(crate) fn reveal_answer(&mut self, question: Uuid, is_step: bool) -> Result<Effects, Illegal> {
        let is_new = !self.revealed.contains(&question);
        if is_new {
            self.apply(&Fact::AnswerRevealed(question, is_step))?;
        }
        Ok(Effects::default().and_all(if is_new { To::All } else { To::Host }, self.answer_revealed(question)))
    }

    pub(crate) fn start_break(&mut self, command: &StartBreak) -> Result<Effects, Illegal> {
        let text = command.text.clone().filter(|text| !text.trim().is_empty());
        self.apply(&Fact::BreakStarted(u64::from(command.seconds) * 1_000, text))?;
        Ok(Effects::default().and(To::All, self.break_update()))
    }

    pub(crate) fn end_break(&mut self) -> Result<Effects, Illegal> {
        self.can_have_break()?;
        let to = if self.pause.is_some() { To::All } else { To::Host };
        if self.pause.is_some() {
            self.apply(&Fact::BreakEnded)?;
        }
        Ok(Effects::default().and(to, self.break_update()))
    }
}
