//! Signing in while another client tries passwords for the same account: the real binary with its default limits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{interval, sleep};

use crate::phones::{self, PROXY};
use crate::process::{Launch, Server};
use crate::time_limits::promised;

const NAME: &str = "Ann";
const PASSWORD: &str = "the right one";
/// The address of the account's owner.
const HOME: &str = "203.0.113.5";
/// Pause between two wrong passwords: ten a second.
const PACE: Duration = Duration::from_millis(100);
/// The longest that an attack from elsewhere may delay a sign-in.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_from_elsewhere_does_not_lock_the_host_out() {
    let (server, _folder) = serving().await;
    let address = address(&server);
    let begun = Instant::now();
    let attack = Attack::begin(address, 1);
    sleep(PACE * 8).await;
    for number in 0..7 {
        let reply = phones::sign_in(address, HOME, NAME, PASSWORD).await;
        assert_eq!(reply.status, 201, "sign-in {number}: {}", reply.body);
    }
    let statuses = attack.end().await;
    assert!(statuses.contains(&401) && statuses.contains(&429), "the attacker is limited: {statuses:?}");
    // Five at once, and those refilled at five a minute.
    let most = 6 + begun.elapsed().as_secs() / 12;
    assert!(statuses.iter().filter(|status| **status == 401).count() as u64 <= most, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_from_many_addresses_delays_strangers_and_not_a_known_device() {
    let (server, _folder) = serving().await;
    let address = address(&server);
    assert_eq!(phones::sign_in(address, HOME, NAME, PASSWORD).await.status, 201);
    let wrong = (0..12).map(|number| async move {
        phones::sign_in(address, &format!("198.51.100.{number}"), NAME, "not the one").await.status
    });
    let statuses = join_all(wrong).await;
    assert!(statuses.iter().all(|status| matches!(status, 401 | 503)), "{statuses:?}");
    let elsewhere = phones::sign_in(address, "203.0.113.77", NAME, PASSWORD).await;
    assert_eq!(elsewhere.status, 201, "a right password is never refused: {}", elsewhere.body);
    assert!(elsewhere.took >= Duration::from_secs(1), "{:?}: strangers wait", elsewhere.took);
    assert!(elsewhere.took < promised(LONGEST_DELAY + Duration::from_secs(1)), "{:?}", elsewhere.took);
    let known = phones::sign_in(address, HOME, NAME, PASSWORD).await;
    assert_eq!(known.status, 201, "{}", known.body);
    assert!(known.took < promised(Duration::from_secs(1)), "{:?}: a known device does not", known.took);
}

/// A client that tries wrong passwords all the time.
struct Attack {
    stop: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<Vec<u16>>,
}

impl Attack {
    fn begin(server: SocketAddr, host: u8) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let task = tokio::spawn(async move {
            let (mut pace, mut statuses) = (interval(PACE), Vec::new());
            while !stopped.load(Ordering::Relaxed) {
                pace.tick().await;
                statuses.push(phones::sign_in(server, &format!("198.51.100.{host}"), NAME, "not the one").await.status);
            }
            statuses
        });
        Self { stop, task }
    }

    /// The statuses that the attacker received.
    async fn end(self) -> Vec<u16> {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.unwrap()
    }
}

async fn serving() -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment: &[PROXY], ..Launch::new(folder.path()) });
    phones::create(&server, "/api/v1/hosts", &json!({"name": NAME, "password": PASSWORD})).await;
    (server, folder)
}

fn address(server: &Server) -> SocketAddr {
    server.url().trim_start_matches("http://").parse().unwrap()
}
