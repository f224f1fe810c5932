//! The hosts that a URL names, and which of them is wanted. The library reads URLs of one host, so a URL of several
//! becomes one URL for each.
//!
//! Called by `open`. Connects to nothing. Errors repeat nothing of the URL, which can contain a password.

use std::borrow::Cow;

use super::super::error::StoreError;

/// The most hosts that a URL may name: each new connection may ask all of them.
pub const MOST_HOSTS: usize = 8;

/// The parameter that says which host is wanted, as in libpq.
pub(super) const WANTED: &str = "target_session_attrs";

/// Which host may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The first that accepts a connection.
    Any,
    /// One that takes writes.
    ReadWrite,
}

/// One URL for each host, in their order.
#[derive(Debug, PartialEq, Eq)]
pub struct Hosts {
    /// At least one.
    pub urls: Vec<String>,
    /// Which of them may be used: of several, by default one that takes writes.
    pub wanted: Wanted,
}

/// A host and its port, as a URL writes them.
struct Place<'a> {
    host: Cow<'a, str>,
    port: Option<Cow<'a, str>>,
}

/// The parts of a URL.
struct Parts<'a> {
    /// Scheme, user and password.
    before: &'a str,
    hosts: &'a str,
    /// With its `/`.
    database: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
}

impl Hosts {
    /// The hosts of `url`. The URL of one host is taken as it is, only without the parameter that the library does not know.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] when the lists have no such form, or name more than [`MOST_HOSTS`].
    pub fn of(url: &str) -> Result<Self, StoreError> {
        let parts = Parts::of(url);
        let wanted = parts.wanted()?;
        if !parts.names_several() {
            let urls = vec![if wanted.is_some() { parts.of_one_host() } else { url.to_owned() }];
            return Ok(Self { urls, wanted: wanted.unwrap_or(Wanted::Any) });
        }
        let places = parts.places()?;
        if places.len() > MOST_HOSTS {
            return Err(refused(&format!("names more than {MOST_HOSTS} hosts")));
        }
        let urls = places.iter().map(|place| parts.of_place(place)).collect();
        Ok(Self { urls, wanted: wanted.unwrap_or(Wanted::ReadWrite) })
    }
}

impl<'a> Parts<'a> {
    fn of(url: &'a str) -> Self {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let start = base.find("://").map_or(0, |at| at + "://".len());
        let end = base[start..].find('/').map_or(base.len(), |at| start + at);
        let hosts = base[start..end].rfind('@').map_or(start, |at| start + at + 1);
        let parameters = query.split('&').filter(|part| !part.is_empty());
        Self {
            before: &base[..hosts],
            hosts: &base[hosts..end],
            database: &base[end..],
            parameters: parameters.map(|part| part.split_once('=').unwrap_or((part, ""))).collect(),
        }
    }

    /// The last value, which is the one that counts for the library too.
    fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn wanted(&self) -> Result<Option<Wanted>, StoreError> {
        match self.parameter(WANTED) {
            None => Ok(None),
            Some("any") => Ok(Some(Wanted::Any)),
            Some("read-write") => Ok(Some(Wanted::ReadWrite)),
            Some(_) => Err(refused(&format!("has a {WANTED} that is neither any nor read-write"))),
        }
    }

    fn names_several(&self) -> bool {
        let is_list = |name| self.parameter(name).is_some_and(|value| list(value).contains(','));
        self.hosts.contains(',') || is_list("host") || is_list("port")
    }

    fn places(&self) -> Result<Vec<Place<'a>>, StoreError> {
        let named = self.parameter("host").map(list);
        if self.parameter("hostaddr").is_some() || named.is_some() && self.hosts.contains(',') {
            return Err(refused("names its hosts twice"));
        }
        let mut places = match &named {
            Some(hosts) => hosts.split(',').map(bare).collect::<Result<Vec<_>, _>>()?,
            None => self.hosts.split(',').map(with_port).collect::<Result<Vec<_>, _>>()?,
        };
        if let Some(ports) = self.parameter("port").map(list) {
            if places.iter().any(|place| place.port.is_some()) {
                return Err(refused("names its ports twice"));
            }
            let ports: Vec<&str> = ports.split(',').collect();
            if ports.len() != 1 && ports.len() != places.len() {
                return Err(refused("has another number of ports than of hosts"));
            }
            for (place, port) in places.iter_mut().zip(ports.into_iter().cycle()) {
                place.port = Some(Cow::Owned(port.to_owned()));
            }
        }
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
        if places.iter().any(|place| place.port.as_deref().is_some_and(|port| !is_port(port))) {
            return Err(refused("has a port that is not a number from 1 to 65535"));
        }
        Ok(places)
    }

    fn of_one_host(&self) -> String {
        let parameters = self.rest(&[WANTED]);
        format!("{}{}{}{parameters}", self.before, self.hosts, self.database)
    }

    fn of_place(&self, place: &Place<'_>) -> String {
        let port = place.port.as_ref().map_or(String::new(), |port| format!(":{port}"));
        let parameters = self.rest(&[WANTED, "host", "port"]);
        format!("{}{}{port}{}{parameters}", self.before, place.host, self.database)
    }

    /// The parameters except those of these names.
    fn rest(&self, without: &[&str]) -> String {
        let kept = self.parameters.iter().filter(|(name, _)| !without.contains(name));
        let kept: Vec<String> = kept.map(|(name, value)| format!("{name}={value}")).collect();
        if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) }
    }
}

/// A list in a parameter, where programs may write its commas in another way.
fn list(value: &str) -> Cow<'_, str> {
    if value.contains('%') { Cow::Owned(value.replace("%2C", ",").replace("%2c", ",")) } else { Cow::Borrowed(value) }
}

/// A host of the parameter `host`: no port, no brackets, perhaps the folder of a unix socket.
fn bare(host: &str) -> Result<Place<'static>, StoreError> {
    let host = match host {
        "" => return Err(refused("has an empty host in its list")),
        _ if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        _ => host.replace('/', "%2F"),
    };
    Ok(Place { host: Cow::Owned(host), port: None })
}

/// A host before the name of the database, perhaps with a port; an address of IPv6 is in brackets.
fn with_port(text: &str) -> Result<Place<'_>, StoreError> {
    let name = text.rfind(']').map_or(0, |at| at + 1);
    let (host, port) = match text[name..].find(':') {
        Some(at) => (&text[..name + at], Some(&text[name + at + 1..])),
        None => (text, None),
    };
    if host.is_empty() {
        return Err(refused("has an empty host in its list"));
    }
    Ok(Place { host: Cow::Borrowed(host), port: port.map(Cow::Borrowed) })
}

fn refused(what: &str) -> StoreError {
    const FORM: &str = "postgres://user:password@host1:5432,host2:5432/database";
    StoreError::Unusable(format!("the database URL {what}: {FORM}"))
}
