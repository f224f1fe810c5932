//! Every trouble in turn, on one cluster: some of them in every run, all of them with `make chaos`.

use std::env;
use std::time::Duration;

use tokio::time::sleep;

use super::harness::Cluster;
use super::party::OWNER;
use super::proxy::{Direction, Way};
use super::teams::GameOfTeams;
use super::trouble::{Blow, OTHER, Store, Trouble};
use crate::small_bundles;

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The lease of a node by default.
const LEASE: Duration = secs(2);

/// The troubles of every run.
const SHARE: [Trouble; 7] = [
    Trouble::NodeKilled(OWNER),
    Trouble::NodeCutOff(OWNER, secs(6)),
    Trouble::NodeStopped(OWNER, secs(6)),
    Trouble::At(Store::Database, Blow::Killed(secs(0))),
    Trouble::At(Store::Database, Blow::Disconnected(secs(2))),
    Trouble::At(Store::Cache, Blow::Killed(secs(6))),
    Trouble::CacheEmptied,
];

/// The other troubles.
fn others() -> Vec<Trouble> {
    let mut all = vec![
        Trouble::NodeStopped(OWNER, secs(30)),
        Trouble::NodeCutOff(OWNER, secs(30)),
        Trouble::NodeKilled(OTHER),
        Trouble::NodeStopped(OTHER, secs(10)),
        Trouble::NodeCutOff(OTHER, secs(10)),
        Trouble::DatabaseRestarted,
        Trouble::At(Store::Database, Blow::Killed(secs(10))),
        Trouble::At(Store::Database, Blow::Stopped(secs(3))),
        Trouble::At(Store::Database, Blow::Stopped(secs(20))),
        Trouble::At(Store::Database, Blow::Disconnected(secs(10))),
        Trouble::At(Store::Cache, Blow::Killed(secs(0))),
        Trouble::At(Store::Cache, Blow::Stopped(secs(10))),
        Trouble::At(Store::Cache, Blow::Disconnected(secs(10))),
    ];
    let ways = [
        Way::Cut,
        Way::BlackHole(Direction::Both),
        Way::BlackHole(Direction::ToStore),
        Way::BlackHole(Direction::FromStore),
        Way::Delay(Duration::from_millis(300)),
        Way::Reset,
    ];
    for node in [OWNER, OTHER] {
        for store in [Store::Database, Store::Cache] {
            all.extend(ways.map(|way| Trouble::Between(node, store, way, secs(7))));
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_trouble_costs_an_acknowledged_answer() {
    let rounds = chaos_rounds();
    let mut cluster = Cluster::start(&[small_bundles::SETTING]).await;
    // A node removes others only after a whole lease of renewals of its own, so the first trouble would take longer than the others.
    sleep(LEASE).await;
    let (mut played, mut bundles) = (0, 0);
    let all = SHARE.into_iter().chain(others());
    let troubles: Vec<Trouble> = if rounds == 0 { SHARE.to_vec() } else { all.collect() };
    for _ in 0..rounds.max(1) {
        for trouble in chosen(&troubles) {
            // The three phones of each team are on three nodes, one of which dies together with the owner.
            let teams = match trouble {
                Trouble::NodeKilled(OWNER) => Some(GameOfTeams::begin(&cluster).await),
                _ => None,
            };
            bundles += trouble.play(&mut cluster).await;
            if let Some(teams) = teams {
                teams.end().await;
            }
            played += 1;
        }
    }
    assert!(played > 0, "CHAOS_ONLY fits no trouble");
    println!("{bundles} rows with answers that travelled together");
    assert_eq!(bundles > 0, small_bundles::IS_READ);
}

/// How many times everything is played; 0 unless the environment asks for more than the share.
pub fn chaos_rounds() -> usize {
    env::var("CHAOS_ROUNDS").ok().map_or(0, |text| text.parse().expect("a number"))
}

/// The troubles whose name contains `CHAOS_ONLY`, such as `NodeStopped(0`; all of them when it is not set.
fn chosen(troubles: &[Trouble]) -> Vec<Trouble> {
    let only = env::var("CHAOS_ONLY").unwrap_or_default();
    troubles.iter().copied().filter(|trouble| trouble.to_string().contains(&only)).collect()
}
