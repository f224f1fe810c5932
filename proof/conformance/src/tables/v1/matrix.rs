//! The matrices with speakers of the extension: nothing of the interface changes for them, and what they may add has its phases.

use quizhall_protocol::{CloseCode, Dialect, Role};

use crate::row::{Row, Sent, Verdict, Wanted};
use crate::stage::cast::Cast;
use crate::stage::substate::SubState;
use crate::tables::Group;
use crate::tables::messages::{
    MESSAGES, Message, ROLES, both, cast_row, in_every_phase, is_of_a_client, is_tried, role_name, since, unasked,
};
use quizhall_oracle::shape::extension;

/// The core matrix again.
pub const INTERFACE: Group = Group {
    name: "v1_core",
    title: "v1: the core matrix",
    about: "The core matrix with a host and a first player who speak the extension and a second player who does not. All sockets receive what \
            the interface says in its order; the speakers receive the extension besides, the second player never.",
    rows: interface_rows,
};

/// The extension.
pub const EXTENSION: Group = Group {
    name: "v1_matrix",
    title: "v1: extension message × sub-state × role",
    about: "Each extension message in each sub-state, from a host and a player who speak it, and those that only a server sends. A legal one \
            is carried out: `answers_marked` and `marking_update`, for the key of a game as well, or a `room_update`, to the host; a removed player is closed with 4411; \
            scores without the standings, the standings, revealed answers and breaks, to those who speak them. \
            Only the sender of a `ping` is sent its `pong`, in every sub-state and for either role. An illegal one closes its sender and changes nothing, as in the core matrix.",
    rows: extension_rows,
};

/// The others in the same game.
pub const BESIDE: Group = Group {
    name: "v1_beside",
    title: "v1: those who did not ask",
    about: "A plain participant in a game in which another speaks the extension sends one of them in the question phase, and two of them in every \
            phase: an unknown type, as if there were none.",
    rows: beside_rows,
};

/// Screens.
pub const SCREENS: Group = Group {
    name: "v1_screens",
    title: "v1: each message, from a screen",
    about: "Each message while a question is open, three and `ping` in each sub-state, and those that only a server sends, from a screen that connects \
            for the row. It may `ping` and nothing else; no participant receives anything, and the game does not change. Before that the screen was \
            sent one picture of the sub-state, and its token opened no socket without v1.",
    rows: screen_rows,
};

fn screen_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let sent = |id: String, state, sent| cast_row(id, Sent::by(sent, Role::Screen, state, Cast::Mixed));
    for state in SubState::all(Dialect::QuizhallV1) {
        for message in MESSAGES.iter().filter(|message| message.sender.is_none() || is_tried(message, state)) {
            let code = Verdict::closed(Wanted::bare(CloseCode::WrongRole));
            let verdict = if message.sender.is_none() { Verdict::Accepted } else { code };
            let id = format!("v1_screens/{}/{}", state.name(), message.name);
            rows.push(sent(id, state, message.sent(state, verdict)));
        }
    }
    for shape in extension().filter(|shape| !is_of_a_client(shape.kind)) {
        let text = format!(r#"{{"type":"{}","payload":{{}}}}"#, shape.kind);
        let verdict = Verdict::closed(Wanted::bare(CloseCode::UnknownType));
        rows.push(sent(format!("v1_screens/server_only/{}", shape.kind), SubState::OneOpen, Sent { text, verdict }));
    }
    rows
}

fn interface_rows() -> Vec<Row> {
    let verdict = |message: &Message, state, role| Some(message.verdict(state, role));
    in_every_phase("v1_core", Dialect::Interface, both(Cast::Mixed), verdict)
}

fn extension_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for state in SubState::all(Dialect::QuizhallV1) {
        for role in ROLES {
            for message in since(Dialect::QuizhallV1) {
                let id = format!("v1_matrix/{}/{}/{}", state.name(), role_name(role), message.name);
                let sent = message.sent(state, message.verdict(state, role));
                rows.push(cast_row(id, sent.by(role, state, Cast::Mixed)));
            }
        }
    }
    for role in ROLES {
        for shape in extension().filter(|shape| !is_of_a_client(shape.kind)) {
            let id = format!("v1_matrix/server_only/{}/{}", role_name(role), shape.kind);
            let text = format!(r#"{{"type":"{}","payload":{{}}}}"#, shape.kind);
            let verdict = Verdict::closed(Wanted::bare(CloseCode::UnknownType));
            rows.push(cast_row(id, Sent { text, verdict }.by(role, SubState::OneOpen, Cast::Mixed)));
        }
    }
    rows
}

fn beside_rows() -> Vec<Row> {
    let sides = [(Role::Host, Cast::FirstPlayerOnly), (Role::Player, Cast::HostOnly)];
    in_every_phase("v1_beside", Dialect::QuizhallV1, sides, unasked)
}
