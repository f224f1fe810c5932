//! Logs and metrics: what they contain, and what they never contain (promise 19).

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, UNIX_EPOCH};

use quizhall::telemetry::LogLevel;
use quizhall::telemetry::{self, log, metrics};
use quizhall_protocol::http::join::JoinRequest;
use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

use crate::faults::company::Company;
use crate::faults::probes::{get, metric};
use crate::process::{Launch, Server};
use crate::time_limits::promised;
use crate::ws_stage::{HOST, Stage};

/// A buffer that logs are written to.
#[derive(Clone, Default)]
pub struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Page {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The lines written at this level when our code and a dependency log at every level.
fn written(level: LogLevel) -> Vec<String> {
    let page = Page::default();
    tracing::subscriber::with_default(log::subscriber(level, page.clone()), || {
        tracing::debug!(target: "quizhall::x", "ours debug");
        tracing::info!(target: "quizhall::x", "ours info");
        tracing::warn!(target: "quizhall::x", "ours warn");
        tracing::error!(target: "quizhall::x", "ours error");
        tracing::debug!(target: "hyper::proto", "theirs debug");
        tracing::info!(target: "sqlx::query", "theirs info");
        tracing::warn!(target: "hyper::proto", "theirs warn");
        tracing::error!(target: "hyper::proto", "theirs error");
    });
    let lines: Vec<Value> = page.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        assert!(line["timestamp"].is_string() && line["level"].is_string() && line["target"].is_string(), "{line}");
    }
    lines.iter().map(|line| line["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn log_level_is_about_our_events_and_dependencies_only_warn() {
    let theirs = ["theirs warn", "theirs error"];
    assert_eq!(
        written(LogLevel::Debug),
        [&["ours debug", "ours info", "ours warn", "ours error"][..], &theirs].concat()
    );
    assert_eq!(written(LogLevel::Info), [&["ours info", "ours warn", "ours error"][..], &theirs].concat());
    assert_eq!(written(LogLevel::Warn), [&["ours warn", "ours error"][..], &theirs].concat());
    assert_eq!(written(LogLevel::Error), ["ours error", "theirs error"]);
}

#[test]
fn a_line_stays_one_line_whatever_is_in_it() {
    let page = Page::default();
    tracing::subscriber::with_default(log::subscriber(LogLevel::Info, page.clone()), || {
        tracing::info!(target: "quizhall", field = "a\nb\"c\u{1b}[31m", "one\nline");
    });
    let text = page.text();
    assert_eq!(text.lines().count(), 1, "{text}");
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line["field"], "a\nb\"c\u{1b}[31m");
}

#[tokio::test]
async fn metrics_say_what_happens_and_nothing_about_whom() {
    let stage = Stage::new().await;
    let game = stage.game().await;
    let token = stage.join(&game, "Annabelle").await;
    let _player = stage.socket(&game.code, &token).await;
    let path = format!("/ws/{}?token={token}", game.code);
    assert_eq!(stage.get(&path).await.0, 426);
    let (status, text) = stage.get("/metrics").await;
    assert_eq!(status, 200);
    for line in [
        r#"quizhall_http_requests_total{route="/join",method="POST",status="201"}"#,
        r#"quizhall_http_requests_total{route="/ws/{game_code}",method="GET",status="426"}"#,
        r#"quizhall_sockets{role="player"} 1"#,
        r#"quizhall_games{phase="lobby"} 1"#,
        "quizhall_cache_up 1",
        "quizhall_database_up 1",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    // Whatever other tests of this process have counted: every series must begin with 0.
    let declared: HashSet<String> = metrics::counters().into_iter().collect();
    for line in text.lines().filter(|line| line.starts_with("quizhall_") && !line.starts_with("quizhall_http_")) {
        let (series, _) = line.rsplit_once(' ').unwrap();
        let is_counter = series.split('{').next().unwrap().ends_with("_total");
        assert!(!is_counter || declared.contains(series), "{series} is not in telemetry/declared.rs");
    }
    for secret in [game.code.as_str(), &game.id, "Annabelle", &token, HOST] {
        assert!(!text.contains(secret), "{secret}");
    }
}

/// A rate over a series that appears with its first event misses that event, and an alert on it never fires.
#[tokio::test]
async fn every_counter_begins_with_0_and_gauges_say_what_the_database_takes() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("CHECKPOINT_AFTER", "1MiB"), ("MAX_PLAYERS", "150")];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let (status, text) = get(&server, "/metrics").await;
    assert_eq!(status, 200);
    let lines: HashSet<&str> = text.lines().collect();
    let requests = [
        r#"quizhall_http_requests_total{route="/join",method="POST",status="429"}"#,
        r#"quizhall_http_requests_total{route="/api/v1/games/{id}",method="DELETE",status="500"}"#,
        r#"quizhall_http_requests_total{route="/ws/{game_code}",method="GET",status="503"}"#,
        r#"quizhall_http_requests_total{route="unmatched",method="GET",status="404"}"#,
    ];
    for series in metrics::counters().into_iter().chain(requests.map(str::to_owned)) {
        assert!(lines.contains(format!("{series} 0").as_str()), "{series} is missing or not 0 in\n{text}");
    }
    for gauge in ["quizhall_database_wal_bytes", "quizhall_disk_free_bytes", "quizhall_sockets_max"] {
        assert!(metric(&server, gauge).await > 0, "{gauge}");
    }
    let file = std::fs::metadata(folder.path().join("quizhall.db")).unwrap().len();
    assert_eq!(metric(&server, "quizhall_database_bytes").await, file);
    let build = (telemetry::build::VERSION, telemetry::build::COMMIT);
    let version = format!(r#"quizhall_build_info{{version="{}",commit="{}"}}"#, build.0, build.1);
    assert_eq!(metric(&server, &version).await, 1);

    assert_eq!(metric(&server, "quizhall_last_backup_timestamp_seconds").await, 0);
    std::fs::write(folder.path().join("quizhall.db.last-backup"), "1790000000\n").unwrap();
    assert_eq!(metric(&server, "quizhall_last_backup_timestamp_seconds").await, 1_790_000_000);
    a_full_game_and_a_checkpoint_are_counted(&server).await;
}

async fn a_full_game_and_a_checkpoint_are_counted(server: &Server) {
    assert_eq!(metric(server, "quizhall_last_checkpoint_timestamp_seconds").await, 0);
    let begun = UNIX_EPOCH.elapsed().unwrap().as_secs();
    let names: Vec<String> = (0..150).map(|number| format!("Player {number}")).collect();
    // Two pages for each player, of the 256 that make a checkpoint due.
    let company = Company::open(server, &[1], &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let request = JoinRequest::new(company.code.clone(), "Bob".to_owned());
    assert!(server.api().join(&request, None).await.is_err());
    assert_eq!(metric(server, r#"quizhall_limits_reached_total{kind="players_per_game"}"#).await, 1);
    let end = Instant::now() + promised(Duration::from_secs(5));
    while metric(server, "quizhall_last_checkpoint_timestamp_seconds").await < begun {
        assert!(Instant::now() < end, "no checkpoint was reported");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn metrics_can_be_locked() {
    let stage = Stage::with(&[("METRICS_TOKEN", "a-token-for-the-scraper")]).await;
    let client = reqwest::Client::new();
    for (token, status) in [("", 401), (HOST, 401), ("a-token-for-the-scraper", 200)] {
        let answer = client.get(stage.url("/metrics")).bearer_auth(token).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{token}");
    }
}
