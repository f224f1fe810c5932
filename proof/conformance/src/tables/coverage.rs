//! What the whole run must have seen: every message for every role it is for, and every close code that can be reached from outside.

use quizhall_protocol::{CloseCode, Role};

use super::Group;
use super::messages::{ROLES, role_name};
use crate::row::{Check, Row};
use quizhall_oracle::shape::{SHAPES, Shape};

/// The group.
pub const GROUP: Group = Group {
    name: "coverage",
    title: "Coverage",
    about: "Asked after all other rows, and only when no filter left any out. Every message seen in the run was checked field by field and \
            against its audience when it arrived.",
    rows,
};

/// Something that must have been seen.
#[derive(Debug, Clone, Copy)]
pub enum Coverage {
    /// A message of this type on a socket of this role.
    Message(&'static str, Role),
    /// A close with this code.
    Close(CloseCode),
}

/// A code that no client can cause by itself.
#[derive(Debug)]
pub struct OutOfReach {
    /// The code.
    pub code: CloseCode,
    /// What brings it about.
    pub needs: &'static str,
    /// The file of the test that shows it, from the top of the repository; empty while there is none.
    pub shown_by: &'static str,
}

/// All of them.
pub const OUT_OF_REACH: [OutOfReach; 5] = [
    out_of_reach(CloseCode::InternalError, "a bug in the server", "crates/server/tests/it/faults/contained.rs"),
    out_of_reach(CloseCode::ServiceRestart, "SIGTERM to the process", "crates/server/tests/it/faults/stop.rs"),
    out_of_reach(
        CloseCode::TryAgainLater,
        "more work for one game than it may have waiting",
        "crates/server/tests/it/faults/locked.rs",
    ),
    out_of_reach(CloseCode::StorageUnavailable, "a database that is down", "crates/server/tests/it/faults/disk.rs"),
    out_of_reach(CloseCode::ResyncRequired, "a game that moved away", "crates/server/tests/it/faults/fencing.rs"),
];

const fn out_of_reach(code: CloseCode, needs: &'static str, shown_by: &'static str) -> OutOfReach {
    OutOfReach { code, needs, shown_by }
}

fn rows() -> Vec<Row> {
    let mut rows = messages(GROUP.name, SHAPES);
    for code in CloseCode::ALL.iter().filter(|code| !OUT_OF_REACH.iter().any(|out| out.code == **code)) {
        rows.push(Row {
            id: format!("coverage/close/{}_{}", code.number(), code.reason()),
            given: "the whole run".to_owned(),
            send: format!("close {} `{}`", code.number(), code.reason()),
            expect: "seen".to_owned(),
            check: Check::Coverage(Coverage::Close(*code)),
        });
    }
    rows
}

/// One row for each message and each role that it is for.
pub(super) fn messages(group: &str, shapes: impl IntoIterator<Item = &'static Shape>) -> Vec<Row> {
    let mut rows = Vec::new();
    for shape in shapes {
        let roles = shape.audience.map_or_else(|| ROLES.to_vec(), |audience| vec![audience]);
        for role in roles {
            let fields = shape.words().unwrap_or_else(|| "no payload".to_owned());
            rows.push(Row {
                id: format!("{group}/message/{}/{}", shape.kind, role_name(role)),
                given: "the whole run".to_owned(),
                send: format!("`{}` to a {}", shape.kind, role_name(role)),
                expect: format!("seen; {fields}"),
                check: Check::Coverage(Coverage::Message(shape.kind, role)),
            });
        }
    }
    rows
}
