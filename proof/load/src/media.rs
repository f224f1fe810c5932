//! Pictures over HTTP: invented contents, the upload by the host, the load of an encrypted copy, and its opening.
//!
//! Full games and `preload` use it. It is written only from the reference of the interface; it shares no code with the server.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use quizhall_client::transport::{Request, Response};
use quizhall_client::{Endpoint, Token};
use quizhall_protocol::http::media::Media;
use quizhall_protocol::shapes::ReleasedMedia;
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// The first bytes of a PNG. The service reads nothing after them.
const BEGINNING: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
/// Bytes of an encrypted segment: 256 KiB and the tag.
const SEGMENT: usize = 256 * 1024 + 16;
/// Longest time to ask again for a copy while the service is busy.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The content of a picture of this size, the same for the same number: an account stores it once.
pub fn picture(bytes: usize, number: u64) -> Vec<u8> {
    let mut content = vec![0; bytes];
    SmallRng::seed_from_u64(number).fill_bytes(&mut content);
    let beginning = BEGINNING.len().min(bytes);
    content[..beginning].copy_from_slice(&BEGINNING[..beginning]);
    content
}

/// `POST /api/v1/media`: stores a file of the host.
///
/// # Errors
/// When the service does not take it.
pub async fn upload(endpoint: &Endpoint, token: &Token, content: &[u8]) -> anyhow::Result<Media> {
    let request = Request::new("POST", "/api/v1/media").bearer(token.reveal()).body(content);
    let response = request.send(endpoint).await.context("a picture could not be sent")?;
    ensure!(matches!(response.status, 200 | 201), "a picture was refused with HTTP {}", response.status);
    serde_json::from_slice(&response.body).context("the answer to an upload")
}

/// Loads an encrypted copy; asks again while the service is busy (503).
///
/// # Errors
/// When it does not come in a minute, or the service has none of this name.
pub async fn load_copy(endpoint: &Endpoint, game: Uuid, name: &str) -> anyhow::Result<Vec<u8>> {
    let request = Request::new("GET", &format!("/api/v1/games/{game}/media/{name}"));
    let end = Instant::now() + TIMEOUT;
    loop {
        let response = request.send(endpoint).await?;
        match response {
            Response { status: 200, body, .. } => return Ok(body),
            Response { status: 503, .. } if Instant::now() < end => {
                sleep(response.retry_after().unwrap_or(Duration::from_millis(200))).await;
            }
            Response { status, .. } => bail!("a copy was refused with HTTP {status}"),
        }
    }
}

/// Opens a copy with the key of its question.
///
/// # Errors
/// When the key is none, or not that of the copy, or what follows the file is not zeros.
pub fn open(copy: &[u8], media: &ReleasedMedia) -> anyhow::Result<Vec<u8>> {
    let key =
        UnboundKey::new(&CHACHA20_POLY1305, &hex::decode(&media.key)?).ok().context("the key has another length")?;
    let key = LessSafeKey::new(key);
    let mut file = Vec::with_capacity(copy.len());
    for (number, segment) in (0_u32..).zip(copy.chunks(SEGMENT)) {
        let mut nonce = [0; 12];
        nonce[..4].copy_from_slice(&number.to_le_bytes());
        let mut segment = segment.to_vec();
        let plain = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut segment);
        file.extend_from_slice(plain.ok().with_context(|| format!("the key does not open segment {number}"))?);
    }
    let bytes = usize::try_from(media.bytes)?;
    ensure!(file.len() >= bytes, "the copy has {} of {bytes} bytes", file.len());
    ensure!(file[bytes..].iter().all(|byte| *byte == 0), "what follows the file is not zeros");
    file.truncate(bytes);
    Ok(file)
}
