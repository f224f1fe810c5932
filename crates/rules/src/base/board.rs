//! The board: the ranks after the last released round. It is computed once per release and shared by every reader, as a pure
//! function of the scores, tie-breaks, names and presence of the players.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use crate::base::ids::PlayerId;
use crate::base::name::DisplayName;
use crate::base::player::Player;
use crate::base::roster::Roster;

/// The place in a tie-break of a player who was not asked: after those who were.
pub(crate) const NOT_ASKED: u32 = u32::MAX;

/// The place of every player, best first. Empty before the first scores are released.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Vec<Standing>")]
pub struct Board {
    /// By rank, then in the order of tie-breaks, then by display name.
    pub standings: Vec<Standing>,
    places: HashMap<PlayerId, u32>,
}

/// One line of the board (`LeaderboardEntry`).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The player who appeals.
    pub player: PlayerId,
    /// The name shown.
    pub display_name: Arc<str>,
    /// The points of every round whose scores are out.
    pub score: i64,
    /// The points from the last such round.
    pub round_score: i64,
    /// The rank from 1. Equal scores share a rank and leave a gap after it (1, 2, 2, 4).
    pub rank: u32,
    /// Like the rank, but equal scores share it only where no tie-break has ordered them.
    pub place: u32,
}

impl Board {
    /// A player's own line, in one step.
    pub fn standing_of(&self, player: PlayerId) -> Option<&Standing> {
        self.standings.get(self.place_of(player)?)
    }

    /// The index of that line in [`Board::standings`].
    pub fn place_of(&self, player: PlayerId) -> Option<usize> {
        self.places.get(&player).map(|place| *place as usize)
    }

    /// Whether a tie-break put equal scores in order.
    pub fn is_parted(&self) -> bool {
        self.standings.iter().any(|standing| standing.place != standing.rank)
    }

    /// The board of all players who are present or have ever answered.
    pub(crate) fn of(roster: &Roster) -> Self {
        let lines = roster.all().filter(|player| player.is_listed()).map(|player| (unranked(player), &*player.ties));
        Self::sorted(lines.collect())
    }

    /// The same board after a tie-break, with equal players in its order.
    pub(crate) fn reordered(&self, roster: &Roster) -> Self {
        let ties = |player| roster.find(player).map_or(&[][..], |slot| &*roster.player(slot).ties);
        Self::sorted(self.standings.iter().map(|standing| (standing.clone(), ties(standing.player))).collect())
    }

    /// The same board after a player was renamed. The name decides the order of equal players.
    pub(crate) fn renamed(&self, player: PlayerId, name: &DisplayName, roster: &Roster) -> Self {
        let mut standings = self.standings.clone();
        for standing in standings.iter_mut().filter(|standing| standing.player == player) {
            standing.display_name = name.shared();
        }
        Self::from(standings).reordered(roster)
    }

    fn sorted(mut lines: Vec<(Standing, &[u32])>) -> Self {
        // Names of one game never look alike, so the id decides only in a broken log.
        lines.sort_unstable_by(|(a, ties_of_a), (b, ties_of_b)| {
            let by_score = b.score.cmp(&a.score).then_with(|| by_ties(ties_of_a, ties_of_b));
            by_score.then_with(|| a.display_name.cmp(&b.display_name)).then_with(|| a.player.cmp(&b.player))
        });
        let (mut group, mut last) = (0, &[][..]);
        let grouped = lines.into_iter().map(|(standing, ties)| {
            group += u32::from(ties != last);
            last = ties;
            Standing { place: group, ..standing }
        });
        Self::ranked(grouped.collect())
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

/// A later tie-break orders players whom the earlier ones left equal. Players who were asked in it come before the others.
fn by_ties(a: &[u32], b: &[u32]) -> Ordering {
    let place = |ties: &[u32], at| ties.get(at).copied().unwrap_or(NOT_ASKED);
    let order = |at| place(a, at).cmp(&place(b, at));
    (0..a.len().max(b.len())).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn unranked(player: &Player) -> Standing {
    Standing {
        player: player.id,
        display_name: player.display_name.shared(),
        score: player.score,
        round_score: player.round_score,
        rank: 0,
        place: 0,
    }
}

impl From<Vec<Standing>> for Board {
    fn from(standings: Vec<Standing>) -> Self {
        let places = (0..).zip(&standings).map(|(place, standing)| (standing.player, place)).collect();
        Self { standings, places }
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

impl std::fmt::Debug for Standing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { player, score, rank, .. } = self;
        write!(out, "Standing({player}, score {score}, rank {rank})")
    }
}
