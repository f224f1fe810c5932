//! The marks of answers by the key of their question, type by type (messages.md#marking).

use quizhall_protocol::http::proof::{Counts, PlayedRound};
use quizhall_rules::{Question, QuestionKind, mark, number};

use super::course::{Asked, Course};

/// How the key counts an answer. A near miss earns half of the points where the round says so.
pub(super) fn by_key(question: &Question, round: &PlayedRound, text: &str) -> Counts {
    let mark = mark(question, text);
    let points = if mark.near_miss && round.half_points { question.points / 2 } else { mark.partial };
    Counts { correct: mark.correct, points }
}

/// Whether the host has ruled that such a text counts so. The texts of a ruling are in the form in which the key compares them;
/// for numbers and for several choices, that form is not checked here.
pub(super) fn is_ruled(asked: &Asked, text: Option<&str>, counts: Counts) -> bool {
    asked.rulings.iter().filter(|ruling| ruling.counts == counts).any(|ruling| {
        let is_compared =
            matches!(asked.question.kind, QuestionKind::Text | QuestionKind::MultipleChoice | QuestionKind::TrueFalse);
        let Some(text) = text.filter(|_| is_compared) else { return true };
        // A text in that form has itself as its form.
        let as_key = Question { accepted: ruling.texts.clone(), ..asked.question.clone() };
        mark(&as_key, text).correct
    })
}

/// Marks the nearest answers of the round that is scored: all with the least distance, removed players left out.
pub(super) fn mark_nearest(course: &mut Course<'_>) {
    let (round, players) = (course.round, &course.players);
    let of_round = course.questions.iter_mut().filter(|asked| asked.round + 1 == round);
    for asked in of_round.filter(|asked| asked.question.kind == QuestionKind::Nearest) {
        let right: Vec<f64> = asked.question.accepted.iter().flat_map(|text| number::meant(text, 0.0)).collect();
        let pairs = |text: &str| -> Vec<(f64, f64)> {
            number::readings(text).flat_map(|given| right.iter().map(move |right| (given, *right))).collect()
        };
        let counted = asked.answers.iter().filter(|(player, _)| !players[**player].removed);
        let all = counted.filter_map(|(_, given)| given.text.as_deref()).flat_map(pairs);
        let least = all.map(|(given, right)| (given - right).abs()).min_by(f64::total_cmp);
        for (player, given) in &mut asked.answers {
            let near = |(given, right): (f64, f64)| least.is_some_and(|least| number::is_within(given, right, least));
            let is_nearest = pairs(given.text.as_deref().unwrap_or_default()).into_iter().any(near);
            given.key.correct = !players[*player].removed && is_nearest;
        }
    }
}
