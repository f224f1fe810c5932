//! Joining on a cluster: every node knows at once which players joined through another, and all nodes count guesses together.

use quizhall_protocol::http::join::JoinRequest;
use serde_json::json;

use super::harness::{Cluster, NODES};
use super::trouble::OTHER;
use crate::faults::company::{Company, sync_messages, types};
use crate::faults::probes::metric;
use crate::process::HOST_TOKEN;

/// The node through which people join.
const OVER: usize = 0;
const JOINS: usize = 50;
/// Wrong codes that an address may try in a minute.
const GUESSES: &str = "10";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_join_over_one_node_is_known_on_all_at_once() {
    let cluster = Cluster::start(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", GUESSES)]).await;
    let company = Company::open(&cluster.nodes[OVER].server, &[1], &[]).await;
    let company = sockets_open_at_once(&cluster, company).await;
    nodes_without_sockets_know_too(&cluster, company).await;
    a_ban_is_known_too(&cluster).await;
    guesses_count_together(&cluster).await;
}

/// No player is refused, and each player is shown a lobby that lists them.
async fn sockets_open_at_once(cluster: &Cluster, mut company: Company) -> Company {
    let api = cluster.nodes[OVER].server.api();
    let mut wires = Vec::new();
    for number in 0..JOINS {
        company.join(&api, &format!("Player {number}")).await;
        let node = 1 + number % (NODES - 1);
        let mut wire = company.player(&cluster.nodes[node].server, number).await;
        let shown = sync_messages(&mut wire).await;
        assert!(types(&shown).iter().all(|kind| *kind == "lobby_update"), "{shown:?}");
        let own = json!(company.players[number].id);
        let last = shown.last().and_then(|update| update["payload"]["players"].as_array());
        assert!(last.is_some_and(|all| all.iter().any(|player| player["id"] == own)), "player {number} on node {node}");
        wires.push(wire);
    }
    company
}

/// A node that read a game once and has no socket of it receives no changes: it has to read again.
async fn nodes_without_sockets_know_too(cluster: &Cluster, company: Company) {
    let [over, other] = [OVER, OTHER].map(|node| cluster.nodes[node].server.api());
    let quiz = over.game(company.game).await.unwrap().quiz_id.unwrap();
    let game = over.create_game(quiz).await.unwrap();
    let mut fresh = Company { game: game.id, code: game.game_code, rounds: company.rounds, players: Vec::new() };
    for number in 0..5 {
        assert_eq!(other.game(fresh.game).await.unwrap().player_count, number);
        fresh.join(&over, &format!("Guest {number}")).await;
    }
    over.lock_game(fresh.game, true).await.unwrap();
    assert!(other.game(fresh.game).await.unwrap().locked);
    assert_eq!(other.players(fresh.game).await.unwrap().players.len(), 5);
}

/// The same for a player who was banned: another node has read the game before the ban, and receives no events of it.
async fn a_ban_is_known_too(cluster: &Cluster) {
    let [over, other] = [OVER, OTHER].map(|node| &cluster.nodes[node].server);
    let company = Company::open(over, &[1], &["Mallory"]).await;
    assert_eq!(other.api().players(company.game).await.unwrap().players.len(), 1);
    let [mallory] = &company.players[..] else { panic!("one player") };
    let client = reqwest::Client::new();
    let banned = format!("{}/api/v1/games/{}/players/{}?ban=true", over.url(), company.game, mallory.id);
    assert_eq!(client.delete(banned).bearer_auth(HOST_TOKEN).send().await.unwrap().status(), 204);
    let again = client.post(format!("{}/join", other.url())).bearer_auth(&mallory.token);
    let again = again.json(&json!({"gameCode": company.code, "displayName": "Alice"}));
    assert_eq!(again.send().await.unwrap().status(), 403);
}

async fn guesses_count_together(cluster: &Cluster) {
    let guess = JoinRequest::new("ZZZZZZ".to_owned(), "Mallory".to_owned());
    let mut statuses = Vec::new();
    for number in 0..12 {
        let refused = cluster.nodes[number % NODES].server.api().join(&guess, None).await.err();
        statuses.push(refused.and_then(|error| error.status()).unwrap());
    }
    // When the store is late, a node does without it for a second and counts attempts by itself.
    let mut late = 0;
    for node in &cluster.nodes {
        late += metric(&node.server, "quizhall_shared_limit_failures_total").await;
    }
    let together = [vec![404; 10], vec![429; 2]].concat();
    assert!(statuses == together || late > 0, "{GUESSES} a minute over all nodes: {statuses:?}");
}
