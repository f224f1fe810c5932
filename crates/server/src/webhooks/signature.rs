//! The signature of a delivery, as Standard Webhooks describes it: HMAC-SHA-256 of id, time and body.
//!
//! Called by `sending`. The time is that of the attempt, so that a receiver can refuse an old request that is sent to it again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

use super::SECRET_BYTES;

/// The prefix of a key that is shown.
const SECRET_PREFIX: &str = "whsec_";
/// The version of the signature.
const VERSION: &str = "v1";

/// A regular expression for keys as their owner sees them.
pub fn secret_pattern() -> String {
    // base64 with padding.
    let padding = (3 - SECRET_BYTES % 3) % 3;
    let symbols = SECRET_BYTES.div_ceil(3) * 4 - padding;
    format!("^{SECRET_PREFIX}[A-Za-z0-9+/]{{{symbols}}}={{{padding}}}$")
}

/// A key as its owner sees it.
pub fn shown_secret(secret: &[u8]) -> String {
    format!("{SECRET_PREFIX}{}", STANDARD.encode(secret))
}

/// The header `webhook-id` of a delivery.
pub(super) fn id_of(delivery: Uuid) -> String {
    format!("msg_{}", delivery.simple())
}

/// The header `webhook-signature`: one signature by each key, in their order; `seconds` is the header
/// `webhook-timestamp`, since 1970.
pub fn signatures(secrets: &[Vec<u8>], id: &str, seconds: i64, body: &str) -> String {
    let each: Vec<_> = secrets.iter().map(|secret| signature(secret, id, seconds, body)).collect();
    each.join(" ")
}

fn signature(secret: &[u8], id: &str, seconds: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length is accepted");
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body.as_bytes());
    format!("{VERSION},{}", STANDARD.encode(mac.finalize().into_bytes()))
}
