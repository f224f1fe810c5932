//! Where the service listens, its address for people, and the proxies in front of it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ipnet::IpNet;

use super::Problems;

/// Address, public name, proxies and the limits of an HTTP request.
#[derive(Debug, Clone)]
pub struct Listen {
    /// Address and port; port 0 takes a free one. Not used when there is a `unix_socket`.
    pub bind_addr: SocketAddr,
    /// The path of a unix socket to listen on instead, from `BIND_ADDR=unix:/path`.
    pub unix_socket: Option<PathBuf>,
    /// A second address, at which only health and metrics are answered.
    pub health_addr: Option<SocketAddr>,
    /// The address that people type, without a slash at the end.
    pub public_url: Option<String>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Other origins whose pages may open sockets, lower case, `scheme://host[:port]`.
    pub allowed_origins: Vec<String>,
    /// Kernel send buffer per connection, bytes: as much as a phone that stopped reading can hold.
    pub send_buffer: usize,
    /// How long a request's line and headers may take to arrive.
    pub header_timeout: Duration,
    /// How long a request may take altogether.
    pub request_timeout: Duration,
    /// How far a client may fall behind in reading an answer.
    pub answer_timeout: Duration,
}

impl Listen {
    /// The address that people type, without a slash at the end: `PUBLIC_URL`, or else the address of the listener.
    /// When it listens on every address of the machine, this is the one that phones on the same network reach; it is
    /// determined at each call, because a laptop changes networks.
    pub fn people_type(&self) -> String {
        if let Some(url) = &self.public_url {
            return url.clone();
        }
        let address = self.bind_addr;
        if !address.ip().is_unspecified() {
            return format!("http://{address}");
        }
        match address_in_the_network() {
            Some(ip) => format!("http://{}", SocketAddr::new(ip, address.port())),
            None => format!("http://localhost:{}", address.port()),
        }
    }
}

/// The address from which this machine would send. Connecting a datagram socket chooses a route and sends nothing; its
/// destination is reserved for documentation (RFC 5737).
fn address_in_the_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Listening")]
pub(super) struct ListenArgs {
    /// Address and port to listen on, or `unix:` and the path of a socket.
    #[arg(long, env = "BIND_ADDR", default_value = "0.0.0.0:8080", value_name = "ADDRESS", global = true)]
    bind_addr: String,
    /// A second address and port to listen on, which answers health checks and metrics and nothing else.
    #[arg(long, env = "HEALTH_ADDR", value_name = "ADDRESS", global = true)]
    health_addr: Option<String>,
    /// The address people type, such as `https://quiz.example.org` [default: this machine's address in its network].
    #[arg(long, env = "PUBLIC_URL", value_name = "URL", global = true)]
    public_url: Option<String>,
    /// Proxies whose X-Forwarded-For is believed: addresses or networks, separated by commas.
    #[arg(long, env = "TRUSTED_PROXIES", value_name = "LIST", global = true)]
    trusted_proxies: Option<String>,
    /// Origins besides our own whose pages may open sockets, separated by commas.
    #[arg(long, env = "ALLOWED_ORIGINS", value_name = "LIST", global = true)]
    allowed_origins: Option<String>,
    /// Kernel send buffer per connection.
    #[arg(long, env = "SEND_BUFFER", default_value = "64KiB", value_name = "SIZE", global = true)]
    send_buffer: String,
    /// How long a request's headers may take to arrive.
    #[arg(long, env = "HEADER_TIMEOUT", default_value = "10s", value_name = "DURATION", global = true)]
    header_timeout: String,
    /// How long a request may take altogether.
    #[arg(long, env = "REQUEST_TIMEOUT", default_value = "30s", value_name = "DURATION", global = true)]
    request_timeout: String,
    /// How long a client may read less than 2 kB a second of an answer.
    #[arg(long, env = "ANSWER_TIMEOUT", default_value = "30s", value_name = "DURATION", global = true)]
    answer_timeout: String,
}

impl ListenArgs {
    pub(super) fn read(&self, problems: &mut Problems) -> Listen {
        let short = Duration::from_millis(10)..=Duration::from_secs(600);
        let unix_socket = unix_socket(&self.bind_addr, self.public_url.as_deref(), problems);
        // Peers of a unix socket are on this machine.
        let bind_addr = if unix_socket.is_some() { "127.0.0.1:0" } else { &self.bind_addr };
        Listen {
            bind_addr: address("BIND_ADDR", "0.0.0.0:8080", bind_addr, problems),
            unix_socket,
            health_addr: health_addr(self.health_addr.as_deref(), problems),
            public_url: public_url(self.public_url.as_deref(), problems),
            trusted_proxies: trusted_proxies(self.trusted_proxies.as_deref(), problems),
            allowed_origins: allowed_origins(self.allowed_origins.as_deref(), problems),
            send_buffer: problems.bytes("SEND_BUFFER", &self.send_buffer, 4_096..=16 << 20),
            header_timeout: problems.duration("HEADER_TIMEOUT", &self.header_timeout, short.clone()),
            request_timeout: problems.duration("REQUEST_TIMEOUT", &self.request_timeout, short.clone()),
            answer_timeout: problems.duration("ANSWER_TIMEOUT", &self.answer_timeout, short),
        }
    }
}

fn address(variable: &'static str, example: &str, text: &str, problems: &mut Problems) -> SocketAddr {
    // `localhost` is the only name that means the same on every machine; others would have to be resolved.
    let text = text.trim();
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    numeric.as_deref().unwrap_or(text).parse().unwrap_or_else(|_| {
        problems.add(variable, format!("is {text:?} and must be an address and a port such as {example}."));
        SocketAddr::from(([127, 0, 0, 1], 0))
    })
}

/// A unix socket has no address that people could type.
fn unix_socket(bind_addr: &str, public_url: Option<&str>, problems: &mut Problems) -> Option<PathBuf> {
    let path = bind_addr.trim().strip_prefix("unix:")?;
    if !path.starts_with('/') {
        problems.add("BIND_ADDR", format!("is {bind_addr:?} and must be like unix:/run/quizhall/http.sock."));
    } else if public_url.is_none_or(|url| url.trim().is_empty()) {
        problems.add("PUBLIC_URL", "must be set when BIND_ADDR is a unix socket.");
    }
    Some(PathBuf::from(path))
}

fn health_addr(text: Option<&str>, problems: &mut Problems) -> Option<SocketAddr> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    Some(address("HEALTH_ADDR", "127.0.0.1:8081", text, problems))
}

fn public_url(text: Option<&str>, problems: &mut Problems) -> Option<String> {
    let text = text?.trim().trim_end_matches('/');
    if text.is_empty() {
        return None;
    }
    if origin_parts(text).is_none() {
        problems.add("PUBLIC_URL", format!("is {text:?} and must be like https://quiz.example.org, without a path."));
    }
    Some(text.to_owned())
}

fn trusted_proxies(text: Option<&str>, problems: &mut Problems) -> Vec<IpNet> {
    let mut nets = Vec::new();
    for item in items(text) {
        match item.parse::<IpNet>().or_else(|_| item.parse::<IpAddr>().map(IpNet::from)) {
            Ok(net) => nets.push(net),
            Err(_) => {
                problems.add("TRUSTED_PROXIES", format!("has {item:?}, which is neither an address nor a network."));
            }
        }
    }
    nets
}

fn allowed_origins(text: Option<&str>, problems: &mut Problems) -> Vec<String> {
    let mut origins = Vec::new();
    for item in items(text) {
        let origin = item.trim_end_matches('/').to_ascii_lowercase();
        if origin_parts(&origin).is_none() {
            problems.add("ALLOWED_ORIGINS", format!("has {item:?}, which is not like https://quiz.example.org."));
        }
        origins.push(origin);
    }
    origins
}

fn items(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.unwrap_or_default().split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// Scheme and authority of `http(s)://host[:port]` with nothing after them.
fn origin_parts(text: &str) -> Option<(&str, &str)> {
    let (scheme, authority) = text.split_once("://")?;
    let known = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let plain = !authority.is_empty() && !authority.contains(['/', '?', '#', '@', ' ', '\\', '*', '"', '\'']);
    (known && plain && authority.is_ascii()).then_some((scheme, authority))
}
