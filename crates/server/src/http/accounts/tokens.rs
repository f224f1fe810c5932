//! `/api/v1/me/tokens`: the tokens of the account for programs. A token is shown only once, when it is made.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quizhall_protocol::http::me::{CreatedToken, NamedToken, NamedTokenList, NewToken};

use crate::app::App;
use crate::auth::Scopes;
use crate::clock;
use crate::http::accounts::host_accounts::close_sockets;
use crate::http::body::JsonBody;
use crate::http::path::Id;
use crate::http::problem::Refused;
use crate::http::refusals::{HasToken, TakesJson};
use crate::http::session::Host;
use crate::store::NamedTokenLine;

/// List the tokens of the account for programs
#[utoipa::path(
    get, path = "/api/v1/me/tokens", tag = "hosts", operation_id = "listTokens", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The tokens that are not revoked, without themselves", body = NamedTokenList),
        (status = 403, description = "A token for programs may not do this"),
        HasToken,
    )
)]
pub(in crate::http) async fn list_tokens(
    State(app): State<Arc<App>>,
    Host(session): Host,
) -> Result<Json<NamedTokenList>, Refused> {
    let tokens = app.hosts.tokens_of(session.host).await?;
    Ok(Json(NamedTokenList { tokens: tokens.into_iter().map(body).collect() }))
}

/// Make a token for a program
///
/// The token is shown in this answer and never again. Within its scopes it may use the quizzes and games of the
/// account, but not accounts, sessions, webhooks and tokens. It ends when it is revoked, when its owner signs out
/// everywhere, and with the account. An account has at most 20 tokens.
#[utoipa::path(
    post, path = "/api/v1/me/tokens", tag = "hosts", operation_id = "createToken", security(("hostToken" = [])),
    request_body = NewToken,
    responses(
        (status = 201, description = "The token", body = CreatedToken),
        (status = 403, description = "A token for programs may not do this"),
        (status = 409, description = "The account has 20 tokens"),
        (status = 422, description = "The name is not acceptable, or there is no scope"),
        TakesJson,
        HasToken,
    )
)]
pub(in crate::http) async fn create_token(
    State(app): State<Arc<App>>,
    Host(session): Host,
    JsonBody(new): JsonBody<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>), Refused> {
    if new.scopes.is_empty() {
        return Err(Refused::invalid("scopes", "Name at least one scope."));
    }
    let (token, line) = app.hosts.create_token(session.host, &new.name, Scopes::of(&new.scopes)).await?;
    Ok((StatusCode::CREATED, Json(CreatedToken { token: token.expose().to_owned(), about: body(line) })))
}

/// Revoke a token
///
/// Sockets opened with it are closed (4401) within a second.
#[utoipa::path(
    delete, path = "/api/v1/me/tokens/{id}", tag = "hosts", operation_id = "revokeToken", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The token")),
    responses(
        (status = 204, description = "Revoked"),
        (status = 403, description = "A token for programs may not do this"),
        (status = 404, description = "The account has no such token"),
        HasToken,
    )
)]
pub(in crate::http) async fn revoke_token(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    close_sockets(&app, &[app.hosts.revoke_token(session.host, id).await?]);
    Ok(StatusCode::NO_CONTENT)
}

fn body(line: NamedTokenLine) -> NamedToken {
    NamedToken {
        id: line.id,
        name: line.name,
        scopes: Scopes::stored(line.scopes).list(),
        created_at: clock::rfc3339(line.created_at_ms),
        last_used_at: line.last_used_at_ms.map(clock::rfc3339),
    }
}
