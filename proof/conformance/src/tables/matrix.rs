//! The core matrix: 8 client types × 5 phases × 2 roles; 8 cells are legal, 72 are not.

use quizhall_protocol::Dialect;

use super::Group;
use super::messages::{Message, both, in_every_phase};
use crate::row::Row;
use crate::stage::cast::Cast;

/// The group.
pub const GROUP: Group = Group {
    name: "core",
    title: "Core matrix: type × phase × role",
    about: "Every client message in every phase from both roles. A legal one is carried out and all sockets receive exactly what the \
            interface says. An illegal one closes its sender's socket with the code and reason given; the sender connects again and is sent \
            exactly the sync messages of before. Up to 40 illegal ones share a game: after the last one the host is sent them as well, the owner's \
            view over HTTP is unchanged, and no other socket has received a byte; if not, each is played again in a game of its own.",
    rows,
};

fn rows() -> Vec<Row> {
    let verdict = |message: &Message, state, role| Some(message.verdict(state, role));
    in_every_phase("core", Dialect::Interface, both(Cast::Interface), verdict)
}
