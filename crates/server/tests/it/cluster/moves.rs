//! `quizhall nodes move` during play, and bad input to the orders of operators: a sentence, exit code 1, and nothing has changed.

use std::time::Duration;

use tempfile::TempDir;
use tokio::time::Instant;
use uuid::Uuid;

use super::harness::{Cluster, NODES, TIMEOUT, until};
use super::party::{OWNER, Party, owner};
use super::shell::{all_listed, command, done, owned, refused, run};
use crate::faults::company::Company;
use crate::process::{signal, stop};
use crate::time_limits::promised;

/// The promise to all players of a game that moves.
const PAUSE: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_moves_under_play_without_a_lost_answer_and_a_wrong_order_changes_nothing() {
    // A node that hangs for a moment shall stay in the list.
    let cluster = Cluster::start(&[("NODE_LEASE", "10s")]).await;
    all_listed(&cluster, NODES).await;
    a_game_moves_under_play(&cluster).await;
    a_wrong_order_is_refused_in_words(&cluster).await;
}

async fn a_game_moves_under_play(cluster: &Cluster) {
    let mut party = Party::begin(cluster).await;
    let (code, game) = (party.company.code.clone(), party.company.game);
    let begun = Instant::now();
    for (step, node) in [2, 1, 0, 1].into_iter().enumerate() {
        // By code and by id, to a node by its name.
        let words = if step % 2 == 0 { code.clone() } else { game.to_string() };
        let said = done(cluster, &["nodes", "move", &words, &format!("node{node}")]);
        assert!(said.starts_with("The game has moved from node node"), "{said}");
        assert_eq!(owner(cluster, game).await, Some(node));
        party.acknowledged(3, TIMEOUT).await;
    }
    assert_eq!(done(cluster, &["nodes", "move", &code, "node1"]), "The game is on node node1 already.\n");
    let record = party.end(cluster).await;
    let waited = record.longest_wait(&[], begun);
    println!("{} acknowledged, {} epochs, longest wait {waited:.1?}", record.acknowledged(), record.epochs);
    assert_eq!(record.epochs, 6, "created, claimed, and four moves");
    assert!(waited <= promised(PAUSE), "a player waited {waited:?}");
    assert!(record.diaries.iter().all(|diary| diary.lost.is_empty()), "a socket was closed by a move");
}

async fn a_wrong_order_is_refused_in_words(cluster: &Cluster) {
    let company = Company::open(&cluster.nodes[OWNER].server, &[1], &["Ann"]).await;
    let idle = Company::open(&cluster.nodes[OWNER].server, &[1], &[]).await;
    let (code, unknown) = (company.code.as_str(), Uuid::now_v7().to_string());
    for (words, sentence) in [
        (&["nodes", "move", "NOGAME"][..], "there is no game with this code or id"),
        (&["nodes", "move", &unknown], "there is no game with this code or id"),
        (&["nodes", "move", code, "node9"], "there is no node with this name or id"),
        (&["nodes", "move", code, &unknown], "there is no node with this name or id"),
        (&["nodes", "move", &idle.code], "no node owns this game at the moment"),
        (&["nodes", "drain", "node9"], "there is no node with this name or id"),
        (&["nodes", "drain", &unknown], "there is no node with this name or id"),
    ] {
        let said = refused(&command(cluster, words));
        assert!(said.contains(sentence), "{words:?}: {said}");
        assert_eq!(owner(cluster, company.game).await, Some(OWNER), "{words:?}");
    }
    assert_eq!(done(cluster, &["nodes", "drain", "node2", "--undo"]), "node node2 is not drained.\n");

    // The owner hangs: the order is withdrawn, and is not carried out when it wakes.
    let id = cluster.nodes[OWNER].server.id();
    done(cluster, &["nodes", "drain", "node2"]);
    let said = refused(&command(cluster, &["nodes", "move", code, "node2"]));
    assert!(said.contains("node node2 is drained or stopping"), "{said}");
    let said = {
        stop(id);
        let said = refused(&command(cluster, &["nodes", "drain", "node0", "--wait", "1"]));
        signal(id, "CONT");
        said
    };
    assert!(said.contains("node node0 did not react within 1 s; the order is withdrawn"), "{said}");

    // The last node cannot be drained, and a game cannot leave it.
    let said = done(cluster, &["nodes", "drain", "node1"]);
    assert!(said.contains("node node1 owns no game after"), "{said}");
    let said = refused(&command(cluster, &["nodes", "drain", "node0"]));
    assert!(said.contains("no other node can own the games of node node0; nothing has changed"), "{said}");
    let said = refused(&command(cluster, &["nodes", "move", code]));
    assert!(said.contains("no other node can own the game") || said.contains("no node owns this game"), "{said}");
    assert!(owned(cluster).await.keys().all(|node| node == "node0"), "no game has left the last node");
    done(cluster, &["nodes", "drain", "node1", "--undo"]);
    done(cluster, &["nodes", "drain", "node2", "--undo"]);
    until("both own games again", TIMEOUT, async || !done(cluster, &["nodes"]).contains("drained")).await;
}

#[test]
fn one_process_takes_no_orders() {
    let folder = TempDir::new().unwrap();
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    for words in [&["nodes", "move", "ABCDEF"][..], &["nodes", "drain", "node0"]] {
        let said = refused(&run(&url, words));
        assert!(said.contains("The database is SQLite: one process serves it"), "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no database was made");
}
