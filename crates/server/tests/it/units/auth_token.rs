//! Tokens: each kind has a form of its own, belongs to one game or link, and prints nothing of its secret.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quizhall::auth::{
    HostToken, NONCE_BYTES, PairingSecret, Presented, TokenForm, ViewerToken, new_spectator, player_token,
    results_token, spectator_of,
};
use quizhall_rules::GameId;
use regex::Regex;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

/// The secret of a game.
const SECRET: [u8; 32] = [7; 32];
const OTHER: [u8; 32] = [8; 32];

/// Bytes of a game's or a spectator's id.
const ID_BYTES: usize = 16;

fn game() -> GameId {
    GameId::from(Uuid::now_v7())
}

fn spectator(game: GameId) -> String {
    new_spectator(&SECRET).expose(game).expose_secret().to_owned()
}

#[test]
fn each_token_has_its_form_and_no_other() {
    let game = game();
    let tokens = [
        (TokenForm::SESSION, HostToken::session().expose().to_owned()),
        (TokenForm::NAMED, HostToken::named().expose().to_owned()),
        (TokenForm::SET_UP, HostToken::set_up().expose().to_owned()),
        (TokenForm::RESULTS, results_token(&SECRET, &[7; NONCE_BYTES]).expose().to_owned()),
        (TokenForm::PAIRING, PairingSecret::random().expose().expose_secret().to_owned()),
        (TokenForm::PLAYER, player_token(game, &SECRET, None).token.expose().to_owned()),
        (TokenForm::SPECTATOR, spectator(game)),
    ];
    for (number, (form, _)) in tokens.iter().enumerate() {
        let pattern = Regex::new(&form.pattern()).unwrap();
        for (other, (_, token)) in tokens.iter().enumerate() {
            assert_eq!(pattern.is_match(token), number == other, "{form:?}");
        }
    }
}

#[test]
fn a_players_token_names_its_game_and_is_found_by_hash() {
    let game = game();
    let issued = player_token(game, &SECRET, None);
    let text = issued.token.expose();
    assert_eq!(Presented::new(text).as_player(), Some((game, issued.token_hash)));
    let other_alphabet = text.replace(['-', '_'], "+");
    for wrong in ["", "x", "qp_", "qp_AAAA", &text[..text.len() - 1], &format!("{text}A"), &text[3..], &other_alphabet]
    {
        assert_eq!(Presented::new(wrong).as_player(), None, "{wrong}");
    }
}

#[test]
fn the_same_key_gives_the_same_token_in_one_game_only() {
    let game = game();
    let token = |secret: &[u8; 32], key| player_token(game, secret, key).token.expose().to_owned();
    let first = token(&SECRET, Some("key-1"));
    assert_eq!(first, token(&SECRET, Some("key-1")));
    for other in [token(&SECRET, Some("key-2")), token(&OTHER, Some("key-1"))] {
        assert_ne!(first, other);
    }
    assert_ne!(token(&SECRET, None), token(&SECRET, None));
}

#[test]
fn a_results_link_has_one_token_which_only_its_own_form_presents() {
    let of = |secret: &[u8; 32], nonce: u8| results_token(secret, &[nonce; NONCE_BYTES]);
    let token = of(&SECRET, 7);
    let text = token.expose();
    assert_eq!(text, of(&SECRET, 7).expose());
    for other in [of(&SECRET, 8), of(&OTHER, 7)] {
        assert_ne!(text, other.expose());
    }
    assert_eq!(Presented::new(text).as_results(), Some(token.hash()));
    for wrong in ["", "qr_", &text[..text.len() - 1], &text.replace("qr_", "qh_"), &format!("{text} ")] {
        assert_eq!(Presented::new(wrong).as_results(), None, "{wrong}");
    }
}

#[test]
fn a_spectators_token_is_good_for_its_game_alone_and_as_it_was_made() {
    let watches = |secret: &[u8; 32], text: &str| match Presented::new(text).as_viewer() {
        Some((_, ViewerToken::Spectator(found))) => spectator_of(secret, &found),
        _ => None,
    };
    let (game, text) = (game(), spectator(game()));
    let bytes = URL_SAFE_NO_PAD.decode(&text[3..]).unwrap();
    let id = watches(&SECRET, &text).unwrap();
    assert_eq!(bytes[ID_BYTES..2 * ID_BYTES], *id.as_bytes());
    assert_ne!(watches(&SECRET, &spectator(game)), Some(id), "each has an id of its own");
    assert_eq!(watches(&OTHER, &text), None, "another game");
    for at in ID_BYTES..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert_eq!(watches(&SECRET, &format!("qv_{}", URL_SAFE_NO_PAD.encode(other))), None, "byte {at}");
    }
}

#[test]
fn tokens_differ_and_print_nothing_of_their_secret() {
    let (token, results) = (HostToken::session(), results_token(&SECRET, &[7; NONCE_BYTES]));
    assert_ne!(token.expose(), HostToken::session().expose());
    let shown = format!("{token:?} {:?} {:?} {results:?}", token.hash(), Presented::new(token.expose()));
    assert_eq!(shown, "HostToken(…) HostTokenHash(…) Presented(…) ResultsToken(…)");
}
