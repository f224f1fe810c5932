//! The operator's probes `/livez`, `/healthz` and `/readyz`: what they answer, and how soon.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::process::Server;
use crate::time_limits::promised;

/// Pause between two checks.
const EVERY: Duration = Duration::from_millis(50);

/// Status and body of a GET.
pub async fn get(server: &Server, path: &str) -> (u16, String) {
    let response = reqwest::get(format!("{}{path}", server.url())).await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Waits until `path` answers with this status, which is promised within this time; returns the body.
pub async fn becomes(server: &Server, (path, wanted): (&str, u16), promise: Duration) -> String {
    let begun = Instant::now();
    loop {
        let (status, body) = get(server, path).await;
        if status == wanted {
            return body;
        }
        assert!(begun.elapsed() < promised(promise), "{path} is {status} after {promise:?}, not {wanted}: {body}");
        sleep(EVERY).await;
    }
}

/// The value of a counter, 0 when it has not been counted yet; `series` is the name with its labels.
pub async fn metric(server: &Server, series: &str) -> u64 {
    let (status, text) = get(server, "/metrics").await;
    assert_eq!(status, 200);
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0, |value| value.trim().parse().unwrap())
}

/// Returns when the number of sockets and commands that wait for the owner satisfies `is_one`.
pub async fn waiting(server: &Server, at_most: Duration, is_one: impl Fn(u64) -> bool) {
    let end = Instant::now() + promised(at_most);
    loop {
        let count = metric(server, "quizhall_commands_pending").await;
        if is_one(count) {
            return;
        }
        assert!(Instant::now() < end, "{count} wait");
    }
}

/// Probes `/livez` continuously: it must never fail while the process runs.
pub struct Liveness {
    stop: Arc<AtomicBool>,
    task: JoinHandle<usize>,
}

impl Liveness {
    pub fn watch(server: &Server) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, url) = (Arc::clone(&stop), format!("{}/livez", server.url()));
        let task = tokio::spawn(async move {
            let (client, mut asked) = (reqwest::Client::new(), 0);
            while !stopped.load(Ordering::Relaxed) {
                let response = client.get(&url).timeout(Duration::from_secs(5)).send().await.expect("/livez answers");
                assert_eq!(response.status().as_u16(), 200, "/livez while the process runs");
                asked += 1;
                sleep(EVERY).await;
            }
            asked
        });
        Self { stop, task }
    }

    /// Stops probing; the number of probes.
    pub async fn end(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.unwrap()
    }
}
