//! Each token has its form, and no other.

#![allow(clippy::unwrap_used)]

use quizhall_rules::GameId;
use regex::Regex;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::TokenForm;
use crate::auth::token::{HostToken, PairingSecret, PlayerToken, ResultsToken, SECRET_BYTES, SpectatorSecret};

#[test]
fn each_token_has_its_form_and_no_other() {
    let (game, secret) = (GameId::from(Uuid::now_v7()), [0xFB; SECRET_BYTES]);
    let tokens = [
        (TokenForm::SESSION, HostToken::session().expose().to_owned()),
        (TokenForm::NAMED, HostToken::named().expose().to_owned()),
        (TokenForm::SET_UP, HostToken::set_up().expose().to_owned()),
        (TokenForm::RESULTS, ResultsToken::new(secret).expose().to_owned()),
        (TokenForm::PAIRING, PairingSecret::random().expose().expose_secret().to_owned()),
        (TokenForm::PLAYER, PlayerToken::new(game, secret).expose().to_owned()),
        (TokenForm::SPECTATOR, SpectatorSecret(secret).expose(game).expose_secret().to_owned()),
    ];
    for (number, (form, _)) in tokens.iter().enumerate() {
        let pattern = Regex::new(&form.pattern()).unwrap();
        for (other, (_, token)) in tokens.iter().enumerate() {
            assert_eq!(pattern.is_match(token), number == other, "{form:?}");
        }
    }
}
