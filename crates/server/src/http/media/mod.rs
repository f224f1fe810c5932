//! `/api/v1/media`: a host's pictures and sounds. The files of other hosts are not found.
//!
//! A file is stored and sent part by part, so no request holds all of it. Its row is written last, and only a file with
//! a row can be read or used.

pub(super) mod game_media;

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use quizhall_protocol::http::media::{Media as Uploaded, MediaList, MediaSummary};
use quizhall_rules::HostId;
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;
use uuid::Uuid;

use super::address::client_of;
use super::body::{Chunks, declared_length};
use super::path::Id;
use super::problem::{Kind, Refused, log_database};
use super::session::Host;
use crate::app::App;
use crate::clock;
use crate::limits::AddressKey;
use crate::media::{MediaType, NotNow, PictureSize};
use crate::pace::Pace;
use crate::store::{MEDIA_PART_BYTES, MediaCreation, MediaDeletion, NewMedia, StoreError};
use crate::telemetry::{Limit, metrics};

/// How long a file may take to arrive.
const UPLOAD_TIME: Duration = Duration::from_secs(25);

/// How long a download waits for a place: longer than a stalled download keeps its own.
const DOWNLOAD_WAIT: Duration = Duration::from_secs(8);

/// How browsers may keep a file: its bytes never change, and only its owner may read it.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// The field that a refusal names when the body is one file.
const FIELD: &str = "file";

/// Upload a picture or a sound
///
/// The body is the file. Its type is found by its first bytes, whatever `Content-Type` says. A file that the account has
/// already is stored once: the answer is then 200 and names it. A file that no quiz and no kept game uses is deleted after the
/// grace period of the settings.
#[utoipa::path(
    post, path = "/api/v1/media", tag = "media", operation_id = "uploadMedia", security(("hostToken" = [])),
    request_body(
        content = Vec<u8>, content_type = "application/octet-stream",
        description = "PNG, JPEG or WebP of at most 2 MiB, or MP3, M4A or Ogg of at most 5 MiB",
    ),
    responses(
        (status = 201, description = "The file, stored", body = Uploaded),
        (status = 200, description = "The file, which was stored before", body = Uploaded),
        (status = 400, description = "The body broke off"),
        (status = 401, description = "No valid token"),
        (status = 408, description = "The body was not sent in 25 s, or at less than 2 kB a second"),
        (status = 413, description = "The file is larger than its type allows"),
        (status = 415, description = "The type of the file is not accepted"),
        (status = 422, description = "The body is empty"),
        (status = 429, description = "The account has sent 120 files in a minute"),
        (status = 503, description = "The database is not available, or too many uploads, of all accounts or of this one, are under way"),
        (status = 507, description = "The account's files would be larger than allowed, or the disk is full"),
    )
)]
pub(super) async fn upload_media(
    State(app): State<Arc<App>>,
    Host(session): Host,
    request: Request,
) -> Result<(StatusCode, Json<Uploaded>), Refused> {
    let _on_its_way = app.media.begin_upload(session.host).await?;
    let declared = declared_length(request.headers()).unwrap_or(0) as u64;
    if declared > MediaType::MOST_BYTES {
        return Err(too_large(MediaType::MOST_BYTES));
    }
    let held = app.store.media_bytes(session.host).await?;
    if held.saturating_add(declared.max(1)) > app.config.storage.media_per_host {
        return Err(no_room());
    }
    let id = Uuid::now_v7();
    let received = match timeout(UPLOAD_TIME, receive(&app, id, request.into_body())).await {
        Ok(received) => received,
        Err(_) => Err(Refused::new(Kind::TIMEOUT, "The file was not sent in time.")),
    };
    if received.is_err() {
        app.store.delete_media_parts(vec![id]).await?;
    }
    // After a failure it is not known whether the row is stored; the purge deletes parts without a row.
    match list(&app, session.host, received?).await? {
        (MediaCreation::Created, file) => Ok((StatusCode::CREATED, Json(file))),
        (MediaCreation::Known(known), file) => {
            app.store.renew_media_parts(known, id).await?;
            Ok((StatusCode::OK, Json(Uploaded { id: known, ..file })))
        }
        (MediaCreation::NoRoom, _) => {
            app.store.delete_media_parts(vec![id]).await?;
            Err(no_room())
        }
    }
}

/// List the pictures and sounds
#[utoipa::path(
    get, path = "/api/v1/media", tag = "media", operation_id = "listMedia", security(("hostToken" = [])),
    responses(
        (status = 200, description = "The files, newest first, with their uses", body = MediaList),
        (status = 401, description = "No valid token"),
    )
)]
pub(super) async fn list_media(State(app): State<Arc<App>>, Host(session): Host) -> Result<Json<MediaList>, Refused> {
    let lines = app.store.media_of(session.host).await?;
    let bytes = lines.iter().map(|line| line.bytes).sum();
    let media = lines.into_iter().map(|line| MediaSummary {
        id: line.id,
        media_type: line.media_type,
        bytes: line.bytes,
        created_at: clock::rfc3339(line.created_at_ms),
        quizzes: line.quizzes,
        games: line.games,
    });
    Ok(Json(MediaList { media: media.collect(), bytes, limit: app.config.storage.media_per_host }))
}

/// Read a picture or a sound
#[utoipa::path(
    get, path = "/api/v1/media/{id}", tag = "media", operation_id = "readMedia", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The file")),
    responses(
        (status = 200, description = "The file, with its media type", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No file of this host"),
        (status = 503, description = "The database is not available, or too many downloads are under way"),
    )
)]
pub(super) async fn read_media(
    State(app): State<Arc<App>>,
    Host(session): Host,
    to: To,
    Id(id): Id,
) -> Result<Response, Refused> {
    let line = app.store.media(session.host, id).await?.ok_or_else(Refused::not_found)?;
    let parts = u32::try_from(line.bytes.div_ceil(MEDIA_PART_BYTES as u64)).unwrap_or(u32::MAX);
    let read = move |app: Arc<App>, number| async move { part(&app, id, number).await };
    let mut response = sent(app, (to, Download { parts, bytes: line.bytes }), read).await?;
    response.headers_mut().insert(CACHE_CONTROL, IMMUTABLE);
    if let Ok(of) = line.media_type.parse() {
        response.headers_mut().insert(CONTENT_TYPE, of);
    }
    Ok(response)
}

/// Delete a picture or a sound
#[utoipa::path(
    delete, path = "/api/v1/media/{id}", tag = "media", operation_id = "deleteMedia", security(("hostToken" = [])),
    params(("id" = Uuid, Path, description = "The file")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 401, description = "No valid token"),
        (status = 404, description = "No file of this host"),
        (status = 409, description = "A quiz or a kept game uses it"),
    )
)]
pub(super) async fn delete_media(
    State(app): State<Arc<App>>,
    Host(session): Host,
    Id(id): Id,
) -> Result<StatusCode, Refused> {
    match app.store.delete_media(session.host, id).await? {
        MediaDeletion::Deleted => {
            app.store.delete_media_parts(vec![id]).await?;
            Ok(StatusCode::NO_CONTENT)
        }
        MediaDeletion::NotFound => Err(Refused::not_found()),
        MediaDeletion::InUse => {
            Err(Refused::new(Kind::MEDIA_IN_USE, "Take it out of every quiz, and delete the games that have it."))
        }
    }
}

/// A file whose parts are stored.
struct Received {
    id: Uuid,
    of: MediaType,
    bytes: u64,
    sha256: Vec<u8>,
    size: Option<PictureSize>,
}

/// Stores the parts of a body as they come.
async fn receive(app: &App, id: Uuid, body: Body) -> Result<Received, Refused> {
    let mut chunks = Chunks::of(body);
    let (mut part, mut number, mut bytes, mut sum) = (Vec::new(), 0, 0, Sha256::new());
    let (mut of, mut size) = (None, None);
    loop {
        let chunk = chunks.next().await?;
        let is_last = chunk.is_none();
        part.extend_from_slice(&chunk.unwrap_or_default());
        while part.len() >= MEDIA_PART_BYTES || (is_last && !part.is_empty()) {
            let rest = part.split_off(part.len().min(MEDIA_PART_BYTES));
            let this = std::mem::replace(&mut part, rest);
            let known = of.or_else(|| MediaType::of_first_bytes(&this)).ok_or_else(unknown_type)?;
            if number == 0 {
                size = PictureSize::of_first_bytes(known, &this);
            }
            of = Some(known);
            bytes += this.len() as u64;
            if bytes > known.most_bytes() {
                return Err(too_large(known.most_bytes()));
            }
            sum.update(&this);
            app.store.put_media_part(id, number, this).await.map_err(not_stored)?;
            number += 1;
        }
        if is_last {
            let of = of.ok_or_else(|| Refused::invalid(FIELD, "Send the file as the body."))?;
            return Ok(Received { id, of, bytes, sha256: sum.finalize().to_vec(), size });
        }
    }
}

/// Writes the row of a file.
async fn list(app: &App, host: HostId, received: Received) -> Result<(MediaCreation, Uploaded), Refused> {
    let Received { id, of, bytes, sha256, size } = received;
    let line = NewMedia {
        id,
        host,
        media_type: of.as_str().to_owned(),
        bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        sha256,
        width: size.map(|size| size.width.into()),
        height: size.map(|size| size.height.into()),
        created_at_ms: clock::unix_ms(),
        limit: i64::try_from(app.config.storage.media_per_host).unwrap_or(i64::MAX),
    };
    let outcome = app.store.create_media(line).await.map_err(not_stored)?;
    Ok((outcome, Uploaded { id, media_type: of.as_str().to_owned(), bytes }))
}

async fn part(app: &App, id: Uuid, number: u32) -> Result<Bytes, Refused> {
    let load = async {
        let part = app.store.media_part(id, number).await?;
        part.map(Bytes::from).ok_or(StoreError::Corrupt("a part of a file is missing"))
    };
    Ok(app.media.parts.get((id.into_bytes(), number), load).await?)
}

/// The receiver of a download: an address, over a connection.
pub(super) struct To {
    address: AddressKey,
    pace: Pace,
}

impl FromRequestParts<Arc<App>> for To {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let address = client_of(&parts.extensions, &parts.headers, &app.config.listen.trusted_proxies).into();
        Ok(Self { address, pace: parts.extensions.get().cloned().unwrap_or_default() })
    }
}

/// A file to send: its number of parts, and their bytes in all.
pub(super) struct Download {
    pub(super) parts: u32,
    pub(super) bytes: u64,
}

/// An answer whose parts are made one by one as they are sent. When the first part is missing, the answer is an error
/// instead of one that breaks off.
pub(super) async fn sent<F, Part>(app: Arc<App>, (to, download): (To, Download), part: F) -> Result<Response, Refused>
where
    F: Fn(Arc<App>, u32) -> Part + Send + 'static,
    Part: Future<Output = Result<Bytes, Refused>> + Send + 'static,
{
    let place = app.media.begin_download((to.address, &to.pace), DOWNLOAD_WAIT).await?;
    let first = part(Arc::clone(&app), 0).await?;
    let rest = stream::iter(1..download.parts).then(move |number| part(Arc::clone(&app), number));
    let body = stream::once(async { Ok(first) }).chain(rest).map(move |part| {
        let _place = &place;
        part.map_err(|_| io::Error::from(ErrorKind::UnexpectedEof))
    });
    let headers = [(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))];
    let mut response = (headers, Body::from_stream(body)).into_response();
    response.headers_mut().insert(CONTENT_LENGTH, download.bytes.into());
    Ok(response)
}

fn too_large(limit: u64) -> Refused {
    Refused::new(Kind::TOO_LARGE, format!("A file of this type may have at most {limit} bytes.")).at(FIELD)
}

fn unknown_type() -> Refused {
    Refused::new(Kind::UNKNOWN_MEDIA, "Send a picture (PNG, JPEG, WebP) or a sound (MP3, M4A, Ogg).").at(FIELD)
}

fn not_stored(error: StoreError) -> Refused {
    match error {
        StoreError::Full => Refused::new(Kind::MEDIA_FULL, "The disk of the service is full.").at(FIELD),
        error => error.into(),
    }
}

fn no_room() -> Refused {
    metrics::limit_reached(Limit::MediaPerHost);
    Refused::new(Kind::MEDIA_FULL, "Delete pictures and sounds that you no longer need.").at(FIELD)
}

impl From<NotNow> for Refused {
    fn from(reason: NotNow) -> Self {
        match reason {
            NotNow::TooOften(wait) => {
                Self::new(Kind::TOO_OFTEN, "Too many files were sent. Wait a little.").retry_after(wait)
            }
            NotNow::Busy => {
                let detail = "Too many files are on their way. Try again in a moment.";
                Self::new(Kind::BUSY, detail).retry_after(Duration::from_secs(1))
            }
        }
    }
}

impl From<Arc<StoreError>> for Refused {
    fn from(error: Arc<StoreError>) -> Self {
        log_database(&error);
        Self::of_status(if error.is_damage() {
            StatusCode::INTERNAL_SERVER_ERROR
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        })
    }
}
