//! The host's review: its answers against the ledger and the reference marking, its order and names against the oracle.

use std::sync::OnceLock;

use quizhall_oracle::{Fact, Mark};
use quizhall_protocol::shapes::ReviewAnswer;
use quizhall_protocol::{Dialect, QuestionKind};
use uuid::Uuid;

use super::plan::Answering as _;
use super::world::World;

/// Checks the complete review of a round just closed, and passes its answers to the oracle.
pub fn check(world: &World, released: &[Uuid], review: &[ReviewAnswer]) {
    for entry in review {
        let id = || format!("player {}, question {}", entry.player_id, entry.question_id);
        if world.oracle().player(entry.player_id).is_none() {
            world.violations.note("review_stranger", id());
        } else if !released.contains(&entry.question_id) {
            world.violations.note("review_foreign_question", id());
        } else {
            check_entry(world, entry);
            // A review of the interface does not say what a partly right answer earns.
            let of_choices =
                world.plan.question(entry.question_id).and_then(|item| item.mark_of_choices(&entry.answer));
            let mark =
                Mark { correct: entry.correct, near_miss: entry.near_miss, partial: 0, elapsed: entry.elapsed_ms };
            let mark = of_choices.unwrap_or(mark);
            world.happened(&Fact::Answered(entry.player_id, entry.question_id, entry.answer.clone(), mark));
        }
    }
    // An answer that is stored came before its question closed.
    for question in world.clocks.closed().into_iter().filter(|question| released.contains(question)) {
        world.happened(&Fact::QuestionClosed(question));
    }
    world.happened(&Fact::RoundEnded);
    compare(world, review);
    compare_with_ledger(world, released);
}

/// Compares a review, as sockets of the host's dialect receive it, with the oracle: by order of release, then of arrival, each answer once, overrides applied.
pub fn compare(world: &World, review: &[ReviewAnswer]) {
    let mut must = world.oracle().review();
    if world.host_dialect() == Dialect::Interface {
        for answer in &mut must {
            (answer.partial_points, answer.elapsed_ms, answer.ruled) = (0, None, false);
        }
    }
    let place = must.iter().zip(review).position(|(must, shown)| must != shown);
    world.violations.check(must == review, "review_differs", || {
        format!("at {place:?}, with {} answers where {} must be", review.len(), must.len())
    });
}

fn check_entry(world: &World, entry: &ReviewAnswer) {
    let id = || format!("player {}, question {}", entry.player_id, entry.question_id);
    let Some(item) = world.plan.question(entry.question_id) else { return };
    // The nearest answers are known by all of them together: the oracle marks them.
    let is_marked_alone = item.kind != QuestionKind::Nearest;
    let fits = !is_marked_alone || item.marks(&entry.answer) == entry.correct;
    world
        .violations
        .check(fits, "marking_wrong", || format!("{}: a {} answer counts as {}", id(), item.kind, entry.correct));
    world.violations.check(!(entry.near_miss && entry.correct), "near_miss_correct", id);
    world.violations.check(!entry.near_miss || item.kind == QuestionKind::Text, "near_miss_of_other_type", id);
}

fn compare_with_ledger(world: &World, released: &[Uuid]) {
    let oracle = world.oracle();
    for (player, id) in world.players.iter().map(OnceLock::get).enumerate() {
        for question in released {
            let stored = id.and_then(|id| oracle.answer(*id, *question)).map(|answer| answer.text.as_str());
            match world.ledger.compare(player, *question, stored) {
                Ok(replaced) => world.timing.replaced.add_more(replaced),
                Err(fault) => world.violations.note(fault.kind(), format!("player {id:?}, question {question}")),
            }
        }
    }
}
