//! Applies many answers to one question. What is the same for all of them is looked up once, and the players are found by their
//! slots: applying an event costs three searches by id.

use std::hint::black_box;
use std::sync::Arc;

use quizhall_quiz::QuestionId;

use crate::base::{Answer, Game, KeyMark, Moment, NOMINAL, Phase, SheetPlace};
use crate::event::{Bundle, BundleRow, MarkedText};
use crate::state::State;

/// The number of rows whose memory is touched before the first of them is applied.
const READ_AHEAD: usize = 32;

/// Stores answers to one question, one after another. Nothing else may happen to the state meanwhile.
pub(crate) struct Storing<'a> {
    pub state: &'a mut State,
    question: QuestionId,
    epoch: u64,
    at: Moment,
    /// Its sheet; none for a question that is not in this round.
    place: Option<SheetPlace>,
    has_captains: bool,
    is_begun: bool,
}

/// The text of an answer, and how the key marks it.
pub(crate) struct Text<'a> {
    pub text: &'a Arc<str>,
    pub mark: KeyMark,
}

impl State {
    /// Applies answers that were decided together, at a moment of this process: as their events would be applied one by one.
    pub(crate) fn apply_bundle(&mut self, bundle: &Bundle, at: Moment) {
        let of_text = |text: &MarkedText| self.game.key_mark(bundle.question, &text.text, text.mark());
        let marks: Vec<KeyMark> = bundle.texts.iter().map(of_text).collect();
        let mut storing = Storing::of(self, (bundle.question, bundle.epoch), at);
        for some in bundle.rows.0.chunks(READ_AHEAD) {
            for row in some {
                storing.read_ahead(row.slot);
            }
            for row in some {
                if let (Some(text), Some(mark)) = (bundle.text_of(row), marks.get(row.sent.text as usize)) {
                    storing.store(row, &Text { text: &text.text, mark: *mark });
                }
            }
        }
        storing.finish();
    }
}

impl<'a> Storing<'a> {
    /// For answers to a question, over sessions that the owner of an epoch has given.
    pub fn of(state: &'a mut State, (question, epoch): (QuestionId, u64), at: Moment) -> Self {
        let place = state.game.sheet_place(question);
        let has_captains = state.game.options.teams.is_some_and(|teams| teams.captain_only);
        Self { state, question, epoch, at, place, has_captains, is_begun: false }
    }

    /// Touches the memory that the answer of a player needs, like [`State::read_ahead`].
    pub fn read_ahead(&self, slot: u32) {
        let game = &self.state.game;
        black_box(game.roster.at(slot).map(|player| (player.command_id, player.answered)));
        black_box(self.place.and_then(|place| game.sheet_at(place)).map(|sheet| sheet.answer(slot).is_some()));
    }

    /// Stores one answer, in the place of an earlier one of the same player. That of a removed player changes nothing, and a slot
    /// without a player is as no answer.
    pub fn store(&mut self, row: &BundleRow, given: &Text<'_>) {
        let State { game, clock, .. } = &mut *self.state;
        let Game { roster, rounds, phase, .. } = game;
        let Some(player) = roster.at_mut(row.slot) else { return };
        if !player.removed {
            player.command_id = Some(row.sent.command_id(self.epoch)).max(player.command_id);
            if let Some(sheet) = self.place.and_then(|place| place.of_mut(rounds)) {
                let elapsed = row.sent.elapsed;
                let time_percent = elapsed.map_or(NOMINAL, |_| clock.extra.of(row.slot));
                let answer = Answer::new(row.slot, Arc::clone(given.text), given.mark);
                let is_away = *phase == Phase::Question && !player.connected;
                sheet.answered(Answer { elapsed, time_percent, ..answer }, is_away);
                player.answered = true;
            }
            if self.has_captains {
                player.decide_suggestions(self.question);
            }
        }
        if !std::mem::replace(&mut self.is_begun, true) {
            self.close_answered();
        }
    }

    /// Has to be called after the last answer.
    pub fn finish(mut self) {
        if self.is_begun {
            self.close_answered();
        }
    }

    /// A question that waits for fewer and fewer players stays open with the first answers, and closes soon with the others. So it is
    /// enough to look after the first answer and after the last.
    fn close_answered(&mut self) {
        let State { game, clock, .. } = &mut *self.state;
        if game.options.close_when_answered {
            clock.close_answered(game, Some(self.question), self.at);
        }
    }
}
