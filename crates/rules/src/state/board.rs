//! The board: the ranks after the last released round. Computed once per release and shared by all that show it; a pure function of the scores, names and presence of the players.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use super::roster::{Player, Roster};
use crate::PlayerId;

/// The place of every player, best first. Empty before the first scores are released.
#[derive(Clone, Default, Deserialize)]
#[serde(from = "Vec<Standing>")]
pub struct Board {
    /// By rank, then by display name.
    pub standings: Vec<Standing>,
    places: HashMap<PlayerId, u32>,
}

/// One line of the board (`LeaderboardEntry`).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Whose.
    pub player: PlayerId,
    /// The name shown.
    pub display_name: Arc<str>,
    /// Points of every round whose scores are out.
    pub score: i64,
    /// The part of it from the last such round.
    pub round_score: i64,
    /// From 1; equal scores share a rank and leave a gap behind (1, 2, 2, 4).
    pub rank: u32,
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

    /// The board of all players who are present or have ever answered.
    pub(crate) fn of(roster: &Roster) -> Self {
        let mut standings: Vec<Standing> = roster.all().filter(|player| player.is_listed()).map(unranked).collect();
        // Names of one game never look alike, so the id decides nothing but the case of a broken log.
        standings.sort_unstable_by(|a, b| {
            let by_score = b.score.cmp(&a.score);
            by_score.then_with(|| a.display_name.cmp(&b.display_name)).then_with(|| a.player.cmp(&b.player))
        });
        Self::ranked(standings)
    }

    /// The same board without one player: those behind move up.
    pub(crate) fn without(&self, player: PlayerId) -> Self {
        Self::ranked(self.standings.iter().filter(|standing| standing.player != player).cloned().collect())
    }

    fn ranked(mut standings: Vec<Standing>) -> Self {
        let (mut rank, mut score) = (0, None);
        for (place, standing) in (1..).zip(&mut standings) {
            if score != Some(standing.score) {
                (rank, score) = (place, Some(standing.score));
            }
            standing.rank = rank;
        }
        standings.into()
    }
}

fn unranked(player: &Player) -> Standing {
    Standing {
        player: player.id,
        display_name: player.display_name.shared(),
        score: player.score,
        round_score: player.round_score,
        rank: 0,
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
