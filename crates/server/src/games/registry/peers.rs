//! The calls of `cluster` for all live games of this node: changes of the list of nodes, dropping every game.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::join_all;
use quizhall_engine::EdgeId;
use quizhall_engine::wire::CloseCode;
use tokio::sync::RwLockWriteGuard;
use tokio::time::timeout;
use uuid::Uuid;

use super::GameRegistry;
use crate::cluster::bus::{BusMessage, Peers, Received};
use crate::games::live::Live;
use crate::games::live::jobs::Order;
use crate::games::placement::PlacedNode;

/// How long dropping all games together may take.
const DROP: Duration = Duration::from_secs(6);

impl GameRegistry {
    /// This node's incarnation.
    pub fn node(&self) -> Uuid {
        self.inner.node.incarnation()
    }

    /// Connects the games of this node with those of others; may be called once, before anything is loaded.
    pub fn join(&self, peers: Peers) {
        self.inner.node.router.join(peers);
    }

    /// Delivers a message of another node about a game.
    pub fn receive(&self, message: Received<BusMessage>) {
        self.inner.node.router.receive(message);
    }

    /// The incarnation with this id on the bus, if it is in the list.
    pub fn node_of(&self, edge: EdgeId) -> Option<Uuid> {
        self.inner.node.incarnation_of(edge)
    }

    /// Records that the node leaves the list and must not enter it again.
    pub fn leave(&self) {
        self.inner.left.store(true, Ordering::Relaxed);
    }

    /// Whether the node has left the list for good.
    pub fn has_left(&self) -> bool {
        self.inner.left.load(Ordering::Relaxed)
    }

    /// Sets the list of nodes.
    pub fn set_nodes(&self, nodes: impl Iterator<Item = Uuid>, figures: Vec<PlacedNode>) {
        self.inner.node.set_incarnations(nodes);
        self.inner.node.placement.set(figures);
    }

    /// Sets whether this node hands over its games and wants no more.
    pub fn set_leaving(&self, leaving: bool) {
        self.inner.node.placement.set_leaving(leaving);
    }

    /// Sets the oldest version of the log in the list of nodes.
    pub fn set_oldest_log(&self, version: u32) {
        self.inner.node.set_oldest_log(version);
    }

    /// The oldest version of the log in the list of nodes. No game may begin to use what came later. Commands are refused by the
    /// game itself; a caller that creates a game, or promises a command for later, asks here.
    pub fn oldest_log(&self) -> u32 {
        self.inner.node.oldest_log()
    }

    /// Handles the end of a node: its sockets are closed, and its games have no owner.
    pub async fn node_left(&self, node: EdgeId) {
        for live in self.inner.all_live() {
            // A supervisor that has ended needs no order.
            let _ = live.orders.send(Order::NodeLeft(node)).await;
        }
    }

    /// The database may have lost rows: every owner here checks its log.
    pub async fn look_at_logs(&self) {
        for live in self.inner.all_live() {
            let _ = live.orders.send(Order::LookAtLog).await;
        }
    }

    /// Drops every game of an evicted node, closes their sockets with 4200, and continues under another id. No game is
    /// loaded before the guard is dropped, so it must be kept until the node is in the list under the new id.
    pub async fn rejoin(&self, node: Uuid) -> RwLockWriteGuard<'_, ()> {
        self.drop_all();
        let guard = self.inner.incarnation.write().await;
        // Drops also the games that were being loaded.
        let all = self.drop_all();
        let ended = join_all(all.iter().map(|live| live.ended.cancelled()));
        if timeout(DROP, ended).await.is_err() {
            tracing::warn!("some games of the evicted incarnation have not ended yet");
        }
        self.inner.node.set_incarnation(node);
        guard
    }

    fn drop_all(&self) -> Vec<Arc<Live>> {
        let all = self.inner.all_live();
        for live in &all {
            live.attached.close_all(CloseCode::ResyncRequired.into());
            live.stop.cancel();
        }
        all
    }
}
