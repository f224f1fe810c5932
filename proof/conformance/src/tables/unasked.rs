//! Extension messages from sockets that did not ask for them: on such a socket the types do not exist.

use quizhall_protocol::Dialect;

use super::Group;
use super::messages::{both, in_every_phase, unasked};
use crate::row::Row;
use crate::stage::cast::Cast;

/// The group.
pub const GROUP: Group = Group {
    name: "unasked",
    title: "Extension messages unasked: type × role",
    about: "The messages that a client may send after it has asked for `quizhall.v1`, from one that has not, in the question phase, and two of them in \
            every phase: an unknown type, whether the server offers the extension or not.",
    rows,
};

fn rows() -> Vec<Row> {
    in_every_phase("unasked", Dialect::QuizhallV1, both(Cast::Interface), unasked)
}
