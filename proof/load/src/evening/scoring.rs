//! Reference scoring, written from the interface and sharing no code with the server:
//! points of right answers, summed over released rounds; ranks 1, 2, 2, 4; equal ranks by name.

use std::collections::HashMap;

use uuid::Uuid;

/// A row of the reference board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The player's number.
    pub player: usize,
    /// All points so far.
    pub score: u64,
    /// Points of the last round.
    pub round_score: u64,
    /// From 1; equal scores share it.
    pub rank: u32,
}

/// What a player stands with after the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Final {
    /// The stored answer; empty when only the host's override made it one.
    pub text: String,
    /// Whether it counts.
    pub correct: bool,
    /// Whether it counts otherwise than it was marked.
    pub overridden: bool,
}

/// The final answers of a round, by player number and question.
pub type Finals = HashMap<(usize, Uuid), Final>;

/// A player's line of per-question results, in order of release: what was answered, whether it counts, the points.
pub fn results_of(player: usize, released: &[(Uuid, u32)], finals: &Finals) -> Vec<(String, bool, u32)> {
    let result = |(question, points): &(Uuid, u32)| match finals.get(&(player, *question)) {
        Some(answer) if answer.correct => (answer.text.clone(), true, *points),
        Some(answer) => (answer.text.clone(), false, 0),
        None => (String::new(), false, 0),
    };
    released.iter().map(result).collect()
}

/// The board of these players: by score, equal scores share a rank and stand by name, the next rank is skipped.
pub fn board(names: &[(usize, &str)], totals: &[u64], round: &[u64]) -> Vec<Row> {
    let mut order: Vec<(usize, &str)> = names.to_vec();
    order.sort_by(|(a, a_name), (b, b_name)| totals[*b].cmp(&totals[*a]).then_with(|| a_name.cmp(b_name)));
    let mut rows: Vec<Row> = Vec::with_capacity(order.len());
    for (place, (player, _)) in (1_u32..).zip(order) {
        let rank = match rows.last() {
            Some(above) if above.score == totals[player] => above.rank,
            _ => place,
        };
        rows.push(Row { player, score: totals[player], round_score: round[player], rank });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_rank_and_the_next_is_skipped() {
        let names = [(0, "Dora"), (1, "Ann"), (2, "Cleo"), (3, "Ben")];
        let rows = board(&names, &[10, 20, 20, 30], &[1, 2, 3, 4]);
        let seen: Vec<(usize, u32)> = rows.iter().map(|row| (row.player, row.rank)).collect();
        assert_eq!(seen, [(3, 1), (1, 2), (2, 2), (0, 4)]);
        assert_eq!(rows[0], Row { player: 3, score: 30, round_score: 4, rank: 1 });
    }

    #[test]
    fn a_board_lists_only_who_is_on_it() {
        let rows = board(&[(2, "Cleo"), (0, "Dora")], &[5, 9, 5], &[0, 0, 0]);
        assert_eq!(rows.iter().map(|row| (row.player, row.rank)).collect::<Vec<_>>(), [(2, 1), (0, 1)]);
    }

    #[test]
    fn results_follow_the_release_and_count_only_what_is_right() {
        let (q, r, s) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let answer = |text: &str, correct| Final { text: text.to_owned(), correct, overridden: false };
        let finals = Finals::from([((0, q), answer("x", true)), ((0, r), answer("y", false))]);
        let results = results_of(0, &[(r, 500), (q, 1_000), (s, 7)], &finals);
        assert_eq!(results, [("y".to_owned(), false, 0), ("x".to_owned(), true, 1_000), (String::new(), false, 0)]);
        assert_eq!(results_of(1, &[(q, 5)], &finals), [(String::new(), false, 0)]);
    }
}
