//! Unit tests of `auth::token`.

use super::*;

#[test]
fn a_players_token_carries_its_game_and_is_found_by_hash() {
    let game = GameId::from(Uuid::now_v7());
    let token = PlayerToken::new(game, random_bytes());
    let read = Presented::new(token.expose()).as_player();
    assert!(read.is_some_and(|(named, hash)| named == game && hash == token.hash()));
}

#[test]
fn what_is_not_a_players_token_is_none() {
    let whole = PlayerToken::new(GameId::from(Uuid::now_v7()), random_bytes());
    let text = whole.expose();
    let other_alphabet = text.replace(['-', '_'], "+");
    for wrong in ["", "x", "qp_", "qp_AAAA", &text[..text.len() - 1], &format!("{text}A"), &text[3..], &other_alphabet]
    {
        if wrong != text {
            assert!(Presented::new(wrong).as_player().is_none(), "{} characters", wrong.len());
        }
    }
}

#[test]
fn debug_prints_nothing_of_a_secret() {
    let token = HostToken::session();
    let shown = format!("{token:?} {:?} {:?}", token.hash(), Presented::new(token.expose()));
    assert_eq!(shown, "HostToken(…) HostTokenHash(…) Presented(…)");
}

#[test]
fn tokens_differ() {
    assert_ne!(HostToken::session().expose(), HostToken::session().expose());
}
