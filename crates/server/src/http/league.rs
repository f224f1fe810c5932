//! `/api/v1/games/{id}/league`: the table of games that follow each other, as JSON or as CSV.
//!
//! It is computed from the states of the games each time and never stored. A player is followed from one game to the
//! next by the key with which the seat moved on (`next_game`), and otherwise by name, because a phone's token does not
//! last until next week.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quizhall_protocol::http::league::{League, LeagueGame, LeagueLine};
use quizhall_rules::{Actor, Device, PlayerId, Refusal, State as GameState};

use super::formula::harmless;
use super::game_access;
use super::in_charge::InCharge;
use super::next_game::Leaving;
use super::path::Id;
use super::problem::Refused;
use super::results::{beside, wants_csv};
use super::table::new_file;
use crate::app::App;
use crate::clock;
use crate::store::GameRow;

/// Read the league
///
/// The points of the games that follow each other (`follows`): at most 52 before this one and 52 after it. A seat that
/// moved on to the next game has one line; so has a player who joined again under the same name. As CSV with `Accept:
/// text/csv`.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/league", tag = "games", operation_id = "readLeague",
    security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "Any of the games")),
    responses(
        (status = 200, description = "The table so far", content(
            (League = "application/json"), (String = "text/csv"))),
        (status = 401, description = "No valid token"),
        (status = 403, description = "A co-host, who is invited to only one of the games"),
        (status = 404, description = "No game of this host"),
        (status = 503, description = "The database is not available, or a game is damaged"),
    )
)]
pub(super) async fn read_league(
    State(app): State<Arc<App>>,
    asks: InCharge,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let asked = asks.game(&app, id).await?;
    // A co-host is invited to one game only, and the table includes others.
    if asked.actor() != Actor::Host {
        return Err(Refusal::WrongRole.into());
    }
    let mut table = Table::default();
    for row in app.store.chain_of(asked.id()).await? {
        let before = table.seats.clone();
        let evening = game_access::view(&app, &row, move |state| Evening::of(state, &before)).await?;
        table.add(&row, evening);
    }
    let league = table.finish();
    let mut response = beside(move || {
        if !wants_csv(&headers) {
            return Ok(Json(league).into_response());
        }
        let file = "attachment; filename=\"quizhall-league.csv\"";
        let headers = [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, file)];
        let bytes = csv_of(&league).ok_or_else(|| Refused::of_status(StatusCode::INTERNAL_SERVER_ERROR))?;
        Ok((headers, bytes).into_response())
    })
    .await?;
    response.headers_mut().insert(VARY, "Accept".parse().expect("a header value"));
    Ok(response)
}

/// A player of the game that was added last, and the player's line in the table.
#[derive(Clone, Copy)]
struct Seat {
    player: PlayerId,
    last: Device,
    line: usize,
}

/// The parts of one game that the table needs.
struct Evening {
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
    fn of(state: &GameState, before: &[Seat]) -> Self {
        let went_on = |seat: &Seat| Some((Leaving::went_on(seat.player, seat.last, state)?.id, seat.line));
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
struct Table {
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
    fn add(&mut self, row: &GameRow, evening: Evening) {
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
    fn finish(self) -> League {
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
fn csv_of(league: &League) -> Option<Vec<u8>> {
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
