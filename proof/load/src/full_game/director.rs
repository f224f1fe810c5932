//! The game from the host's chair: waits for the players, plays the rounds, ends the game.
//!
//! Decides what happens when; what the participants see is checked where they see it. An `Err` is the end of the game:
//! something that must happen did not.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_client::{Api, ApiError};
use quizhall_oracle::Fact;
use quizhall_protocol::FromHost;
use quizhall_protocol::http::games::Game;
use rand::rngs::SmallRng;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::host::Host;
use super::results;
use super::stages::question_stage;
use super::world::{Desk, World};
use crate::pace::Think;

/// Longest wait for one more player to arrive.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(90);

/// The one who hosts.
pub struct Director {
    /// What all share.
    pub world: Arc<World>,
    /// The host API, with its token.
    pub api: Api,
    /// The game.
    pub game: Uuid,
    /// The host's side of the socket.
    pub host: Host,
    /// Chance for everything the director does.
    pub chance: SmallRng,
    /// How long players think.
    pub think: Think,
    /// How rough the game is, 0 to 1.
    pub chaos: f64,
    /// Lets late players join.
    pub gate: CancellationToken,
    /// How many of those there are.
    pub late: usize,
    /// Says nothing on the way.
    pub quiet: bool,
}

impl Director {
    /// Plays the whole game.
    pub async fn play(&mut self) -> Result<(), String> {
        self.gather().await?;
        self.world.command(question_stage(0));
        let time_limit = self.time_limit();
        if !self.host.command(FromHost::StartGame, time_limit, |host| host.stage > 0).await {
            return Err("game_started did not come".to_owned());
        }
        self.world.happened(&Fact::Started);
        let rounds = self.world.plan.rounds.len();
        for round in 0..rounds {
            self.play_round(round).await?;
            if round + 1 < rounds {
                self.next_round(round + 1).await?;
            }
        }
        self.end().await
    }

    /// Time for a step in which all players take part.
    pub fn time_limit(&self) -> Duration {
        Duration::from_secs(20) + Duration::from_millis(10) * u32::try_from(self.world.desks.len()).unwrap_or(u32::MAX)
    }

    /// A line for the operator.
    pub fn report(&self, what: &str) {
        if !self.quiet {
            eprintln!("{what}");
        }
    }

    /// Runs until every present player has reached `stage`; a player who has not when the time is up is a violation.
    pub async fn players_reach(&mut self, stage: u32) {
        let world = Arc::clone(&self.world);
        let behind = |desk: &Desk| desk.online.load(Ordering::SeqCst) && desk.stage.load(Ordering::SeqCst) < stage;
        if !self.host.until(self.time_limit(), |_| world.count(behind) == 0).await {
            let count = world.count(behind);
            world.violations.check(count == 0, "player_behind", || format!("{count} players short of stage {stage}"));
        }
    }

    /// Runs until every player has joined and has a settled line.
    pub async fn all_online(&mut self) -> Result<(), String> {
        let world = Arc::clone(&self.world);
        let absent = |desk: &Desk| !desk.online.load(Ordering::SeqCst) && !desk.stopped.load(Ordering::SeqCst);
        if self.host.until(self.time_limit(), |_| world.count(absent) == 0).await || world.losses_allowed {
            return Ok(());
        }
        Err(format!("{} players are not there", world.count(absent)))
    }

    /// The game as the API shows it must be in this phase.
    pub async fn check_phase(&mut self, phase: &str, round: usize) {
        match self.ask().await {
            Ok(game) => {
                let same = game.phase == phase && game.current_round as usize == round + 1;
                self.world.violations.check(same, "api_phase", || {
                    format!(
                        "{} of round {} where {phase} of round {} must be",
                        game.phase,
                        game.current_round,
                        round + 1
                    )
                });
            }
            Err(what) => self.world.violations.note("api_phase", what),
        }
    }

    /// `GET /api/v1/games/{id}`, while the host's socket is kept up; again while the server is away, where it may be.
    async fn ask(&mut self) -> Result<Game, String> {
        let end = Instant::now() + self.time_limit();
        loop {
            match self.ask_once().await {
                Err(error) if self.world.losses_allowed && is_unavailable(&error) && Instant::now() < end => {
                    self.host.pause(Duration::from_millis(50)).await;
                }
                answer => return answer.map_err(|error| error.to_string()),
            }
        }
    }

    async fn ask_once(&mut self) -> Result<Game, ApiError> {
        let api = self.api.clone();
        let asking = api.game(self.game);
        tokio::pin!(asking);
        loop {
            tokio::select! {
                answer = &mut asking => return answer,
                () = self.host.pause(Duration::from_millis(50)) => {}
            }
        }
    }

    async fn gather(&mut self) -> Result<(), String> {
        if !self.host.until(Duration::from_secs(30), |host| host.live).await {
            return Err("the host's socket did not open".to_owned());
        }
        let world = Arc::clone(&self.world);
        let expected = world.desks.len() - self.late;
        let here = |desk: &Desk| desk.online.load(Ordering::SeqCst);
        let stopped = |desk: &Desk| desk.stopped.load(Ordering::SeqCst);
        let mut joined = 0;
        loop {
            let arrived = |_: &Host| world.count(|desk| desk.joined.load(Ordering::SeqCst)) > joined;
            let complete = |_: &Host| world.count(here) + world.count(stopped) >= expected;
            self.host.until(ARRIVAL_TIMEOUT, |host| complete(host) || arrived(host)).await;
            if complete(&self.host) {
                break;
            }
            let now = world.count(|desk| desk.joined.load(Ordering::SeqCst));
            if now == joined {
                return Err(format!("{} of {expected} players are here and no other arrives", world.count(here)));
            }
            joined = now;
        }
        let players = world.player_count();
        self.report(&format!("lobby: {players} players"));
        self.check_lobby(players).await?;
        self.teams_agree().await;
        Ok(())
    }

    /// Runs until all phones of each team have been sent the same: the committed sheet, and the list of the team's phones.
    pub(super) async fn teams_agree(&mut self) {
        let world = Arc::clone(&self.world);
        if !world.seating.has_teams() {
            return;
        }
        if self.host.until(self.time_limit(), |_| world.phones_astray().is_empty()).await {
            return world.timing.sheets.add_more(world.sheets_shown() as u64);
        }
        for bot in world.phones_astray() {
            world.violations.note("sheet_differs", format!("phone {bot} of player {}", world.player_of(bot)));
        }
    }

    /// The last state of the list always arrives.
    async fn check_lobby(&mut self, seated: usize) -> Result<(), String> {
        let world = Arc::clone(&self.world);
        if !self.host.until(self.time_limit(), |host| host.lobby == seated && world.count(is_away) == 0).await {
            let listed = self.host.lobby;
            world.violations.note("lobby_incomplete", format!("the host's list has {listed} of {seated} players"));
        }
        let players = self.api.players(self.game).await.map_err(|error| error.to_string())?;
        world.violations.check(players.players.len() == seated, "api_players", || {
            format!("{} of {seated} players", players.players.len())
        });
        Ok(())
    }

    /// Nothing is sent when the next round begins, so the API is asked.
    async fn next_round(&mut self, round: usize) -> Result<(), String> {
        self.world.command(question_stage(round));
        self.host.begin_round();
        for _ in 0..20 {
            if !self.host.until(self.time_limit(), |host| host.live).await {
                break;
            }
            self.host.say(&FromHost::StartNextRound);
            for _ in 0..100 {
                self.host.pause(Duration::from_millis(20)).await;
                let game = self.ask().await?;
                if game.phase == "question" {
                    self.world.happened(&Fact::NextRound);
                    return Ok(());
                }
                if !self.host.live {
                    break;
                }
            }
        }
        Err(format!("round {} did not begin", round + 1))
    }

    async fn end(&mut self) -> Result<(), String> {
        let end = self.world.end_stage();
        self.all_online().await?;
        self.world.command(end);
        if !self.host.command(FromHost::EndGame, self.time_limit(), |host| host.stage == end).await {
            return Err("game_ended did not come".to_owned());
        }
        self.players_reach(end).await;
        let world = Arc::clone(&self.world);
        let short = |desk: &Desk| {
            desk.joined.load(Ordering::SeqCst)
                && !desk.stopped.load(Ordering::SeqCst)
                && desk.stage.load(Ordering::SeqCst) < end
        };
        if !self.host.until(Duration::from_mins(1), |_| world.count(short) == 0).await {
            world.violations.note("player_lost", format!("{} players never saw game_ended", world.count(short)));
        }
        let results = self.api.results(self.game).await.map_err(|error| error.to_string())?;
        results::check(&world, &results);
        self.host.leave().await;
        Ok(())
    }
}

fn is_away(desk: &Desk) -> bool {
    let is = |flag: &std::sync::atomic::AtomicBool| flag.load(Ordering::SeqCst);
    is(&desk.joined) && !is(&desk.online) && !is(&desk.stopped)
}

/// Whether there was no answer, or that of a server that is only just starting.
fn is_unavailable(error: &ApiError) -> bool {
    matches!(error.status(), None | Some(503))
}
