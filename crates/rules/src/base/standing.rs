//! A line of the board, and the order of lines: more points first, then the places in tie-breaks, then the names.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use crate::base::ids::PlayerId;
use crate::base::player::Player;
use crate::base::roster::Roster;

/// The place in a tie-break of a player who was not asked: after those who were.
pub(crate) const NOT_ASKED: u32 = u32::MAX;

/// One line of the board (`LeaderboardEntry`).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The player of this line.
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

impl Standing {
    /// The line of a player before the lines are in order.
    pub(super) fn unranked(player: &Player) -> Self {
        Self {
            player: player.id,
            display_name: player.display_name.shared(),
            score: player.score,
            round_score: player.round_score,
            rank: 0,
            place: 0,
        }
    }
}

impl std::fmt::Debug for Standing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { player, score, rank, .. } = self;
        write!(out, "Standing({player}, score {score}, rank {rank})")
    }
}

/// The places of the players who were asked in tie-breaks since the latest scores.
#[derive(Default)]
pub(super) struct Ties<'a>(HashMap<PlayerId, &'a [u32], RandomState>);

impl<'a> Ties<'a> {
    pub fn in_game(roster: &'a Roster) -> Self {
        Self(roster.all().filter(|player| !player.ties.is_empty()).map(|player| (player.id, &*player.ties)).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places of one player; none for one who was not asked.
    pub fn of(&self, player: PlayerId) -> Option<&'a [u32]> {
        if self.is_empty() { None } else { self.0.get(&player).copied() }
    }

    /// Puts lines in order. It compares [`Key`]s and moves each line once: with 100,000 players a release of scores, this included, takes 16
    /// to 18 ms instead of 42.
    pub fn sort(&self, lines: &mut [Standing]) {
        let mut order = keys(lines);
        order.sort_unstable();
        let is_alike = |a: &Key, b: &Key| a.begins_like(*b, self.is_empty());
        for undecided in order.chunk_by_mut(is_alike).filter(|chunk| chunk.len() > 1) {
            undecided.sort_unstable_by(|a, b| self.compare(&lines[a.line()], &lines[b.line()]));
        }
        arrange(lines, order.into_iter().map(Key::line).collect());
    }

    /// Names of one game never look alike, so the id decides only in a broken log.
    fn compare(&self, a: &Standing, b: &Standing) -> Ordering {
        let by_score = b.score.cmp(&a.score).then_with(|| by_places(self.of(a.player), self.of(b.player)));
        by_score.then_with(|| a.display_name.cmp(&b.display_name)).then_with(|| a.player.cmp(&b.player))
    }
}

/// A later tie-break orders players whom the earlier ones left equal. Players who were asked in it come before the others.
fn by_places(a: Option<&[u32]>, b: Option<&[u32]>) -> Ordering {
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let place = |ties: &[u32], at| ties.get(at).copied().unwrap_or(NOT_ASKED);
    let order = |at| place(a, at).cmp(&place(b, at));
    (0..a.len().max(b.len())).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// What decides the order of most lines, in one number: 32 bits for the points below the best score, 64 for the first eight bytes in
/// which names differ, and 32 for the index of the line. Two keys that begin alike decide nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u128);

impl Key {
    fn line(self) -> usize {
        (self.0 & u128::from(u32::MAX)) as usize
    }

    /// Whether two keys leave the order open. Names decide only after tie-breaks, and after scores that are in the key in full.
    fn begins_like(self, other: Self, names_decide: bool) -> bool {
        let below = self.0 >> 96;
        let bits = if names_decide && below < u128::from(u32::MAX) { 32 } else { 96 };
        self.0 >> bits == other.0 >> bits
    }
}

fn keys(lines: &[Standing]) -> Vec<Key> {
    let best = lines.iter().map(|line| line.score).max().unwrap_or_default();
    let first = lines.first().map_or("", |line| &*line.display_name).as_bytes();
    let shared = |line: &Standing| first.iter().zip(line.display_name.as_bytes()).take_while(|(a, b)| a == b).count();
    let skipped = lines.iter().map(shared).min().unwrap_or_default();
    let key = |(index, line): (u32, &Standing)| {
        let below = u32::try_from(best.abs_diff(line.score)).unwrap_or(u32::MAX);
        let mut name = [0; 8];
        for (to, byte) in name.iter_mut().zip(&line.display_name.as_bytes()[skipped..]) {
            *to = *byte;
        }
        Key(u128::from(below) << 96 | u128::from(u64::from_be_bytes(name)) << 32 | u128::from(index))
    };
    (0..).zip(lines).map(key).collect()
}

/// Moves every line to its place: `order` has the indexes of the lines, in the order that they are to have.
fn arrange(lines: &mut [Standing], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut to = start;
        while order[to] != start {
            let from = std::mem::replace(&mut order[to], to);
            lines.swap(to, from);
            to = from;
        }
        order[to] = to;
    }
}
