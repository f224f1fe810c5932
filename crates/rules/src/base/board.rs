//! The board: the ranks after the last released round. It is computed once per release and shared by every reader, as a pure
//! function of the scores, tie-breaks, names and presence of the players.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize, Serializer};

use crate::base::ids::PlayerId;
use crate::base::name::DisplayName;
use crate::base::roster::Roster;
use crate::base::standing::{Standing, Ties};

/// The ranks that the podium shows.
const PODIUM: usize = 3;

/// The place of every player, best first. Empty before the first scores are released.
///
/// It is put in order when it is first read. An edge reads it at once, and the owner of a game seldom: its release of scores to 100,000
/// players takes 10 to 12 ms instead of 16 to 18.
#[derive(Deserialize)]
#[serde(from = "Vec<Standing>")]
pub struct Board {
    /// By rank, then in the order of tie-breaks, then by display name.
    pub standings: LazyLock<Vec<Standing>, Box<dyn FnOnce() -> Vec<Standing> + Send>>,
    /// The ranks of the podium that players have, best first. Like the count, it is known before the lines are in order.
    pub(crate) podium: Vec<u32>,
    /// The number of lines.
    pub(crate) count: usize,
    /// Where each player is in [`Board::standings`].
    places: OnceLock<HashMap<PlayerId, u32, RandomState>>,
}

impl Board {
    /// A player's own line, in one step.
    pub fn standing_of(&self, player: PlayerId) -> Option<&Standing> {
        self.standings.get(self.place_of(player)?)
    }

    /// The index of that line in [`Board::standings`].
    pub fn place_of(&self, player: PlayerId) -> Option<usize> {
        let places =
            self.places.get_or_init(|| (0..).zip(&*self.standings).map(|(place, line)| (line.player, place)).collect());
        places.get(&player).map(|place| *place as usize)
    }

    /// Whether a tie-break put equal scores in order.
    pub fn is_parted(&self) -> bool {
        self.standings.iter().any(|standing| standing.place != standing.rank)
    }

    /// The board of all players who are present or have ever answered.
    pub(crate) fn of(roster: &Roster) -> Self {
        let mut lines = Vec::with_capacity(roster.all().len());
        lines.extend(roster.all().filter(|player| player.is_listed()).map(Standing::unranked));
        let ties = Ties::in_game(roster);
        if !ties.is_empty() {
            return ranked(lines, &ties).into();
        }
        let (podium, count) = (podium(&best(&lines)), lines.len());
        let standings: Box<dyn FnOnce() -> Vec<Standing> + Send> = Box::new(move || ranked(lines, &Ties::default()));
        Self { standings: LazyLock::new(standings), podium, count, places: OnceLock::new() }
    }

    /// The same board after a tie-break, with equal players in its order.
    pub(crate) fn reordered(&self, roster: &Roster) -> Self {
        ranked(self.standings.to_vec(), &Ties::in_game(roster)).into()
    }

    /// The same board after a player was renamed. The name decides the order of equal players.
    pub(crate) fn renamed(&self, player: PlayerId, name: &DisplayName, roster: &Roster) -> Self {
        let mut standings = self.standings.to_vec();
        for standing in standings.iter_mut().filter(|standing| standing.player == player) {
            standing.display_name = name.shared();
        }
        ranked(standings, &Ties::in_game(roster)).into()
    }

    /// The same board without one player. The players below move up.
    pub(crate) fn without(&self, player: PlayerId) -> Self {
        let mut standings = self.standings.to_vec();
        standings.retain(|standing| standing.player != player);
        number(&mut standings);
        standings.into()
    }
}

/// Of lines in order.
impl From<Vec<Standing>> for Board {
    fn from(lines: Vec<Standing>) -> Self {
        let best: Vec<_> = lines.iter().take(PODIUM).map(|line| (line.score, line.place)).collect();
        let (podium, count) = (podium(&best), lines.len());
        Self { standings: LazyLock::new(Box::new(move || lines)), podium, count, places: OnceLock::new() }
    }
}

impl Default for Board {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.standings.serialize(out)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        *self.standings == *other.standings
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Board({} standings)", self.count)
    }
}

/// Puts lines in order and numbers them.
fn ranked(mut lines: Vec<Standing>, ties: &Ties<'_>) -> Vec<Standing> {
    ties.sort(&mut lines);
    let (mut group, mut last) = (0, None);
    for line in &mut lines {
        let places = ties.of(line.player);
        group += u32::from(places != last);
        last = places;
        line.place = group;
    }
    number(&mut lines);
    lines
}

/// Equal scores share a rank. Of these, players share a place if they shared one before.
fn number(lines: &mut [Standing]) {
    let (mut rank, mut place, mut above) = (0, 0, None);
    for (number, line) in (1..).zip(lines) {
        let (score, group) = (line.score, line.place);
        if above.is_none_or(|(above, _)| above != score) {
            rank = number;
        }
        if above != Some((score, group)) {
            place = number;
        }
        above = Some((score, group));
        (line.rank, line.place) = (rank, place);
    }
}

/// The best scores of lines that no tie-break has ordered.
fn best(lines: &[Standing]) -> Vec<(i64, u32)> {
    let mut best: Vec<(i64, u32)> = Vec::with_capacity(PODIUM + 1);
    for Standing { score, .. } in lines {
        if best.get(PODIUM - 1).is_none_or(|(last, _)| last < score) {
            best.insert(best.partition_point(|(better, _)| better >= score), (*score, 0));
            best.truncate(PODIUM);
        }
    }
    best
}

/// The ranks that begin with one of the best lines, without those of players without points. A line is a score and its place.
fn podium(best: &[(i64, u32)]) -> Vec<u32> {
    let begins = |rank: usize| rank == 1 || best[rank - 2] != best[rank - 1];
    let ranks = (1..=best.len()).filter(|rank| begins(*rank) && best[rank - 1].0 > 0);
    ranks.filter_map(|rank| u32::try_from(rank).ok()).collect()
}
