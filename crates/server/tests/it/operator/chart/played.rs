//! What Kubernetes does with a pod of the chart, played with a process: start, probes, stop. `cluster/rolling.rs` replaces nodes
//! while games run.
//!
//! The process has the variables of the pod, with ports and paths of this machine, and the database is empty at first. Not played:
//! the network of a cluster, its scheduler, the limits of a container.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::{MOST, can_render, container, objects, pod, variables};
use crate::faults::company::Company;
use crate::operation::ask;
use crate::operator::free_address;
use crate::process::{HOST_TOKEN, Launch, Server, signal};
use crate::services::postgres::shared;
use crate::services::redis::Redis;
use crate::time_limits::promised;

/// The Secret, by key.
type Secrets<'a> = [(&'a str, &'a str)];

/// A pod as a process.
struct Pod {
    server: Server,
    health: SocketAddr,
    _folder: TempDir,
}

impl Pod {
    /// Starts the container of the chart, with the files that Kubernetes would mount.
    fn start(all: &[Value], secrets: &Secrets<'_>) -> Self {
        let folder = TempDir::new().unwrap();
        let mount = container(all)["volumeMounts"][0]["mountPath"].as_str().unwrap();
        let health = free_address();
        mounted(all, folder.path(), secrets);
        let mut given: Vec<(String, String)> = variables(all);
        for (variable, value) in &mut given {
            *value = match variable.as_str() {
                "BIND_ADDR" => "127.0.0.1:0".to_owned(),
                "HEALTH_ADDR" => health.to_string(),
                // All clients of the test have one address, and no provider is there.
                "TRUSTED_PROXIES" => "10.42.0.0/16".to_owned(),
                _ => value.replace(mount, folder.path().to_str().unwrap()),
            };
        }
        given.retain(|(variable, _)| !variable.starts_with("OIDC_"));
        given.push(("NODE_NAME".to_owned(), "quizhall-1".to_owned()));
        // The server of the tests keeps nothing on disk, and a container would compute a quarter of its limit itself.
        given.push(("UNSAFE_DATABASE".to_owned(), "true".to_owned()));
        given.push(("OUTBOUND_BUDGET".to_owned(), (memory_limit(all) / 4).to_string()));
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let wrapper = ["env", "--unset=DATABASE_URL", "--unset=QUIZHALL_HOST_TOKEN"];
        let launch = Launch { environment: &given, wrapper: &wrapper, ..Launch::new(folder.path()) };
        Self { server: Server::start(&launch), health, _folder: folder }
    }

    /// Whether a probe of the chart succeeds.
    fn passes(&self, all: &[Value], probe: &str) -> bool {
        let path = container(all)[probe]["httpGet"]["path"].as_str().unwrap();
        ask(self.health, path).starts_with("HTTP/1.1 200 ")
    }

    /// Waits until a probe succeeds or fails.
    fn until(&self, all: &[Value], (probe, passes): (&str, bool), within: Duration) {
        let begun = Instant::now();
        while self.passes(all, probe) != passes {
            assert!(begun.elapsed() < within, "{probe} is not {passes} within {within:?}");
            std::thread::yield_now();
        }
    }
}

/// Writes the keys of the Secret where the volume of the pod has them.
fn mounted(all: &[Value], folder: &Path, secrets: &Secrets<'_>) {
    for item in pod(all)["spec"]["volumes"][0]["secret"]["items"].as_array().unwrap() {
        let key = item["key"].as_str().unwrap();
        let (_, secret) = secrets.iter().find(|(name, _)| *name == key).unwrap();
        fs::write(folder.join(item["path"].as_str().unwrap()), secret).unwrap();
    }
}

/// The limit of the container, in bytes.
fn memory_limit(all: &[Value]) -> u64 {
    let limit = container(all)["resources"]["limits"]["memory"].as_str().unwrap();
    limit.strip_suffix("Gi").unwrap().parse::<u64>().unwrap() << 30
}

/// The time that a probe may fail before Kubernetes acts.
fn time_limit(all: &[Value], probe: &str) -> Duration {
    let number = |name: &str| container(all)[probe][name].as_u64().unwrap();
    Duration::from_secs(number("periodSeconds") * number("failureThreshold"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pod_starts_answers_its_probes_and_stops_within_its_grace() {
    if !can_render("a pod of the chart as a process") {
        return;
    }
    let all = objects(MOST);
    let (database, cache) = (shared().empty_database().await, Redis::start());
    let redis = cache.url();
    let secrets = [
        ("DATABASE_URL", database.as_str()),
        ("REDIS_URL", redis.as_str()),
        ("METRICS_TOKEN", "a-token-of-the-metrics"),
        ("host-token", HOST_TOKEN),
        ("oidc", "a-secret-of-the-provider"),
    ];
    let mut pod = Pod::start(&all, &secrets);
    pod.until(&all, ("startupProbe", true), time_limit(&all, "startupProbe"));
    pod.until(&all, ("readinessProbe", true), promised(Duration::from_secs(3)));
    assert!(pod.passes(&all, "livenessProbe"));
    needs_less_memory_than_its_limit(&all, &pod);
    shows_its_metrics_for_the_token(&pod).await;
    let company = Company::open(&pod.server, &[1], &["Ann"]).await;
    let mut host = company.host(&pod.server).await;
    host.until("lobby_update").await;

    // What Kubernetes sends, and the time after which it would kill.
    let grace = container_grace(&all);
    let begun = Instant::now();
    signal(pod.server.id(), "TERM");
    pod.until(&all, ("readinessProbe", false), promised(Duration::from_secs(1)));
    assert!(pod.passes(&all, "livenessProbe"), "a stopping pod is not restarted");
    let status = tokio::task::spawn_blocking(move || pod.server.wait(grace)).await.unwrap();
    assert_eq!(status.code(), Some(0));
    println!("the pod ended within {:.1?} of {grace:?}", begun.elapsed());
    drop(host);
    shared().drop_database(&database).await;
}

fn container_grace(all: &[Value]) -> Duration {
    Duration::from_secs(pod(all)["spec"]["terminationGracePeriodSeconds"].as_u64().unwrap())
}

/// Promise 15: the log line of the start states the most that the process needs.
fn needs_less_memory_than_its_limit(all: &[Value], pod: &Pod) {
    let log = pod.server.log();
    let line = log.iter().find(|line| line.contains(r#""message":"listening""#)).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    let stated = line["memory"].as_str().unwrap().rsplit_once("= ").unwrap().1;
    let stated: u64 = stated.strip_suffix(" MiB").unwrap().parse().unwrap();
    assert!(stated << 20 < memory_limit(all), "{stated} MiB: {line}");
}

async fn shows_its_metrics_for_the_token(pod: &Pod) {
    let client = reqwest::Client::new();
    let url = format!("http://{}/metrics", pod.health);
    assert_eq!(client.get(&url).send().await.unwrap().status(), 401);
    let shown = client.get(&url).bearer_auth("a-token-of-the-metrics").send().await.unwrap();
    assert!(shown.text().await.unwrap().contains("\nquizhall_sockets{"), "the metric of the autoscaler");
}
