//! Webhooks: creating and deleting them, and sending what happened in games to their addresses.
//!
//! Called by `http`; started by `serve`. The database stores a delivery in the transaction that appends its event, so
//! each event of the log is sent at least once. Sends to no address that the settings do not allow, follows no
//! redirection, and logs no address and no key.

pub mod address;
mod payload;
mod sending;
mod signature;

use std::sync::Arc;
use std::time::Duration;

use quizhall_rules::HostId;
use rand::Rng as _;
use reqwest::Client;
use reqwest::redirect::Policy;
use thiserror::Error;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::clock;
use crate::cluster::bus::SharedLimits;
use crate::config;
use crate::limits::{Allowances, Allowed, SharedThrottle};
use crate::store::{NewKey, NewWebhook, Rotation, Sending, Store, StoreError, TestEvent, WebhookLine};
use crate::telemetry::Limit;
use crate::tls;

pub use signature::{secret_pattern, shown_secret, signatures};

/// Most webhooks of one account.
pub const MOST_WEBHOOKS: u32 = 10;

/// Most bytes of an address.
pub const LONGEST_URL: usize = 2_048;

/// Most test events and deliveries sent again for one account in a minute, so that receivers are not flooded from here.
pub const SENDS_PER_MINUTE: u32 = 20;

/// How long a replaced key signs in addition to the new one, in milliseconds: 24 hours.
const OVERLAP_MS: i64 = 24 * 60 * 60 * 1_000;

/// Bytes of a key.
pub const SECRET_BYTES: usize = 32;

/// How long a receiver may take to answer.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Why a webhook was not created.
#[derive(Debug, Error)]
pub enum WebhookError {
    /// The address is not valid, or may not be called.
    #[error("the address {0}")]
    Address(&'static str),
    /// The account already has [`MOST_WEBHOOKS`].
    #[error("the account has too many webhooks")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a delivery is not sent again.
#[derive(Debug, Error)]
pub enum SendError {
    /// The account has used up its [`SENDS_PER_MINUTE`]; holds how long it has to wait.
    #[error("too many test events and deliveries were sent again")]
    TooOften(Duration),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A webhook that an account requests.
pub struct Wanted {
    /// Whose it is.
    pub host: HostId,
    /// The address for deliveries.
    pub url: String,
    /// Whether it receives `round.released`.
    pub round_released: bool,
    /// Whether it receives `game.ended`.
    pub game_ended: bool,
}

/// The webhooks of the service. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks {
    store: Arc<Store>,
    settings: Arc<config::Webhooks>,
    client: Client,
    /// Places for reading logs.
    reading: Arc<Semaphore>,
    /// Counts what accounts have sent on request.
    sends: Arc<SharedThrottle<HostId>>,
}

impl Webhooks {
    /// Connects to nothing yet. `limits`: the limits that nodes share, if there are other nodes.
    pub fn new(store: Arc<Store>, settings: config::Webhooks, limits: Option<Arc<dyn SharedLimits>>) -> Self {
        let settings = Arc::new(settings);
        let client = tls::client(|| {
            Client::builder()
                .timeout(TIME_LIMIT)
                .redirect(Policy::none())
                .no_proxy()
                .user_agent(concat!("Quizhall/", env!("CARGO_PKG_VERSION")))
                .dns_resolver(address::Resolver::new(Arc::clone(&settings), Arc::new(address::SystemNames)))
        });
        let reading = Arc::new(Semaphore::new(sending::READING_AT_ONCE));
        let (allowed, allowances) = (Allowed::per_minute(SENDS_PER_MINUTE), limits.map(Allowances::new));
        let sends = SharedThrottle::new(Limit::WebhookSendsPerHost, allowed, allowances.as_ref());
        Self { store, settings, client, reading, sends: Arc::new(sends) }
    }

    /// Whether the settings allow webhooks.
    pub fn are_on(&self) -> bool {
        self.settings.are_on()
    }

    /// Creates a webhook; resolves to its line and to the key of its signatures.
    ///
    /// # Errors
    /// [`WebhookError::Address`], [`WebhookError::TooMany`], or a failing database.
    pub async fn create(&self, wanted: Wanted) -> Result<(WebhookLine, Vec<u8>), WebhookError> {
        if wanted.url.len() > LONGEST_URL {
            return Err(WebhookError::Address("is too long"));
        }
        let url = address::checked(&wanted.url, &self.settings).map_err(WebhookError::Address)?;
        let secret = new_secret();
        let webhook = NewWebhook {
            id: Uuid::now_v7(),
            host: wanted.host,
            url: url.into(),
            secret: secret.clone(),
            round_released: wanted.round_released,
            game_ended: wanted.game_ended,
            created_at_ms: clock::unix_ms(),
        };
        let line = WebhookLine {
            id: webhook.id,
            url: webhook.url.clone(),
            round_released: webhook.round_released,
            game_ended: webhook.game_ended,
            created_at_ms: webhook.created_at_ms,
            failing_since_ms: None,
            disabled_at_ms: None,
            waiting: 0,
        };
        if !self.store.create_webhook(webhook, MOST_WEBHOOKS).await? {
            return Err(WebhookError::TooMany);
        }
        Ok((line, secret))
    }

    /// Queues a test event for a webhook of the account, which is attempted once; returns its id, and whether it is
    /// sent.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send_test(&self, host: HostId, webhook: Uuid) -> Result<(Uuid, Sending), SendError> {
        self.sends.take(host).await.map_err(SendError::TooOften)?;
        let (id, body) = (Uuid::new_v4(), payload::test_body(webhook, clock::unix_ms()));
        Ok((id, self.store.send_test(host, webhook, TestEvent { id, body }).await?))
    }

    /// Queues a delivery of a webhook of the account for another attempt.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send_again(&self, host: HostId, webhook: Uuid, delivery: Uuid) -> Result<Sending, SendError> {
        self.sends.take(host).await.map_err(SendError::TooOften)?;
        Ok(self.store.send_again(host, webhook, delivery).await?)
    }

    /// Gives a webhook of the account another key, if that is possible; returns the key and the result.
    ///
    /// # Errors
    /// A failing database.
    pub async fn rotate_secret(&self, host: HostId, webhook: Uuid) -> Result<(Vec<u8>, Rotation), StoreError> {
        let secret = new_secret();
        let rotation =
            self.store.rotate_secret(host, webhook, NewKey { secret: secret.clone(), overlap_ms: OVERLAP_MS }).await?;
        Ok((secret, rotation))
    }
}

fn new_secret() -> Vec<u8> {
    let mut secret = vec![0; SECRET_BYTES];
    rand::rng().fill_bytes(&mut secret);
    secret
}
