//! `POST /join`: once, or repeatedly with the same `Idempotency-Key` until the server has room.

use std::time::Duration;

use quizhall_protocol::http::join::{JoinOptions, JoinRequest, JoinResponse};
use quizhall_protocol::http::seats::TakeSeat;
use rand::Rng;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::{Api, ApiError};
use crate::backoff::{Backoff, Schedule};
use crate::transport::Request;

/// How long to keep requesting a seat.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    /// No new attempt after this.
    pub give_up_after: Duration,
    /// The delays when the server names none.
    pub schedule: Schedule,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        let schedule =
            Schedule { first: Duration::from_millis(500), cap: Duration::from_secs(10), ..Schedule::default() };
        Self { give_up_after: Duration::from_mins(3), schedule }
    }
}

impl Api {
    /// Requests a seat once. With a key, repeating the request gives the same seat.
    pub async fn join(&self, seat: &JoinRequest, idempotency_key: Option<&str>) -> Result<JoinResponse, ApiError> {
        self.call(keyed(Request::new("POST", "/join").json(seat), idempotency_key)).await
    }

    /// `GET /api/v1/join/{gameCode}`: how the game with this code is joined.
    pub async fn join_options(&self, game_code: &str) -> Result<JoinOptions, ApiError> {
        self.call(Request::new("GET", &format!("/api/v1/join/{game_code}"))).await
    }

    /// `POST /api/v1/seats`: takes the seat of a code; the phone that had it loses it.
    pub async fn take_seat(&self, seat: &TakeSeat, idempotency_key: Option<&str>) -> Result<JoinResponse, ApiError> {
        self.call(keyed(Request::new("POST", "/api/v1/seats").json(seat), idempotency_key)).await
    }

    /// Repeats the request until there is a seat or a final refusal: waits out 429 and 503 (`Retry-After` is a lower
    /// bound) and lost answers. All attempts have the same key, so a lost answer costs no second seat.
    pub async fn join_with_retries(
        &self,
        seat: &JoinRequest,
        policy: RetryPolicy,
        chance: &mut (impl Rng + Send),
    ) -> Result<JoinResponse, ApiError> {
        let key = Uuid::new_v4().to_string();
        let end = Instant::now() + policy.give_up_after;
        let mut backoff = Backoff::new(policy.schedule);
        loop {
            let error = match self.join(seat, Some(&key)).await {
                Ok(seat) => return Ok(seat),
                Err(error) => error,
            };
            let asked = match &error {
                ApiError::Refused(refused) if matches!(refused.status, 429 | 503) => refused.retry_after,
                ApiError::Transport(error) if !error.is_final() => None,
                ApiError::Transport(_) | ApiError::Refused(_) | ApiError::Shape(_) => return Err(error),
            };
            let delay = asked.unwrap_or_default() + backoff.next(chance);
            if Instant::now() + delay >= end {
                return Err(error);
            }
            sleep(delay).await;
        }
    }
}

fn keyed(request: Request, idempotency_key: Option<&str>) -> Request {
    match idempotency_key {
        Some(key) => request.header("idempotency-key", key),
        None => request,
    }
}
