//! The list of nodes and the owners of games, on every engine.

use std::time::Duration;

use quizhall::store::{NewNode, NodeReport, OwnerChange, OwnerRow, Store};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::store_stage::{a_game, enter, on_every_engine};

/// A lease that outlasts every test.
const LONG: Duration = Duration::from_secs(600);
/// A lease that expires as soon as it begins.
const NONE: Duration = Duration::ZERO;

on_every_engine! {
    a_node_enters_and_says_how_it_is
    every_renewal_counts
    to_enter_twice_is_to_enter_once
    only_a_silent_node_is_evicted_and_once
    a_node_that_leaves_frees_its_games_and_no_others
    one_of_many_nodes_that_take_a_game_gets_it
}

async fn a_node_enters_and_says_how_it_is(store: &Store) {
    assert_eq!(store.nodes().await.unwrap(), []);
    let first = enter(store).await;
    let second = NewNode {
        id: Uuid::now_v7(),
        name: "häuschen '\"".to_owned(),
        version: "1.2.3".to_owned(),
        log_version: 7,
        zone: "north".to_owned(),
        drain: true,
    };
    store.enter_node(second.clone()).await.unwrap();
    let report = NodeReport {
        games: u32::MAX,
        sockets: 5_000,
        bus_lag: Some(Duration::from_micros(1_234)),
        draining: true,
        busy_millicores: Some(1_750),
    };
    let renewal = store.renew_node(second.id, report).await.unwrap().unwrap();
    let nodes = store.nodes().await.unwrap();
    assert_eq!(ids(&nodes), [first, second.id], "oldest first");
    assert_eq!(ids(&renewal.nodes), [first, second.id], "with itself");
    let [silent, busy] = &nodes[..] else { panic!("two nodes") };
    assert_eq!(silent.report, NodeReport::default());
    assert_eq!((busy.name.as_str(), busy.version.as_str(), busy.report), ("häuschen '\"", "1.2.3", report));
    assert_eq!((silent.log_version, busy.log_version), (1, 7));
    assert_eq!((silent.zone.as_str(), silent.drain, silent.moves), ("", false, 0));
    assert_eq!((busy.zone.as_str(), busy.drain, busy.moves), ("north", true, 0));
    assert!(busy.age <= busy.up && silent.up < LONG && silent.up >= busy.up, "{nodes:?}");
    let quiet = store.renew_node(second.id, NodeReport::default()).await.unwrap().unwrap();
    assert_eq!(quiet.nodes[1].report, NodeReport::default(), "its report has changed");
}

async fn every_renewal_counts(store: &Store) {
    let (node, other) = (enter(store).await, enter(store).await);
    let mut beats = Vec::new();
    for node in [node, node, other, node] {
        beats.push(store.renew_node(node, NodeReport::default()).await.unwrap().unwrap().beat);
    }
    assert_eq!(beats, [2, 3, 2, 4], "entering is the first beat");
}

async fn to_enter_twice_is_to_enter_once(store: &Store) {
    // The reply to the first request was lost.
    let node = enter(store).await;
    let again = NewNode {
        id: node,
        name: "again".to_owned(),
        version: "1".to_owned(),
        log_version: 1,
        zone: String::new(),
        drain: false,
    };
    store.enter_node(again).await.unwrap();
    assert_eq!(ids(&store.nodes().await.unwrap()), [node]);
    assert_eq!(store.renew_node(node, NodeReport::default()).await.unwrap().unwrap().beat, 2);
}

async fn only_a_silent_node_is_evicted_and_once(store: &Store) {
    let (silent, other) = (enter(store).await, enter(store).await);
    let evicted = futures_util::future::join_all((0..8).map(|_| store.evict_node(silent, NONE))).await;
    assert_eq!(evicted.into_iter().filter(|evicted| *evicted.as_ref().unwrap()).count(), 1);
    assert_eq!(ids(&store.nodes().await.unwrap()), [other]);
    for unlisted in [silent, Uuid::now_v7()] {
        assert_eq!(store.renew_node(unlisted, NodeReport::default()).await.unwrap(), None);
    }
    for lease in [LONG, Duration::MAX] {
        assert!(!store.evict_node(other, lease).await.unwrap(), "it has renewed within {lease:?}");
    }
    assert_eq!(ids(&store.nodes().await.unwrap()), [other], "no node returns by renewing");
}

async fn a_node_that_leaves_frees_its_games_and_no_others(store: &Store) {
    let (leaving, staying) = (enter(store).await, enter(store).await);
    let (mine, theirs) = (owned(store, "AAAAAA", leaving).await, owned(store, "BBBBBB", staying).await);
    store.leave_node(leaving).await.unwrap();
    assert_eq!(ids(&store.nodes().await.unwrap()), [staying]);
    assert_eq!(store.game_owner(mine).await.unwrap(), Some(OwnerRow { owner: None, listed: false }));
    assert_eq!(store.game_owner(theirs).await.unwrap(), Some(OwnerRow { owner: Some(staying), listed: true }));
    store.leave_node(leaving).await.unwrap();
}

async fn one_of_many_nodes_that_take_a_game_gets_it(store: &Store) {
    let dead = enter(store).await;
    let game = owned(store, "AAAAAA", dead).await;
    assert!(store.evict_node(dead, NONE).await.unwrap());
    let mut rivals = Vec::new();
    for _ in 0..8 {
        rivals.push(enter(store).await);
    }
    let takes = rivals.iter().map(|rival| moved(store, game, *rival, Some(dead), Some(*rival)));
    let outcomes = futures_util::future::join_all(takes).await;
    let winners: Vec<Uuid> = rivals.iter().zip(outcomes).filter_map(|(rival, won)| won.then_some(*rival)).collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(store.game_owner(game).await.unwrap().unwrap().owner, Some(winners[0]));
}

/// A game that this node owns.
async fn owned(store: &Store, code: &str, owner: Uuid) -> GameId {
    let (game, _) = a_game(store, code).await;
    assert!(moved(store, game, owner, None, Some(owner)).await);
    game
}

fn ids(nodes: &[quizhall::store::NodeRow]) -> Vec<Uuid> {
    nodes.iter().map(|node| node.id).collect()
}

/// Whether the record of the game is changed from the one owner to the other, as this node asks.
async fn moved(store: &Store, game: GameId, by: Uuid, from: Option<Uuid>, to: Option<Uuid>) -> bool {
    store.change_owner(OwnerChange { game, by, from, to }).await.unwrap()
}
