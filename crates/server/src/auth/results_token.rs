//! The token of a game's results link, derived from the game's secret and the nonce of the link.
//!
//! Called by `http`. The token is not stored, and creating the link again gives the same one until it is revoked.

use super::player_token::of_game_secret;
use super::token::ResultsToken;

/// Bytes of the random nonce of a link.
pub const NONCE_BYTES: usize = 16;

/// The token of the link with this nonce. Another game, or another nonce, gives another token.
pub fn results_token(join_secret: &[u8; 32], nonce: &[u8]) -> ResultsToken {
    ResultsToken::new(of_game_secret(join_secret, b"quizhall results link\0", nonce))
}
