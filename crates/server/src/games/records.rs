//! What many games ask the store at the same time, with one statement for all of them: their recorded owners, the last rows of
//! their logs, and the rows after a known one.
//!
//! When a node dies, thousands of games need all of it at once; one by one, each question would take a connection and a
//! statement. One task per question: requests that arrive while a statement runs form the next one, so a single game never waits
//! for others. Called by `ownership`, `owner` and `reading`; decides nothing.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use quizhall_rules::GameId;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::store::{Head, LogEnd, LogRow, OwnerChange, OwnerRow, Store, StoreError};

/// Most games of one statement.
const MOST: usize = 256;
/// Most waiting requests of each kind: a game has one at a time, so this is more than a node has live games.
const QUEUE: usize = 16_384;

/// A request with the receiver of its answer.
struct Request<Q, A> {
    query: Q,
    reply: oneshot::Sender<Result<A, StoreError>>,
}

/// The queues of the tasks, which end when this is dropped.
pub(in crate::games) struct Records {
    store: Arc<Store>,
    heads: mpsc::Sender<Request<GameId, Option<Head>>>,
    ends: mpsc::Sender<Request<LogEnd, Option<Vec<LogRow>>>>,
    looks: mpsc::Sender<Request<GameId, Option<OwnerRow>>>,
    changes: mpsc::Sender<Request<OwnerChange, bool>>,
}

impl Records {
    /// Starts the tasks.
    pub fn start(store: &Arc<Store>) -> Self {
        let (looks, inbox) = mpsc::channel(QUEUE);
        let of = Arc::clone(store);
        tokio::spawn(answer(inbox, async move |games: Vec<_>| of.game_owners(games.into()).await));
        let (changes, inbox) = mpsc::channel(QUEUE);
        let of = Arc::clone(store);
        tokio::spawn(answer(inbox, async move |changes| of.change_owners(changes).await));
        let (heads, inbox) = mpsc::channel(QUEUE);
        let of = Arc::clone(store);
        tokio::spawn(answer(inbox, async move |games: Vec<_>| of.heads(games.into()).await));
        let (ends, inbox) = mpsc::channel(QUEUE);
        let of = Arc::clone(store);
        tokio::spawn(answer(inbox, async move |logs: Vec<_>| of.log_ends(logs.into()).await));
        Self { store: Arc::clone(store), heads, ends, looks, changes }
    }

    /// The last row of the game's log, read after everything committed so far.
    pub async fn head(&self, game: GameId) -> Result<Option<Head>, StoreError> {
        ask(&self.heads, game).await
    }

    /// The rows after a known one, as [`Store::log_ends`] returns them.
    pub async fn log_end(&self, end: LogEnd) -> Result<Option<Vec<LogRow>>, StoreError> {
        ask(&self.ends, end).await
    }

    /// The recorded owner of the game; `None` when there is no such game.
    pub async fn owner(&self, game: GameId) -> Result<Option<OwnerRow>, StoreError> {
        ask(&self.looks, game).await
    }

    /// Changes the recorded owner, as [`Store::change_owners`] does when the node `by` asks; resolves to whether it was changed.
    pub async fn change(
        &self,
        by: Uuid,
        game: GameId,
        from: Option<Uuid>,
        to: Option<Uuid>,
    ) -> Result<bool, StoreError> {
        ask(&self.changes, OwnerChange { game, by, from, to }).await
    }

    /// The same for a game that the node owns by the record, also when its line is locked: then it waits for that transaction.
    pub async fn release(&self, node: Uuid, game: GameId, to: Option<Uuid>) -> Result<bool, StoreError> {
        let change = OwnerChange { game, by: node, from: Some(node), to };
        Ok(ask(&self.changes, change).await? || self.store.change_owner(change).await?)
    }
}

async fn ask<Q, A>(queue: &mpsc::Sender<Request<Q, A>>, query: Q) -> Result<A, StoreError> {
    let lost = || StoreError::Unavailable("a request was dropped".to_owned());
    let (reply, answer) = oneshot::channel();
    queue.send(Request { query, reply }).await.map_err(|_| lost())?;
    answer.await.unwrap_or_else(|_| Err(lost()))
}

/// Answers all waiting requests together, until the queue is closed.
async fn answer<Q, A>(
    mut queue: mpsc::Receiver<Request<Q, A>>,
    store: impl AsyncFn(Vec<Q>) -> Result<Vec<A>, StoreError>,
) {
    let mut requests = Vec::with_capacity(MOST);
    while queue.recv_many(&mut requests, MOST).await > 0 {
        // A game that has given up meanwhile takes nothing.
        requests.retain(|request| !request.reply.is_closed());
        let (queries, replies): (Vec<_>, Vec<_>) =
            requests.drain(..).map(|Request { query, reply }| (query, reply)).unzip();
        if queries.is_empty() {
            continue;
        }
        // A panic in the store must not end the task: the requests of this time are dropped.
        let answered = AssertUnwindSafe(store(queries)).catch_unwind().await;
        match answered {
            Ok(Ok(answers)) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    let _ = reply.send(Ok(answer));
                }
            }
            Ok(Err(error)) => {
                for reply in replies {
                    let _ = reply.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
            Err(_) => {}
        }
    }
}
