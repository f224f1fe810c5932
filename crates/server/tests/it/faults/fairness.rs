//! Budgets that all clients share, and clients that try to use them up: upgrades with invalid tokens, and players that reconnect
//! in a loop. The limits are low, so that the tests do not depend on the speed of the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::company::{Company, address, say, sync_messages};
use super::probes::metric;
use crate::process::{Launch, Server};
use crate::ws_stage::TIMEOUT;
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// What the flapping players of one game may add to the log in 30 s.
const MOST_LOG_BYTES: i64 = 1_000_000;

/// Runs until it is stopped; `end` returns the sum of the attempts of its tasks.
struct Attack {
    stop: Arc<AtomicBool>,
    tasks: JoinSet<()>,
    count: Arc<AtomicUsize>,
}

impl Attack {
    fn new() -> Self {
        Self { stop: Arc::default(), tasks: JoinSet::new(), count: Arc::default() }
    }

    /// Adds a keep-alive connection that asks for an upgrade with this token, again and again.
    fn flood(&mut self, server: &Server, path: &str, token: &str) {
        let (address, stop, count) = (address(server), Arc::clone(&self.stop), Arc::clone(&self.count));
        let request = Handshake::bearer(token).request(path);
        self.tasks.spawn(async move {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let mut buffer = vec![0; 4_096];
            while !stop.load(Ordering::Relaxed) {
                stream.write_all(&request).await.unwrap();
                // Each answer is small and arrives in one piece.
                let read = stream.read(&mut buffer).await.unwrap();
                let answer = String::from_utf8_lossy(&buffer[..read]).into_owned();
                assert!(answer.starts_with("HTTP/1.1 401") || answer.starts_with("HTTP/1.1 503"), "{answer}");
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Adds a player that opens a socket, closes it, and opens the next one.
    fn flap(&mut self, server: &Server, path: String, token: String) {
        let (address, stop, count) = (address(server), Arc::clone(&self.stop), Arc::clone(&self.count));
        self.tasks.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                if let Ok(mut wire) = Wire::open(address, &path, &Handshake::bearer(&token)).await {
                    wire.raw(&frame(0x88, &1_000_u16.to_be_bytes())).await;
                    while wire.next().await != Frame::End {}
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// Waits until the attack has made this many attempts.
    async fn has_made(&self, attempts: usize) {
        let begun = Instant::now();
        while self.count.load(Ordering::Relaxed) < attempts {
            assert!(begun.elapsed() < TIMEOUT, "the attack does not make its attempts");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// How many attempts it made.
    async fn end(mut self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        while let Some(ended) = self.tasks.join_next().await {
            ended.unwrap();
        }
        self.count.load(Ordering::Relaxed)
    }
}

/// All players of a game open their sockets at the same time; every one must be let in at once.
async fn all_come_back(server: &Server, company: &Company) -> Vec<Wire> {
    let mut coming = JoinSet::new();
    for player in &company.players {
        let (path, handshake) = (format!("/ws/{}", company.code), Handshake::bearer(&player.token));
        let address = address(server);
        coming.spawn(async move { Wire::open(address, &path, &handshake).await });
    }
    let answers = coming.join_all().await;
    let refused: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert!(refused.is_empty(), "{} of {} were refused: {}", refused.len(), answers.len(), refused[0]);
    answers.into_iter().filter_map(Result::ok).collect()
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("Player {number}")).collect()
}

async fn game_of(server: &Server, count: usize) -> Company {
    let names = names(count);
    Company::open(server, &[1], &names.iter().map(String::as_str).collect::<Vec<_>>()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_tokens_keep_no_valid_token_out() {
    let folder = TempDir::new().unwrap();
    let environment = &[("UPGRADES_PER_SECOND", "50")];
    let server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let company = game_of(&server, 20).await;
    drop(all_come_back(&server, &company).await);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut attack = Attack::new();
    let begun = Instant::now();
    let path = format!("/ws/{}", company.code);
    // A token of no game, one of this game with a wrong secret, and one of a host.
    let token = &company.players[0].token;
    let forged = format!("{}{}", &token[..token.len() - 4], if token.ends_with("AAAA") { "BBBB" } else { "AAAA" });
    for token in ["qp_nonsense", &forged, "qh_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ""].repeat(2) {
        attack.flood(&server, &path, token);
    }
    attack.has_made(120).await;
    for mut wire in all_come_back(&server, &company).await {
        assert!(!sync_messages(&mut wire).await.is_empty());
    }
    attack.has_made(160).await;
    let took = begun.elapsed().as_secs();
    let attempts = attack.end().await;
    // The burst, the rate, and four a second per connection that get no answer, with half as much again to spare.
    let most = 100 + (20 + 8 * 4) * (took + 2) * 3 / 2;
    assert!((attempts as u64) < most, "{attempts} attempts in {took} s: the flood is not slowed down");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_that_reconnect_in_a_loop_stop_no_other_game() {
    let folder = TempDir::new().unwrap();
    let environment = &[("UPGRADES_PER_SECOND", "60")];
    let server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let (one, other) = (game_of(&server, 4).await, game_of(&server, 10).await);
    let mut attack = Attack::new();
    for player in &one.players {
        attack.flap(&server, format!("/ws/{}", one.code), player.token.clone());
    }
    attack.has_made(200).await;
    for mut wire in all_come_back(&server, &other).await {
        assert!(!sync_messages(&mut wire).await.is_empty());
    }
    attack.end().await;
}

/// The bytes of a game's log.
async fn log_bytes(folder: &TempDir, company: &Company) -> i64 {
    let options = SqliteConnectOptions::new().filename(folder.path().join("quizhall.db")).read_only(true);
    let mut database = options.connect().await.unwrap();
    let sum = "SELECT COALESCE(SUM(LENGTH(body)), 0) FROM game_log WHERE game_id = ?";
    let bytes =
        sqlx::query_scalar(sum).bind(company.game.as_bytes().as_slice()).fetch_one(&mut database).await.unwrap();
    database.close().await.unwrap();
    bytes
}

/// Only pings of the server arrived after the sync messages.
async fn undisturbed(wire: &mut Wire) {
    wire.raw(&frame(0x89, b"calm")).await;
    loop {
        match wire.next().await {
            Frame::Ping(_) => {}
            other => return assert_eq!(other, Frame::Pong(b"calm".to_vec())),
        }
    }
}

/// With `QUIZHALL_FLAP_SECONDS=30` it runs for at least 30 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_flapping_players_fill_no_log_and_disturb_no_other_player() {
    let seconds: u64 = std::env::var("QUIZHALL_FLAP_SECONDS").map_or(3, |text| text.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let (one, other) = (game_of(&server, 4).await, game_of(&server, 2).await);
    // Once the game runs, every connect and disconnect is an event.
    let mut host = one.host(&server).await;
    say(&mut host, "start_game").await;
    host.until("game_started").await;
    let mut calm = other.player(&server, 0).await;
    sync_messages(&mut calm).await;
    let before = log_bytes(&folder, &one).await;
    let (mut attack, begun) = (Attack::new(), Instant::now());
    for player in &one.players {
        attack.flap(&server, format!("/ws/{}", one.code), player.token.clone());
    }
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    attack.has_made(100).await;
    let attempts = attack.end().await;
    let seconds = i64::try_from(begun.elapsed().as_secs()).unwrap();
    undisturbed(&mut calm).await;
    let grown = log_bytes(&folder, &one).await - before;
    println!("{attempts} attempts in {seconds} s: {grown} bytes of log, {before} before");
    let reached = async |kind| metric(&server, &format!("quizhall_limits_reached_total{{kind=\"{kind}\"}}")).await;
    assert!(reached("upgrades_per_seat").await > 0, "the limit is counted");
    assert_eq!(reached("message_rate").await, 0, "and no other one");
    // A quarter more for the burst at the beginning.
    assert!(grown * 60 <= MOST_LOG_BYTES * (2 * seconds + 15), "{grown} bytes in {seconds} s");
}
