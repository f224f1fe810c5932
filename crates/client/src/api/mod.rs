//! The HTTP side: `POST /join`, health, and the host API under `/api/v1`, one method per operation.
//!
//! Bodies are the types of `quizhall_protocol::http`; errors carry the server's problem document, never a token.

mod hosting;
mod joining;

use std::time::Duration;

use quizhall_protocol::http::health::Health;
use quizhall_protocol::http::problem::Problem;
use serde::de::DeserializeOwned;

pub use joining::RetryPolicy;

use crate::token::Token;
use crate::transport::{Endpoint, Request, Response, TransportError};

/// The HTTP client of one server, with or without a host's token. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Api {
    endpoint: Endpoint,
    token: Option<Token>,
}

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The server refused the call.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// No answer came.
    #[error("no answer from the server: {0}")]
    Transport(TransportError),
    /// The answer has another form than the interface's.
    #[error("the server's answer has another shape than expected: {0}")]
    Shape(serde_json::Error),
}

/// A refusal: the status and the problem document.
#[derive(Debug, thiserror::Error)]
#[error("HTTP {status}: {}", .problem.as_ref().map_or("no reason given", |problem| problem.detail.as_str()))]
pub struct Refused {
    /// The HTTP status.
    pub status: u16,
    /// `Retry-After` in seconds, when given.
    pub retry_after: Option<Duration>,
    /// The problem document, when the body is one.
    pub problem: Option<Problem>,
}

impl ApiError {
    /// The HTTP status of a refusal.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused(refused) => Some(refused.status),
            Self::Transport(_) | Self::Shape(_) => None,
        }
    }
}

impl Api {
    /// A client without a host's token.
    pub fn new(endpoint: Endpoint) -> Self {
        Self { endpoint, token: None }
    }

    /// The same client with a host's token.
    #[must_use]
    pub fn with_token(mut self, token: Token) -> Self {
        self.token = Some(token);
        self
    }

    /// The server's address.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The host's token, if this client has one.
    pub fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// `GET /healthz`: the status and the body, healthy or not.
    pub async fn health(&self) -> Result<(u16, Health), ApiError> {
        self.probe("/healthz").await
    }

    /// `GET /readyz`: the status and the body, ready or not.
    pub async fn readiness(&self) -> Result<(u16, Health), ApiError> {
        self.probe("/readyz").await
    }

    async fn probe(&self, path: &str) -> Result<(u16, Health), ApiError> {
        let response = self.send(Request::new("GET", path)).await?;
        Ok((response.status, body(&response)?))
    }

    /// Sends and reads the body of a success.
    async fn call<T: DeserializeOwned>(&self, request: Request) -> Result<T, ApiError> {
        body(&self.accepted(request).await?)
    }

    /// Sends and expects a success; its body is ignored.
    async fn accepted(&self, request: Request) -> Result<Response, ApiError> {
        let response = self.send(request).await?;
        if (200..300).contains(&response.status) {
            Ok(response)
        } else {
            Err(ApiError::Refused(Box::new(refused(&response))))
        }
    }

    /// Sends with the token, if there is one.
    async fn send(&self, request: Request) -> Result<Response, ApiError> {
        let request = match &self.token {
            Some(token) => request.bearer(token.reveal()),
            None => request,
        };
        request.send(&self.endpoint).await.map_err(ApiError::Transport)
    }
}

fn body<T: DeserializeOwned>(response: &Response) -> Result<T, ApiError> {
    serde_json::from_slice(&response.body).map_err(ApiError::Shape)
}

fn refused(response: &Response) -> Refused {
    Refused {
        status: response.status,
        retry_after: response.retry_after(),
        // When the body is not a problem document, the status says enough.
        problem: serde_json::from_slice(&response.body).ok(),
    }
}
