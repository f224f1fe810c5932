//! PostgreSQL fails over during a game, with no proxy between: the primary is killed, its synchronous standby is promoted, and
//! the node finds it by the hosts in `DATABASE_URL`.

use std::time::{Duration, Instant};

use quizhall_protocol::Role;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::time::sleep;

use super::hall;
use super::harness::{TIMEOUT, alone};
use super::player::{Chair, Playing, THINK, acknowledged, credentials};
use super::troubles::chaos_rounds;
use crate::crash::ledger::Ledger;
use crate::faults::company::{Company, release, say};
use crate::faults::probes::{becomes, get};
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::time_limits::promised;

/// The node works again this soon after the promotion.
const BACK: Duration = Duration::from_secs(2);
const PLAYERS: usize = 6;
const QUESTIONS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_is_found_and_no_acknowledged_answer_is_lost() {
    let _alone = alone().await;
    if chaos_rounds() == 0 {
        fail_over(End::Killed, Duration::from_millis(1_500)).await;
    }
    // `make chaos` leaves the time that a cluster manager takes, in which sockets are closed.
    for end in [End::Killed, End::Silent].repeat(chaos_rounds()) {
        fail_over(end, Duration::from_secs(5)).await;
    }
}

/// How the primary ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Killed,
    /// Its connections stay open and it never answers, like a machine without power.
    Silent,
}

async fn fail_over(end: End, away: Duration) {
    let mut primary = Postgres::start(Durability::Kept);
    let url = primary.fresh_database().await;
    let standby = primary.synchronous_standby().await;
    let both = primary.url_with(&standby, url.rsplit('/').next().unwrap());
    let folder = TempDir::new().unwrap();
    let server = Server::start(&Launch { environment: &[("DATABASE_URL", &both)], ..Launch::new(folder.path()) });
    let game = Game::begin(&server).await;

    match end {
        End::Killed => primary.kill(),
        End::Silent => primary.stop(),
    }
    let ended = Instant::now();
    becomes(&server, ("/readyz", 503), Duration::from_secs(3)).await;
    sleep(away.saturating_sub(ended.elapsed())).await;
    if end == End::Killed {
        let (_, reason) = get(&server, "/healthz").await;
        assert!(reason.contains("no host of DATABASE_URL takes writes"), "{reason}");
    }
    standby.promote().await;
    let promoted = Instant::now();
    becomes(&server, ("/readyz", 200), BACK).await;
    let ready = promoted.elapsed();
    acknowledged(game.players.iter(), 1, promised(BACK).saturating_sub(ready)).await;
    let answered = promoted.elapsed();
    acknowledged(game.players.iter(), 2, TIMEOUT).await;
    let log = server.log();
    assert!(log.iter().any(|line| line.contains("another host of DATABASE_URL is used now")), "{log:#?}");
    let count = game.end(&server).await;
    println!(
        "{end:?}, standby promoted {:.1?} later: ready {ready:.2?} and all players answered {answered:.2?} after that; \
         {count} acknowledged, none lost",
        promoted.duration_since(ended),
    );
}

/// A game in which all players answer until its end.
struct Game {
    company: Company,
    players: Vec<Playing>,
    stop: watch::Sender<bool>,
}

impl Game {
    async fn begin(server: &Server) -> Self {
        let names: Vec<String> = (0..PLAYERS).map(|number| format!("Player {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let company = Company::open(server, &[QUESTIONS], &names).await;
        let mut host = company.host(server).await;
        say(&mut host, "start_game").await;
        for question in &company.rounds[0] {
            release(&mut host, *question).await;
        }
        let (stop, stopped) = watch::channel(false);
        let players = company.players.iter().map(|player| {
            let chair = Chair {
                node: 0,
                entry: server.endpoint(),
                credentials: credentials(&company.code, &player.token, Role::Player),
                player: Some(player.id),
                questions: company.rounds[0].clone(),
                think: THINK,
                seed: rand::random(),
            };
            Playing::begin(chair, &stopped)
        });
        let game = Self { players: players.collect(), company, stop };
        acknowledged(game.players.iter(), 3, TIMEOUT).await;
        game
    }

    /// Lets all players finish, ends the round, and compares the results with the diaries. Returns the number of
    /// acknowledgements.
    async fn end(self, server: &Server) -> usize {
        self.stop.send_replace(true);
        let mut ledger = Ledger::default();
        for player in self.players {
            ledger.merge(player.task.await.unwrap().ledger);
        }
        hall::end(server, &self.company, &ledger).await;
        ledger.acknowledgements()
    }
}
