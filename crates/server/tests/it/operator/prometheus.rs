//! A real Prometheus reads a real service: the alerts of deploy/ fire when they should, and each panel of the dashboard has
//! something to show.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::{ROOT, Running, are_there, free_address, play, printed, program};
use crate::process::{Launch, Server};

/// How long a scrape, an evaluation and a fault together may take on a busy machine.
const EFFECT: Duration = Duration::from_secs(30);

/// Panels that have something to show only with several nodes, or when something is wrong.
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
    let page = fs::read_to_string(Path::new(ROOT).join("docs/operations.md")).unwrap();
    for alert in alerts {
        assert!(page.contains(&format!("`{alert}`")), "docs/operations.md does not say what to do about {alert}");
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
    let (_prometheus, address) = start(&folder, &server);
    eventually(address, r#"up{job="quizhall"} == 1"#).await;
    play(&server.url(), None);
    eventually(address, "quizhall_answers_total >= 4").await;
    look_at_the_panels(address).await;
    assert_eq!(firing(address).await, ["QuizhallBackupOld"], "a healthy service that has no backup");

    let database = folder.path().join("quizhall.db");
    fs::rename(&database, database.with_extension("away")).unwrap();
    fires(address, "QuizhallDatabaseDown").await;
    fs::rename(database.with_extension("away"), &database).unwrap();
    eventually(address, "quizhall_database_up == 1").await;
    server.kill();
    fires(address, "QuizhallDown").await;
}

/// Starts Prometheus with the alerts as they are, but without the time that they wait.
fn start(folder: &TempDir, server: &Server) -> (Running, SocketAddr) {
    let address = free_address();
    let rules = deployed("alerts.yaml");
    let rules: Vec<&str> = rules.lines().filter(|line| !line.trim().starts_with("for: ")).collect();
    fs::write(folder.path().join("alerts.yaml"), rules.join("\n")).unwrap();
    let target = server.url().replace("http://", "");
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
    // While it starts it answers 503.
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
