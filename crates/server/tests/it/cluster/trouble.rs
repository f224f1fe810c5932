//! The faults of a cluster: how each begins, how long it lasts, how it ends, and what is promised meanwhile.

use std::fmt;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::harness::{Cluster, NODES, TIMEOUT, until};
use super::party::{OWNER, Party, Record};
use super::proxy::{Direction, Way};
use crate::process::{has_ended, signal, stop};
use crate::time_limits::promised;

/// A node that does not own the game.
pub const OTHER: usize = 2;

/// The owner is killed: the others get acknowledgements again within this time.
const KILLED: Duration = Duration::from_secs(3);
/// The owner stops responding without notice: the same.
const SILENT: Duration = Duration::from_secs(8);
/// Acknowledgements that show that a game continues.
const SOME: usize = 3;

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// SIGKILL, and a start later.
    NodeKilled(usize),
    /// SIGSTOP, and SIGCONT later.
    NodeStopped(usize, Duration),
    /// The node reaches neither store, without notice.
    NodeCutOff(usize, Duration),
    /// What the proxy between a node and a store does.
    Between(usize, Store, Way, Duration),
    /// What happens to a store itself.
    At(Store, Blow),
    /// The database is asked to stop, and started again.
    DatabaseRestarted,
    /// The cache loses all its data.
    CacheEmptied,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    Database,
    Cache,
}

/// A fault of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// SIGKILL, and a start after this time.
    Killed(Duration),
    /// SIGSTOP, and SIGCONT after this time.
    Stopped(Duration),
    /// The store ends all connections, repeatedly for this time.
    Disconnected(Duration),
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self:?}")
    }
}

/// The promise to players on nodes that are not in trouble themselves.
struct Promise {
    /// The nodes in trouble.
    at: Vec<usize>,
    /// The longest wait of any other player; `None` when no client can be answered meanwhile.
    wait: Option<Duration>,
    /// Whether all other players keep their connections.
    keep: bool,
}

impl Trouble {
    /// Plays a game during this trouble. Returns how many rows of its log hold answers that travelled together.
    pub async fn play(self, cluster: &mut Cluster) -> usize {
        let mut party = Party::begin(cluster).await;
        let begun = Instant::now();
        self.happen(cluster, &mut party).await;
        let healthy = cluster.all_ready(TIMEOUT).await;
        let again = party.acknowledged(SOME, TIMEOUT).await;
        let record = party.end(cluster).await;
        let promise = self.promise();
        let (waited, longest) = (record.longest_wait(&promise.at, begun), record.longest_wait(&[], begun));
        println!(
            "{self}: {} acknowledged, {} bundles, {} epochs; longest wait elsewhere {waited:.1?}, anywhere {longest:.1?}; ready \
             {healthy:.1?} and all answered {again:.1?} after it; away for {:.1?} at most",
            record.acknowledged(),
            record.bundles,
            record.epochs,
            record.longest_absence(),
        );
        promise.keep(&record, waited, self);
        record.bundles
    }

    /// Runs the trouble from beginning to end. Meanwhile the game continues where that is promised.
    async fn happen(self, cluster: &mut Cluster, party: &mut Party) {
        let elsewhere: Vec<usize> = (0..NODES).filter(|node| !self.promise().at.contains(node)).collect();
        match self {
            Self::NodeKilled(node) => {
                cluster.nodes[node].server.kill();
                party.acknowledged_on(&elsewhere, SOME, TIMEOUT).await;
                cluster.start_again(node);
            }
            Self::NodeStopped(node, time) => {
                let (id, until) = (cluster.nodes[node].server.id(), Instant::now() + time);
                stop(id);
                party.acknowledged_on(&elsewhere, SOME, TIMEOUT).await;
                tokio::time::sleep_until(until).await;
                signal(id, "CONT");
            }
            Self::NodeCutOff(node, time) => {
                let until = Instant::now() + time;
                cluster.nodes[node].set_all(Way::BlackHole(Direction::Both));
                party.acknowledged_on(&elsewhere, SOME, TIMEOUT).await;
                tokio::time::sleep_until(until).await;
                cluster.nodes[node].set_all(Way::Pass);
            }
            Self::Between(node, store, way, time) => {
                let proxy = match store {
                    Store::Database => &cluster.nodes[node].database,
                    Store::Cache => &cluster.nodes[node].cache,
                };
                proxy.set(way);
                sleep(time).await;
                proxy.set(Way::Pass);
            }
            Self::At(store, blow) => suffer(cluster, store, blow).await,
            Self::DatabaseRestarted => restart_database(cluster).await,
            Self::CacheEmptied => cluster.stores.cache.flush_all(),
        }
    }

    fn promise(self) -> Promise {
        let (at, wait, keep) = match self {
            Self::NodeKilled(node) => (vec![node], Some(KILLED), true),
            Self::NodeStopped(node, _) | Self::NodeCutOff(node, _) => (vec![node], Some(SILENT), true),
            // The owner reaches no node: clients of other nodes wait until the cache is available again, or another node takes over.
            Self::Between(OWNER, Store::Cache, ..) => (vec![OWNER], None, false),
            Self::Between(node, ..) => (vec![node], Some(SILENT), false),
            Self::At(Store::Database, _) | Self::DatabaseRestarted => ((0..NODES).collect(), None, false),
            // Games continue where the socket and the owner are on one node.
            Self::At(Store::Cache, _) | Self::CacheEmptied => {
                ((0..NODES).filter(|node| *node != OWNER).collect(), Some(KILLED), true)
            }
        };
        Promise { at, wait, keep }
    }
}

impl Promise {
    fn keep(&self, record: &Record, waited: Duration, trouble: Trouble) {
        if let Some(most) = self.wait {
            assert!(waited <= promised(most), "{trouble}: a player waited {waited:?}");
        }
        for diary in record.away_from(&self.at).filter(|_| self.keep) {
            assert!(
                diary.lost.is_empty(),
                "{trouble}: a player on node {} lost the connection: {:?}",
                diary.node,
                diary.lost
            );
        }
    }
}

/// Returns when the store works again or is about to.
async fn suffer(cluster: &mut Cluster, store: Store, blow: Blow) {
    match (store, blow) {
        (Store::Database, Blow::Killed(time)) => {
            cluster.stores.database.kill();
            sleep(time).await;
            cluster.stores.database.start_again();
        }
        (Store::Cache, Blow::Killed(time)) => {
            cluster.stores.cache.kill();
            sleep(time).await;
            cluster.stores.cache.start_again();
        }
        (Store::Database, Blow::Stopped(time)) => {
            cluster.stores.database.stop();
            sleep(time).await;
            cluster.stores.database.cont();
        }
        (Store::Cache, Blow::Stopped(time)) => {
            cluster.stores.cache.stop();
            sleep(time).await;
            cluster.stores.cache.cont();
        }
        (_, Blow::Disconnected(time)) => {
            let end = Instant::now() + time;
            while Instant::now() < end {
                match store {
                    Store::Database => cluster.stores.database.terminate_backends(&cluster.database_url).await,
                    Store::Cache => cluster.stores.cache.kill_clients(),
                }
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Stops the database fast, which ends every connection and needs no recovery, and starts it at once.
async fn restart_database(cluster: &mut Cluster) {
    let process = cluster.stores.database.pid();
    signal(process, "INT");
    until("the database ends", TIMEOUT, async || has_ended(process)).await;
    cluster.stores.database.kill();
    cluster.stores.database.start_again();
}
