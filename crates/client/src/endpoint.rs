//! Where a server is: one base address, from which HTTP and socket addresses are made.

use std::fmt::Write as _;

use reqwest::Url;

use crate::token::Token;

/// The base address of a server, such as `http://127.0.0.1:8080` or `http://example.org/quiz`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    base: Url,
}

/// Why an address cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not an absolute URL with a host.
    #[error("the address must look like http://host:8080")]
    NotAnAddress,
    /// `https` or `wss`.
    #[error("this client speaks plain http only: point it at the server itself, or at a tunnel that ends TLS")]
    Tls,
    /// User name, query or fragment in the address.
    #[error("the address must not carry a user name, a query or a fragment")]
    Extras,
}

impl Endpoint {
    /// Reads an address; `ws://` is taken as `http://`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim().trim_end_matches('/');
        let text = text.strip_prefix("ws://").map_or_else(|| text.to_owned(), |rest| format!("http://{rest}"));
        let base = Url::parse(&text).map_err(|_| EndpointError::NotAnAddress)?;
        match base.scheme() {
            "http" => {}
            "https" | "wss" => return Err(EndpointError::Tls),
            _ => return Err(EndpointError::NotAnAddress),
        }
        if !base.has_host() {
            return Err(EndpointError::NotAnAddress);
        }
        let plain = base.username().is_empty() && base.password().is_none();
        if !plain || base.query().is_some() || base.fragment().is_some() {
            return Err(EndpointError::Extras);
        }
        Ok(Self { base })
    }

    /// The address of an HTTP resource; `path` begins with a slash.
    pub fn http(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let joined = format!("{}{path}", self.base.path().trim_end_matches('/'));
        url.set_path(&joined);
        url
    }

    /// Host and port to open a TCP connection to.
    pub fn address(&self) -> (String, u16) {
        let host = self.base.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        (host.to_owned(), self.base.port_or_known_default().unwrap_or(80))
    }

    /// The address of a game's socket, `/ws/{gameCode}`, with the token as a query parameter when one is given.
    pub fn socket(&self, code: &str, token: Option<&Token>) -> String {
        let mut address = self.http(&format!("/ws/{code}")).to_string().replacen("http://", "ws://", 1);
        if let Some(token) = token {
            address.push_str("?token=");
            percent_encode(token.reveal(), &mut address);
        }
        address
    }
}

/// Everything but RFC 3986's unreserved characters, as `%XX`.
fn percent_encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            into.push(char::from(byte));
        } else {
            write!(into, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
}

#[cfg(test)]
mod tests;
