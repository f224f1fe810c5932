//! The header `Idempotency-Key`: reads it, and a JSON body together with it.
//!
//! Called by `join`, `quizzes` and `games`. The store and the game remember what was created with a key; nothing is
//! kept here.

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::body::{self, SMALL};
use super::problem::{Kind, Refused};
use crate::auth::idempotency_hash;
use crate::clock;
use crate::store::{CreationKey, KEYS_PER_HOST, KeyUse};
use crate::telemetry::{Limit, metrics};

/// The longest `Idempotency-Key`.
pub(super) const MAX_KEY: usize = 255;

/// As [`body::JsonBody`], with the `Idempotency-Key` of the request. 400 for a header that is not a key.
pub(super) struct KeyedBody<T, const LIMIT: usize = SMALL> {
    /// The parsed body.
    pub body: T,
    /// The key and the request it belongs to, for the store.
    pub key: Option<CreationKey>,
}

impl<S, T, const LIMIT: usize> FromRequest<S> for KeyedBody<T, LIMIT>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Refused;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refused> {
        let key = idempotency_key(request.headers())?;
        let route = request.uri().path().to_owned();
        let bytes = body::read_json(request, LIMIT).await?;
        let key = key.map(|key| CreationKey { name: idempotency_hash(&key).0, request: request_hash(&route, &bytes) });
        Ok(Self { body: body::parse(&bytes)?, key })
    }
}

/// The key of a request, if it has one.
///
/// # Errors
/// 400 when there are several, or when the header is not a key.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refused> {
    let mut values = headers.get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.to_str().unwrap_or_default();
    let fits = (1..=MAX_KEY).contains(&key.len()) && key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if fits && values.next().is_none() {
        return Ok(Some(key.to_owned()));
    }
    Err(Refused::new(Kind::BAD_KEY, "Send one Idempotency-Key of 1 to 255 printable ASCII characters."))
}

/// The id that the same request created before.
///
/// # Errors
/// 422 when the key was used for another request, 429 when the account has too many keys.
pub(super) fn created_before(used: KeyUse) -> Result<Uuid, Refused> {
    match used {
        KeyUse::Created(id) => Ok(id),
        KeyUse::OtherRequest => Err(Refused::new(
            Kind::KEY_OF_OTHER_REQUEST,
            "Use a new Idempotency-Key for another request. A repeated request has the same path and the same bytes.",
        )),
        KeyUse::TooMany { until_ms } => {
            metrics::limit_reached(Limit::IdempotencyKeysPerHost);
            let wait = std::time::Duration::from_millis((until_ms - clock::unix_ms()).unsigned_abs());
            let detail = format!("At most {KEYS_PER_HOST} keys may be used within 24 hours.");
            Err(Refused::new(Kind::TOO_OFTEN, detail).retry_after(wait).of_policy("idempotency-keys"))
        }
    }
}

/// The refusal of a repeated request whose creation has been deleted.
pub(super) fn deleted_since() -> Refused {
    Refused::new(Kind::CONFLICT, "What the request with this Idempotency-Key created has been deleted.")
}

fn request_hash(route: &str, body: &[u8]) -> [u8; 32] {
    // The NUL separates: a path contains none.
    Sha256::new().chain_update(route).chain_update([0]).chain_update(body).finalize().into()
}
