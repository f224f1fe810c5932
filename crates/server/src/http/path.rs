//! Ids in paths. A text that is not an id is not found, like an id that does not exist: 404 in both cases.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use uuid::Uuid;

use super::problem::Refused;

/// The one id of a path such as `/games/{id}`.
pub(super) struct Id(pub Uuid);

/// The two ids of a path such as `/games/{id}/players/{playerId}`.
pub(super) struct Ids(pub Uuid, pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        let Path(text) = Path::<String>::from_request_parts(parts, state).await.map_err(|_| Refused::not_found())?;
        Ok(Self(id(&text)?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Ids {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((first, second)) = path.map_err(|_| Refused::not_found())?;
        Ok(Self(id(&first)?, id(&second)?))
    }
}

/// Parses only the hyphenated form, in upper or lower case.
pub(super) fn id(text: &str) -> Result<Uuid, Refused> {
    let hyphenated = text.len() == 36;
    Uuid::try_parse(text).ok().filter(|_| hyphenated).ok_or_else(Refused::not_found)
}
