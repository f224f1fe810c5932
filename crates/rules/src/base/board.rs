//! The board: the ranks after the last released round. It is computed once per release and shared by every reader, as a pure
//! function of the scores, tie-breaks, names and presence of the players.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize, Serializer};

use crate::base::ids::PlayerId;
use crate::base::name::DisplayName;
use crate::base::roster::Roster;
use crate::base::standing::{Standing, Ties};

/// The place of every player, best first. Empty before the first scores are released.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Vec<Standing>")]
pub struct Board {
    /// By rank, then in the order of tie-breaks, then by display name.
    pub standings: Vec<Standing>,
    /// Where each player is in [`Board::standings`], read first by an edge: the owner of a game asks for none.
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
            self.places.get_or_init(|| (0..).zip(&self.standings).map(|(place, line)| (line.player, place)).collect());
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
        Self::sorted(lines, roster)
    }

    /// The same board after a tie-break, with equal players in its order.
    pub(crate) fn reordered(&self, roster: &Roster) -> Self {
        Self::sorted(self.standings.clone(), roster)
    }

    /// The same board after a player was renamed. The name decides the order of equal players.
    pub(crate) fn renamed(&self, player: PlayerId, name: &DisplayName, roster: &Roster) -> Self {
        let mut standings = self.standings.clone();
        for standing in standings.iter_mut().filter(|standing| standing.player == player) {
            standing.display_name = name.shared();
        }
        Self::from(standings).reordered(roster)
    }

    fn sorted(mut lines: Vec<Standing>, roster: &Roster) -> Self {
        let ties = Ties::in_game(roster);
        ties.sort(&mut lines);
        let (mut group, mut last) = (0, None);
        for line in &mut lines {
            let places = ties.of(line.player);
            group += u32::from(places != last);
            last = places;
            line.place = group;
        }
        Self::ranked(lines)
    }

    /// The same board without one player. The players below move up.
    pub(crate) fn without(&self, player: PlayerId) -> Self {
        Self::ranked(self.standings.iter().filter(|standing| standing.player != player).cloned().collect())
    }

    /// Equal scores share a rank. Of these, players share a place if they shared one before.
    fn ranked(mut standings: Vec<Standing>) -> Self {
        let (mut rank, mut place, mut above) = (0, 0, None);
        for (number, standing) in (1..).zip(&mut standings) {
            let (score, group) = (standing.score, standing.place);
            if above.is_none_or(|(above, _)| above != score) {
                rank = number;
            }
            if above != Some((score, group)) {
                place = number;
            }
            above = Some((score, group));
            (standing.rank, standing.place) = (rank, place);
        }
        standings.into()
    }
}

impl From<Vec<Standing>> for Board {
    fn from(standings: Vec<Standing>) -> Self {
        Self { standings, places: OnceLock::new() }
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        self.standings.serialize(out)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.standings == other.standings
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Board({} standings)", self.standings.len())
    }
}
