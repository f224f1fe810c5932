//! Takes many answers to one question, as their edge sends them: each is decided in the state after the one before it.
//!
//! The verdict on a row is that of [`decide`](crate::decide) on the single command. Called by the owner, which checks the sessions.

use std::sync::Arc;

use quizhall_quiz::QuestionId;
use uuid::Uuid;

use crate::apply::bundle::{Storing, Text};
use crate::base::rows::Rows;
use crate::base::{AnswerText, CommandId, Device, KeyMark, Moment, Refusal};
use crate::command::Actor;
use crate::decide::{Answerer, Open, Submitted, check_row, repeated};
use crate::event::{Bundle, BundleRow, MarkedText, SentRow};
use crate::state::State;
use crate::table::CommandRow;

/// Answers to one question, without their rows.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'a> {
    /// The question.
    pub question: QuestionId,
    /// The epoch of the owner that gave the sessions.
    pub epoch: u64,
    /// The texts that the rows name by their index.
    pub texts: &'a [AnswerText],
}

/// Takes answers to one question. Nothing else may happen to the state meanwhile.
pub struct Taking<'a> {
    storing: Storing<'a>,
    open: Open,
    /// Whether players may send answers now.
    admitted: Result<(), Refusal>,
    texts: &'a [AnswerText],
    /// The index in the bundle of each text that an answer was stored with.
    places: Vec<Option<u32>>,
    marks: Vec<KeyMark>,
    bundle: Bundle,
}

impl<'a> Taking<'a> {
    /// For answers that are decided at a moment of this process.
    pub fn of(state: &'a mut State, Answers { question, epoch, texts }: Answers<'a>, at: Moment) -> Self {
        // Which player sends it makes no difference.
        let player = Actor::Player(Uuid::nil().into());
        Self {
            open: Open::of(state, question, at),
            admitted: check_row(state, player, &CommandRow::SUBMIT_ANSWER),
            storing: Storing::of(state, (question, epoch), at),
            texts,
            places: vec![None; texts.len()],
            marks: Vec::new(),
            bundle: Bundle { question, epoch, texts: Vec::new(), rows: Rows(Vec::new()) },
        }
    }

    /// Touches the memory that the answer of a player needs, like [`State::read_ahead`].
    pub fn read_ahead(&self, slot: u32) {
        self.storing.read_ahead(slot);
    }

    /// The last command of the player of a slot that took effect, if any; none for a slot without a player. Removed players count.
    pub fn last_command(&self, slot: u32) -> Option<Option<CommandId>> {
        self.storing.state.player_at(slot).map(|player| player.command_id)
    }

    /// The answer of a player as it counts; none when there is nothing to do.
    pub fn decide(&self, slot: u32, row: &SentRow) -> Result<Option<SentRow>, Refusal> {
        let state = &*self.storing.state;
        if state.is_closed() {
            return Err(Refusal::Closed);
        }
        let player = state.roster.at(slot).filter(|player| !player.removed);
        let last = player.and_then(|player| player.command_id);
        if let Some(verdict) = repeated(last, Some(row.command_id(self.bundle.epoch))) {
            return verdict.map(|()| None);
        }
        self.admitted?;
        player.ok_or(Refusal::UnknownPlayer)?;
        let text = self.texts.get(row.text as usize).ok_or(Refusal::UnknownQuestion)?;
        let submitted = Submitted { question: self.bundle.question, answer: text, measured: row.elapsed };
        let counts = self.open.judge(state, Answerer { slot, device: Device::FIRST }, submitted)?;
        Ok(counts.map(|counts| SentRow { elapsed: counts.elapsed, ..*row }))
    }

    /// Stores an answer as it was decided.
    pub fn store(&mut self, slot: u32, decided: SentRow) {
        let Some(text) = self.place_of(decided.text) else { return };
        let row = BundleRow { slot, sent: SentRow { text, ..decided } };
        let (text, mark) = (&self.bundle.texts[text as usize].text, self.marks[text as usize]);
        self.storing.store(&row, &Text { text, mark });
        self.bundle.rows.0.push(row);
    }

    /// The answers that were stored, if there are any.
    pub fn finish(self) -> Option<Bundle> {
        self.storing.finish();
        (!self.bundle.rows.0.is_empty()).then_some(self.bundle)
    }

    /// The index of a text in the bundle. The text is marked when its first answer is stored.
    fn place_of(&mut self, text: u32) -> Option<u32> {
        let place = self.places.get_mut(text as usize)?;
        if place.is_none() {
            let (question, game) = (self.bundle.question, &self.storing.state.game);
            let text: Arc<str> = self.texts[text as usize].shared();
            let mark = game.mark(question, &text)?;
            self.marks.push(game.key_mark(question, &text, mark));
            *place = u32::try_from(self.bundle.texts.len()).ok();
            self.bundle.texts.push(MarkedText::of(text, mark));
        }
        *place
    }
}
