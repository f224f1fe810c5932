//! A node that slept for longer than its lease, and is asked by new sockets before it knows: it shows nothing of what it
//! remembers, although an earlier heartbeat of the owner lies unread in its connection.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::sleep;

use super::harness::Cluster;
use super::party::{HOST, OWNER};
use super::proxy::{Direction, Way};
use super::trouble::OTHER;
use crate::faults::company::{Company, release, say, sync_messages};
use crate::process::{signal, stop};
use crate::ws_wire::{Frame, Wire, frame};

/// With it a node reads what lies in its connection when it wakes: one that slept for longer than a read may take drops it.
const LEASE: (&str, &str) = ("NODE_LEASE", "1s");
/// In which the owner has sent a heartbeat that no node reads.
const HEARTBEAT: Duration = Duration::from_millis(600);
/// From then on; with it longer than the lease.
const ASLEEP: Duration = Duration::from_millis(600);
/// How late the woken node learns from the database what it has missed.
const DATABASE_DELAY: Duration = Duration::from_millis(100);
/// For the requests of new sockets to be there when it wakes.
const KNOCKING: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_woken_node_shows_new_sockets_no_old_phase() {
    let cluster = Cluster::start(&[LEASE]).await;
    let [owner, host, sleeper] = [OWNER, HOST, OTHER].map(|node| &cluster.nodes[node].server);
    let mut company = Company::open(owner, &[1], &["Ann", "Bob", "Cy"]).await;
    let (mut host, mut ann) = (company.host(host).await, company.player(sleeper, 0).await);
    sync_messages(&mut ann).await;
    // The owner knows of the sleeper's edge.
    company.join(&owner.api(), "Dan").await;
    ann.until("lobby_update").await;
    stop(sleeper.id());
    sleep(HEARTBEAT).await;
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    sleep(ASLEEP).await;
    all_are_shown(&cluster, &company, "question_released").await;
}

/// Wakes the node when every player has knocked: each is shown this, or nothing and is sent away.
async fn all_are_shown(cluster: &Cluster, company: &Company, now: &str) {
    let sleeper = &cluster.nodes[OTHER];
    // It reads what lies in its connection, and nothing behind that.
    sleeper.cache.set(Way::BlackHole(Direction::FromStore));
    sleeper.database.set(Way::Delay(DATABASE_DELAY));
    let sockets = join_all((0..company.players.len()).map(|number| company.player(&sleeper.server, number)));
    let wake = async {
        sleep(KNOCKING).await;
        signal(sleeper.server.id(), "CONT");
    };
    let (sockets, ()) = tokio::join!(sockets, wake);
    for mut wire in sockets {
        let shown = shown(&mut wire).await;
        assert!(shown.first().is_none_or(|first| first == now), "{shown:?}");
    }
}

/// The types of the sync messages, up to the pong or to the close that asks to come again.
async fn shown(wire: &mut Wire) -> Vec<String> {
    wire.raw(&frame(0x89, b"shown")).await;
    let mut types = Vec::new();
    loop {
        match wire.next().await {
            Frame::Text(text) => {
                let message: serde_json::Value = serde_json::from_str(&text).unwrap();
                types.push(message["type"].as_str().unwrap().to_owned());
            }
            Frame::Ping(_) => {}
            Frame::Pong(_) | Frame::Close(4200, _) => return types,
            other => panic!("{other:?} behind {types:?}"),
        }
    }
}
