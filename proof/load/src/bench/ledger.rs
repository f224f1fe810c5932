//! The ledger of a measured game. The results of the server must match the answers that the virtual users gave and the
//! server acknowledged: every answer once, correctly marked, and the board with their sum.

use std::collections::{HashMap, HashSet};

use quizhall_protocol::http::results::Results;
use uuid::Uuid;

use super::outcome::Outcome;
use crate::users::{Key, answers};

/// What the virtual users of a game did.
pub(super) struct Ledger<'a> {
    pub(super) players: usize,
    pub(super) keys: &'a [Key],
    /// The questions for which every player has received the acknowledgement.
    pub(super) answered: &'a [Uuid],
}

/// Compares the ledger with the results.
pub(super) fn check(results: &Results, ledger: &Ledger<'_>, outcome: &mut Outcome) {
    let Ledger { players, keys, answered } = *ledger;
    let keys: HashMap<Uuid, &Key> = keys.iter().map(|key| (key.question, key)).collect();
    let (mut once, mut wrong) = (0, 0);
    let mut totals = vec![0_i64; players];
    for question in results.rounds.iter().flat_map(|round| &round.questions) {
        let Some(key) = keys.get(&question.question_id) else { continue };
        let mut seen = HashSet::new();
        for answer in &question.answers {
            let Some(player) = answers::number(&answer.display_name).filter(|player| *player < players) else {
                wrong += 1;
                continue;
            };
            let right = answers::knows(player, key.number);
            let as_given = answer.answer == answers::answer(player, key) && answer.correct == right;
            if !as_given
                || !seen.insert(player)
                || i64::from(answer.points) != if right { question.points.into() } else { 0 }
            {
                wrong += 1;
            }
            if right {
                totals[player] += i64::from(question.points);
            }
        }
        if answered.contains(&question.question_id) {
            once += seen.len();
        } else {
            wrong += seen.len();
        }
    }
    outcome.check("acknowledged answers in the results", once as u64, (answered.len() * players) as u64);
    outcome.check("answers in the results that nobody gave so", wrong as u64, 0);
    outcome.check("rows of the final board", results.leaderboard.len() as u64, players as u64);
    outcome.check("rows of the final board that are wrong", wrong_rows(results, &totals), 0);
}

fn wrong_rows(results: &Results, totals: &[i64]) -> u64 {
    let mut sorted = totals.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let rank = |score: i64| sorted.partition_point(|other| *other > score) + 1;
    let wrong = results.leaderboard.iter().filter(|row| {
        let total = answers::number(&row.display_name).and_then(|player| totals.get(player));
        total != Some(&row.score) || row.rank as usize != rank(row.score)
    });
    wrong.count() as u64
}
