//! `quizhall probe`: whether the service on this machine lives, as an exit code, for images that have no shell and no
//! curl.
//!
//! Requests `/livez`, which checks only the process: a failing database must not restart the service.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::config::Listen;

/// The time limit of each step; a process that takes longer is in trouble.
const TIMEOUT: Duration = Duration::from_secs(2);

const REQUEST: &[u8] = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const ALIVE: &[u8] = b"HTTP/1.1 200 ";

/// Sends the request according to these settings: to `HEALTH_ADDR` when it is set, otherwise to `BIND_ADDR`.
pub(super) fn run(listen: &Listen) -> anyhow::Result<()> {
    if let (None, Some(path)) = (listen.health_addr, &listen.unix_socket) {
        let stream = UnixStream::connect(path).context("nothing listens")?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        return ask(stream);
    }
    let bind = listen.health_addr.unwrap_or(listen.bind_addr);
    let stream = TcpStream::connect_timeout(&here(bind), TIMEOUT).context("nothing listens")?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    ask(stream)
}

fn ask(mut stream: impl Read + Write) -> anyhow::Result<()> {
    stream.write_all(REQUEST).context("no answer")?;
    let mut answer = [0; ALIVE.len()];
    stream.read_exact(&mut answer).context("no answer")?;
    if answer == ALIVE { Ok(()) } else { bail!("the service does not say that it lives") }
}

/// The address at which this machine reaches a listener on `bind`.
fn here(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}
