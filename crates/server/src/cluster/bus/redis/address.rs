//! The forms of `REDIS_URL`, and the error for any other form.
//!
//! Used by `dial`, and by the settings through `check_url`. Never repeats a piece of the URL, which contains secrets.
//!
//! | Form | Means |
//! |---|---|
//! | `redis://user:password@host:6379/0` | one server; user, password, port and database number may be missing |
//! | `redis+cluster://host1:6379,host2:6379` | a cluster, and the members to contact first |
//! | `redis+sentinel://host1:26379,host2:26379/name/0` | the master of that name, as these sentinels know it |
//!
//! `rediss…` instead of `redis…` uses TLS with all of them; `valkey…` and `valkeys…` mean the same as `redis…` and
//! `rediss…`. `?ca=/path/to.pem` trusts the authorities in that file instead of the system's. User and password are
//! those of the servers; sentinels that require their own get them from `?sentinel_user=…&sentinel_password=…`.

use std::fs;

use redis::io::tcp::TcpSettings;
use redis::{Client, ConnectionInfo, IntoConnectionInfo, TlsCertificates, parse_redis_url};

use crate::cluster::bus::BusError;

const REDIS_PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

/// The cache store of a URL.
#[derive(Clone)]
pub struct Address {
    /// How its servers are found.
    pub layout: Layout,
    /// The hosts of the URL, with user, password and database; without these for sentinels.
    pub hosts: Vec<ConnectionInfo>,
    /// User, password and database for servers that sentinels name, and the host when one is enough.
    pub login: ConnectionInfo,
    /// Whether connections use TLS.
    pub tls: bool,
    /// The authorities to trust instead of the system's.
    pub certificates: Option<TlsCertificates>,
    /// User and password for the sentinels.
    pub sentinel_login: SentinelLogin,
}

/// How the servers are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// The host is the server.
    One,
    /// The hosts know the cluster.
    Cluster,
    /// The hosts are sentinels that know the master of this name.
    Sentinel(String),
}

/// User and password of sentinels that ask for their own.
#[derive(Clone, Default)]
pub struct SentinelLogin {
    /// The user; `None` for the default one.
    pub user: Option<String>,
    /// The password, if there is one.
    pub password: Option<String>,
}

/// The pieces of a URL, undecoded.
struct Pieces<'a> {
    user: &'a str,
    hosts: Vec<&'a str>,
    path: Vec<&'a str>,
    query: &'a str,
}

impl Address {
    /// Parses a URL; reads the file of authorities if it names one.
    ///
    /// # Errors
    /// As [`check_url`](super::check_url).
    pub fn parse(url: &str) -> Result<Self, BusError> {
        let (scheme, rest) = url.trim().split_once("://").ok_or_else(|| wrong(FORMS))?;
        let (tls, kind) = scheme_of(scheme).ok_or_else(|| wrong(FORMS))?;
        let pieces = Pieces::of(rest)?;
        let (layout, database) = layout_of(kind, &pieces)?;
        let port = if kind == Kind::Sentinel { SENTINEL_PORT } else { REDIS_PORT };
        let (certificates, sentinel_login) = options_of(&pieces, tls, kind)?;
        let host = |host: &str, user: &str| info(host, port, tls, user, database, certificates.as_ref());
        let user = if kind == Kind::Sentinel { "" } else { pieces.user };
        let hosts = pieces.hosts.iter().map(|name| host(name, user)).collect::<Result<Vec<_>, _>>()?;
        let login = host(pieces.hosts.first().copied().unwrap_or_default(), pieces.user)?;
        Ok(Self { layout, hosts, login, tls, certificates, sentinel_login })
    }
}

/// The settings of every connection: without Nagle's delay, which would hold back every second batch.
pub(super) fn tcp() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

const FORMS: &str = "must begin with redis://, rediss://, redis+cluster://, rediss+cluster://, redis+sentinel:// or \
                     rediss+sentinel:// (or the same with valkey).";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    One,
    Cluster,
    Sentinel,
}

fn scheme_of(scheme: &str) -> Option<(bool, Kind)> {
    let (server, kind) = scheme.split_once('+').unwrap_or((scheme, ""));
    let tls = match server {
        "redis" | "valkey" => false,
        "rediss" | "valkeys" => true,
        _ => return None,
    };
    match kind {
        "" if !scheme.contains('+') => Some((tls, Kind::One)),
        "cluster" => Some((tls, Kind::Cluster)),
        "sentinel" => Some((tls, Kind::Sentinel)),
        _ => None,
    }
}

impl<'a> Pieces<'a> {
    fn of(rest: &'a str) -> Result<Self, BusError> {
        if rest.contains('#') {
            return Err(wrong("holds a #, which must be written as %23 in a user or password."));
        }
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        // A password may contain a slash that should have been encoded: then the host is missing, and the error says
        // so.
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        let hosts: Vec<_> = hosts.split(',').map(str::trim).collect();
        if hosts.iter().any(|host| host.is_empty() || host.starts_with(':')) {
            return Err(wrong("has no host where one must be, as in redis://host:6379/0."));
        }
        let path = path.split('/').filter(|segment| !segment.is_empty()).collect();
        Ok(Self { user, hosts, path, query })
    }
}

fn layout_of(kind: Kind, pieces: &Pieces<'_>) -> Result<(Layout, u32), BusError> {
    let database = |text: Option<&&str>| match text {
        None => Ok(0),
        Some(text) => text.parse().map_err(|_| wrong("must end with the number of a database, as in /0.")),
    };
    match (kind, pieces.path.as_slice()) {
        (Kind::One, _) if pieces.hosts.len() > 1 => {
            Err(wrong("names several hosts, which needs redis+cluster:// or redis+sentinel://."))
        }
        (Kind::One, path @ ([] | [_])) => Ok((Layout::One, database(path.first())?)),
        (Kind::Cluster, path @ ([] | [_])) => Ok((Layout::Cluster, database(path.first())?)),
        (Kind::Sentinel, [name, path @ ..]) if path.len() <= 1 => {
            Ok((Layout::Sentinel((*name).to_owned()), database(path.first())?))
        }
        (Kind::Sentinel, []) => Err(wrong("must name the master, as in redis+sentinel://host:26379/name.")),
        _ => Err(wrong("has too many parts behind its hosts.")),
    }
}

fn options_of(
    pieces: &Pieces<'_>,
    tls: bool,
    kind: Kind,
) -> Result<(Option<TlsCertificates>, SentinelLogin), BusError> {
    let mut certificates = None;
    let mut login = SentinelLogin::default();
    let url = parse_redis_url(&format!("redis://host?{}", pieces.query)).ok_or_else(|| wrong("cannot be read."))?;
    for (name, value) in url.query_pairs() {
        match name.as_ref() {
            "ca" if tls => certificates = Some(authorities(&value)?),
            "ca" => return Err(wrong("has ?ca=, which needs rediss:// (TLS).")),
            "sentinel_user" if kind == Kind::Sentinel => login.user = Some(value.into_owned()),
            "sentinel_password" if kind == Kind::Sentinel => login.password = Some(value.into_owned()),
            _ => return Err(wrong("has an option that is not known; those are ca, sentinel_user, sentinel_password.")),
        }
    }
    Ok((certificates, login))
}

fn authorities(path: &str) -> Result<TlsCertificates, BusError> {
    let file = fs::read(path).map_err(|error| wrong(&format!("names a file in ?ca= that cannot be read: {error}.")))?;
    if !file.windows(CERTIFICATE.len()).any(|window| window == CERTIFICATE) {
        return Err(wrong("names a file in ?ca= that holds no certificate in PEM."));
    }
    Ok(TlsCertificates { client_tls: None, root_cert: Some(file) })
}

const CERTIFICATE: &[u8] = b"-----BEGIN CERTIFICATE-----";

fn info(
    host: &str,
    port: u16,
    tls: bool,
    user: &str,
    database: u32,
    certificates: Option<&TlsCertificates>,
) -> Result<ConnectionInfo, BusError> {
    let bare = host.ends_with(']') || !host.contains(':');
    let host = if bare { format!("{host}:{port}") } else { host.to_owned() };
    let (scheme, at) = (if tls { "rediss" } else { "redis" }, if user.is_empty() { "" } else { "@" });
    let url = format!("{scheme}://{user}{at}{host}/{database}");
    // The library's own message may repeat its input.
    let info =
        url.into_connection_info().map_err(|_| wrong("holds a host, port, user or password that cannot be read."))?;
    let info = match certificates {
        Some(certificates) => Client::build_with_tls(info, certificates.clone())
            .map_err(|_| wrong("names a file in ?ca= that holds a certificate that cannot be read."))?
            .get_connection_info()
            .clone(),
        None => info,
    };
    Ok(info.set_tcp_settings(tcp()))
}

/// A sentence that follows the name of the setting.
fn wrong(sentence: &str) -> BusError {
    BusError::Unusable(sentence.to_owned())
}
