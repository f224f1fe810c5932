//! The description of the HTTP interface (OpenAPI 3.1), made from the types, and its page under `/api/docs`, offline.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use quizhall_protocol::http::problem::Problem;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, PathItem, Ref, RefOr};
use utoipa::{Modify, OpenApi as _};
use utoipa_swagger_ui::Config;

use super::problem::PROBLEM_JSON;
use crate::app::App;

/// Where the description is.
const DESCRIPTION: &str = "/api/openapi.json";

/// The page runs its own scripts and styles, inline styles included, and asks this server only.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Quizhall",
        description = "A real-time quiz: one host, many players, one WebSocket each. This is the HTTP side; \
            the messages of `/ws/{gameCode}` are described by the AsyncAPI document.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "players", description = "Joining a game"),
        (name = "hosts", description = "Accounts and sessions of hosts"),
        (name = "quizzes", description = "A host's quizzes"),
        (name = "media", description = "A host's pictures and sounds"),
        (name = "games", description = "A host's games, their players and their results"),
        (name = "operation", description = "Health and metrics"),
    ),
    components(schemas(Problem)),
    modifiers(&Finish)
)]
pub(super) struct Base;

struct Finish;

impl Modify for Finish {
    fn modify(&self, openapi: &mut OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The token of POST /api/v1/sessions, or QUIZHALL_HOST_TOKEN."))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("hostToken", SecurityScheme::Http(bearer));
    }
}

/// The head of the description; the routes add themselves.
pub(super) fn base() -> OpenApi {
    let mut openapi = Base::openapi();
    env!("CARGO_PKG_VERSION").clone_into(&mut openapi.info.version);
    openapi
}

/// Gives every error its body: a problem, unless the operation says otherwise (health).
pub(super) fn with_problems(mut openapi: OpenApi) -> OpenApi {
    for item in openapi.paths.paths.values_mut() {
        for operation in operations(item) {
            for (status, response) in &mut operation.responses.responses {
                let RefOr::T(response) = response else { continue };
                if status.starts_with(['4', '5']) && response.content.is_empty() {
                    let content = Content::new(Some(RefOr::Ref(Ref::from_schema_name("Problem"))));
                    response.content.insert(PROBLEM_JSON.to_owned(), RefOr::T(content));
                }
            }
        }
    }
    openapi
}

/// Every documented answer: the route's pattern, the method and the status. Each route can also fail with 500.
pub(super) fn answers(openapi: &OpenApi) -> Vec<(String, &'static str, u16)> {
    let mut answers = Vec::new();
    for (route, item) in &openapi.paths.paths {
        let methods = [
            ("GET", &item.get),
            ("PUT", &item.put),
            ("POST", &item.post),
            ("DELETE", &item.delete),
            ("PATCH", &item.patch),
        ];
        for (method, operation) in methods {
            let Some(operation) = operation else { continue };
            let statuses = operation.responses.responses.keys().filter_map(|status| status.parse().ok());
            answers.extend(statuses.chain([500]).map(|status: u16| (route.clone(), method, status)));
        }
    }
    answers
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}

/// The description and its page.
pub(super) fn routes(openapi: &OpenApi) -> Router<Arc<App>> {
    let description = openapi.to_pretty_json().unwrap_or_default();
    let config = Arc::new(Config::from(DESCRIPTION));
    let page = move |path: Option<Path<String>>| {
        let config = Arc::clone(&config);
        async move { file(path.map_or_else(String::new, |Path(path)| path).as_str(), config) }
    };
    Router::new()
        .route(DESCRIPTION, get(|| async move { ([(CONTENT_TYPE, "application/json")], description) }))
        .route("/api/docs", get(|| async { Redirect::permanent("/api/docs/") }))
        .route("/api/docs/", get(page.clone()))
        .route("/api/docs/{*path}", get(page))
}

/// A file of the page, from inside the binary.
fn file(path: &str, config: Arc<Config<'static>>) -> Response {
    let Ok(Some(file)) = utoipa_swagger_ui::serve(path, config) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = file.bytes.into_owned().into_response();
    let headers = response.headers_mut();
    if let Ok(kind) = file.content_type.parse() {
        headers.insert(CONTENT_TYPE, kind);
    }
    headers.insert(CONTENT_SECURITY_POLICY, PAGE_POLICY.parse().expect("a header value"));
    headers.insert(CACHE_CONTROL, "no-cache".parse().expect("a header value"));
    if file.gzpipped {
        headers.insert(CONTENT_ENCODING, "gzip".parse().expect("a header value"));
    }
    response
}
