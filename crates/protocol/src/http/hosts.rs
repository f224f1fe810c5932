//! Host accounts and sessions: `/api/v1/hosts`, `/api/v1/sessions`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

/// The body of `POST /api/v1/hosts`: a new account.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct NewHost {
    /// Account name, 1 to 64 characters, unique without regard to case.
    pub name: String,
    /// 8 to 256 characters, at most 1,024 bytes.
    pub password: String,
    /// The token of the one-time set-up link, for the first account; later accounts are created by an owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup_token: Option<String>,
    /// What it may do; absent: `host`. The account of the set-up link is always an `owner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<HostRole>,
}

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HostRole {
    /// Manages its own quizzes and games.
    Host,
    /// Manages all accounts too.
    Owner,
}

/// A host account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Host {
    /// The account's id.
    pub id: Uuid,
    /// The account's name.
    pub name: String,
}

/// A line of the list of accounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HostAccount {
    /// The account's id.
    pub id: Uuid,
    /// The account's name.
    pub name: String,
    /// When it was created (RFC 3339, UTC).
    pub created_at: String,
    /// Whether signing in is refused.
    pub disabled: bool,
    /// What it may do.
    pub role: HostRole,
    /// Quizzes it owns.
    pub quizzes: u32,
    /// Games it owns that are not deleted.
    pub games: u32,
}

/// The answer of `GET /api/v1/hosts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct HostList {
    /// Every account, by name.
    pub hosts: Vec<HostAccount>,
}

/// The body of `PATCH /api/v1/hosts/{id}`: an absent field changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct HostChange {
    /// Its new name, 1 to 64 characters, unique without regard to case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `true`: signing in is refused from now on, and its sessions end at once. `false`: it can be signed in to again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// What it may do from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<HostRole>,
}

/// The body of `POST /api/v1/sessions`: sign in.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
pub struct SignIn {
    /// Account name.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// A session: the bearer token of a host.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// `Authorization: Bearer …` for HTTP and the socket.
    pub token: String,
    /// When it ends (RFC 3339, UTC); 12 h after signing in.
    pub expires_at: String,
    /// Whose session it is.
    pub host: Host,
}

/// The answer of `GET /api/v1/sessions/current`: whose token this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentSession {
    /// Whose session it is.
    pub host: Host,
    /// When it ends (RFC 3339, UTC); absent for the fixed token of `QUIZHALL_HOST_TOKEN`, which does not end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expires_at: Option<String>,
}

/// The ways to sign in besides name and password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct SignInMethods {
    /// With an OpenID Connect provider.
    pub oidc: bool,
}

/// A sign-in with an OpenID Connect provider that has begun.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct OidcAttempt {
    /// The address that the browser opens.
    pub url: String,
    /// A secret that the browser keeps, and presents when it returns from the provider.
    pub verifier: String,
}

/// The body of `POST /api/v1/oidc/sessions`: a browser that returns from the provider.
#[derive(Clone, Serialize, Deserialize, TS, ToSchema)]
pub struct OidcSignIn {
    /// The value that the provider sent.
    pub state: String,
    /// The value that the provider sent.
    pub code: String,
    /// The verifier that the browser kept.
    pub verifier: String,
}
