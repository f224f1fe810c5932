//! Every open socket of this process: their number and limit, finding them, and closing all of them.
//!
//! Held by `App`. `ws/upgrade` opens sockets here, `auth`'s sign-out closes those of a token, `serve` drains. Sharded,
//! so that ten thousand people who arrive at once do not wait for a single lock.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quizhall_engine::ConnectionId;
use quizhall_protocol::{Close, CloseCode, Dialect, Role};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::auth::HostTokenHash;
use crate::clock;
use crate::config::SocketLimits;
use crate::games::Sink as _;
use crate::limits::{AddressKey, UpgradeLimits};
use crate::telemetry::SocketStats;

use super::budget::Budget;
use super::connection::Connection;
use super::queue::Bounds;
use super::reaper;
use crate::moment::{Epoch, Moment};

/// Parts of the registry, each with a lock of its own: the reaper locks one at a time while the others stay usable.
pub(super) const SHARDS: usize = 64;
/// All hosts are in this shard: a search for tokens looks only there.
const HOSTS: usize = 0;
/// How many clients per second may return after a restart, from which the window in `retry=` is computed.
const RETURNS_PER_SECOND: usize = 2_000;

/// The registry. Cheap to clone.
#[derive(Clone)]
pub struct Sockets(Arc<Shared>);

pub(super) struct Shared {
    pub(super) limits: SocketLimits,
    pub(super) budget: Arc<Budget>,
    epoch: Epoch,
    most: usize,
    shards: [Mutex<HashMap<ConnectionId, Arc<Connection>>>; SHARDS],
    next: AtomicU64,
    hosts: AtomicUsize,
    players: AtomicUsize,
    screens: AtomicUsize,
    reserved: AtomicUsize,
    upgrades: UpgradeLimits,
    draining: AtomicBool,
    left: Notify,
}

/// The properties of a connection that are fixed when it opens.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    /// The role of the client.
    pub role: Role,
    /// The set of messages that was agreed on.
    pub dialect: Dialect,
    /// Where the client is.
    pub address: AddressKey,
    /// The token on which a host's socket depends.
    pub token: Option<HostTokenHash>,
    /// When the token ends; [`Moment::END`] for players, screens and fixed tokens.
    pub expires: Moment,
}

/// Room for one socket, given back when dropped.
pub struct Room(Arc<Shared>);

/// A socket's entry, removed when dropped.
pub(super) struct Registered {
    pub(super) connection: Arc<Connection>,
    room: Room,
}

/// Why there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRoom {
    /// The most sockets are open.
    Full,
    /// The service is stopping.
    Draining,
}

impl Sockets {
    /// A registry for at most `most` sockets and `budget` waiting bytes, with its reaper. Must be called in the runtime.
    pub fn start(limits: SocketLimits, most: usize, budget: usize) -> Self {
        let shared = Arc::new(Shared {
            upgrades: UpgradeLimits::new(&limits),
            limits,
            budget: Arc::new(Budget::new(budget)),
            epoch: Epoch::start(),
            most,
            shards: std::array::from_fn(|_| Mutex::default()),
            next: AtomicU64::new(1),
            hosts: AtomicUsize::new(0),
            players: AtomicUsize::new(0),
            screens: AtomicUsize::new(0),
            reserved: AtomicUsize::new(0),
            draining: AtomicBool::new(false),
            left: Notify::new(),
        });
        tokio::spawn(reaper::run(Arc::downgrade(&shared), Arc::clone(&shared.budget)));
        Self(shared)
    }

    /// Closes every socket that depends on this host token with 4401 (the token was revoked).
    pub fn close_host_token(&self, token: &HostTokenHash) {
        self.0.each_in(HOSTS, |connection| {
            if connection.rests_on(token) {
                connection.close(CloseCode::Unauthorized.into());
            }
        });
    }

    /// The host tokens on which open sockets depend, without duplicates.
    pub fn host_tokens(&self) -> HashSet<HostTokenHash> {
        let mut tokens = HashSet::new();
        self.0.each_in(HOSTS, |connection| tokens.extend(connection.token()));
        tokens
    }

    /// How many sockets are open.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Figures for `/metrics`; TCP connections are not known here.
    pub fn stats(&self) -> SocketStats {
        SocketStats {
            hosts: self.0.hosts.load(Ordering::Relaxed),
            players: self.0.players.load(Ordering::Relaxed),
            screens: self.0.screens.load(Ordering::Relaxed),
            queued_bytes: self.0.budget.used(),
            budget_bytes: self.0.budget.limit(),
            most: self.0.most,
        }
    }

    /// Closes every socket with 1012, evenly, 2,000 per second or faster when `spread` is short, and opens no more
    /// sockets. `spread` includes the time of a close handshake; resolves when all are closed, at the latest after
    /// `spread`.
    pub async fn drain(&self, spread: Duration) {
        self.0.draining.store(true, Ordering::Release);
        let connections = self.0.all();
        let seconds = connections.len().div_ceil(RETURNS_PER_SECOND);
        let window = u16::try_from(seconds).unwrap_or(u16::MAX).clamp(1, 20);
        let closing = spread.saturating_sub(self.0.limits.close_timeout).min(Duration::from_secs(seconds as u64));
        let close = Close::with_retry(CloseCode::ServiceRestart, 0, window);
        let start = Instant::from_std(clock::now());
        let count = u32::try_from(connections.len()).unwrap_or(u32::MAX).max(1);
        for (turn, connection) in (0..).zip(&connections) {
            // One pause per hundred: a timer is no finer than a millisecond anyway.
            if turn % 100 == 99 {
                sleep_until(start + closing * turn / count).await;
            }
            connection.close(close);
        }
        drop(connections);
        let _ = timeout_at(start + spread, self.all_gone()).await;
    }

    /// The present, as the sockets count it.
    pub fn now(&self) -> Moment {
        self.0.now()
    }

    pub(super) fn limits(&self) -> &SocketLimits {
        &self.0.limits
    }

    /// How often sockets may be opened.
    pub(crate) fn upgrade_limits(&self) -> &UpgradeLimits {
        &self.0.upgrades
    }

    /// Whether no more sockets are opened because the service is stopping.
    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Acquire)
    }

    /// Takes room for one more socket.
    ///
    /// # Errors
    /// All places are taken, or the service is stopping.
    pub fn reserve(&self) -> Result<Room, NoRoom> {
        let shared = &self.0;
        if shared.draining.load(Ordering::Acquire) {
            return Err(NoRoom::Draining);
        }
        let one_more = |reserved: usize| (reserved < shared.most).then_some(reserved + 1);
        match shared.reserved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more) {
            Ok(_) => Ok(Room(Arc::clone(shared))),
            Err(_) => Err(NoRoom::Full),
        }
    }

    /// Registers the socket of an upgraded stream.
    pub(super) fn open(&self, stream: TcpStream, session: Session, room: Room) -> Registered {
        let id = ConnectionId(self.0.next.fetch_add(1, Ordering::Relaxed));
        let connection = Arc::new(Connection::new(stream, session, id, Arc::clone(&self.0)));
        self.0.shard(id, session.role).insert(id, Arc::clone(&connection));
        self.0.counter(session.role).fetch_add(1, Ordering::Relaxed);
        // A drain that began meanwhile has not seen this socket.
        if self.0.draining.load(Ordering::Acquire) {
            connection.close(Close::with_retry(CloseCode::ServiceRestart, 0, 1));
        }
        Registered { connection, room }
    }

    async fn all_gone(&self) {
        loop {
            let left = self.0.left.notified();
            if self.count() == 0 {
                return;
            }
            left.await;
        }
    }
}

impl Shared {
    pub(super) fn now(&self) -> Moment {
        self.epoch.now()
    }

    pub(super) fn bounds(&self, role: Role) -> Bounds {
        let limits = &self.limits;
        match role {
            Role::Host => Bounds { bytes: limits.host_queue_bytes, messages: limits.host_queue_messages },
            Role::Player | Role::Screen => {
                Bounds { bytes: limits.player_queue_bytes, messages: limits.player_queue_messages }
            }
        }
    }

    /// Up to a fifth early, so that ten thousand sockets that opened together are not all pinged at the same moment;
    /// and never late, because interval + timeout is promise 16.
    pub(super) fn next_ping(&self, now: Moment) -> Moment {
        let interval = self.limits.ping_interval;
        now.plus(interval.mul_f64(rand::random_range(0.8..1.0)))
    }

    /// Calls `visit` for every socket. `visit` must not drop one and must not wait.
    pub(super) fn each(&self, mut visit: impl FnMut(&Arc<Connection>)) {
        for shard in 0..SHARDS {
            self.each_in(shard, &mut visit);
        }
    }

    /// The same for one shard.
    pub(super) fn each_in(&self, shard: usize, visit: impl FnMut(&Arc<Connection>)) {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner).values().for_each(visit);
    }

    /// How many sockets are open.
    pub(super) fn count(&self) -> usize {
        [&self.hosts, &self.players, &self.screens].map(|count| count.load(Ordering::Relaxed)).iter().sum()
    }

    pub(super) fn all(&self) -> Vec<Arc<Connection>> {
        let mut all = Vec::new();
        self.each(|connection| all.push(Arc::clone(connection)));
        all
    }

    fn shard(&self, id: ConnectionId, role: Role) -> MutexGuard<'_, HashMap<ConnectionId, Arc<Connection>>> {
        let shard = match role {
            Role::Host => HOSTS,
            Role::Player | Role::Screen => 1 + usize::try_from(id.0 % (SHARDS as u64 - 1)).unwrap_or(0),
        };
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counter(&self, role: Role) -> &AtomicUsize {
        match role {
            Role::Host => &self.hosts,
            Role::Player => &self.players,
            Role::Screen => &self.screens,
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let shared = &self.room.0;
        self.connection.shut_down();
        let entry = shared.shard(self.connection.id(), self.connection.role()).remove(&self.connection.id());
        drop(entry);
        shared.counter(self.connection.role()).fetch_sub(1, Ordering::Relaxed);
        shared.left.notify_waiters();
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.0.reserved.fetch_sub(1, Ordering::Relaxed);
    }
}
