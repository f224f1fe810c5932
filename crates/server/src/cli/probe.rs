//! `quizhall probe`: whether the service on this machine lives, as an exit code, for images that have no shell and no curl.
//!
//! Asks `/livez`, which looks at nothing but the process: who restarts by it must not restart for a database.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, bail};

/// For each step; a process that takes longer for this is in trouble.
const TIMEOUT: Duration = Duration::from_secs(2);

const REQUEST: &[u8] = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const ALIVE: &[u8] = b"HTTP/1.1 200 ";

/// Asks the service that listens on `bind`.
pub(super) fn run(bind: SocketAddr) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect_timeout(&here(bind), TIMEOUT).context("nobody listens")?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.write_all(REQUEST).context("no answer")?;
    let mut answer = [0; ALIVE.len()];
    stream.read_exact(&mut answer).context("no answer")?;
    if answer == ALIVE { Ok(()) } else { bail!("the service does not say that it lives") }
}

/// How to reach from this machine what listens on `bind`.
fn here(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}
