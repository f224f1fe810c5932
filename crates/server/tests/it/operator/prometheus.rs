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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn alerts_fire_and_panels_show_something() {
    if !are_there("Prometheus", &["prometheus", "python3"]) {
        return;
    }
    let (folder, small) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut server = Server::start(&Launch::new(folder.path()));
    let mut postgres = Postgres::start(Durability::Kept);
    let url = postgres.empty_database().await;
    let environment = [("DATABASE_URL", url.as_str())];
    let on_postgres = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let on_a_small_disk = on_a_small_disk(small.path(), &[("MIN_FREE_DISK", "1MiB")]).map(|(server, _)| server);
    count_panics();
    let stage = Stage::new().await;
    let panics = format!("http://{}", stage.address());
    let mut targets = vec![server.url(), on_postgres.url(), panics.clone()];
    targets.extend(on_a_small_disk.iter().map(Server::url));
    let prometheus = Prometheus::start(&targets);

    fires_after_a_panic(&prometheus, (&stage, &panics)).await;
    if let Some(server) = on_a_small_disk {
        fires_on_a_full_disk(&prometheus, (&server, small.path())).await;
    }
    fires_while_postgresql_is_killed(&prometheus, (&on_postgres, &mut postgres)).await;
    play(&server.url());
    prometheus.eventually(&format!("quizhall_answers_total{{{}}} >= 4", instance(&server.url()))).await;
    look_at_the_panels(&prometheus).await;
    fires_without_a_database_and_without_a_service(&prometheus, (&mut server, folder.path())).await;
}

async fn fires_without_a_database_and_without_a_service(
    prometheus: &Prometheus,
    (server, folder): (&mut Server, &Path),
) {
    let url = server.url();
    prometheus.eventually(&format!("up{{{}}} == 1", instance(&url))).await;
    assert_eq!(prometheus.firing(&url).await, ["QuizhallBackupOld"], "only the alert about a missing backup fires");
    let database = folder.join("quizhall.db");
    fs::rename(&database, database.with_extension("away")).unwrap();
    prometheus.fires("QuizhallDatabaseDown", &url).await;
    fs::rename(database.with_extension("away"), &database).unwrap();
    prometheus.database_is_up(&url).await;
    server.kill();
    prometheus.fires("QuizhallDown", &url).await;
}

async fn fires_while_postgresql_is_killed(prometheus: &Prometheus, (server, postgres): (&Server, &mut Postgres)) {
    prometheus.database_is_up(&server.url()).await;
    postgres.kill();
    prometheus.fires("QuizhallDatabaseDown", &server.url()).await;
    postgres.start_again();
    prometheus.database_is_up(&server.url()).await;
}

async fn fires_on_a_full_disk(prometheus: &Prometheus, (server, folder): (&Server, &Path)) {
    // The whole disk is smaller than the alert demands; a full disk has another alert.
    prometheus.fires("QuizhallDiskNearlyFull", &server.url()).await;
    prometheus.database_is_up(&server.url()).await;
    Disk::Small(PathBuf::from(format!("/proc/{}/root{}", server.id(), folder.display()))).fill(server);
    prometheus.fires("QuizhallDatabaseDown", &server.url()).await;
}

async fn fires_after_a_panic(prometheus: &Prometheus, (stage, url): (&Stage, &str)) {
    let game = stage.game().await;
    // An increase needs a sample from before.
    prometheus.eventually(&format!("quizhall_panics_total{{{}}}", instance(url))).await;
    let game = handle(stage, &game).await;
    assert!(game.view(|_| panic!("put in by a test")).await.is_err_and(|error| error == GameError::Stopping));
    prometheus.fires("QuizhallPanic", url).await;
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

/// A Prometheus with the alerts of deploy/, but without the time that they wait.
struct Prometheus {
    address: SocketAddr,
    _running: Running,
    _folder: TempDir,
}

impl Prometheus {
    fn start(services: &[String]) -> Self {
        let (address, folder) = (free_address(), tempfile::tempdir().unwrap());
        let rules = deployed("alerts.yaml");
        let rules: Vec<&str> = rules.lines().filter(|line| !line.trim().starts_with("for: ")).collect();
        fs::write(folder.path().join("alerts.yaml"), rules.join("\n")).unwrap();
        let targets: Vec<String> = services.iter().map(|url| url.replace("http://", "")).collect();
        let settings = format!(
            "global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}\n\
             rule_files: [alerts.yaml]\n\
             scrape_configs: [{{job_name: quizhall, static_configs: [{{targets: {targets:?}}}]}}]\n"
        );
        let path = folder.path().join("prometheus.yml");
        fs::write(&path, settings).unwrap();
        let mut prometheus = program("prometheus");
        prometheus.arg(format!("--config.file={}", path.display()));
        prometheus.arg(format!("--storage.tsdb.path={}", folder.path().join("samples").display()));
        prometheus.arg(format!("--web.listen-address={address}"));
        Self { address, _running: Running::start(&mut prometheus, address), _folder: folder }
    }

    /// The samples of an expression at this moment.
    async fn query(&self, expression: &str) -> Vec<Value> {
        let url = format!("http://{}/api/v1/query", self.address);
        let form = format!("query={}", percent(expression));
        let request = reqwest::Client::new().post(url).header("Content-Type", "application/x-www-form-urlencoded");
        // It answers 503 while it starts.
        let Ok(response) = request.body(form).send().await else { return Vec::new() };
        let text = response.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        assert_ne!(answer["status"], "error", "{expression}: {text}");
        answer["data"]["result"].as_array().cloned().unwrap_or_default()
    }

    async fn eventually(&self, expression: &str) {
        let end = Instant::now() + EFFECT;
        while self.query(expression).await.is_empty() {
            assert!(Instant::now() < end, "{expression} does not hold");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn database_is_up(&self, service: &str) {
        self.eventually(&format!("quizhall_database_up{{{}}} == 1", instance(service))).await;
    }

    async fn fires(&self, alert: &str, service: &str) {
        self.eventually(&format!(r#"ALERTS{{alertname="{alert}",alertstate="firing",{}}}"#, instance(service))).await;
    }

    async fn firing(&self, service: &str) -> Vec<String> {
        let alerts = self.query(&format!(r#"ALERTS{{alertstate="firing",{}}}"#, instance(service))).await;
        alerts.iter().filter_map(|alert| Some(alert["metric"]["alertname"].as_str()?.to_owned())).collect()
    }
}

/// The label of a service.
fn instance(url: &str) -> String {
    format!(r#"instance="{}""#, url.replace("http://", ""))
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
}

async fn look_at_the_panels(prometheus: &Prometheus) {
    let dashboard: Value = serde_json::from_str(&deployed("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] == "timeseries");
    let mut shown = 0;
    for panel in panels {
        for target in panel["targets"].as_array().unwrap() {
            let expression = target["expr"].as_str().unwrap();
            let filled =
                expression.replace("$job", "quizhall").replace("$instance", ".*").replace("$__rate_interval", "1m");
            if EMPTY.contains(&panel["title"].as_str().unwrap()) {
                prometheus.query(&filled).await;
            } else {
                // A rate needs two samples.
                prometheus.eventually(&filled).await;
                shown += 1;
            }
        }
    }
    assert!(shown > 30, "{shown} expressions show something");
}
