//! The tokens of players: for a new player, and for a seat that another phone takes. They are random, or the same for
//! the same `Idempotency-Key`.

use hmac::{Hmac, KeyInit as _, Mac as _};
use quizhall_rules::{GameId, TokenHash};
use sha2::Sha256;

use super::token::{PlayerToken, SECRET_BYTES, random_bytes, sha256};

/// A token as the player gets it, and as the log stores it.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    /// Shown to the player once.
    pub token: PlayerToken,
    /// For the log.
    pub token_hash: TokenHash,
    /// For the log: SHA-256 of the key, if there was one.
    pub idempotency: Option<TokenHash>,
}

/// Makes the token of a new player of `game`. With a key it is derived from the game's secret, so a repeated join whose
/// first answer was lost gets the same token although it is not stored.
pub fn player_token(game: GameId, join_secret: &[u8; 32], idempotency_key: Option<&str>) -> IssuedToken {
    let secret = idempotency_key.map_or_else(random_bytes, |key| derived(join_secret, key));
    let token = PlayerToken::new(game, secret);
    IssuedToken { token_hash: token.hash(), token, idempotency: idempotency_key.map(idempotency_hash) }
}

/// The hash of an `Idempotency-Key` for the log.
pub fn idempotency_hash(key: &str) -> TokenHash {
    TokenHash(sha256(key.as_bytes()))
}

/// The hash of a seat code for the log. It is keyed, because a code is short.
pub fn seat_code_hash(join_secret: &[u8; 32], code: &str) -> TokenHash {
    TokenHash(of_game_secret(join_secret, b"quizhall seat code\0", code.as_bytes()))
}

/// Makes the token of the phone that takes the seat of a code. With a key it is derived as for a join, but only for
/// this code.
pub fn moved_token(game: GameId, join_secret: &[u8; 32], code: &str, idempotency_key: Option<&str>) -> PlayerToken {
    let secret = idempotency_key.map_or_else(random_bytes, |key| {
        of_game_secret(join_secret, b"quizhall moved seat\0", format!("{code}\0{key}").as_bytes())
    });
    PlayerToken::new(game, secret)
}

fn derived(join_secret: &[u8; 32], key: &str) -> [u8; SECRET_BYTES] {
    of_game_secret(join_secret, b"quizhall seat\0", key.as_bytes())
}

/// HMAC of a purpose and a value under a secret of the game; purposes end in a zero byte, so that none is the beginning
/// of another.
pub(super) fn of_game_secret(join_secret: &[u8; 32], purpose: &[u8], value: &[u8]) -> [u8; SECRET_BYTES] {
    let mut mac = Hmac::<Sha256>::new_from_slice(join_secret).expect("HMAC takes keys of any length");
    mac.update(purpose);
    mac.update(value);
    mac.finalize().into_bytes().into()
}
