//! Connecting: to one server, to a cluster, or to whichever server the sentinels call the master.
//!
//! Used by `line` and `inbox`. Keeps no connection itself, and puts no address and no secret into an error.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::sentinel::{SentinelClientBuilder, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ErrorKind, Pipeline, RedisError, RedisFuture, RedisResult, TlsMode, Value,
};
use tokio::time::timeout;

use super::address::{self, Address, Layout};
use crate::cluster::bus::BusError;

/// The time limit for connecting, including name lookup, TLS, login and the question to the sentinels.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The same for one attempt at one server.
const ONE_TRY: Duration = Duration::from_secs(1);

/// The time limit of the library for any command; every caller gives up earlier, even reads that wait for messages.
const NEVER: Duration = Duration::from_secs(30);

/// Enough to follow a moved slot and a failover; more would only delay a caller that gives up anyway.
const CLUSTER_RETRIES: u32 = 3;

/// Makes connections to the servers of a URL.
pub(super) struct Dialer {
    address: Address,
}

/// A connection that many callers may use at once.
#[derive(Clone)]
pub(super) enum Connection {
    One(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Dialer {
    pub(super) fn new(url: &str) -> Result<Self, BusError> {
        Ok(Self { address: Address::parse(url)? })
    }

    /// Whether a connection repairs itself. One to a cluster does, and a new one would only disturb those whose part of
    /// the cluster works.
    pub(super) fn mends_itself(&self) -> bool {
        self.address.layout == Layout::Cluster
    }

    pub(super) async fn connect(&self) -> Result<Connection, BusError> {
        match timeout(TIMEOUT, self.try_connect()).await {
            Ok(Ok(connection)) => Ok(connection),
            Ok(Err(error)) => Err(unavailable(&error)),
            Err(_) => Err(silent()),
        }
    }

    async fn try_connect(&self) -> RedisResult<Connection> {
        // The callers set the time limits of commands.
        let config = AsyncConnectionConfig::new().set_connection_timeout(Some(ONE_TRY)).set_response_timeout(None);
        let client = match &self.address.layout {
            Layout::Cluster => return Ok(Connection::Cluster(self.cluster()?.get_async_connection().await?)),
            Layout::One => Client::open(self.address.login.clone())?,
            Layout::Sentinel(master) => self.sentinels(master)?.build()?.async_get_client().await?,
        };
        Ok(Connection::One(client.get_multiplexed_async_connection_with_config(&config).await?))
    }

    fn cluster(&self) -> RedisResult<redis::cluster::ClusterClient> {
        let mut builder = ClusterClientBuilder::new(self.address.hosts.clone())
            .tcp_settings(address::tcp())
            .connection_timeout(ONE_TRY)
            .response_timeout(NEVER)
            .retries(CLUSTER_RETRIES)
            .max_retry_wait(100)
            .min_retry_wait(10);
        if let Some(certificates) = &self.address.certificates {
            builder = builder.certs(certificates.clone());
        }
        builder.build()
    }

    fn sentinels(&self, master: &str) -> RedisResult<SentinelClientBuilder> {
        let addresses = self.address.hosts.iter().map(|host| host.addr().clone());
        let login = self.address.login.redis_settings();
        let mut builder = SentinelClientBuilder::new(addresses, master, SentinelServerType::Master)?
            .set_client_to_redis_tcp_settings(address::tcp())
            .set_client_to_sentinel_tcp_settings(address::tcp())
            .set_client_to_redis_db(login.db());
        if let Some(user) = login.username() {
            builder = builder.set_client_to_redis_username(user);
        }
        if let Some(password) = login.password() {
            builder = builder.set_client_to_redis_password(password);
        }
        if let Some(user) = &self.address.sentinel_login.user {
            builder = builder.set_client_to_sentinel_username(user);
        }
        if let Some(password) = &self.address.sentinel_login.password {
            builder = builder.set_client_to_sentinel_password(password);
        }
        if self.address.tls {
            builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
        }
        if let Some(certificates) = &self.address.certificates {
            builder = builder.set_client_to_redis_certificates(certificates.clone());
        }
        Ok(builder)
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(connection) => connection.req_packed_command(cmd),
            Self::Cluster(connection) => connection.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(connection) => connection.req_packed_commands(pipeline, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}

/// Nothing came back in time.
pub(super) fn silent() -> BusError {
    BusError::Unavailable("it does not answer".to_owned())
}

/// The failure in words that contain nothing of an address, a user or a value: the library's words may.
pub(super) fn unavailable(error: &RedisError) -> BusError {
    BusError::Unavailable(match (error.kind(), error.code()) {
        (ErrorKind::AuthenticationFailed, _) => "it refuses the user or password".to_owned(),
        (ErrorKind::MasterNameNotFoundBySentinel, _) => "the sentinels know no master of that name".to_owned(),
        (ErrorKind::Io, _) => io_words(error),
        (_, Some(code)) => format!("it refuses with {code}"),
        (kind, None) => format!("{kind:?}"),
    })
}

fn io_words(error: &RedisError) -> String {
    let source = error.source().and_then(|source| source.downcast_ref::<Arc<dyn Error + Send + Sync>>());
    match source.and_then(|source| source.downcast_ref::<io::Error>()) {
        Some(error) if error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some() => {
            "the TLS handshake failed (certificate, name or version)".to_owned()
        }
        Some(error) => error.kind().to_string(),
        None => "the connection failed".to_owned(),
    }
}

/// Whether the server answered, rather than the connection to it being broken.
pub(super) fn is_answer(error: &RedisError) -> bool {
    use redis::ServerErrorKind::{BusyLoading, MasterDown, ReadOnly};
    match error.kind() {
        // The server was the master before, or is not ready: another connection may lead to the right one.
        ErrorKind::Server(BusyLoading | MasterDown | ReadOnly) => false,
        ErrorKind::Server(_) | ErrorKind::Extension => true,
        _ => false,
    }
}
