//! The boards of a state as frames: whole in small games, cut in larger ones, with each player's own part (messages.md#big-games).
//!
//! Ranks and order are the state's.

use std::ops::Range;

use bytes::Bytes;
use quizhall_protocol::frame;
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::Leaderboard;
use quizhall_protocol::{Dialect, ToAll, ToPlayer};
use quizhall_rules::{PlayerId, Standing, State};

use super::Frames;
use super::extension::count;

/// Up to how many players a board is whole, and how many of its places are sent of a larger one.
struct Cut {
    whole: usize,
    top: usize,
}

const CUT: Cut = Cut { whole: 200, top: 100 };
/// For players who speak `quizhall.v1`.
const PLAYERS_CUT: Cut = Cut { whole: 20, top: 10 };
/// How many places above and below their own they are sent besides.
const AROUND: usize = 2;

impl Cut {
    fn of(dialect: Dialect) -> &'static Self {
        match dialect {
            Dialect::Interface => &CUT,
            Dialect::QuizhallV1 => &PLAYERS_CUT,
        }
    }

    fn shown(&self, players: usize) -> usize {
        if players > self.whole { self.top } else { players }
    }
}

/// `round_leaderboard`, with each player's points of the round.
pub fn round_leaderboard(state: &State) -> Frames {
    for_all(state, |state, cut| ToAll::RoundLeaderboard(top(state, cut, true)))
}

/// The board with each player's points of the round, as the host is sent it.
pub(super) fn board_of_round(state: &State) -> Leaderboard {
    top(state, &CUT, true)
}

/// `game_ended`.
pub fn game_ended(state: &State) -> Frames {
    for_all(state, |state, cut| ToAll::GameEnded(top(state, cut, false)))
}

/// Whether the boards that players of this dialect are sent leave places out.
pub(super) fn is_cut(state: &State, dialect: Dialect) -> bool {
    state.board().standings.len() > Cut::of(dialect).whole
}

fn for_all(state: &State, message: impl Fn(&State, &Cut) -> ToAll) -> Frames {
    let others = frame::text(&message(state, &CUT));
    if !is_cut(state, Dialect::QuizhallV1) {
        return Frames::shared(others);
    }
    Frames::for_players(frame::text(&message(state, &PLAYERS_CUT)), others)
}

/// Only players of the extension are sent how many places there are.
fn top(state: &State, cut: &Cut, with_round: bool) -> Leaderboard {
    let standings = &state.board().standings;
    let shown = &standings[..cut.shown(standings.len())];
    let total = (shown.len() < standings.len() && cut.top == PLAYERS_CUT.top).then(|| count(standings.len()));
    Leaderboard { leaderboard: shown.iter().map(|standing| entry(standing, with_round)).collect(), total }
}

/// The running board as players receive it, its common part encoded once for each dialect.
#[derive(Debug)]
pub struct Boards {
    plain: Board,
    extension: Board,
}

impl Boards {
    /// Encodes what all players share.
    pub fn new(state: &State) -> Self {
        Self { plain: Board::new(state, &CUT), extension: Board::new(state, &PLAYERS_CUT) }
    }

    /// `scoreboard_update` for one player: the shared top and, where that leaves the player out, their own entry; over `quizhall.v1`
    /// with those around it.
    pub fn frame_for(&self, state: &State, player: PlayerId, dialect: Dialect) -> Bytes {
        let around = if dialect == Dialect::QuizhallV1 { AROUND } else { 0 };
        let board = if dialect == Dialect::QuizhallV1 { &self.extension } else { &self.plain };
        board.frame_for(state, player, around)
    }
}

#[derive(Debug)]
struct Board {
    /// The frame, when it is the same for all.
    whole: Option<Bytes>,
    /// Otherwise the JSON up to the last common entry, and what closes it.
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    shown: usize,
}

impl Board {
    fn new(state: &State, cut: &Cut) -> Self {
        let board = top(state, cut, false);
        let shown = board.leaderboard.len();
        let message = ToPlayer::ScoreboardUpdate(board);
        if shown == state.board().standings.len() {
            return Self { whole: Some(frame::text(&message)), prefix: Vec::new(), suffix: Vec::new(), shown };
        }
        let mut prefix =
            serde_json::to_vec(&message).expect("wire types have string keys and cannot fail to serialize");
        // Neither a number nor a brace follows the list but those of the payload's end.
        let end = prefix.iter().rposition(|byte| *byte == b']').expect("a board has a list");
        let suffix = prefix.split_off(end);
        Self { whole: None, prefix, suffix, shown }
    }

    fn frame_for(&self, state: &State, player: PlayerId, around: usize) -> Bytes {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut own = Vec::new();
        for standing in &state.board().standings[self.places_around(state, player, around)] {
            own.push(b',');
            serde_json::to_writer(&mut own, &entry(standing, false)).expect("a vector takes what wire types are");
        }
        frame::text_of_json(&[&self.prefix, &own, &self.suffix])
    }

    /// The places of a player and of so many around, as far as the shared part leaves them out.
    fn places_around(&self, state: &State, player: PlayerId, around: usize) -> Range<usize> {
        let board = state.board();
        let Some(place) = board.place_of(player) else { return 0..0 };
        let end = (place + around + 1).min(board.standings.len());
        let start = place.saturating_sub(around).max(self.shown);
        start.min(end)..end
    }
}

fn entry(standing: &Standing, with_round: bool) -> LeaderboardEntry {
    LeaderboardEntry {
        player_id: standing.player.uuid(),
        display_name: standing.display_name.to_string(),
        score: standing.score,
        rank: standing.rank,
        round_score: with_round.then_some(standing.round_score),
    }
}
