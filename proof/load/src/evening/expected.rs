//! What the boards and results of a round must be, fixed before the host releases the scores, and the comparison.

use quizhall_protocol::shapes::{LeaderboardEntry, QuestionResult};
use quizhall_protocol::to_player::RoundScores;
use uuid::Uuid;

use super::plan::Item;
use super::scoring::{Finals, Row, board, results_of};
use super::world::World;

/// Boards of more players are cut (messages.md#big-games).
const WHOLE_BOARD: usize = 200;
/// What is left of them.
const TOP: usize = 100;

/// A round after its review.
#[derive(Debug)]
pub struct Expected {
    /// The round, from 0.
    pub round: usize,
    /// The whole board.
    pub rows: Vec<Row>,
    /// Total points by bot number.
    pub totals: Vec<u64>,
    /// Released questions in order.
    pub released: Vec<Item>,
    /// The final answers.
    pub finals: Finals,
    /// A row's place by bot number.
    places: Vec<Option<usize>>,
}

/// Which board it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// `round_leaderboard`: with the round's points.
    Round,
    /// `game_ended`.
    Final,
    /// A player's `scoreboard_update`: with the own row below a cut board.
    Running {
        /// Whose.
        player: usize,
    },
    /// The whole board of the results.
    Whole,
}

impl Expected {
    /// Adds a round to the scores of the one before.
    pub fn new(world: &World, round: usize, released: &[Uuid], finals: Finals) -> Self {
        let before = round.checked_sub(1).and_then(|before| world.expected(before));
        let mut totals = before.map_or_else(|| vec![0; world.seats.len()], |before| before.totals.clone());
        let released: Vec<Item> = released.iter().filter_map(|id| world.plan.item(*id).cloned()).collect();
        let mut own = vec![0; totals.len()];
        for ((player, question), answer) in &finals {
            let points = released.iter().find(|item| item.id == *question).map_or(0, |item| item.points);
            if answer.correct {
                own[*player] += u64::from(points);
            }
        }
        totals.iter_mut().zip(&own).for_each(|(total, own)| *total += own);
        let rows = board(&world.names(), &totals, &own);
        let mut places = vec![None; totals.len()];
        for (place, row) in rows.iter().enumerate() {
            places[row.player] = Some(place);
        }
        Self { round, rows, totals, released, finals, places }
    }

    /// Compares a board; the error says where it differs.
    pub fn compare(&self, world: &World, sort: Sort, shown: &[LeaderboardEntry]) -> Result<(), String> {
        let cut = if self.rows.len() > WHOLE_BOARD && sort != Sort::Whole { TOP } else { self.rows.len() };
        let mut rows: Vec<&Row> = self.rows[..cut].iter().collect();
        if let Sort::Running { player } = sort
            && let Some(place) = self.places[player].filter(|place| *place >= cut)
        {
            rows.push(&self.rows[place]);
        }
        if rows.len() != shown.len() {
            return Err(format!("{} entries where {} must be", shown.len(), rows.len()));
        }
        for (place, (row, entry)) in rows.iter().zip(shown).enumerate() {
            let seat = world.seats[row.player].get().ok_or("a row without a seat")?;
            let round_score = match sort {
                Sort::Round => Some(row.round_score),
                Sort::Final | Sort::Running { .. } => None,
                // Not a message: the field may be there, and then it must be right.
                Sort::Whole => entry.round_score.map(|_| row.round_score),
            };
            let same = (entry.player_id, entry.display_name.as_str()) == (seat.id, seat.name.as_str())
                && (entry.score, entry.rank, entry.round_score) == (row.score, row.rank, round_score);
            if !same {
                return Err(format!(
                    "entry {place}: {} with {}, rank {}, round {:?}, where {} with {}, rank {}, round {round_score:?} must be",
                    entry.player_id, entry.score, entry.rank, entry.round_score, seat.id, row.score, row.rank
                ));
            }
        }
        Ok(())
    }

    /// Compares a player's `round_scores`.
    pub fn compare_scores(&self, player: usize, shown: &RoundScores) -> Result<(), String> {
        let released: Vec<(Uuid, u32)> = self.released.iter().map(|item| (item.id, item.points)).collect();
        let own = results_of(player, &released, &self.finals);
        if own.len() != shown.results.len() {
            return Err(format!("{} results where {} must be", shown.results.len(), own.len()));
        }
        for ((item, (answer, correct, points)), result) in self.released.iter().zip(&own).zip(&shown.results) {
            let must = QuestionResult {
                question_id: item.id,
                question: item.text.clone(),
                your_answer: answer.clone(),
                correct_answer: item.accepted.first().cloned().unwrap_or_default(),
                correct: *correct,
                points: *points,
            };
            if *result != must {
                return Err(format!("question {}: {result:?} where {must:?} must be", item.id));
            }
        }
        let total: u64 = own.iter().map(|(_, _, points)| u64::from(*points)).sum();
        let row = self.places[player].map(|place| self.rows[place].round_score);
        if shown.round_total != total || row.is_some_and(|row| row != total) {
            return Err(format!("roundTotal {} where {total} must be", shown.round_total));
        }
        Ok(())
    }
}
