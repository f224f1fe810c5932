//! The table of games that follow each other.
//!
//! It is computed from the states of the games each time and never stored. A player is followed from one game to the
//! next by the key with which the seat moved on (`next_game`), and otherwise by name, because a phone's token does not
//! last until next week.

use std::collections::{HashMap, HashSet};

use quizhall_protocol::http::league::{League, LeagueGame, LeagueLine};
use quizhall_rules::{Device, PlayerId, State as GameState};

use super::formula::harmless;
use super::table::new_file;
use crate::auth::went_on_as;
use crate::clock;
use crate::store::GameRow;

/// A player of the game that was added last, and the player's line in the table.
#[derive(Clone, Copy)]
pub struct Seat {
    player: PlayerId,
    last: Device,
    line: usize,
}

/// The parts of one game that the table needs.
pub struct Evening {
    /// Players in order of joining.
    players: Vec<Played>,
}

struct Played {
    player: PlayerId,
    /// The player's last phone.
    last: Device,
    /// An erased player has the neutral name, by which no later game finds the player.
    name: String,
    is_erased: bool,
    points: Option<i64>,
    /// The line of the seat that moved on.
    line: Option<usize>,
}

impl Evening {
    /// `before`: the seats of the game that this one follows.
    pub fn of(state: &GameState, before: &[Seat]) -> Self {
        let went_on = |seat: &Seat| Some((went_on_as(seat.player, seat.last, state)?.id, seat.line));
        // Phones of one team may have moved on as separate players: the first of them keeps the line.
        let mut lines = HashMap::new();
        for (player, line) in before.iter().filter_map(went_on) {
            lines.entry(player).or_insert(line);
        }
        let points: HashMap<PlayerId, i64> =
            state.board().standings.iter().map(|standing| (standing.player, standing.score)).collect();
        let played = state.players().map(|player| Played {
            player: player.id,
            last: player.devices().last().unwrap_or_default(),
            name: player.display_name.as_str().to_owned(),
            is_erased: player.is_erased(),
            points: points.get(&player.id).copied(),
            line: lines.get(&player.id).copied(),
        });
        Self { players: played.collect() }
    }
}

/// The table, to which games are added one by one.
#[derive(Default)]
pub struct Table {
    games: Vec<LeagueGame>,
    lines: Vec<Line>,
    seats: Vec<Seat>,
}

struct Line {
    name: String,
    is_erased: bool,
    points: Vec<Option<i64>>,
}

impl Table {
    /// The seats of the game that was added last.
    pub fn seats(&self) -> Vec<Seat> {
        self.seats.clone()
    }

    /// Adds the next game.
    pub fn add(&mut self, row: &GameRow, evening: Evening) {
        let place = self.games.len();
        self.games.push(LeagueGame {
            game_id: row.id.uuid(),
            title: row.title.clone(),
            phase: row.phase.as_str().to_owned(),
            created_at: clock::rfc3339(row.created_at_ms),
        });
        let mut taken: HashSet<usize> = evening.players.iter().filter_map(|played| played.line).collect();
        let named = self.named();
        self.seats.clear();
        for played in evening.players {
            let of_name = || named.get(&folded(&played.name)).copied().filter(|_| !played.is_erased);
            let line = played.line.or_else(|| of_name().filter(|line| taken.insert(*line)));
            let line = line.unwrap_or_else(|| {
                self.lines.push(Line { name: String::new(), is_erased: false, points: Vec::new() });
                self.lines.len() - 1
            });
            self.seats.push(Seat { player: played.player, last: played.last, line });
            let line = &mut self.lines[line];
            (line.name, line.is_erased) = (played.name, played.is_erased);
            line.points.resize(place, None);
            line.points.push(played.points);
        }
    }

    /// The lines by their current names; of equal names the older line.
    fn named(&self) -> HashMap<String, usize> {
        let lines = self.lines.iter().enumerate().rev().filter(|(_, line)| !line.is_erased);
        lines.map(|(place, line)| (folded(&line.name), place)).collect()
    }

    /// A player who was never on a board is left out.
    pub fn finish(self) -> League {
        let games = self.games.len();
        let played = self.lines.into_iter().filter(|line| line.points.iter().any(Option::is_some));
        let mut lines: Vec<LeagueLine> = played
            .map(|Line { name, mut points, .. }| {
                points.resize(games, None);
                let total = points.iter().flatten().sum();
                LeagueLine { rank: 0, display_name: name, points, total }
            })
            .collect();
        lines.sort_by_cached_key(|line| (std::cmp::Reverse(line.total), folded(&line.display_name)));
        let mut place = (0, None);
        for (number, line) in (1..).zip(&mut lines) {
            if place.1 != Some(line.total) {
                place = (number, Some(line.total));
            }
            line.rank = place.0;
        }
        League { games: self.games, lines }
    }
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// One line per player: rank, name, total, and the points of each game, empty for a game without points.
pub fn csv_of(league: &League) -> Option<Vec<u8>> {
    let mut writer = new_file();
    let titles = (1..).zip(&league.games).map(|(number, game)| harmless(&format!("{number}: {}", game.title)));
    writer.write_record(["rank", "displayName", "total"].map(str::to_owned).into_iter().chain(titles)).ok()?;
    for line in &league.lines {
        let points = line.points.iter().map(|points| points.map(|points| points.to_string()).unwrap_or_default());
        let first = [line.rank.to_string(), harmless(&line.display_name), line.total.to_string()];
        writer.write_record(first.into_iter().chain(points)).ok()?;
    }
    writer.into_inner().ok()
}
