//! `/api/v1/games/{id}/media/{name}`: the encrypted copies of pictures and sounds that phones load before a question is
//! released.
//!
//! The name is the permission: it has 128 random bits and is sent only to sockets of the game. The copy is useless
//! without the key, which comes with the question, so any cache on the way may keep it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::response::Response;
use quizhall_engine::media::{MediaCopy, SEGMENT_BYTES, copy_named};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::app::App;
use crate::http::media::{Download, To, sent};
use crate::http::path::id;
use crate::http::problem::Refused;
use crate::media::sealed;
use crate::store::StoreError;

/// A copy never changes, and any cache may hold it.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Load a picture or a sound ahead
///
/// The encrypted copy that `media_preload` names (`quizhall.v1`); the key comes with the question. Each segment of 256
/// KiB is encrypted by itself with ChaCha20-Poly1305; the nonce is the segment's number, from 0, as four bytes, the
/// lowest first, followed by eight zero bytes. The file's own bytes, whose number comes with the key, are followed by
/// zeros.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/media/{name}", tag = "games", operation_id = "loadGameMedia",
    params(
        ("id" = Uuid, Path, description = "The game"),
        ("name" = String, Path, description = "The name of the copy, 32 hexadecimal digits"),
    ),
    responses(
        (status = 200, description = "The encrypted copy", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 404, description = "No game has such a copy"),
        (status = 503, description = "The database is not available, or too many downloads are under way"),
    )
)]
pub(in crate::http) async fn load_game_media(
    State(app): State<Arc<App>>,
    to: To,
    Asked { game, name }: Asked,
) -> Result<Response, Refused> {
    let game = app.registry.by_id(game).await?.ok_or_else(Refused::not_found)?;
    let found = game.view(move |state| copy_named(state, name).map(|copy| Found::of(&copy))).await?;
    let found = Arc::new(found.ok_or_else(Refused::not_found)?);
    let segments = u32::try_from(found.padded_bytes.div_ceil(SEGMENT_BYTES)).unwrap_or(u32::MAX);
    let bytes = found.sent_bytes;
    let segment = move |app: Arc<App>, number| {
        let found = Arc::clone(&found);
        async move { found.segment(&app, name, number).await }
    };
    let mut response = sent(app, (to, Download { parts: segments, bytes }), segment).await?;
    response.headers_mut().insert(CACHE_CONTROL, IMMUTABLE);
    Ok(response)
}

/// The game and the name in the path. Anything that cannot be one of these is not found.
pub(in crate::http) struct Asked {
    game: GameId,
    name: [u8; 16],
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refused> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((game, name)) = path.map_err(|_| Refused::not_found())?;
        let is_name = name.len() == 32 && name.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        let number = u128::from_str_radix(&name, 16).ok().filter(|_| is_name).ok_or_else(Refused::not_found)?;
        Ok(Self { game: GameId::from(id(&game)?), name: number.to_be_bytes() })
    }
}

/// The data needed to make a copy.
struct Found {
    media: Uuid,
    key: [u8; 32],
    bytes: u64,
    padded_bytes: u64,
    sent_bytes: u64,
}

impl Found {
    fn of(copy: &MediaCopy<'_>) -> Self {
        let (media, key, bytes) = (copy.media.id, copy.key, copy.bytes);
        Self { media, key, bytes, padded_bytes: copy.padded_bytes(), sent_bytes: copy.sent_bytes() }
    }

    /// The encrypted segment with this number.
    async fn segment(&self, app: &App, name: [u8; 16], number: u32) -> Result<Bytes, Refused> {
        let length = SEGMENT_BYTES.min(self.padded_bytes - u64::from(number) * SEGMENT_BYTES);
        let load = async {
            let part = app.store.media_part(self.media, number).await?;
            // After the last part there are only the zeros that fill up the copy.
            let is_content = u64::from(number) * SEGMENT_BYTES < self.bytes;
            if is_content && part.is_none() {
                return Err(StoreError::Corrupt("a part of a file is missing"));
            }
            let part = part.unwrap_or_default();
            let sealed = sealed(&self.key, number, part, usize::try_from(length).unwrap_or(0));
            sealed.map(Bytes::from).ok_or(StoreError::Corrupt("a part of a file"))
        };
        Ok(app.media.parts.get((name, number), load).await?)
    }
}
