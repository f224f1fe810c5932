//! `GET /api/v1/games/{id}/results` against the oracle: every answer once, in order, and the whole board.

use quizhall_oracle::Form;
use quizhall_protocol::http::results::{QuestionResults, Results};
use quizhall_protocol::to_all::Leaderboard;

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
        let Some(scored) = world.scored(round) else { continue };
        let must = scored.results();
        violations.check(shown.questions.len() == must.len(), "results_questions", || format!("round {round}"));
        shown.questions.iter().zip(&must).for_each(|(shown, must)| compare(world, shown, must));
    }
    let whole = Leaderboard { leaderboard: results.leaderboard.clone(), total: None };
    let last = world.scored(played - 1).map(|scored| scored.board.compare(Form::Results, &whole));
    if let Some(Err(what)) = last {
        violations.note("board_wrong", format!("results: {what}"));
    }
}

/// How many players could answer is not compared: a late player joins while the round is being closed.
fn compare(world: &World, shown: &QuestionResults, must: &QuestionResults) {
    let (violations, id) = (&world.violations, must.question_id);
    let place = shown.answers.iter().zip(&must.answers).position(|(shown, must)| shown != must);
    violations.check(shown.answers == must.answers, "results_answers", || {
        format!("question {id}, at {place:?}, with {} where {} must be", shown.answers.len(), must.answers.len())
    });
    let question =
        |results: &QuestionResults| QuestionResults { players: None, answers: Vec::new(), ..results.clone() };
    violations.check(question(shown) == question(must), "results_question", || format!("question {id}"));
}
