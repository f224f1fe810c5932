//! Where the server under test is: a URL split into what a TCP connection and a request line need.

use anyhow::{Context, ensure};
use tokio::net::TcpStream;

/// The server under test.
#[derive(Debug, Clone)]
pub struct Target {
    authority: String,
    address: String,
    prefix: String,
}

impl Target {
    /// Reads `http://host[:port][/prefix]`.
    ///
    /// # Errors
    /// When the URL is not plain HTTP or has no host: the suite writes its own bytes and does not speak TLS.
    pub fn parse(url: &str) -> anyhow::Result<Self> {
        let rest =
            url.strip_prefix("http://").context("the URL must begin with http:// (the suite speaks plain TCP)")?;
        let (authority, prefix) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        ensure!(!authority.is_empty(), "the URL names no host");
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let address = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Self { authority: authority.to_owned(), address, prefix: prefix.trim_end_matches('/').to_owned() })
    }

    /// A fresh TCP connection, without Nagle's delay.
    pub async fn connect(&self) -> anyhow::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address).await.with_context(|| format!("connect to {}", self.address))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// What the `Host` header says.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// What a page of this server has as its `Origin`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.authority)
    }

    /// The path of a request line.
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Host and port to connect to.
    pub fn address(&self) -> &str {
        &self.address
    }
}
