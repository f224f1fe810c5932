//! Pairings of screens in the store, on every engine.

use quizhall::store::{Paired, PairingOpening, PairingState, Store};
use quizhall_rules::ScreenId;
use uuid::Uuid;

use crate::store_stage::{RawSql, a_game, on_every_engine_with_sql};

on_every_engine_with_sql! {
    a_code_is_paired_once_and_its_screen_learns_of_it
    a_code_that_is_over_is_none_and_makes_room
}

async fn a_code_is_paired_once_and_its_screen_learns_of_it(store: &Store, _raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    let screen = ScreenId::from(Uuid::from_u128(7));
    let open = async |code: &str, byte: u8| store.open_pairing(code.to_owned(), [byte; 32]).await.unwrap();
    assert_eq!(open("KTM472", 1).await, PairingOpening::Opened);
    assert_eq!(open("KTM472", 2).await, PairingOpening::CodeTaken);
    assert_eq!(store.pairing([1; 32]).await.unwrap(), Some(PairingState::Open));
    assert_eq!(store.pairing([2; 32]).await.unwrap(), None);
    assert!(!store.pair("KTM473".to_owned(), game, screen).await.unwrap(), "no screen shows it");
    assert!(store.pair("KTM472".to_owned(), game, screen).await.unwrap());
    assert!(!store.pair("KTM472".to_owned(), game, screen).await.unwrap(), "it has been typed already");
    let paired = |added| Some(PairingState::Paired(Paired { game, screen, added }));
    assert_eq!(store.pairing([1; 32]).await.unwrap(), paired(false));
    store.pairing_added([1; 32]).await.unwrap();
    assert_eq!(store.pairing([1; 32]).await.unwrap(), paired(true));
}

async fn a_code_that_is_over_is_none_and_makes_room(store: &Store, mut raw_sql: RawSql) {
    let (game, _) = a_game(store, "AAAAAA").await;
    assert_eq!(store.open_pairing("KTM472".to_owned(), [1; 32]).await.unwrap(), PairingOpening::Opened);
    assert!(store.pair("KTM472".to_owned(), game, ScreenId::from(Uuid::nil())).await.unwrap());
    raw_sql.execute("UPDATE screen_pairing SET expires_at_ms = 1 WHERE game_id = $1", game).await;
    assert_eq!(store.pairing([1; 32]).await.unwrap(), None);
    assert_eq!(store.open_pairing("KTM472".to_owned(), [2; 32]).await.unwrap(), PairingOpening::Opened);
}
