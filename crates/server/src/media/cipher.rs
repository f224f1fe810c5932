//! The encryption of the copies that phones load before a question is released: ChaCha20-Poly1305, segment by segment.
//!
//! Used by downloads. Each key encrypts one file that never changes, and the number of a segment is its nonce, so a
//! nonce is never used twice with different content.

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

/// Encrypts the segment with this number, after filling it up with zeros to `length`. `None` when the cipher fails,
/// which happens for no length that a segment can have.
pub fn sealed(key: &[u8; 32], number: u32, mut segment: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    segment.resize(length, 0);
    let mut nonce = [0; NONCE_LEN];
    nonce[..4].copy_from_slice(&number.to_le_bytes());
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).ok()?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut segment).ok()?;
    Some(segment)
}
