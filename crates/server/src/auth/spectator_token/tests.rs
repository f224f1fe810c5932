//! Unit tests of `auth::spectator_token`.

#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn a_token_is_good_for_its_game_alone_and_as_it_was_made() {
    let token = new_spectator(&[7; 32]);
    let id = spectator_of(&[7; 32], &token).unwrap();
    assert_eq!(id.as_bytes(), &token.0[..ID_BYTES]);
    assert_ne!(spectator_of(&[7; 32], &new_spectator(&[7; 32])), Some(id), "each has an id of its own");
    assert_eq!(spectator_of(&[8; 32], &token), None, "another game");
    for at in 0..SECRET_BYTES {
        let mut other = token;
        other.0[at] ^= 1;
        assert_eq!(spectator_of(&[7; 32], &other), None, "byte {at}");
    }
}
