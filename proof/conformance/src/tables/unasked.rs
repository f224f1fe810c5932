//! Extension messages from sockets that did not ask for them: on such a socket the types do not exist.

use quizhall_protocol::{CloseCode, Dialect};

use super::Group;
use super::messages::{ROLES, is_tried, plain, role_name, since};
use crate::row::{Row, Verdict, Wanted};
use crate::stage::substate::SubState;
use quizhall_oracle::Phase;

/// The group.
pub const GROUP: Group = Group {
    name: "unasked",
    title: "Extension messages unasked: type × role",
    about: "The messages that a client may send after it has asked for `quizhall.v1`, from one that has not, in the question phase, and two of them in \
            every phase: an unknown type, whether the server offers the extension or not.",
    rows,
};

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for phase in Phase::ALL {
        let state = SubState::of_phase(phase);
        for role in ROLES {
            for message in since(Dialect::QuizhallV1).filter(|message| is_tried(message, state)) {
                let id = format!("unasked/{}/{}/{}", phase.as_str(), role_name(role), message.name);
                let verdict = Verdict::closed(Wanted::bare(CloseCode::UnknownType));
                rows.push(plain(id, state, role, message.sent(state, verdict)));
            }
        }
    }
    rows
}
