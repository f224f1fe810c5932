//! The messages to the tasks of a live game: jobs for its edge, orders for its supervisor.
//!
//! Sent through `Live` by handles, the registry and the tasks themselves; carried out by `edge` and `ownership`.

use std::sync::Arc;

use quizhall_engine::edge::RequestError;
use quizhall_engine::{ConnectionId, EdgeId, Message, RouteInput, Seat};
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
    /// Release the game, if it is owned here, to this node or to any; then signal completion.
    Retire(Option<EdgeId>, oneshot::Sender<()>),
}
