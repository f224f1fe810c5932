//! Who may open a socket: 8 credentials × 5 carriers × 5 states of the game in the path.

use super::Group;
use crate::row::{Check, Row};

/// The group.
pub const GROUP: Group = Group {
    name: "auth",
    title: "Opening a socket: credential × carrier × game",
    about: "A client without an `Origin` header. A refusal is plain HTTP with a problem body; a socket that opens is sent the sync messages. A token \
            that expired cannot be had from outside within a run; a well-formed token that was never given out takes its place.",
    rows,
};

/// What a client shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    /// Nothing.
    None,
    /// A word.
    Junk,
    /// The form of a host token, never given out.
    NeverGiven,
    /// A host's token, signed out.
    Revoked,
    /// The token of the game's host.
    HostThis,
    /// Another host's token.
    HostOther,
    /// A player of this game (of the open one, where the path names none).
    PlayerThis,
    /// A player of another game.
    PlayerOther,
}

/// How it is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// `Authorization: Bearer …`
    Bearer,
    /// `?token=…`
    Query,
    /// Both, equal.
    BothEqual,
    /// Both, with another word in the query.
    BothDifferent,
    /// In `Sec-WebSocket-Protocol`, which carries no token.
    Subprotocol,
}

/// Which game the path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One in the lobby.
    Lobby,
    /// One with an open question.
    Question,
    /// One that has ended.
    Ended,
    /// A well-formed code that no game has.
    Unknown,
    /// Something that is no code.
    Malformed,
}

/// One handshake.
#[derive(Debug, Clone)]
pub struct AuthCase {
    /// The credential to present.
    pub credential: Credential,
    /// How.
    pub carrier: Carrier,
    /// Where.
    pub place: Place,
    /// Whether the client is a browser on a page of this server.
    pub browser: bool,
    /// What must follow.
    pub welcome: Welcome,
}

/// What follows a handshake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Welcome {
    /// A socket, and its sync messages.
    Open,
    /// One of these statuses, with a problem body.
    Status(Vec<u16>),
    /// A socket that is closed at once with one of these.
    Closed(Vec<crate::row::Wanted>),
}

/// All credentials.
pub const CREDENTIALS: [(Credential, &str); 8] = [
    (Credential::None, "none"),
    (Credential::Junk, "junk"),
    (Credential::NeverGiven, "never_given"),
    (Credential::Revoked, "revoked"),
    (Credential::HostThis, "host_this"),
    (Credential::HostOther, "host_other"),
    (Credential::PlayerThis, "player_this"),
    (Credential::PlayerOther, "player_other"),
];

const CARRIERS: [(Carrier, &str); 5] = [
    (Carrier::Bearer, "bearer"),
    (Carrier::Query, "query"),
    (Carrier::BothEqual, "both_equal"),
    (Carrier::BothDifferent, "both_different"),
    (Carrier::Subprotocol, "subprotocol"),
];

const PLACES: [(Place, &str); 5] = [
    (Place::Lobby, "lobby"),
    (Place::Question, "question"),
    (Place::Ended, "ended"),
    (Place::Unknown, "unknown_code"),
    (Place::Malformed, "malformed_code"),
];

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, where_) in PLACES {
        for (carrier, how) in CARRIERS {
            for (credential, what) in CREDENTIALS {
                let welcome = welcome(credential, carrier, place);
                let case = AuthCase { credential, carrier, place, browser: false, welcome };
                rows.push(row(format!("auth/{where_}/{how}/{what}"), case));
            }
        }
    }
    rows
}

/// A row about a handshake.
pub fn row(id: String, case: AuthCase) -> Row {
    let words = |debug: String| {
        debug
            .chars()
            .flat_map(|c| if c.is_uppercase() { vec![' ', c.to_ascii_lowercase()] } else { vec![c] })
            .collect::<String>()
    };
    Row {
        id,
        given: format!("game:{}", words(format!("{:?}", case.place))),
        send: format!(
            "credential:{}; carrier:{}",
            words(format!("{:?}", case.credential)),
            words(format!("{:?}", case.carrier))
        ),
        expect: case.welcome.words(),
        check: Check::Auth(case),
    }
}

fn welcome(credential: Credential, carrier: Carrier, place: Place) -> Welcome {
    let known = matches!(place, Place::Lobby | Place::Question | Place::Ended);
    let credential = if carrier == Carrier::Subprotocol { Credential::None } else { credential };
    let statuses: &[u16] = match (carrier, credential) {
        (Carrier::BothDifferent, _) if known => &[400],
        (Carrier::BothDifferent, _) => &[400, 404],
        (_, Credential::None | Credential::Junk | Credential::NeverGiven | Credential::Revoked) if known => &[401],
        (_, Credential::None | Credential::Junk | Credential::NeverGiven | Credential::Revoked) => &[401, 404],
        (_, Credential::HostThis | Credential::PlayerThis) if known => return Welcome::Open,
        (_, Credential::HostOther | Credential::PlayerOther) if known => &[403],
        // Whether the token's game or the path is looked at first is left open; that nothing opens is not.
        (_, Credential::PlayerThis | Credential::PlayerOther) => &[403, 404],
        (_, Credential::HostThis | Credential::HostOther) => &[404],
    };
    Welcome::Status(statuses.to_vec())
}

impl Welcome {
    /// The words of the reference.
    pub fn words(&self) -> String {
        match self {
            Self::Open => "101, and the sync messages".to_owned(),
            Self::Status(statuses) => {
                let statuses: Vec<_> = statuses.iter().map(u16::to_string).collect();
                format!("HTTP {} with a problem body", statuses.join(" or "))
            }
            Self::Closed(wanted) => format!("101, then close {}", crate::row::alternatives(wanted)),
        }
    }
}
