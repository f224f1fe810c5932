//! The listening socket, with what tokio's own `bind` cannot set.
//!
//! Called by `serve`. Options set here are inherited by every accepted connection.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::TcpListener;

use crate::config::Listen;

/// Connections the kernel completes while we are busy: as many as Linux allows by default (`somaxconn`).
const BACKLOG: i32 = 4_096;
/// A peer that acknowledges nothing for so long is dead, whatever the connection reaper does.
const USER_TIMEOUT: Duration = Duration::from_secs(30);

/// Listens on the address that a variable says. Must be called in the runtime.
///
/// # Errors
/// A sentence that names the variable, when the address cannot be listened on.
pub(super) fn bind(variable: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let attempt = || -> std::io::Result<TcpListener> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_reuse_address(true)?;
        socket.set_nonblocking(true)?;
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        TcpListener::from_std(socket.into())
    };
    attempt().with_context(|| format!("{variable}: cannot listen on {address}"))
}

/// Sets the options that connections inherit; also on a listener that the caller brought.
pub(super) fn tune(listener: &TcpListener, listen: &Listen) {
    let socket = SockRef::from(listener);
    let tuned = socket
        .set_send_buffer_size(listen.send_buffer)
        .and_then(|()| socket.set_tcp_nodelay(true))
        .and_then(|()| set_user_timeout(&socket));
    if let Err(error) = tuned {
        tracing::warn!(%error, "some TCP options are not available here");
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn set_user_timeout(socket: &SockRef<'_>) -> std::io::Result<()> {
    socket.set_tcp_user_timeout(Some(USER_TIMEOUT))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn set_user_timeout(_: &SockRef<'_>) -> std::io::Result<()> {
    let _ = USER_TIMEOUT;
    Ok(())
}
