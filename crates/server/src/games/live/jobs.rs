//! The messages to the tasks of a live game: jobs for its edge, orders for its supervisor.
//!
//! Sent through `Live` by handles, the registry and the tasks themselves; carried out by `edge` and `ownership`.

use std::sync::Arc;

use quizhall_engine::edge::RequestError;
use quizhall_engine::{ConnectionId, EdgeId, Message, RouteInput, Seat, StoredState};
use quizhall_rules::{Actor, Command, State};
use tokio::sync::oneshot;

use super::sink::Sink;

/// A read from the committed state.
pub(in crate::games) type View = Box<dyn FnOnce(&State) + Send>;

/// A request of a socket or an HTTP handler to the edge of a game.
pub(in crate::games) enum Job {
    Attach {
        seat: Seat,
        connection: Arc<dyn Sink>,
    },
    /// `closings_written` and `elapsed` are the results of [`Sink::closings_written`] and [`Sink::elapsed_since`] when
    /// the message was read.
    Message {
        connection: ConnectionId,
        message: Message,
        closings_written: u32,
        elapsed: Option<u32>,
    },
    Detached {
        connection: ConnectionId,
        clean: bool,
    },
    Request {
        actor: Actor,
        command: Command,
        reply: oneshot::Sender<Result<(), RequestError>>,
    },
    View(View),
    /// A read of the log as it is at this moment.
    FreshView(View),
    /// A read after this socket has been sent its sync messages.
    Shown(ConnectionId, View),
    /// The replica, if its last row is known.
    Replica(oneshot::Sender<Option<StoredState>>),
    /// The owner asks for a snapshot.
    Snapshot,
    /// The owner has moved to another node.
    OwnerMoved,
}

/// A request of the node to the supervisor of a game.
#[derive(Debug)]
pub(in crate::games) enum Order {
    /// An input for the route: about other nodes, or whether this node needs the owner.
    Route(RouteInput),
    /// A node left the cluster, with its sockets.
    NodeLeft(EdgeId),
    /// The database may have lost rows: the owner compares its log.
    LookAtLog,
    /// Release the game, if it is owned here; then report what became of it.
    HandOver(Heir, oneshot::Sender<HandOver>),
}

/// The node that a game is released to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heir {
    /// This one.
    Node(EdgeId),
    /// The one that suits best.
    Best,
}

/// What became of a game that was to be released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOver {
    /// This node is on record as its owner.
    Moved(EdgeId),
    /// It is not owned here, or could not be released in time.
    Kept,
    /// No other node can own it.
    Alone,
}
