//! The listening socket: TCP, with what tokio's own `bind` cannot set, or a unix socket.
//!
//! Called by `serve`. Options of TCP set here are inherited by every accepted connection.

use std::fs::{self, Permissions};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::{TcpListener, TcpStream, UnixListener};

use crate::config::Listen;

/// Connections that the kernel completes while the process is busy: as many as Linux allows by default (`somaxconn`).
const BACKLOG: i32 = 4_096;
/// A peer that acknowledges nothing for this long is dead, independent of the connection reaper.
const USER_TIMEOUT: Duration = Duration::from_secs(30);

/// The address assumed for peers of a unix socket: they are on this machine.
const LOCAL_PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// What the service accepts connections from.
pub enum Listener {
    /// An address and a port.
    Tcp(TcpListener),
    /// A unix socket; its file is removed when this is dropped.
    Unix(UnixSocket),
}

/// A listening unix socket, with its file.
pub struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
    send_buffer: usize,
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        // A file that remains is replaced by the next start.
        let _ = fs::remove_file(&self.path);
    }
}

impl Listener {
    /// Listens at `BIND_ADDR`. Must be called in the runtime.
    ///
    /// # Errors
    /// A sentence that names the variable, when listening fails.
    pub(super) fn bind(listen: &Listen) -> anyhow::Result<Self> {
        let Some(path) = &listen.unix_socket else { return bind("BIND_ADDR", listen.bind_addr).map(Self::Tcp) };
        let listener =
            bind_unix(path).with_context(|| format!("BIND_ADDR: cannot listen on unix:{}", path.display()))?;
        Ok(Self::Unix(UnixSocket { listener, path: path.clone(), send_buffer: listen.send_buffer }))
    }

    /// The address; an unspecific one for a unix socket.
    ///
    /// # Errors
    /// When the system does not know it.
    pub(super) fn local_addr(&self) -> io::Result<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr(),
            Self::Unix(_) => Ok(LOCAL_PEER),
        }
    }

    /// The next connection and its peer.
    ///
    /// # Errors
    /// As accept(2).
    pub(super) async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        match self {
            Self::Tcp(listener) => listener.accept().await,
            Self::Unix(socket) => Ok((socket.accept().await?, LOCAL_PEER)),
        }
    }
}

impl UnixSocket {
    /// The next connection, as the stream type of the rest of the service, which uses nothing that only TCP has.
    async fn accept(&self) -> io::Result<TcpStream> {
        let (stream, _) = self.listener.accept().await?;
        let stream = OwnedFd::from(stream.into_std()?);
        SockRef::from(&stream).set_send_buffer_size(self.send_buffer)?;
        TcpStream::from_std(stream.into())
    }
}

/// Any process that can reach the folder may connect: the folder's permissions decide. A socket left by a killed
/// service is replaced.
fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket());
    let is_refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    if is_socket && UnixStream::connect(path).is_err_and(is_refused) {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o666))?;
    Ok(listener)
}

/// Listens on the address of a variable. Must be called in the runtime.
///
/// # Errors
/// A sentence that names the variable, when listening fails.
pub(super) fn bind(variable: &str, address: SocketAddr) -> anyhow::Result<TcpListener> {
    let attempt = || -> io::Result<TcpListener> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_reuse_address(true)?;
        socket.set_nonblocking(true)?;
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        TcpListener::from_std(socket.into())
    };
    attempt().with_context(|| format!("{variable}: cannot listen on {address}"))
}

/// Sets the options that connections inherit, also on a listener passed in by the caller.
pub(super) fn tune(listener: &Listener, listen: &Listen) {
    let Listener::Tcp(listener) = listener else { return };
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
fn set_user_timeout(socket: &SockRef<'_>) -> io::Result<()> {
    socket.set_tcp_user_timeout(Some(USER_TIMEOUT))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn set_user_timeout(_: &SockRef<'_>) -> io::Result<()> {
    let _ = USER_TIMEOUT;
    Ok(())
}
