//! Which node comes to own a game: a node that was added takes its share of new games, and a game moves to the zone of most sockets.

use super::harness::{Cluster, NODES};
use super::party::owner;
use super::shell::{all_listed, done, owned};
use crate::faults::company::{Company, sync_messages};

/// Games on each of the first nodes before another one is added. A node gives new games away while it owns 20 more than another
/// (`games/placement.rs`).
const BEFORE: usize = 26;
/// Games that are opened afterwards, on the first nodes.
const AFTER: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fourth_node_takes_its_share_of_new_games() {
    let mut cluster = Cluster::start(&[("GAMES_PER_HOST", "1000")]).await;
    all_listed(&cluster, NODES).await;
    open(&cluster, BEFORE * NODES).await;
    let even = owned(&cluster).await;
    for node in 0..NODES {
        assert_eq!(
            even.get(&format!("node{node}")),
            Some(&BEFORE),
            "an even cluster: a game stays where it is asked for"
        );
    }
    let fourth = cluster.add(&[("GAMES_PER_HOST", "1000")]).await;
    all_listed(&cluster, NODES + 1).await;
    open(&cluster, AFTER).await;
    let spread = owned(&cluster).await;
    let taken = *spread.get("node3").unwrap_or(&0);
    assert_eq!(spread.values().sum::<usize>(), BEFORE * NODES + AFTER, "{spread:?}");
    // A quarter would be its share if it had been asked like the others, which it never was.
    assert!(taken >= AFTER / 4, "{spread:?}");
    println!("the fourth node owns {taken} of {AFTER} new games");
    // It serves games that it was given.
    let company = Company::open(&cluster.nodes[fourth].server, &[1], &["Ann"]).await;
    let mut player = company.player(&cluster.nodes[0].server, 0).await;
    sync_messages(&mut player).await;
}

/// Opens games with one player each, on the first nodes in turn.
async fn open(cluster: &Cluster, games: usize) {
    let model = Company::open(&cluster.nodes[0].server, &[1], &[]).await;
    let quiz = cluster.nodes[0].server.api().game(model.game).await.unwrap().quiz_id.unwrap();
    for number in 0..games {
        let api = cluster.nodes[number % NODES].server.api();
        let game = api.create_game(quiz).await.unwrap();
        let mut company = Company { game: game.id, code: game.game_code, rounds: Vec::new(), players: Vec::new() };
        company.join(&api, "Ann").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_moves_to_the_zone_of_most_of_its_sockets() {
    const ZONES: [&str; NODES] = ["north", "north", "south"];
    let cluster = Cluster::start_each(&[], |number| Some(("NODE_ZONE", ZONES[number]))).await;
    all_listed(&cluster, NODES).await;
    // Node 1 owns nothing, so without zones it would suit best.
    for _ in 0..2 {
        Company::open(&cluster.nodes[2].server, &[1], &["Ann"]).await;
    }
    let company = Company::open(&cluster.nodes[0].server, &[1], &["Ann", "Bob", "Cid"]).await;
    assert_eq!(owner(&cluster, company.game).await, Some(0));
    let mut host = company.host(&cluster.nodes[0].server).await;
    sync_messages(&mut host).await;
    let mut south = Vec::new();
    for number in 0..2 {
        let mut player = company.player(&cluster.nodes[2].server, number).await;
        sync_messages(&mut player).await;
        south.push(player);
    }
    let said = done(&cluster, &["nodes", "move", &company.code]);
    assert!(said.starts_with("The game has moved from node node0 to node node2 in "), "{said}");
    assert_eq!(owner(&cluster, company.game).await, Some(2));
    drop(south);
    let mut north = company.player(&cluster.nodes[1].server, 2).await;
    sync_messages(&mut north).await;
    // The sockets in the south are closed, so two of two are in the north, whose first node owns as many games as the second.
    let said = done(&cluster, &["nodes", "move", &company.code.to_lowercase()]);
    assert!(said.contains("from node node2 to node node0") || said.contains("from node node2 to node node1"), "{said}");
    let table = done(&cluster, &["nodes", "list"]);
    assert!(table.lines().next().unwrap().contains("ZONE") && table.contains("  south  "), "{table}");
}
