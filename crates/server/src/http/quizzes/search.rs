//! The parameters of a search among a host's quizzes and questions.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;

use crate::http::problem::{Kind, Refused};
use crate::library::index::folded;
use crate::store::Search;

/// Most code points of the parameters `q` and `tag`.
pub(in crate::http) const QUERY: usize = 200;

/// Most words of the parameter `q`; more are refused.
const WORDS: usize = 10;

/// The search that a request asks for; `None` when the parameters are missing or blank. 400 for parameters that are too
/// long.
pub(in crate::http) struct Sought(pub Option<Search>);

#[derive(Deserialize)]
struct Asked {
    q: Option<String>,
    tag: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Sought {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let Query(Asked { q, tag }) = Query::<Asked>::try_from_uri(&parts.uri).map_err(|_| unreadable())?;
        let (q, tag) = (q.unwrap_or_default(), tag.unwrap_or_default());
        if q.chars().count() > QUERY || tag.chars().count() > QUERY {
            return Err(unreadable());
        }
        let words: Vec<String> = folded(&q).split_whitespace().map(str::to_owned).collect();
        if words.len() > WORDS {
            return Err(unreadable());
        }
        let tag = Some(folded(&tag)).filter(|tag| !tag.is_empty());
        let is_blank = words.is_empty() && tag.is_none();
        Ok(Self((!is_blank).then_some(Search { words, tag })))
    }
}

fn unreadable() -> Refused {
    Refused::new(
        Kind::BAD_REQUEST,
        "Give q with at most 10 words and 200 characters, and tag with at most 200 characters.",
    )
}
