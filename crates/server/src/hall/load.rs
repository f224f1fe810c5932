//! Bringing a game to life: claim its log, start its owner and edge, watch over them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use quizhall_engine::claim::{Claim, Row};
use quizhall_engine::wire::CloseCode;
use quizhall_engine::{Append, AppendOutcome, EdgeId, Head, OwnerOptions};
use quizhall_rules::{Event, GameId};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinError;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::appender::Job as AppendJob;
use super::edge_task::{self, EdgeTask};
use super::owner_task::{self, OwnerTask, row_of};
use super::registry::{Hall, Live};
use super::{HallError, attached::Attached};
use crate::store::LogRow;

/// This node as an edge; there is one per process.
const EDGE: EdgeId = EdgeId(1);
/// Jobs of sockets and handlers that a game has not read yet; beyond it the senders wait.
const JOBS: usize = 4_096;
/// Commands over HTTP (joins above all) that may wait for one game.
const REQUESTS: usize = 4_096;
/// How often a claim is tried against others who want the game.
const CLAIMS: usize = 5;
/// How long a stopped owner may take to write what it decided.
const LAST_WRITE: Duration = Duration::from_secs(5);

/// Why a game did not come to life.
#[derive(Debug, Clone, Copy)]
pub(super) enum LoadError {
    NotFound,
    Hall(HallError),
}

impl From<HallError> for LoadError {
    fn from(error: HallError) -> Self {
        Self::Hall(error)
    }
}

impl Hall {
    pub(super) async fn load(&self, game: GameId) -> Result<Arc<Live>, LoadError> {
        let row = self.inner.patiently(self.inner.store.game_by_id(game)).await?;
        if row.is_none_or(|row| row.closed) {
            return Err(LoadError::NotFound);
        }
        let owner = self.claim(game).await?;
        Ok(self.start(game, owner))
    }

    /// Rule 1 of "The log is the lock": read, append `Claimed`, and start over when somebody was faster.
    async fn claim(&self, game: GameId) -> Result<OwnerOptions, LoadError> {
        for _ in 0..CLAIMS {
            let rows = self.inner.patiently(self.inner.store.read_log(game, None)).await?;
            if rows.is_empty() {
                return Err(LoadError::NotFound);
            }
            let claim = tokio::task::spawn_blocking(move || read(&rows)).await.map_err(|_| HallError::Unavailable)?;
            let Some(claim) = claim else {
                tracing::error!(%game, "the log of a game cannot be read");
                return Err(HallError::Unavailable.into());
            };
            let row = claim.row(self.inner.node, rand::random());
            if self.append(game, &row).await? {
                return Ok(claim.won(&row, rand::random(), self.inner.options.lobby_grace));
            }
        }
        Err(HallError::Busy.into())
    }

    /// Whether the row is in the log now.
    async fn append(&self, game: GameId, row: &Append) -> Result<bool, HallError> {
        let (reply, mut outcome) = mpsc::channel(1);
        self.inner.appender.append(AppendJob { row: row_of(game, row), reply }).await;
        let outcome = timeout(self.inner.options.command_timeout, outcome.recv()).await;
        match outcome.map_err(|_| HallError::Unavailable)? {
            Some(AppendOutcome::Committed) => Ok(true),
            Some(AppendOutcome::Refused) => Ok(false),
            Some(AppendOutcome::Unknown) | None => {
                sleep(Duration::from_millis(100)).await;
                let head = self.inner.patiently(self.inner.store.head(game)).await?;
                Ok(head.is_some_and(|head| Head { seq: head.seq, batch: head.batch } == row.head()))
            }
        }
    }

    fn start(&self, game: GameId, owner: OwnerOptions) -> Arc<Live> {
        let inner = &self.inner;
        let (jobs, job_inbox) = mpsc::channel(JOBS);
        let live = Arc::new(Live {
            id: game,
            code: owner.state.code().to_owned(),
            host: owner.state.host(),
            idle_after: inner.options.idle_after,
            jobs,
            attached: Attached::default(),
            waiting_room: inner.options.waiting_room,
            requests: Semaphore::new(REQUESTS.min(inner.options.waiting_room)),
            stop: CancellationToken::new(),
            phase: AtomicUsize::new(owner.state.phase() as usize),
            waiting: AtomicUsize::new(0),
        });
        inner.remember_code(&live);
        let mailbox = inner.bus.open(game);
        let bus: Arc<dyn crate::bus::Bus> = inner.bus.clone();
        let owner = OwnerTask {
            game,
            owner,
            inbox: mailbox.owner,
            bus: Arc::clone(&bus),
            store: Arc::clone(&inner.store),
            appender: inner.appender.clone(),
            clockwork: inner.clockwork.clone(),
        };
        let edge = EdgeTask {
            live: Arc::clone(&live),
            edge: EDGE,
            options: edge_task::options(&inner.options),
            jobs: job_inbox,
            frames: mailbox.edge,
            bus,
            clockwork: inner.clockwork.clone(),
            replies: HashMap::new(),
            views: Vec::new(),
            closed: false,
        };
        inner.tasks.spawn(self.clone().watch(Arc::clone(&live), mailbox.opening, owner, edge));
        live
    }

    /// Until one of the two ends; then the other, the sockets and the registry follow.
    async fn watch(self, live: Arc<Live>, opening: u64, owner: OwnerTask, edge: EdgeTask) {
        let mut owner = tokio::spawn(owner.run());
        let mut edge = tokio::spawn(edge.run());
        let code = tokio::select! {
            ended = &mut edge => after_edge(ended),
            ended = &mut owner => after_owner(ended),
        };
        self.inner.forget(&live);
        live.stop.cancel();
        live.attached.close_all(code.into());
        self.inner.bus.close(live.id, opening);
        edge.abort();
        if !owner.is_finished() && timeout(LAST_WRITE, &mut owner).await.is_err() {
            owner.abort();
        }
    }
}

fn read(rows: &[LogRow]) -> Option<Claim> {
    let mut read = Vec::with_capacity(rows.len());
    for row in rows {
        let events: Vec<Event> = serde_json::from_str(&row.body).ok()?;
        read.push(Row { head: Head { seq: row.seq, batch: row.batch }, events });
    }
    Claim::read(&read).ok()
}

fn after_edge(ended: Result<edge_task::Ending, JoinError>) -> CloseCode {
    match ended {
        Ok(edge_task::Ending::Idle) => CloseCode::ServiceRestart,
        Ok(edge_task::Ending::Closed) => CloseCode::GameClosed,
        Ok(edge_task::Ending::Orphaned) => CloseCode::ResyncRequired,
        Err(error) => contained(&error),
    }
}

fn after_owner(ended: Result<owner_task::Ending, JoinError>) -> CloseCode {
    match ended {
        Ok(owner_task::Ending::Fenced | owner_task::Ending::Stopped) => CloseCode::ResyncRequired,
        Err(error) => contained(&error),
    }
}

/// A bug in one game closes that game's sockets; it is loaded again when they return (promise P27).
fn contained(error: &JoinError) -> CloseCode {
    tracing::error!(panicked = error.is_panic(), "a game's task died; the game will be loaded again");
    CloseCode::InternalError
}
