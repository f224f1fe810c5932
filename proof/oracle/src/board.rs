//! A board: ranks, ties, and what is left of it in a game of more than 200 players (messages.md#big-games).

use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::Leaderboard;
use uuid::Uuid;

use crate::game::Player;

/// Boards of more players are cut.
const WHOLE: usize = 200;
/// What is left of them.
const TOP: usize = 100;

/// Where a board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `round_leaderboard`: with the points of the round.
    Round,
    /// `game_ended`.
    Final,
    /// A player's `scoreboard_update`: with the own row below a cut board.
    Running(Uuid),
    /// The results of a game, which are never cut.
    Results,
}

/// A board as of a release of scores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// Every row with the points of the round, the best first.
    pub rows: Vec<LeaderboardEntry>,
}

impl Board {
    /// The board of these players: by score, equal scores by name.
    pub(crate) fn of<'a>(players: impl Iterator<Item = &'a Player>) -> Self {
        let row = |player: &Player| LeaderboardEntry {
            player_id: player.id,
            display_name: player.name.clone(),
            score: player.score,
            rank: 0,
            round_score: Some(player.round_score),
        };
        let mut rows: Vec<_> = players.map(row).collect();
        rows.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.display_name.cmp(&b.display_name)));
        let mut board = Self { rows };
        board.rank();
        board
    }

    pub(crate) fn remove(&mut self, player: Uuid) {
        self.rows.retain(|row| row.player_id != player);
        self.rank();
    }

    /// Equal scores share a rank, and the next rank is skipped.
    fn rank(&mut self) {
        let mut above: Option<(i64, u32)> = None;
        for (place, row) in (1..).zip(&mut self.rows) {
            row.rank = above.filter(|(score, _)| *score == row.score).map_or(place, |(_, rank)| rank);
            above = Some((row.score, row.rank));
        }
    }

    /// The board as a message shows it.
    pub fn shown(&self, form: Form) -> Leaderboard {
        let points = |row: &LeaderboardEntry| row.round_score.filter(|_| form == Form::Round);
        let row = |row: &LeaderboardEntry| LeaderboardEntry { round_score: points(row), ..row.clone() };
        Leaderboard { leaderboard: self.rows_of(form).map(row).collect() }
    }

    /// Compares a board that was received, without building one.
    ///
    /// # Errors
    /// Where it differs.
    pub fn compare(&self, form: Form, received: &[LeaderboardEntry]) -> Result<(), String> {
        let count = self.rows_of(form).count();
        if count != received.len() {
            return Err(format!("{} entries where {count} must be", received.len()));
        }
        let same = |row: &LeaderboardEntry, entry: &LeaderboardEntry| {
            (row.player_id, row.score, row.rank) == (entry.player_id, entry.score, entry.rank)
                && row.display_name == entry.display_name
                && Self::shows_points(row, form, entry.round_score)
        };
        let difference = self.rows_of(form).zip(received).position(|(row, entry)| !same(row, entry));
        difference.map_or(Ok(()), |place| Err(format!("entry {place} is {:?}", received[place])))
    }

    fn rows_of(&self, form: Form) -> impl Iterator<Item = &LeaderboardEntry> {
        let cut = if self.rows.len() > WHOLE && form != Form::Results { TOP } else { self.rows.len() };
        let own = move |row: &&LeaderboardEntry| form == Form::Running(row.player_id);
        self.rows[..cut].iter().chain(self.rows[cut..].iter().find(own))
    }

    /// Whether the points of the round are where they belong; results may have them.
    fn shows_points(row: &LeaderboardEntry, form: Form, shown: Option<i64>) -> bool {
        match form {
            Form::Round => shown == row.round_score,
            Form::Final | Form::Running(_) => shown.is_none(),
            Form::Results => shown.is_none() || shown == row.round_score,
        }
    }
}
