//! A board: ranks, ties, and the cut in a big game (messages.md#big-games).

use quizhall_protocol::Dialect;
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::Leaderboard;
use uuid::Uuid;

use crate::game::{Player, Viewer};
use crate::messages::count;

/// The recipients of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A player over `quizhall.v1`: above 20 players they receive the top ten, and two rows around their own.
    PlayerV1,
    /// A host over `quizhall.v1`: like all others, but with the ranks of tie-breaks.
    HostV1,
    /// All others: above 200 players they receive the top 100, and players also their own row.
    Other,
}

impl Reader {
    /// The reader of such a socket.
    pub fn of(viewer: Viewer, dialect: Dialect) -> Self {
        match (dialect, viewer) {
            (Dialect::Interface, _) => Self::Other,
            (Dialect::QuizhallV1, Viewer::Host) => Self::HostV1,
            (Dialect::QuizhallV1, Viewer::Player(_) | Viewer::Phone(..)) => Self::PlayerV1,
        }
    }

    /// The number of players above which a board is cut, the rows that remain, and those around the player's own.
    fn cut(self) -> (usize, usize, usize) {
        match self {
            Self::PlayerV1 => (20, 10, 2),
            Self::HostV1 | Self::Other => (200, 100, 0),
        }
    }
}

/// The places where a board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `round_leaderboard`: with the points of the round.
    Round(Reader),
    /// `game_ended`.
    Final(Reader),
    /// A player's `scoreboard_update`, with the player's own row below a cut board.
    Running(Uuid, Reader),
    /// The results of a game, which are never cut.
    Results,
}

/// A board as of a release of scores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// Every row with the points of the round, best first.
    pub rows: Vec<LeaderboardEntry>,
    /// The places in each tie-break that is over.
    ties: Vec<Vec<(Uuid, u32)>>,
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
        let mut board = Self { rows: players.map(row).collect(), ties: Vec::new() };
        board.sort();
        board.rank();
        board
    }

    pub(crate) fn remove(&mut self, player: Uuid) {
        self.rows.retain(|row| row.player_id != player);
        self.rank();
    }

    /// Renames a player. Names decide the order of equal players.
    pub(crate) fn rename(&mut self, player: Uuid, name: &str) {
        self.rows
            .iter_mut()
            .filter(|row| row.player_id == player)
            .for_each(|row| name.clone_into(&mut row.display_name));
        self.sort();
    }

    fn sort(&mut self) {
        self.rows.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.display_name.cmp(&b.display_name)));
    }

    /// Ranks the rows: equal scores share a rank, and the next rank is skipped.
    fn rank(&mut self) {
        let mut above: Option<(i64, u32)> = None;
        for (place, row) in (1..).zip(&mut self.rows) {
            row.rank = above.filter(|(score, _)| *score == row.score).map_or(place, |(_, rank)| rank);
            above = Some((row.score, row.rank));
        }
    }

    /// The board as a message shows it.
    pub fn shown(&self, form: Form) -> Leaderboard {
        let points = |row: &LeaderboardEntry| row.round_score.filter(|_| matches!(form, Form::Round(_)));
        let rank = |row: &LeaderboardEntry| self.rank_of(row, form);
        let row =
            |row: &LeaderboardEntry| LeaderboardEntry { round_score: points(row), rank: rank(row), ..row.clone() };
        Leaderboard { leaderboard: self.rows_of(form).map(row).collect(), total: self.total(form) }
    }

    /// Compares a board that was received, without building one.
    ///
    /// # Errors
    /// Where it differs.
    pub fn compare(&self, form: Form, received: &Leaderboard) -> Result<(), String> {
        let Leaderboard { leaderboard: received, total } = received;
        if *total != self.total(form) {
            return Err(format!("{total:?} players"));
        }
        let count = self.rows_of(form).count();
        if count != received.len() {
            return Err(format!("{} entries where {count} must be", received.len()));
        }
        let same = |row: &LeaderboardEntry, entry: &LeaderboardEntry| {
            (row.player_id, row.score, self.rank_of(row, form)) == (entry.player_id, entry.score, entry.rank)
                && row.display_name == entry.display_name
                && Self::shows_points(row, form, entry.round_score)
        };
        let difference = self.rows_of(form).zip(received).position(|(row, entry)| !same(row, entry));
        difference.map_or(Ok(()), |place| Err(format!("entry {place} is {:?}", received[place])))
    }

    /// Orders equal players by these tie-breaks.
    pub(crate) fn reorder(&mut self, ties: Vec<Vec<(Uuid, u32)>>) {
        self.ties = ties;
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_cached_key(|row| (std::cmp::Reverse(row.score), self.ties_of(row)));
        self.rows = rows;
    }

    /// The place of a player in each tie-break; a player who was not asked comes last.
    fn ties_of(&self, row: &LeaderboardEntry) -> Vec<u32> {
        let place = |places: &Vec<(Uuid, u32)>| places.iter().find(|(asked, _)| *asked == row.player_id).map(|of| of.1);
        self.ties.iter().map(|places| place(places).unwrap_or(u32::MAX)).collect()
    }

    /// Over `quizhall.v1` players share a rank only if no tie-break ordered them.
    fn rank_of(&self, row: &LeaderboardEntry, form: Form) -> u32 {
        let reader = match form {
            Form::Round(reader) | Form::Final(reader) | Form::Running(_, reader) => reader,
            Form::Results => Reader::Other,
        };
        if reader == Reader::Other || self.ties.is_empty() {
            return row.rank;
        }
        let is_before = |other: &&LeaderboardEntry| other.score == row.score && self.ties_of(other) < self.ties_of(row);
        row.rank + count(self.rows.iter().filter(is_before).count())
    }

    fn rows_of(&self, form: Form) -> impl Iterator<Item = &LeaderboardEntry> {
        let (shown, around) = self.cut(form);
        let place = match form {
            Form::Running(own, _) => self.rows.iter().position(|row| row.player_id == own),
            _ => None,
        };
        let is_shown = move |at: usize| at < shown || place.is_some_and(|place| place.abs_diff(at) <= around);
        self.rows.iter().enumerate().filter(move |(at, _)| is_shown(*at)).map(|(_, row)| row)
    }

    /// Whether this reader receives only a part of it.
    pub(crate) fn is_cut(&self, reader: Reader) -> bool {
        self.cut(Form::Final(reader)).0 < self.rows.len()
    }

    /// The number of rows that are shown, and of those around the player's own.
    fn cut(&self, form: Form) -> (usize, usize) {
        match form {
            Form::Round(reader) | Form::Final(reader) | Form::Running(_, reader) => {
                let (whole, top, around) = reader.cut();
                if self.rows.len() > whole { (top, around) } else { (self.rows.len(), 0) }
            }
            Form::Results => (self.rows.len(), 0),
        }
    }

    /// The total number of rows, where a player over `quizhall.v1` receives only a part.
    fn total(&self, form: Form) -> Option<u32> {
        let is_narrow = matches!(
            form,
            Form::Round(Reader::PlayerV1) | Form::Final(Reader::PlayerV1) | Form::Running(_, Reader::PlayerV1)
        );
        (is_narrow && self.cut(form).0 < self.rows.len()).then(|| count(self.rows.len()))
    }

    /// Whether the points of the round are where they belong; results may have them.
    fn shows_points(row: &LeaderboardEntry, form: Form, shown: Option<i64>) -> bool {
        match form {
            Form::Round(_) => shown == row.round_score,
            Form::Final(_) | Form::Running(..) => shown.is_none(),
            Form::Results => shown.is_none() || shown == row.round_score,
        }
    }
}
