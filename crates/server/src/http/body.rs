//! JSON bodies: `application/json` only, bounded in size and time. The error for a body that does not fit names the
//! field.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use futures_util::StreamExt as _;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use serde_path_to_error::Error as PathError;

use self::objects::Objects;
use super::problem::{Kind, Refused};
use crate::clock;
use crate::pace::Level;
use crate::telemetry::{Limit, metrics};

mod objects;

/// Most bytes of a body without a limit of its own.
pub(super) const SMALL: usize = 4 * 1024;

/// How long a small body may take to arrive.
const SMALL_TIME: Duration = Duration::from_secs(5);

/// How long a larger body may take to arrive.
const LARGE_TIME: Duration = Duration::from_secs(20);

/// How far a client may be behind in sending a body.
const MOST_BEHIND: Duration = Duration::from_secs(5);

/// A JSON object of at most `LIMIT` bytes. 415 for another media type (an HTML form could send those), 413 when it is
/// too large, 408 when it does not arrive in time, 400 when it is not JSON, 422 when it does not fit the type.
pub(super) struct JsonBody<T, const LIMIT: usize = SMALL>(pub T);

impl<S, T, const LIMIT: usize> FromRequest<S> for JsonBody<T, LIMIT>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Refused;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refused> {
        parse(&read_json(request, LIMIT).await?).map(Self)
    }
}

/// A [`JsonBody`], or what its type says of a request without a body.
pub(super) struct OptionalBody<T>(pub T);

impl<S, T> FromRequest<S> for OptionalBody<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Default,
{
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        if request.body().is_end_stream() {
            return Ok(Self(T::default()));
        }
        JsonBody::from_request(request, state).await.map(|JsonBody::<T>(body)| Self(body))
    }
}

/// The bytes of a body that is declared as JSON, at most `limit` of them.
///
/// # Errors
/// 415, 413 and 408, as for a [`JsonBody`].
pub(super) async fn read_json(request: Request, limit: usize) -> Result<Vec<u8>, Refused> {
    if !is_json(request.headers()) {
        return Err(Refused::new(Kind::NOT_JSON_TYPE, "Send the body as application/json."));
    }
    if declared_length(request.headers()).is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let time = if limit > SMALL { LARGE_TIME } else { SMALL_TIME };
    read_in_time(request.into_body(), limit, time).await
}

/// Reads one JSON object.
///
/// # Errors
/// 400 when it is not JSON, 422 when it is no object or does not fit the type; then the error names the field.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    let not_json = || Refused::new(Kind::NOT_JSON, "Send one JSON object, in UTF-8.");
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        let json = serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
        return Err(if json { Refused::new(Kind::INVALID, "The body must be an object.") } else { not_json() });
    }
    let mut input = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(Objects(&mut input)).map_err(|error| {
        // Parsing stopped at the field that does not fit; the rest may not even be JSON.
        let json = serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
        // A number in place of a word is to serde_json "expected value": an error of syntax.
        let fits_not =
            error.inner().classify() == Category::Data || error.inner().to_string().starts_with("expected value");
        if json && fits_not { misfit(&error) } else { not_json() }
    })?;
    input.end().map_err(|_| not_json())?;
    Ok(value)
}

/// Names the field and its fault. Serde's messages may hold the input, so only the names of our fields and values are taken
/// from them.
fn misfit(error: &PathError<serde_json::Error>) -> Refused {
    let words = error.inner().to_string();
    let path = error.path().to_string();
    let place = if path == "." { String::new() } else { path };
    let named = |lead: &str| words.strip_prefix(lead).and_then(|rest| rest.split('`').next()).map(str::to_owned);
    let inside = |field: String| match place.as_str() {
        "" => field,
        // For a duplicate the path holds the field already.
        whole if whole == field || whole.ends_with(&format!(".{field}")) => place.clone(),
        _ => format!("{place}.{field}"),
    };
    if let Some(field) = named("missing field `") {
        return Refused::invalid(inside(field), "The field is missing.");
    }
    if let Some(field) = named("duplicate field `") {
        return Refused::invalid(inside(field), "The field is there twice.");
    }
    // Serde lists the values that there are after the input, which may hold the same words.
    let rest =
        words.strip_prefix("unknown variant `").and_then(|rest| rest.rsplit_once("`, expected ")?.1.rsplit_once('`'));
    let values = rest.map(|(values, _)| values.replace('`', "").replace("one of ", "").replace(" or ", ", "));
    let wrong = || "The value is of the wrong type or out of range.".to_owned();
    let detail = values.map_or_else(wrong, |values| format!("The value must be one of: {values}."));
    if place.is_empty() { Refused::new(Kind::INVALID, detail) } else { Refused::invalid(place, detail) }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The length of the body according to the headers.
pub(super) fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The bytes of a body, at most `limit` of them.
///
/// # Errors
/// 413 when it is larger, 408 when it does not arrive within `time`, 400 when it breaks off.
pub async fn read_in_time(body: Body, limit: usize, time: Duration) -> Result<Vec<u8>, Refused> {
    let read = tokio::time::timeout(time, read(body, limit)).await;
    read.map_err(|_| too_slow())?
}

async fn read(body: Body, limit: usize) -> Result<Vec<u8>, Refused> {
    let mut chunks = Chunks::of(body);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await? {
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// A body, chunk by chunk. Reading stops when the client sends nothing, or sends so slowly that it falls too far
/// behind.
pub(super) struct Chunks {
    body: BodyDataStream,
    level: Level,
}

impl Chunks {
    pub(super) fn of(body: Body) -> Self {
        Self { body: body.into_data_stream(), level: Level::default() }
    }

    /// The next bytes; `None` after the last ones.
    ///
    /// # Errors
    /// 400 when the body breaks off, 408 when its client is too far behind.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Refused> {
        let late = self.level.waits(clock::now()) + MOST_BEHIND;
        let chunk = tokio::time::timeout_at(late.into(), self.body.next()).await.map_err(|_| {
            metrics::limit_reached(Limit::SlowBodies);
            too_slow()
        })?;
        let chunk = chunk.transpose().map_err(|_| Refused::new(Kind::BAD_REQUEST, "The body broke off."))?;
        self.level.moved(chunk.as_ref().map_or(0, Bytes::len), clock::now());
        Ok(chunk)
    }
}

fn too_slow() -> Refused {
    Refused::new(Kind::TIMEOUT, "The body was not sent in time.")
}

fn too_large(limit: usize) -> Refused {
    Refused::new(Kind::TOO_LARGE, format!("The body may have at most {limit} bytes."))
}
