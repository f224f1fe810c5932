//! What Kubernetes does with the pods of the chart, played with processes: start, probes, an update of one pod while a game runs.
//!
//! The processes have the variables of the pods, with ports and paths of this machine, and the databases are empty at first. Not played:
//! the network of a cluster, its scheduler, the limits of a container.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::{MOST, can_render, container, objects, pod, variables};
use crate::faults::company::{Company, answer, release, say};
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
    fn start(all: &[Value], name: &str, secrets: &Secrets<'_>) -> Self {
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
        given.push(("NODE_NAME".to_owned(), name.to_owned()));
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
async fn a_pod_starts_is_replaced_and_its_players_go_on() {
    if !can_render("the pods of the chart as processes") {
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
    // Both migrate the empty database.
    let [old, new] = std::thread::scope(|scope| {
        let start = |name: &'static str| scope.spawn(|| Pod::start(&all, name, &secrets));
        let started = [start("quizhall-1"), start("quizhall-2")];
        started.map(|thread| thread.join().unwrap())
    });
    for pod in [&old, &new] {
        pod.until(&all, ("startupProbe", true), time_limit(&all, "startupProbe"));
        pod.until(&all, ("readinessProbe", true), promised(Duration::from_secs(3)));
        assert!(pod.passes(&all, "livenessProbe"));
        needs_less_memory_than_its_limit(&all, pod);
        shows_its_metrics_for_the_token(pod).await;
    }

    let company = Company::open(&old.server, &[1], &["Ann"]).await;
    let (mut host, mut ann) = (company.host(&old.server).await, company.player(&old.server, 0).await);
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    answer(&mut ann, company.rounds[0][0], "right").await;
    ann.until("answer_accepted").await;

    // What Kubernetes sends, and the time after which it would kill.
    let grace = Duration::from_secs(pod(&all)["spec"]["terminationGracePeriodSeconds"].as_u64().unwrap());
    let begun = Instant::now();
    signal(old.server.id(), "TERM");
    old.until(&all, ("readinessProbe", false), promised(Duration::from_secs(1)));
    assert!(old.passes(&all, "livenessProbe"), "a stopping pod is not restarted");
    let mut old = old;
    let status = tokio::task::spawn_blocking(move || old.server.wait(grace)).await.unwrap();
    assert_eq!(status.code(), Some(0));
    println!("the pod ended within {:.1?} of {grace:?}", begun.elapsed());

    let mut ann = company.player(&new.server, 0).await;
    answer(&mut ann, company.rounds[0][0], "better").await;
    ann.until("answer_accepted").await;
    assert!(new.passes(&all, "readinessProbe"));
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
