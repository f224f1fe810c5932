//! The task that renews this node's entry in the list, evicts nodes that were silent for too long, and rejoins under a
//! new incarnation when this node itself was evicted.
//!
//! Drives the engine's `Members` with the database's answers. Runs as long as the process.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use quizhall_engine::{EdgeId, Member, Members, MembersEffect, MembersInput};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::{Cluster, Joined, announced_log, new_node};
use crate::clock;
use crate::cluster::bus::{BusMessage, Notice, Received};
use crate::games::PlacedNode;
use crate::store::{NodeRow, Renewal};
use crate::telemetry::metrics;

/// The pause between two attempts to enter the list again.
const ENTER_AGAIN: Duration = Duration::from_millis(250);

struct Membership<'a> {
    cluster: &'a Cluster,
    joined: &'a Joined,
    started: Instant,
    inbox: JoinHandle<()>,
}

pub(super) async fn run(cluster: Cluster) {
    let Some(joined) = &cluster.0.joined else { return };
    let inbox = receive(&cluster, joined);
    let mut membership = Membership { cluster: &cluster, joined, started: clock::now(), inbox };
    loop {
        membership.renew().await;
        let pause = joined.members.read().unwrap_or_else(PoisonError::into_inner).pause();
        tokio::select! {
            () = sleep(pause) => {}
            () = joined.renew.notified() => {}
        }
        if cluster.0.registry.has_left() {
            membership.inbox.abort();
            return;
        }
    }
}

/// Forwards received messages until the inbox is closed.
fn receive(cluster: &Cluster, joined: &Joined) -> JoinHandle<()> {
    let inbox = joined.bus.receive(EdgeId::of_node(cluster.id()));
    tokio::spawn(hand_on(cluster.clone(), inbox, joined.notices.clone()))
}

async fn hand_on(cluster: Cluster, mut inbox: mpsc::Receiver<Received<BusMessage>>, notices: mpsc::Sender<Notice>) {
    while let Some(message) = inbox.recv().await {
        match message.what {
            // A dropped notice is replaced by reading the database.
            BusMessage::Notice(notice) => drop(notices.try_send(notice)),
            what => cluster.0.registry.receive(Received { what, ..message }),
        }
    }
}

impl Membership<'_> {
    async fn renew(&mut self) {
        let (me, report) = (self.cluster.id(), self.cluster.report(self.joined));
        let renewed = timeout(self.joined.settings.lease, self.joined.store.renew_node(me, report)).await;
        if self.cluster.0.registry.has_left() {
            return;
        }
        let input = match renewed {
            Ok(Ok(Some(renewal))) => self.learn(renewal),
            Ok(Ok(None)) => MembersInput::Expired,
            Ok(Err(error)) => {
                tracing::debug!(%error, "this node's place in the list could not be renewed");
                MembersInput::Missed
            }
            Err(_) => MembersInput::Missed,
        };
        self.step(input).await;
    }

    fn learn(&self, Renewal { beat, nodes }: Renewal) -> MembersInput {
        let figures = nodes.iter().map(|node| placed(node, self.joined.settings.lease)).collect();
        self.cluster.0.registry.set_nodes(nodes.iter().map(|node| node.id), figures);
        let oldest = nodes.iter().map(|node| node.log_version).fold(announced_log(), u32::min);
        self.cluster.0.registry.set_oldest_log(oldest);
        metrics::nodes(nodes.len());
        let list = nodes.iter().map(member).collect();
        if let Some(own) = nodes.iter().find(|node| node.id == self.cluster.id()) {
            self.cluster.follow_orders(own);
        }
        *self.cluster.0.nodes.write().unwrap_or_else(PoisonError::into_inner) = nodes;
        MembersInput::Renewed { beat, list }
    }

    async fn step(&mut self, input: MembersInput) {
        let now = clock::since(self.started);
        let effects = self.joined.members.write().unwrap_or_else(PoisonError::into_inner).step(now, input);
        for effect in effects {
            match effect {
                MembersEffect::Evict(node) => self.evict(node, self.joined.settings.lease).await,
                MembersEffect::EvictAtOnce(node) => self.evict(node, Duration::ZERO).await,
                MembersEffect::Gone(node) => self.left(node).await,
                MembersEffect::LookAtLogs => {
                    tracing::error!("the database has forgotten what it had stored; the logs are compared");
                    self.cluster.0.registry.look_at_logs().await;
                }
                MembersEffect::Rejoin => self.rejoin().await,
            }
        }
    }

    async fn evict(&self, node: EdgeId, silent: Duration) {
        let Some(id) = self.cluster.0.registry.node_of(node) else { return };
        // If another node evicted it, or it was not silent any more, the next renewal shows that.
        if let Ok(Ok(true)) = timeout(self.joined.settings.lease, self.joined.store.evict_node(id, silent)).await {
            metrics::node_evicted();
            tracing::warn!(node = %id, "a node was silent for too long and is removed from the list");
            let evicted = MembersInput::Evicted(node);
            let now = clock::since(self.started);
            let effects = self.joined.members.write().unwrap_or_else(PoisonError::into_inner).step(now, evicted);
            if effects.contains(&MembersEffect::Gone(node)) {
                self.left(node).await;
            }
        }
    }

    async fn left(&self, node: EdgeId) {
        tracing::info!(node = ?self.cluster.0.registry.node_of(node), "a node has left");
        self.joined.remote.forget(node);
        self.cluster.0.registry.node_left(node).await;
    }

    /// Enters the list again under a new id. Other nodes have taken over the games, so everything in memory is dropped.
    async fn rejoin(&mut self) {
        tracing::warn!("this node was removed from the list; it rejoins under another id");
        let id = Uuid::now_v7();
        self.inbox.abort();
        // While this guard lives, no game is loaded.
        let _life = self.cluster.0.registry.rejoin(id).await;
        while !matches!(
            timeout(
                self.joined.settings.lease,
                self.joined.store.enter_node(new_node(id, &self.joined.settings, self.cluster.is_drained()))
            )
            .await,
            Ok(Ok(()))
        ) {
            sleep(ENTER_AGAIN).await;
            // A node that entered the list after leaving it would stay there for a whole lease.
            if self.cluster.0.registry.has_left() {
                return;
            }
        }
        let members = Members::new(clock::since(self.started), EdgeId::of_node(id), self.joined.settings.lease);
        *self.joined.members.write().unwrap_or_else(PoisonError::into_inner) = members;
        self.inbox = receive(self.cluster, self.joined);
        // Frames are rejected until the list has been read.
        self.joined.renew.notify_one();
        let draining = self.cluster.0.draining.load(Ordering::Relaxed) || self.cluster.is_drained();
        tracing::info!(node = %id, draining, "entered the list of nodes again");
    }
}

fn member(row: &NodeRow) -> Member {
    Member { id: EdgeId::of_node(row.id), age: row.age, draining: row.report.draining }
}

fn placed(row: &NodeRow, lease: Duration) -> PlacedNode {
    PlacedNode {
        node: EdgeId::of_node(row.id),
        zone: row.zone.clone(),
        fit: row.age < lease && !row.report.draining && !row.drain,
        busy: row.report.busy_millicores.filter(|_| row.report.bus_lag.is_some()),
        games: row.report.games,
    }
}
