//! Marking of `nearest` questions: all answers with the least distance are right.
//!
//! Called by `apply` when a round ends, and during its review whenever a player is removed. Marks set by the host are never
//! changed: they count whether or not the answer is nearest.

use quizhall_quiz::{Question, QuestionId, QuestionKind, number};

use crate::base::{Game, MarkingRule, Phase, Place, PlayerId};

impl Game {
    /// The answers of this round that count as right because they are the nearest: question and player, in order of release
    /// and arrival.
    pub fn nearest_answers(&self) -> Vec<(QuestionId, PlayerId)> {
        let sheets = self.sheets_of(self.round()).filter(|(question, _)| question.kind == QuestionKind::Nearest);
        let answers = sheets.flat_map(|(question, sheet)| sheet.answers().map(move |answer| (question.id, answer)));
        let right = answers.filter(|(_, answer)| answer.correct());
        let players = right.map(|(question, answer)| (question, self.roster.player(answer.slot)));
        players.filter(|(_, player)| !player.removed).map(|(question, player)| (question, player.id)).collect()
    }

    /// Marks the `nearest` questions of the round under review; the marks of a scored round stay.
    pub(crate) fn mark_nearest(&mut self) {
        let (round, rule) = (self.round(), self.rule);
        if self.phase != Phase::RoundReview {
            return;
        }
        let Some(played) = self.rounds.get_mut(round) else { return };
        for sheet in &mut played.sheets {
            let asked = self.frozen.at(Place { round, question: sheet.question });
            let Some(asked) = asked.filter(|asked| asked.kind == QuestionKind::Nearest) else { continue };
            let is_removed = |slot| self.roster.player(slot).removed;
            let answers = sheet.answers().filter(|answer| !is_removed(answer.slot));
            let pairs_of_all = answers.flat_map(|answer| pairs(asked, &answer.text, rule));
            let least = pairs_of_all.map(|(given, right)| (given - right).abs()).min_by(f64::total_cmp);
            let is_nearest = |text: &str| {
                least.is_some_and(|least| {
                    pairs(asked, text, rule).any(|(given, right)| number::is_within(given, right, least))
                })
            };
            sheet.mark_each(|answer| !is_removed(answer.slot) && is_nearest(&answer.text));
        }
    }
}

/// Every reading of an answer, paired with every accepted number; none for an answer that is not a number.
fn pairs<'a>(question: &'a Question, answer: &str, rule: MarkingRule) -> impl Iterator<Item = (f64, f64)> + use<'a> {
    let accepted = || question.accepted.iter().flat_map(|accepted| number::meant(accepted, 0.0));
    rule.readings(answer).flat_map(move |given| accepted().map(move |right| (given, right)))
}
