//! The wire: every message, shape, close code and HTTP body that Quizhall sends or accepts, as serde types.
//!
//! The server, the client, the load tool and the conformance suite use these types, so that they cannot disagree.
//! The crate knows no rule of the game: `rules` decides when a message is allowed.

pub mod close;
pub mod decode;
pub mod frame;
pub mod http;
pub mod messages;
pub mod shapes;
pub mod slides;

mod envelope;

pub use close::{Advice, Close, CloseCode};
pub use decode::{
    Decoded, Dialect, HostMessage, Mistake, PlayerMessage, Role, ServerMessage, read_screen_message,
    read_server_message,
};
pub use messages::from_any::FromAny;
pub use messages::from_host::FromHost;
pub use messages::from_player::FromPlayer;
pub use messages::to_all::ToAll;
pub use messages::to_host::ToHost;
pub use messages::to_player::ToPlayer;
pub use messages::to_screen::ToScreen;
pub use messages::to_sender::ToSender;
pub use messages::{from_host, from_player, to_all, to_host, to_player, to_screen};
pub use quizhall_quiz::{Phase, QuestionKind, UnknownKind, WireKind};

/// The subprotocol that a client offers to receive Quizhall's extension; every other client gets only the interface.
pub const SUBPROTOCOL: &str = "quizhall.v1";
