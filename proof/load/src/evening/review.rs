//! The host's review against the ledger and the reference marking, and the final answers that follow from it.

use std::collections::HashSet;

use quizhall_protocol::QuestionKind;
use quizhall_protocol::shapes::ReviewAnswer;
use uuid::Uuid;

use super::scoring::{Final, Finals};
use super::world::World;

/// Checks a complete review of these released questions and gives the answers as they stand.
pub fn check(world: &World, released: &[Uuid], review: &[ReviewAnswer]) -> Finals {
    let mut finals = Finals::new();
    let mut reached = 0;
    for entry in review {
        let id = || format!("player {}, question {}", entry.player_id, entry.question_id);
        match released.iter().position(|question| *question == entry.question_id) {
            Some(place) if place >= reached => reached = place,
            Some(_) => world.violations.note("review_order", id()),
            None => {
                world.violations.note("review_foreign_question", id());
                continue;
            }
        }
        let Some(player) = world.number_of(entry.player_id) else {
            world.violations.note("review_stranger", id());
            continue;
        };
        check_entry(world, player, entry);
        let answer = Final { text: entry.answer.clone(), correct: entry.correct, overridden: false };
        let twice = finals.insert((player, entry.question_id), answer).is_some();
        world.violations.check(!twice, "review_answer_twice", id);
    }
    compare_with_ledger(world, released, &finals);
    finals
}

/// Checks that a later review shows the same answers with the overrides applied.
pub fn check_again(world: &World, review: &[ReviewAnswer], finals: &Finals) {
    let mut shown = HashSet::new();
    for entry in review {
        let Some(player) = world.number_of(entry.player_id) else { continue };
        let known = finals.get(&(player, entry.question_id));
        let same = known.is_some_and(|known| (&known.text, known.correct) == (&entry.answer, entry.correct));
        world.violations.check(same && shown.insert((player, entry.question_id)), "review_again_differs", || {
            format!("player {}, question {}", entry.player_id, entry.question_id)
        });
    }
    world.violations.check(shown.len() == finals.len(), "review_again_differs", || {
        format!("{} answers where {} must be", shown.len(), finals.len())
    });
}

fn check_entry(world: &World, player: usize, entry: &ReviewAnswer) {
    let id = || format!("player {}, question {}", entry.player_id, entry.question_id);
    let named = world.seats[player].get().is_some_and(|seat| seat.name == entry.display_name);
    world.violations.check(named, "review_name", id);
    let Some(item) = world.plan.item(entry.question_id) else { return };
    world.violations.check(item.marks(&entry.answer) == entry.correct, "marking_wrong", || {
        format!("{}: a {} answer counts as {}", id(), item.kind, entry.correct)
    });
    world.violations.check(!(entry.near_miss && entry.correct), "near_miss_correct", id);
    world.violations.check(!entry.near_miss || item.kind == QuestionKind::Text, "near_miss_of_other_type", id);
}

fn compare_with_ledger(world: &World, released: &[Uuid], finals: &Finals) {
    for player in 0..world.seats.len() {
        for question in released {
            let stored = finals.get(&(player, *question)).map(|answer| answer.text.as_str());
            if let Err(fault) = world.ledger.compare(player, *question, stored) {
                let id = world.seats[player].get().map(|seat| seat.id.to_string()).unwrap_or_default();
                world.violations.note(fault.kind(), format!("player {id}, question {question}"));
            }
        }
    }
}
