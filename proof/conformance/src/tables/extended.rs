//! The extended matrix: 20 types × 11 sub-states × 2 roles.

use quizhall_protocol::{CloseCode, Dialect};

use super::Group;
use super::messages::{ROLES, UNKNOWN, plain, role_name, server_only, since};
use crate::row::{Row, Sent, Verdict, Wanted};
use crate::stage::substate::SubState;

/// The group.
pub const GROUP: Group = Group {
    name: "extended",
    title: "Extended matrix: every type × sub-state × role",
    about: "The eight client types, the eleven types that only a server sends and one that no participant sends, in eleven sub-states from both \
            roles, judged as in the core matrix. The order of checks is envelope, type, role, payload, phase, ids.",
    rows,
};

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for state in SubState::all(Dialect::Interface) {
        for role in ROLES {
            let id = |kind: &str| format!("extended/{}/{}/{kind}", state.name(), role_name(role));
            for message in since(Dialect::Interface) {
                let sent = message.sent(state, message.verdict(state, role));
                rows.push(plain(id(message.name), state, role, sent));
            }
            for kind in server_only().into_iter().chain([UNKNOWN]) {
                let text = format!(r#"{{"type":"{kind}","payload":{{}}}}"#);
                let verdict = Verdict::closed(Wanted::bare(CloseCode::UnknownType));
                rows.push(plain(id(kind), state, role, Sent { text, verdict }));
            }
        }
    }
    rows
}
