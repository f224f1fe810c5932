//! A real Prometheus reads a real service: the alerts of deploy/ fire when they should (also for a killed PostgreSQL, a full disk
//! and a panic), and each panel of the dashboard shows something.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::panic;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quizhall::games::GameError;
use serde_json::Value;
use tempfile::TempDir;

use super::{ROOT, Running, are_there, free_address, play, printed, program};
use crate::faults::contained::handle;
use crate::faults::disk::{Disk, on_a_small_disk};
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres};
use crate::ws_stage::Stage;

/// How long a scrape, an evaluation and a fault together may take on a busy machine.
const EFFECT: Duration = Duration::from_secs(30);

/// Panels that show something only with several nodes, or when something is wrong.
const EMPTY: [&str; 6] = [
    "Nodes in the list",
    "Delay of the bus",
    "Closes by the server a second",
    "Limits reached a second",
    "Sockets refused a second",
    "Age of the last backup",
];

fn deployed(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("deploy").join(name)).unwrap()
}

#[test]
fn every_alert_is_valid_and_its_test_passes() {
    if !are_there("the alerts", &["promtool"]) {
        return;
    }
    printed(program("promtool").args(["check", "rules", "deploy/alerts.yaml"]).current_dir(ROOT));
    printed(program("promtool").args(["test", "rules", "deploy/alerts.test.yaml"]).current_dir(ROOT));
    let names = |text: &str, sign: &str| -> BTreeSet<String> {
        text.lines().filter_map(|line| line.trim().strip_prefix(sign)).map(str::to_owned).collect()
    };
    let alerts = names(&deployed("alerts.yaml"), "- alert: ");
    assert_eq!(alerts, names(&deployed("alerts.test.yaml"), "- alertname: "), "each alert has a test");
    let page = fs::read_to_string(Path::new(ROOT).join("docs/operate/bad-night.md")).unwrap();
    for alert in alerts {
        assert!(
            page.contains(&format!("`{alert}`")),
            "docs/operate/bad-night.md does not say what to do about {alert}"
        );
    }
}

#[test]
fn alerts_and_dashboard_name_metrics_that_exist() {
    let declared = include_str!("../../../src/telemetry/declared.rs");
    let text = deployed("alerts.yaml") + &deployed("dashboard.json");
    let is_part = |character: char| character.is_ascii_lowercase() || character == '_';
    let words = text.split(|character| !is_part(character)).filter(|word| word.starts_with("quizhall_"));
    let metrics: BTreeSet<&str> = words.collect();
    assert!(metrics.len() > 30, "{metrics:?}");
    for metric in metrics {
        let name = ["_bucket", "_count", "_sum"].iter().find_map(|end| metric.strip_suffix(end)).unwrap_or(metric);
        assert!(declared.contains(&format!(" = \"{name}\"")), "{metric}");
    }
}

#[tokio::test]
async fn alerts_fire_and_panels_show_something() {
    if !are_there("Prometheus", &["prometheus", "python3"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&Launch::new(folder.path()));
    let (_prometheus, address) = start(&folder, &server.url());
    eventually(address, r#"up{job="quizhall"} == 1"#).await;
    play(&server.url(), None);
    eventually(address, "quizhall_answers_total >= 4").await;
    look_at_the_panels(address).await;
    assert_eq!(firing(address).await, ["QuizhallBackupOld"], "only the alert about a missing backup fires");

    let database = folder.path().join("quizhall.db");
    fs::rename(&database, database.with_extension("away")).unwrap();
    fires(address, "QuizhallDatabaseDown").await;
    fs::rename(database.with_extension("away"), &database).unwrap();
    eventually(address, "quizhall_database_up == 1").await;
    server.kill();
    fires(address, "QuizhallDown").await;
}

#[tokio::test]
async fn an_alert_fires_when_postgresql_is_killed_and_ends_when_it_is_back() {
    if !are_there("Prometheus", &["prometheus"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut postgres = Postgres::start(Durability::Kept);
    postgres.say("CREATE DATABASE quizhall").await;
    let url = postgres.url("quizhall");
    let server =
        Server::start(&Launch { environment: &[("DATABASE_URL", url.as_str())], ..Launch::new(folder.path()) });
    let (_prometheus, address) = start(&folder, &server.url());
    eventually(address, "quizhall_database_up == 1").await;
    postgres.kill();
    fires(address, "QuizhallDatabaseDown").await;
    postgres.start_again();
    eventually(address, "quizhall_database_up == 1").await;
}

#[tokio::test]
async fn alerts_fire_when_the_disk_is_full() {
    if !are_there("Prometheus", &["prometheus"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _)) = on_a_small_disk(folder.path(), &[("MIN_FREE_DISK", "1MiB")]) else { return };
    let samples = tempfile::tempdir().unwrap();
    let (_prometheus, address) = start(&samples, &server.url());
    // The whole disk is smaller than the alert demands; a full disk has another alert.
    fires(address, "QuizhallDiskNearlyFull").await;
    eventually(address, "quizhall_database_up == 1").await;
    let inside = PathBuf::from(format!("/proc/{}/root{}", server.id(), folder.path().display()));
    Disk::Small(inside).fill(&server);
    fires(address, "QuizhallDatabaseDown").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_alert_fires_after_a_panic() {
    if !are_there("Prometheus", &["prometheus"]) {
        return;
    }
    count_panics();
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new().await;
    let game = stage.game().await;
    let (_prometheus, address) = start(&folder, &format!("http://{}", stage.address()));
    // An increase needs a sample from before.
    eventually(address, "quizhall_panics_total").await;
    let game = handle(&stage, &game).await;
    assert!(game.view(|_| panic!("put in by a test")).await.is_err_and(|error| error == GameError::Stopping));
    fires(address, "QuizhallPanic").await;
}

/// Counts panics of this process as the service does, and still prints them.
fn count_panics() {
    let shown = panic::take_hook();
    quizhall::telemetry::panic::install_hook();
    let counted = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        shown(info);
        counted(info);
    }));
}

/// Starts Prometheus with the alerts of deploy/, but without the time that they wait.
fn start(folder: &TempDir, url: &str) -> (Running, SocketAddr) {
    let address = free_address();
    let rules = deployed("alerts.yaml");
    let rules: Vec<&str> = rules.lines().filter(|line| !line.trim().starts_with("for: ")).collect();
    fs::write(folder.path().join("alerts.yaml"), rules.join("\n")).unwrap();
    let target = url.replace("http://", "");
    let settings = format!(
        "global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}\n\
         rule_files: [alerts.yaml]\n\
         scrape_configs: [{{job_name: quizhall, static_configs: [{{targets: [\"{target}\"]}}]}}]\n"
    );
    let path = folder.path().join("prometheus.yml");
    fs::write(&path, settings).unwrap();
    let mut prometheus = program("prometheus");
    prometheus.arg(format!("--config.file={}", path.display()));
    prometheus.arg(format!("--storage.tsdb.path={}", folder.path().join("samples").display()));
    prometheus.arg(format!("--web.listen-address={address}"));
    (Running::start(&mut prometheus, address), address)
}

/// The samples of an expression at this moment.
async fn query(address: SocketAddr, expression: &str) -> Vec<Value> {
    let url = format!("http://{address}/api/v1/query");
    let form = format!("query={}", percent(expression));
    let request = reqwest::Client::new().post(url).header("Content-Type", "application/x-www-form-urlencoded");
    // It answers 503 while it starts.
    let Ok(response) = request.body(form).send().await else { return Vec::new() };
    let text = response.text().await.unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_ne!(answer["status"], "error", "{expression}: {text}");
    answer["data"]["result"].as_array().cloned().unwrap_or_default()
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
}

async fn eventually(address: SocketAddr, expression: &str) {
    let end = Instant::now() + EFFECT;
    while query(address, expression).await.is_empty() {
        assert!(Instant::now() < end, "{expression} does not hold");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn fires(address: SocketAddr, alert: &str) {
    eventually(address, &format!(r#"ALERTS{{alertname="{alert}",alertstate="firing"}}"#)).await;
}

async fn firing(address: SocketAddr) -> Vec<String> {
    let alerts = query(address, r#"ALERTS{alertstate="firing"}"#).await;
    alerts.iter().filter_map(|alert| Some(alert["metric"]["alertname"].as_str()?.to_owned())).collect()
}

async fn look_at_the_panels(address: SocketAddr) {
    let dashboard: Value = serde_json::from_str(&deployed("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] == "timeseries");
    let mut shown = 0;
    for panel in panels {
        for target in panel["targets"].as_array().unwrap() {
            let expression = target["expr"].as_str().unwrap();
            let filled =
                expression.replace("$job", "quizhall").replace("$instance", ".*").replace("$__rate_interval", "1m");
            if EMPTY.contains(&panel["title"].as_str().unwrap()) {
                query(address, &filled).await;
            } else {
                // A rate needs two samples.
                eventually(address, &filled).await;
                shown += 1;
            }
        }
    }
    assert!(shown > 30, "{shown} expressions show something");
}
