//! The account of the request: `/api/v1/me`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

use super::hosts::HostRole;

/// The answer of `GET /api/v1/me`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnAccount {
    /// The account's id.
    pub id: Uuid,
    /// The account's name.
    pub name: String,
    /// What it may do.
    pub role: HostRole,
    /// When it was created (RFC 3339, UTC).
    pub created_at: String,
    /// Whether it has a password to sign in with.
    pub password: bool,
    /// Whether it signs in with an OpenID Connect provider.
    pub oidc: bool,
    /// Whether the settings of the service allow webhooks.
    pub webhooks: bool,
}

/// The body of `POST /api/v1/me/password`.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordUpdate {
    /// The current password.
    pub old_password: String,
    /// The new password: 8 to 256 characters, at most 1,024 bytes.
    pub new_password: String,
}

/// A session of the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSession {
    /// When it began (RFC 3339, UTC).
    pub created_at: String,
    /// When it ends (RFC 3339, UTC).
    pub expires_at: String,
    /// Whether it is the session of the request.
    pub current: bool,
}

/// The answer of `GET /api/v1/me/sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct OwnSessionList {
    /// The newest first.
    pub sessions: Vec<OwnSession>,
}

/// What a token for programs may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenScope {
    /// Read quizzes, files, games and results.
    Read,
    /// Read and change quizzes and files.
    Quizzes,
    /// Create, run, read and delete games, also over a socket.
    Games,
}

/// The body of `POST /api/v1/me/tokens`.
#[derive(Debug, Clone, Serialize, Deserialize, TS, ToSchema)]
pub struct NewToken {
    /// What it is for: 1 to 64 characters.
    pub name: String,
    /// At least one.
    pub scopes: Vec<TokenScope>,
}

/// A token of the account for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedToken {
    /// The token's id, by which it is revoked.
    pub id: Uuid,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<TokenScope>,
    /// When it was made (RFC 3339, UTC).
    pub created_at: String,
    /// When it was last used, to about a minute (RFC 3339, UTC); absent when never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub last_used_at: Option<String>,
}

/// The answer of `POST /api/v1/me/tokens`.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
pub struct CreatedToken {
    /// The token itself, which is not shown again.
    pub token: String,
    /// Its entry in the list.
    pub about: NamedToken,
}

/// The answer of `GET /api/v1/me/tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct NamedTokenList {
    /// The newest first.
    pub tokens: Vec<NamedToken>,
}
