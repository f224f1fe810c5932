//! A node that slept for longer than its lease gets requests from new sockets before it knows: it shows nothing from its memory,
//! although an earlier heartbeat of the owner is still unread in its connection.

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

/// Short, so that the node still reads its connection when it wakes: after a longer sleep, the read would have timed out.
const LEASE: (&str, &str) = ("NODE_LEASE", "1s");
/// Enough time for the owner to send a heartbeat that the sleeping node does not read.
const HEARTBEAT: Duration = Duration::from_millis(600);
/// How long it sleeps after that; together with the time before, longer than the lease.
const ASLEEP: Duration = Duration::from_millis(600);
/// How late the woken node learns from the database what it has missed.
const DATABASE_DELAY: Duration = Duration::from_millis(100);
/// Enough time for the requests of new sockets to arrive before it wakes.
const KNOCKING: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_woken_node_shows_new_sockets_no_old_phase() {
    let cluster = Cluster::start(&[LEASE]).await;
    let [owner, host, sleeper] = [OWNER, HOST, OTHER].map(|node| &cluster.nodes[node].server);
    let mut company = Company::open(owner, &[1], &["Ann", "Bob", "Cy"]).await;
    let (mut host, mut ann) = (company.host(host).await, company.player(sleeper, 0).await);
    sync_messages(&mut ann).await;
    // This shows that the owner knows the edge of the sleeper.
    company.join(&owner.api(), "Dan").await;
    ann.until("lobby_update").await;
    stop(sleeper.id());
    sleep(HEARTBEAT).await;
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    sleep(ASLEEP).await;
    all_are_shown(&cluster, &company, "question_released").await;
}

/// Wakes the node after every player has sent a request: each is shown this message, or nothing and is closed with `resync_required`.
async fn all_are_shown(cluster: &Cluster, company: &Company, now: &str) {
    let sleeper = &cluster.nodes[OTHER];
    // The node reads the bytes that are already in its connection, and none that come later.
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

/// The types of the sync messages, up to the pong or to the close that asks the client to reconnect.
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
            other => panic!("{other:?} after {types:?}"),
        }
    }
}
