//! The same from a browser: it cannot read a refused handshake's status, so it gets a socket that is closed with the reason.

use quizhall_protocol::CloseCode;

use super::Group;
use super::auth::{AuthCase, CREDENTIALS, Carrier, Credential, Place, Welcome, row};
use crate::row::{Row, Wanted};

/// The group.
pub const GROUP: Group = Group {
    name: "browser",
    title: "Opening a socket from a page of this server",
    about: "A client with the server's own `Origin` and `?token=`. Refusals arrive as a close code, the first thing on the socket.",
    rows,
};

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, where_) in [(Place::Lobby, "lobby"), (Place::Ended, "ended"), (Place::Unknown, "unknown_code")] {
        for (credential, what) in CREDENTIALS {
            let welcome = welcome(credential, place);
            let case = AuthCase { credential, carrier: Carrier::Query, place, browser: true, welcome };
            rows.push(row(format!("browser/{where_}/{what}"), case));
        }
    }
    rows
}

fn welcome(credential: Credential, place: Place) -> Welcome {
    let known = place != Place::Unknown;
    let (unauthorized, forbidden) = (Wanted::bare(CloseCode::Unauthorized), Wanted::bare(CloseCode::Forbidden));
    let not_found = Wanted::bare(CloseCode::GameNotFound);
    Welcome::Closed(match credential {
        Credential::HostThis | Credential::PlayerThis if known => return Welcome::Open,
        Credential::HostOther | Credential::PlayerOther if known => vec![forbidden],
        Credential::HostThis | Credential::HostOther => vec![not_found],
        Credential::PlayerThis | Credential::PlayerOther => vec![forbidden, not_found],
        _ if known => vec![unauthorized],
        _ => vec![unauthorized, not_found],
    })
}
