//! Unit tests of `auth::results_token`.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::auth::Presented;

#[test]
fn a_link_has_one_token_and_another_link_has_another() {
    let token = results_token(&[1; 32], &[7; NONCE_BYTES]);
    assert_eq!(token.expose(), results_token(&[1; 32], &[7; NONCE_BYTES]).expose());
    for other in [results_token(&[1; 32], &[8; NONCE_BYTES]), results_token(&[2; 32], &[7; NONCE_BYTES])] {
        assert_ne!(token.expose(), other.expose());
    }
    assert_eq!(format!("{token:?}"), "ResultsToken(…)");
}

#[test]
fn only_its_own_form_is_a_token_of_a_link() {
    let token = results_token(&[1; 32], &[7; NONCE_BYTES]);
    assert_eq!(Presented::new(token.expose()).as_results(), Some(token.hash()));
    let cut = &token.expose()[..token.expose().len() - 1];
    for wrong in ["", "qr_", cut, &token.expose().replace("qr_", "qh_"), &format!("{} ", token.expose())] {
        assert_eq!(Presented::new(wrong).as_results(), None, "{wrong}");
    }
}
