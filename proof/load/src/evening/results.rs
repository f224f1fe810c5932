//! `GET /api/v1/games/{id}/results` against what the evening knows: every final answer exactly once, the whole board.

use std::collections::HashSet;

use quizhall_protocol::http::results::{QuestionResults, Results};

use super::expected::{Expected, Sort};
use super::world::World;

/// Compares the results of an ended game.
pub fn check(world: &World, results: &Results) {
    let violations = &world.violations;
    violations.check(results.phase == "ended", "results_phase", || results.phase.clone());
    let played = world.plan.rounds.len();
    violations.check(results.rounds.len() == played, "results_rounds", || {
        format!("{} rounds where {played} were played", results.rounds.len())
    });
    for (round, shown) in results.rounds.iter().enumerate() {
        let Some(expected) = world.expected(round) else { continue };
        let ids: Vec<_> = shown.questions.iter().map(|question| question.question_id).collect();
        let must: Vec<_> = expected.released.iter().map(|item| item.id).collect();
        violations.check(ids == must, "results_questions", || format!("round {round}"));
        let mut answers = 0;
        for question in &shown.questions {
            answers += question.answers.len();
            check_question(world, &expected, question);
        }
        violations.check(answers == expected.finals.len(), "results_answers", || {
            format!("round {round}: {answers} answers where {} must be", expected.finals.len())
        });
    }
    if let Some(last) = world.expected(played - 1)
        && let Err(what) = last.compare(world, Sort::Whole, &results.leaderboard)
    {
        violations.note("board_wrong", format!("results: {what}"));
    }
}

fn check_question(world: &World, expected: &Expected, shown: &QuestionResults) {
    let Some(item) = expected.released.iter().find(|item| item.id == shown.question_id) else { return };
    let key = item.accepted.first().map(String::as_str);
    let same = (&shown.text, &shown.kind, shown.points) == (&item.text, &item.kind, item.points)
        && Some(shown.correct_answer.as_str()) == key;
    world.violations.check(same, "results_question", || format!("question {}", item.id));
    let mut once = HashSet::new();
    for answer in &shown.answers {
        let known = world.number_of(answer.player_id).and_then(|player| expected.finals.get(&(player, item.id)));
        let points = if answer.correct { item.points } else { 0 };
        let same = known.is_some_and(|known| {
            (&known.text, known.correct, known.overridden) == (&answer.answer, answer.correct, answer.overridden)
        });
        world.violations.check(
            same && answer.points == points && once.insert(answer.player_id),
            "results_answer",
            || format!("player {}, question {}", answer.player_id, item.id),
        );
    }
}
