//! The handle of a live game, for HTTP handlers and sockets.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use quizhall_engine::edge::RequestError;
use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{ConnectionId, Message, RouteInput, Seat};
use quizhall_rules::{Actor, Command, GameId, HostId, State};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Live;
use super::jobs::{Job, View};
use super::sink::Sink;
use crate::games::error::{CommandError, GameError};

/// A live game. Cheap to clone; a handle does not keep the game in memory.
#[derive(Clone)]
pub struct GameHandle {
    pub(in crate::games) live: Arc<Live>,
}

impl GameHandle {
    /// The game's id.
    pub fn id(&self) -> GameId {
        self.live.id
    }

    /// Its code, in upper case.
    pub fn code(&self) -> &str {
        &self.live.code
    }

    /// The account it belongs to.
    pub fn host(&self) -> HostId {
        self.live.host
    }

    /// Reads from the committed state.
    ///
    /// # Errors
    /// [`GameError::Stopping`] when the game left memory meanwhile, [`GameError::Unavailable`] when its state could not be
    /// read in time.
    pub async fn view<T: Send + 'static>(
        &self,
        read: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, GameError> {
        self.look(Job::View, read).await
    }

    /// Reads from the committed state as the log has it at this moment. When there may be other nodes, the state in
    /// memory can be old: a node without sockets of the game gets no events, and neither does one that was suspended.
    ///
    /// # Errors
    /// As [`GameHandle::view`]; also [`GameError::Stopping`] when the log cannot be read.
    pub async fn fresh_view<T: Send + 'static>(
        &self,
        read: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, GameError> {
        let job = if self.live.alone { Job::View } else { Job::FreshView };
        self.look(job, read).await
    }

    /// Makes sure that some node owns the game, although this one does not need the owner.
    pub(in crate::games) fn have_owned(&self) {
        // The callers repeat this later.
        let _ = self.live.notify_supervisor(RouteInput::RequestedHere);
    }

    async fn look<T: Send + 'static>(
        &self,
        job: impl FnOnce(View) -> Job,
        read: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, GameError> {
        let (reply, answer) = oneshot::channel();
        let view = move |state: &State| {
            // The receiver was dropped if the request was cancelled.
            let _ = reply.send(read(state));
        };
        self.send(job(Box::new(view))).await?;
        let answer = timeout(self.live.time_limit, answer).await.map_err(|_| GameError::Unavailable)?;
        answer.map_err(|_| self.ended())
    }

    /// Carries out a command; resolves after its events are durable.
    ///
    /// # Errors
    /// The game's refusal, or why it could not be reached. After [`GameError::Unavailable`] the outcome is unknown.
    pub async fn command(&self, actor: Actor, command: Command) -> Result<(), CommandError> {
        let _room = self.live.requests.try_acquire().map_err(|_| GameError::Busy)?;
        let (reply, answer) = oneshot::channel();
        let feature = command.row().feature;
        self.send(Job::Request { actor, command, reply }).await?;
        match answer.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(RequestError::Refused(refusal))) => Err(CommandError::Refused(refusal)),
            Ok(Err(RequestError::OlderNode)) => Err(CommandError::OlderNode(feature)),
            Ok(Err(RequestError::Unavailable)) => Err(GameError::Unavailable.into()),
            Err(_) => Err(self.ended().into()),
        }
    }

    /// Attaches an authenticated socket for its seat: the game sends the sync messages first, then later ones. Resolves
    /// when the socket has the sync messages, so that a client which pings right after the handshake receives the pong
    /// after them, and knows then that it is synchronized.
    ///
    /// # Errors
    /// [`GameError::Busy`] while the game's waiting room is full, [`GameError::Stopping`] when it left memory
    /// meanwhile.
    pub async fn attach(&self, seat: Seat, connection: Arc<dyn Sink>) -> Result<(), GameError> {
        if self.live.waiting.load(Ordering::Relaxed) >= self.live.waiting_room {
            return Err(GameError::Busy);
        }
        let id = connection.id();
        self.send(Job::Attach { seat, connection }).await?;
        // Answered in order, and only after there is a state to show.
        let shown = self.look(move |view| Job::Shown(id, view), |_| ()).await;
        if shown.is_err() {
            // This socket is never read, so no other code detaches it.
            self.detach(id, false).await;
        }
        shown
    }

    /// Hands over a message of an attached socket; waits while the game has too many to read (back-pressure on this
    /// socket only).
    ///
    /// Returns a future only if the game has no room at this moment. The future is on the heap: inside the task of a
    /// socket its memory would be kept for hours for the sake of microseconds.
    pub fn message(&self, connection: &dyn Sink, message: Message) -> Option<BoxFuture<'static, ()>> {
        let closings_written = connection.closings_written();
        let elapsed = match &message {
            Message::Player(FromPlayer::SubmitAnswer(answer)) => connection.elapsed_since(answer.question_id.into()),
            Message::Player(
                FromPlayer::PlayJoker
                | FromPlayer::Appeal(_)
                | FromPlayer::AnswerTieBreak(_)
                | FromPlayer::SuggestAnswer(_),
            )
            | Message::Host(_) => None,
        };
        let job = Job::Message { connection: connection.id(), message, closings_written, elapsed };
        match self.live.jobs.try_send(job) {
            Err(TrySendError::Full(job)) => {
                let jobs = self.live.jobs.clone();
                Some(async move { drop(jobs.send(job).await) }.boxed())
            }
            // A stopped game has already closed the socket.
            Ok(()) | Err(TrySendError::Closed(_)) => None,
        }
    }

    /// Detaches a closed socket, `clean` when the client closed it. Once per socket.
    pub async fn detach(&self, connection: ConnectionId, clean: bool) {
        let _ = self.send(Job::Detached { connection, clean }).await;
    }

    async fn send(&self, job: Job) -> Result<(), GameError> {
        self.live.jobs.send(job).await.map_err(|_| self.ended())
    }

    /// Why the game no longer answers.
    fn ended(&self) -> GameError {
        if self.live.ended_damaged() { GameError::Damaged } else { GameError::Stopping }
    }
}
