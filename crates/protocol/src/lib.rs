//! The wire: every message, shape, close code and HTTP body that Quizhall sends or accepts, as serde types.
//!
//! Used by the server, the client, the load tool and the conformance suite, so that they cannot disagree.
//! Never knows a rule of the game: what may be sent when is decided elsewhere.

pub mod close;
pub mod decode;
pub mod frame;
pub mod from_host;
pub mod from_player;
pub mod http;
pub mod shapes;
pub mod to_all;
pub mod to_host;
pub mod to_player;
pub mod v1;

mod envelope;

pub use close::{Advice, Close, CloseCode};
pub use decode::{Dialect, HostMessage, MessageType, Mistake, PlayerMessage, Role, ServerMessage, read_server_message};
pub use from_host::FromHost;
pub use from_player::FromPlayer;
pub use quizhall_quiz::{QuestionKind, UnknownKind, WireKind};
pub use to_all::ToAll;
pub use to_host::ToHost;
pub use to_player::ToPlayer;
pub use v1::{ExtensionType, FromAnyV1, FromHostV1, ToAllV1, ToHostV1, ToSenderV1};

/// The subprotocol a client names to receive Quizhall's extension; everything else gets the bare interface.
pub const SUBPROTOCOL: &str = "quizhall.v1";
