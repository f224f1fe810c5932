//! For tests of other modules: a registered socket with its client's end, on loopback.

#![allow(clippy::unwrap_used)]

use std::net::IpAddr;
use std::sync::Arc;

use quizhall_protocol::{Dialect, Role};
use tokio::net::{TcpListener, TcpStream};

use super::Connection;
use super::registry::{Registered, Session, Sockets};
use crate::moment::Moment;

/// A player's socket, the client's end of it, and what keeps it open.
pub(crate) struct Pair {
    registered: Registered,
    pub(crate) client: TcpStream,
}

impl Pair {
    pub(crate) async fn open(sockets: &Sockets, dialect: Dialect) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let session = Session {
            role: Role::Player,
            dialect,
            address: IpAddr::from([127, 0, 0, 1]).into(),
            token: None,
            expires: Moment::END,
        };
        let Ok(room) = sockets.reserve() else { panic!("no room for a socket") };
        let registered = sockets.open(accepted.unwrap().0, session, room);
        Self { registered, client: client.unwrap() }
    }

    pub(crate) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.registered.connection)
    }
}
