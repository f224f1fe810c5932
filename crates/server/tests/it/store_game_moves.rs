//! Orders of operators in the store, on every engine.

use std::time::Duration;

use quizhall::store::{GameMove, MoveOutcome, NodeReport, Store};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::store_stage::{a_game, enter, on_every_engine};

on_every_engine! {
    an_order_is_for_the_owner_and_is_taken_once
    an_order_is_either_taken_or_withdrawn
    a_game_has_one_order_at_a_time
    a_node_that_leaves_has_no_orders
    a_node_reads_whether_it_is_drained
}

async fn an_order_is_for_the_owner_and_is_taken_once(store: &Store) {
    let (owner, other) = (enter(store).await, enter(store).await);
    let order = order(store, "AAAAAA", owner, Some(other)).await;
    assert_eq!(store.move_outcome(order).await.unwrap(), None);
    assert_eq!(moves(store).await, [1, 0]);
    assert_eq!(store.open_moves(other).await.unwrap(), []);
    assert_eq!(store.open_moves(owner).await.unwrap(), [order]);
    assert!(store.take_move(order).await.unwrap() && !store.take_move(order).await.unwrap());
    assert_eq!((store.open_moves(owner).await.unwrap(), moves(store).await), (vec![], vec![0, 0]));
    for outcome in [MoveOutcome::Kept, MoveOutcome::Alone, MoveOutcome::Moved(other)] {
        store.end_move(order, outcome).await.unwrap();
        assert_eq!(store.move_outcome(order).await.unwrap(), Some(outcome));
    }
    store.forget_move(order).await.unwrap();
    assert_eq!(store.move_outcome(order).await.unwrap(), None);
}

async fn an_order_is_either_taken_or_withdrawn(store: &Store) {
    let owner = enter(store).await;
    let taken = order(store, "AAAAAA", owner, None).await;
    assert!(store.take_move(taken).await.unwrap());
    assert!(!store.withdraw_move(taken).await.unwrap());
    assert_eq!(store.move_outcome(taken).await.unwrap(), Some(MoveOutcome::Taken));
    let withdrawn = order(store, "BBBBBB", owner, None).await;
    assert!(store.withdraw_move(withdrawn).await.unwrap());
    assert!(!store.take_move(withdrawn).await.unwrap());
    assert_eq!(store.open_moves(owner).await.unwrap(), []);
}

async fn a_game_has_one_order_at_a_time(store: &Store) {
    let owner = enter(store).await;
    let first = order(store, "AAAAAA", owner, None).await;
    let second = GameMove { id: Uuid::now_v7(), ..first };
    assert!(!store.order_move(second).await.unwrap());
    assert_eq!(store.open_moves(owner).await.unwrap(), [first]);
    // The order of another command is not this one's to end or to withdraw.
    store.end_move(second, MoveOutcome::Kept).await.unwrap();
    store.forget_move(second).await.unwrap();
    assert_eq!(store.open_moves(owner).await.unwrap(), [first]);
    store.forget_move(first).await.unwrap();
    assert!(store.order_move(second).await.unwrap());
}

async fn a_node_that_leaves_has_no_orders(store: &Store) {
    let (leaves, stays) = (enter(store).await, enter(store).await);
    let withdrawn = order(store, "AAAAAA", leaves, None).await;
    let kept = order(store, "BBBBBB", stays, None).await;
    store.leave_node(leaves).await.unwrap();
    assert_eq!(store.open_moves(leaves).await.unwrap(), []);
    assert_eq!(store.open_moves(stays).await.unwrap(), [kept]);
    assert!(!store.take_move(withdrawn).await.unwrap());
}

async fn a_node_reads_whether_it_is_drained(store: &Store) {
    let node = enter(store).await;
    let read = async || {
        let renewal = store.renew_node(node, NodeReport::default()).await.unwrap().unwrap();
        renewal.nodes[0].drain
    };
    assert!(!read().await);
    assert!(store.order_drain(node, true).await.unwrap());
    assert!(read().await);
    assert!(store.order_drain(node, false).await.unwrap());
    assert!(!read().await);
    // Withdrawn while the node has not begun, and not afterwards.
    store.order_drain(node, true).await.unwrap();
    assert!(store.withdraw_drain(node).await.unwrap() && !read().await);
    store.order_drain(node, true).await.unwrap();
    let begun = NodeReport { draining: true, bus_lag: Some(Duration::ZERO), ..NodeReport::default() };
    assert!(store.renew_node(node, begun).await.unwrap().unwrap().nodes[0].drain);
    assert!(!store.withdraw_drain(node).await.unwrap());
    assert!(!store.order_drain(Uuid::now_v7(), true).await.unwrap(), "it is not in the list");
}

/// An order for a new game.
async fn order(store: &Store, code: &str, node: Uuid, target: Option<Uuid>) -> GameMove {
    let (game, _): (GameId, _) = a_game(store, code).await;
    let order = GameMove { id: Uuid::now_v7(), game, node, target };
    assert!(store.order_move(order).await.unwrap());
    order
}

/// The number of orders that each node has not read, in the order of the list.
async fn moves(store: &Store) -> Vec<u32> {
    store.nodes().await.unwrap().iter().map(|node| node.moves).collect()
}
