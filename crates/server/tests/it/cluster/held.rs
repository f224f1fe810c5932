//! Purging and erasing while several nodes have the game in memory: each node drops it, and no part of it returns.

use std::process::{Command, Output};
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::harness::{Cluster, TIMEOUT, until};
use super::party::{HOST, OWNER, owner};
use super::trouble::OTHER;
use crate::faults::company::{Company, acknowledged, address, answer, release, say, sync_messages};
use crate::process::{HOST_TOKEN, signal, stop};
use crate::ws_wire::{Frame, Handshake, Wire, frame};

/// Longer than a lease, so that the sleeping node is removed from the list, and longer than a purge waits for other nodes.
const WATCHED: Duration = Duration::from_secs(4);
const NAMES: [&str; 2] = ["Canaryann", "Canarybob"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purge_beside_nodes_that_have_the_game_leaves_nothing_that_comes_back() {
    let cluster = Cluster::start(&[]).await;
    let (company, mut wires) = an_ended_game(&cluster).await;
    let live = Company::open(&cluster.nodes[OWNER].server, &[1], &["Cy"]).await;
    let refused = purge(&cluster, live.game);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has not ended"));

    // One node has the game in memory and sleeps during all of this.
    assert_eq!(owner(&cluster, company.game).await, Some(OWNER));
    stop(cluster.nodes[OWNER].server.id());
    let purged = purge(&cluster, company.game);
    assert!(purged.status.success(), "{}", String::from_utf8_lossy(&purged.stderr));
    for wire in &mut wires[1..] {
        is_closed(wire).await;
    }
    assert_eq!(rows(&cluster, company.game).await, 0);
    signal(cluster.nodes[OWNER].server.id(), "CONT");
    cluster.all_ready(TIMEOUT).await;
    let watched = Instant::now();
    while watched.elapsed() < WATCHED {
        for node in &cluster.nodes {
            let handshake = Handshake::bearer(&company.players[0].token);
            let opened = Wire::open(address(&node.server), &format!("/ws/{}", company.code), &handshake).await;
            assert!(watched.elapsed() < Duration::from_secs(2) || opened.is_err(), "no client finds the game");
            drop(opened);
        }
        assert_eq!(rows(&cluster, company.game).await, 0, "rows of the game have returned");
        sleep(Duration::from_millis(100)).await;
    }

    let mut host = live.host(&cluster.nodes[HOST].server).await;
    say(&mut host, "start_game").await;
    host.until("game_started").await;
    is_deleted_while_it_is_played(&cluster, &live, host).await;
    a_name_that_is_erased_over_one_node_is_shown_by_no_other(&cluster).await;
}

/// The game is deleted through a node that has none of its sockets and does not own it.
async fn is_deleted_while_it_is_played(cluster: &Cluster, live: &Company, mut host: Wire) {
    let mut player = live.player(&cluster.nodes[HOST].server, 0).await;
    release(&mut host, live.rounds[0][0]).await;
    player.until("question_released").await;
    answer(&mut player, live.rounds[0][0], "right").await;
    acknowledged(&mut player, live.rounds[0][0]).await;
    let owner = owner(cluster, live.game).await;
    let elsewhere = if owner == Some(OTHER) { OWNER } else { OTHER };
    cluster.nodes[elsewhere].server.api().delete_game(live.game).await.unwrap();
    for wire in [&mut host, &mut player] {
        assert_eq!(wire.closed().await, (4410, "game_closed".to_owned()));
    }
    let purged = purge(cluster, live.game);
    assert!(purged.status.success(), "{}", String::from_utf8_lossy(&purged.stderr));
    assert_eq!(rows(cluster, live.game).await, 0);
}

async fn a_name_that_is_erased_over_one_node_is_shown_by_no_other(cluster: &Cluster) {
    let (company, mut wires) = an_ended_game(cluster).await;
    let path = format!("/api/v1/games/{}/players/{}/data", company.game, company.players[1].id);
    let request = reqwest::Client::new().delete(format!("{}{path}", cluster.nodes[HOST].server.url()));
    assert_eq!(request.bearer_auth(HOST_TOKEN).send().await.unwrap().status(), 204);
    for wire in &mut wires {
        is_closed(wire).await;
    }
    for node in &cluster.nodes {
        let mut shown = Vec::new();
        until("the game is back", TIMEOUT, async || {
            let path = format!("/ws/{}", company.code);
            let host = Handshake::bearer(HOST_TOKEN);
            let Ok(mut wire) = Wire::open(address(&node.server), &path, &host).await else { return false };
            shown = sync_messages(&mut wire).await;
            !shown.is_empty()
        })
        .await;
        let shown = serde_json::to_string(&shown).unwrap();
        assert!(shown.contains("Player 2") && shown.contains(NAMES[0]) && !shown.contains(NAMES[1]), "{shown}");
    }
}

/// A game owned by [`OWNER`] that has ended, with one open socket on each node, the owner's first.
async fn an_ended_game(cluster: &Cluster) -> (Company, [Wire; 3]) {
    let [at_owner, at_host, at_other] = [OWNER, HOST, OTHER].map(|node| &cluster.nodes[node].server);
    let company = Company::open(at_owner, &[1], &NAMES).await;
    let (mut ann, mut bob) = (company.player(at_owner, 0).await, company.player(at_other, 1).await);
    let mut host = company.host(at_host).await;
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    for player in [&mut ann, &mut bob] {
        player.until("question_released").await;
        answer(player, company.rounds[0][0], "right").await;
        acknowledged(player, company.rounds[0][0]).await;
    }
    for word in ["end_round", "release_scores", "end_game"] {
        say(&mut host, word).await;
    }
    for wire in [&mut ann, &mut bob, &mut host] {
        wire.until("game_ended").await;
    }
    (company, [ann, bob, host])
}

fn purge(cluster: &Cluster, game: Uuid) -> Output {
    let mut purge = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    purge.args(["purge", "--game", &game.to_string()]).env_clear().env("DATABASE_URL", &cluster.database_url);
    purge.output().unwrap()
}

/// Rows of the game's log and of its snapshots.
async fn rows(cluster: &Cluster, game: Uuid) -> i64 {
    let mut database = PgConnectOptions::from_str(&cluster.database_url).unwrap().connect().await.unwrap();
    let count = "SELECT (SELECT count(*) FROM game_log WHERE game_id = $1::uuid)
        + (SELECT count(*) FROM game_snapshot WHERE game_id = $1::uuid)";
    sqlx::query_scalar(count).bind(game.to_string()).fetch_one(&mut database).await.unwrap()
}

async fn is_closed(wire: &mut Wire) {
    loop {
        match wire.next().await {
            Frame::Close(..) | Frame::End => return,
            Frame::Ping(data) => wire.raw(&frame(0x8a, &data)).await,
            _ => {}
        }
    }
}
