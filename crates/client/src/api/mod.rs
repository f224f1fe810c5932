//! The HTTP side: `POST /join`, health, and the host API under `/api/v1`, one method per operation.
//!
//! Bodies are the types of `quizhall_protocol::http`; errors carry the server's problem document, never a token.

mod hosting;
mod joining;

use std::time::Duration;

use quizhall_protocol::http::health::Health;
use quizhall_protocol::http::problem::Problem;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde::de::DeserializeOwned;

pub use joining::RetryPolicy;

use crate::endpoint::Endpoint;
use crate::token::Token;

/// How long a request may take; the results of a big game are tens of megabytes.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);

/// The HTTP client of one server, with or without a host's token. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Api {
    http: Client,
    endpoint: Endpoint,
    token: Option<Token>,
}

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The server said no.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// No answer came.
    #[error("no answer from the server: {0}")]
    Transport(reqwest::Error),
    /// An answer of another shape than the interface's.
    #[error("the server's answer has another shape than expected: {0}")]
    Shape(serde_json::Error),
}

/// A refusal: the status, and what the problem document says.
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
        let http = Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .connect_timeout(Duration::from_secs(10))
            .build()
            .expect("a client without TLS and proxies has nothing to fail on");
        Self { http, endpoint, token: None }
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
        let response = self.request(Method::GET, path).send().await.map_err(transport)?;
        let status = response.status().as_u16();
        Ok((status, body(response).await?))
    }

    /// A request with the token, if there is one; `path` begins with a slash.
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, self.endpoint.http(path));
        match &self.token {
            Some(token) => request.bearer_auth(token.reveal()),
            None => request,
        }
    }
}

/// Sends and reads the body of a success.
async fn call<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ApiError> {
    body(accepted(request).await?).await
}

/// Sends and expects a success without looking at its body.
async fn accepted(request: RequestBuilder) -> Result<Response, ApiError> {
    let response = request.send().await.map_err(transport)?;
    if response.status().is_success() { Ok(response) } else { Err(refused(response).await.into()) }
}

async fn body<T: DeserializeOwned>(response: Response) -> Result<T, ApiError> {
    let bytes = response.bytes().await.map_err(transport)?;
    serde_json::from_slice(&bytes).map_err(ApiError::Shape)
}

async fn refused(response: Response) -> Refused {
    let status = response.status().as_u16();
    let seconds = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse::<u16>().ok());
    // A body that does not arrive or is no problem document leaves the status, which says enough.
    let bytes = response.bytes().await.unwrap_or_default();
    Refused {
        status,
        retry_after: seconds.map(|seconds| Duration::from_secs(seconds.into())),
        problem: serde_json::from_slice(&bytes).ok(),
    }
}

fn transport(error: reqwest::Error) -> ApiError {
    ApiError::Transport(error.without_url())
}
