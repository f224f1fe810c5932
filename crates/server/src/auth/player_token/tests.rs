//! Unit tests of `auth::player_token`.

use super::*;
use uuid::Uuid;

#[test]
fn the_same_key_gives_the_same_token_in_one_game_only() {
    let (game, secret) = (GameId::from(Uuid::now_v7()), [7; 32]);
    let token = |game, secret: &[u8; 32], key| player_token(game, secret, key).token.expose().to_owned();
    let first = token(game, &secret, Some("key-1"));
    assert_eq!(first, token(game, &secret, Some("key-1")));
    assert_ne!(first, token(game, &secret, Some("key-2")));
    assert_ne!(first, token(game, &[8; 32], Some("key-1")));
    assert_ne!(token(game, &secret, None), token(game, &secret, None));
}
