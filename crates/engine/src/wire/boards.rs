//! The boards of a state as frames: whole in small games, cut in larger ones, with each player's own part (messages.md#big-games).
//!
//! Ranks and order are the state's. Equal scores share a rank on the plain interface; over `quizhall.v1` a tie-break parts them.

use std::ops::Range;

use bytes::Bytes;
use quizhall_protocol::frame;
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_protocol::to_all::Leaderboard;
use quizhall_protocol::{Dialect, ToAll, ToPlayer};
use quizhall_rules::{PlayerId, Standing, State};

use super::Frames;
use super::count;

/// The way in which boards are shortened for some readers.
#[derive(Debug)]
struct Cut {
    /// Boards with no more players than this are sent whole.
    whole: usize,
    /// Places that are sent of a larger board.
    top: usize,
    /// Places above and below the player's own, in a message to that player.
    around: usize,
    /// Whether the total number of places is sent.
    is_counted: bool,
    /// The rank that is shown.
    rank: fn(&Standing) -> u32,
}

const CUT: Cut = Cut { whole: 200, top: 100, around: 0, is_counted: false, rank: |standing| standing.rank };
/// For hosts who speak `quizhall.v1`.
const HOSTS_CUT: Cut = Cut { rank: |standing| standing.place, ..CUT };
/// For players who speak `quizhall.v1`.
const PLAYERS_CUT: Cut = Cut { whole: 20, top: 10, around: 2, is_counted: true, ..HOSTS_CUT };

/// `round_leaderboard`, with each player's points of the round.
pub fn round_leaderboard(state: &State) -> Frames {
    for_all(state, |state, cut| ToAll::RoundLeaderboard(top(state, cut, true)))
}

/// The board with each player's points of the round, in the form that the host receives.
pub(super) fn board_of_round(state: &State) -> Leaderboard {
    top(state, &HOSTS_CUT, true)
}

/// `game_ended`.
pub fn game_ended(state: &State) -> Frames {
    for_all(state, |state, cut| ToAll::GameEnded(top(state, cut, false)))
}

/// Whether boards for players who speak `quizhall.v1` leave places out.
pub(super) fn are_cut_for_players(state: &State) -> bool {
    state.board().standings.len() > PLAYERS_CUT.whole
}

fn for_all(state: &State, message: impl Fn(&State, &Cut) -> ToAll) -> Frames {
    let text = |cut| frame::text(&message(state, cut));
    match (state.board().is_parted(), are_cut_for_players(state)) {
        (true, _) => Frames::for_each(text(&CUT), text(&HOSTS_CUT), text(&PLAYERS_CUT)),
        (false, true) => Frames::for_players(text(&PLAYERS_CUT), text(&CUT)),
        (false, false) => Frames::shared(text(&CUT)),
    }
}

fn top(state: &State, cut: &Cut, with_round: bool) -> Leaderboard {
    let standings = &state.board().standings;
    let shown = if standings.len() > cut.whole { &standings[..cut.top] } else { standings };
    let total = (shown.len() < standings.len() && cut.is_counted).then(|| count(standings.len()));
    Leaderboard { leaderboard: shown.iter().map(|standing| entry(standing, cut, with_round)).collect(), total }
}

/// The running board as players receive it, its common part encoded once for each dialect.
#[derive(Debug)]
pub struct Boards {
    plain: Board,
    extension: Board,
}

impl Boards {
    /// Encodes the part that all players share.
    pub fn new(state: &State) -> Self {
        Self { plain: Board::new(state, &CUT), extension: Board::new(state, &PLAYERS_CUT) }
    }

    /// `scoreboard_update` for one player: the shared top, and the player's own entry if the top does not contain it; over
    /// `quizhall.v1`, also the entries around it.
    pub fn frame_for(&self, state: &State, player: PlayerId, dialect: Dialect) -> Bytes {
        match dialect {
            Dialect::Interface => self.plain.frame_for(state, player),
            Dialect::QuizhallV1 => self.extension.frame_for(state, player),
        }
    }
}

#[derive(Debug)]
struct Board {
    /// The frame, when it is the same for all.
    whole: Option<Bytes>,
    /// Otherwise the JSON up to the last common entry, and the end that closes it.
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    shown: usize,
    cut: &'static Cut,
}

impl Board {
    fn new(state: &State, cut: &'static Cut) -> Self {
        let board = top(state, cut, false);
        let shown = board.leaderboard.len();
        let message = ToPlayer::ScoreboardUpdate(board);
        if shown == state.board().standings.len() {
            return Self { whole: Some(frame::text(&message)), prefix: Vec::new(), suffix: Vec::new(), shown, cut };
        }
        let mut prefix =
            serde_json::to_vec(&message).expect("wire types have string keys and cannot fail to serialize");
        // Nothing after the list has brackets: `total` is a number.
        let end = prefix.iter().rposition(|byte| *byte == b']').expect("a board has a list");
        let suffix = prefix.split_off(end);
        Self { whole: None, prefix, suffix, shown, cut }
    }

    fn frame_for(&self, state: &State, player: PlayerId) -> Bytes {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut own = Vec::new();
        for standing in &state.board().standings[self.places_around(state, player)] {
            own.push(b',');
            serde_json::to_writer(&mut own, &entry(standing, self.cut, false))
                .expect("a vector takes what wire types are");
        }
        frame::text_of_json(&[&self.prefix, &own, &self.suffix])
    }

    /// The places of a player and of the players around, except those in the shared part.
    fn places_around(&self, state: &State, player: PlayerId) -> Range<usize> {
        let board = state.board();
        let Some(place) = board.place_of(player) else { return 0..0 };
        let end = (place + self.cut.around + 1).min(board.standings.len());
        let start = place.saturating_sub(self.cut.around).max(self.shown);
        start.min(end)..end
    }
}

fn entry(standing: &Standing, cut: &Cut, with_round: bool) -> LeaderboardEntry {
    LeaderboardEntry {
        player_id: standing.player.uuid(),
        display_name: standing.display_name.to_string(),
        score: standing.score,
        rank: (cut.rank)(standing),
        round_score: with_round.then_some(standing.round_score),
    }
}
