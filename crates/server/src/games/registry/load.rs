//! Loads a game on this node: starts its edge and its supervisor, and watches both.

use std::collections::HashMap;
use std::sync::Arc;

use quizhall_engine::wire::CloseCode;
use quizhall_rules::GameId;
use tokio::sync::mpsc;
use tokio::task::JoinError;

use super::GameRegistry;
use crate::clock;
use crate::games::edge::{self, EdgeTask};
use crate::games::error::GameError;
use crate::games::live;
use crate::games::live::Live;
use crate::games::ownership::{self, OwnershipSupervisor};
use crate::store::{GameRow, Hold};

/// Why a game was not loaded.
#[derive(Debug, Clone, Copy)]
pub(in crate::games) enum LoadError {
    NotFound,
    Game(GameError),
}

impl From<GameError> for LoadError {
    fn from(error: GameError) -> Self {
        Self::Game(error)
    }
}

impl GameRegistry {
    /// Starts the game's tasks here. Whether the game is owned here is decided when an owner is needed.
    pub(in crate::games) async fn load(&self, game: GameId) -> Result<Arc<Live>, LoadError> {
        let row = self.inner.node.with_timeout(self.inner.node.store.game_by_id(game)).await?;
        let row = row.filter(|row| !row.closed).ok_or(LoadError::NotFound)?;
        // Checked after the line: a game that is closed and held at the same moment is found closed or held.
        let hold = self.inner.node.with_timeout(self.inner.node.store.hold_of(game)).await?;
        if hold.is_some_and(|hold| hold.until_ms > clock::unix_ms()) {
            return Err(GameError::Stopping.into());
        }
        Ok(self.start(row, hold))
    }

    fn start(&self, row: GameRow, after: Option<Hold>) -> Arc<Live> {
        let node = &self.inner.node;
        let (live, inboxes) = live::begin(row, after, &node.options, node.is_alone());
        self.inner.remember_code(&live);
        let mailbox = node.router.open(live.id);
        let (read, stored) = mpsc::channel(1);
        let edge = EdgeTask {
            node: Arc::clone(node),
            live: Arc::clone(&live),
            edge: node.router.me(),
            options: edge::options(&node.options),
            jobs: inboxes.jobs,
            frames: mailbox.edge,
            read,
            stored,
            replies: HashMap::new(),
            views: Vec::new(),
            fresh_views: Vec::new(),
            unshown: Vec::new(),
            readings: 0,
            to_owner: Vec::new(),
            wanted: false,
            closed: false,
        };
        let supervisor = OwnershipSupervisor {
            node: Arc::clone(node),
            live: Arc::clone(&live),
            orders: inboxes.orders,
            route_updates: mailbox.route_updates,
        };
        self.inner.tasks.spawn(self.clone().watch(Arc::clone(&live), mailbox.opening, supervisor, edge));
        live
    }

    /// Waits until one of the two ends; then the other, the sockets and the registry follow. The game can be loaded
    /// again after it has been released.
    async fn watch(self, live: Arc<Live>, opening: u64, supervisor: OwnershipSupervisor, edge: EdgeTask) {
        let mut supervisor = tokio::spawn(supervisor.run());
        let mut edge = tokio::spawn(edge.run());
        let code = tokio::select! {
            ended = &mut edge => after_edge(ended),
            ended = &mut supervisor => after_supervisor(ended),
        };
        let code = if live.ended_damaged() { CloseCode::InternalError } else { code };
        live.stop.cancel();
        live.attached.close_all(code.into());
        edge.abort();
        if !supervisor.is_finished() {
            // The supervisor ends within its own timeouts; if it panics instead, nothing is left to do.
            let _ = supervisor.await;
        }
        self.inner.node.router.close(live.id, opening);
        self.inner.forget(&live);
        live.ended.cancel();
    }
}

fn after_edge(ended: Result<edge::Ending, JoinError>) -> CloseCode {
    match ended {
        Ok(edge::Ending::Idle) => CloseCode::ServiceRestart,
        Ok(edge::Ending::Closed) => CloseCode::GameClosed,
        Err(error) => contained(&error),
    }
}

fn after_supervisor(ended: Result<ownership::Ending, JoinError>) -> CloseCode {
    match ended {
        Ok(ownership::Ending::Fenced | ownership::Ending::Stopped) => CloseCode::ResyncRequired,
        Ok(ownership::Ending::Unreadable) => CloseCode::InternalError,
        Ok(ownership::Ending::Died(error)) | Err(error) => contained(&error),
    }
}

/// A bug in one game closes that game's sockets; the game is loaded again when they return (promise 27).
fn contained(error: &JoinError) -> CloseCode {
    tracing::error!(panicked = error.is_panic(), "a game's task died; the game will be loaded again");
    CloseCode::InternalError
}
