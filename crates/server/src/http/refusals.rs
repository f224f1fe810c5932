//! Sets of answers that many routes have in the description. A route names the set; what only one route answers stays beside it.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{RefOr, Response};

/// Of a route that needs the token of an account.
pub(super) struct HasToken;

/// Of a route about one game of a host.
pub(super) struct OfGame;

/// Of a route that takes a body in JSON.
pub(super) struct TakesJson;

impl IntoResponses for HasToken {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        set([("401", "No valid token"), ("503", "The database is not available")])
    }
}

impl IntoResponses for OfGame {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        set([
            ("401", "No valid token"),
            ("404", "No game of this host"),
            ("503", "The database is not available, or the game is damaged"),
        ])
    }
}

impl IntoResponses for TakesJson {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        set([("400", "Not JSON"), ("413", "The body is too large"), ("415", "The body is not application/json")])
    }
}

fn set<const N: usize>(answers: [(&str, &str); N]) -> BTreeMap<String, RefOr<Response>> {
    answers.map(|(status, description)| (status.to_owned(), RefOr::T(Response::new(description)))).into()
}
