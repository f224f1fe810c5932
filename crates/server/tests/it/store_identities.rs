//! Identities from a provider and unfinished sign-ins in the store, on every engine.

use futures_util::future::join_all;
use quizhall::clock;
use quizhall::store::{ATTEMPT_KEPT_MS, AccountCreation, ExternalIdentity, SignInAttempt, Store};
use quizhall_rules::GameId;
use uuid::Uuid;

use crate::store_stage::{RawSql, account, on_every_engine, on_every_engine_with_sql};

on_every_engine! {
    an_attempt_is_taken_once
    an_identity_has_one_account
}

mod aged {
    use super::an_old_attempt_is_not_found;
    super::on_every_engine_with_sql! { an_old_attempt_is_not_found }
}

const VERIFIER: [u8; 32] = [7; 32];

fn attempt(number: u8) -> SignInAttempt {
    SignInAttempt { state: [number; 32], verifier: VERIFIER, nonce: format!("nonce {number}") }
}

async fn an_attempt_is_taken_once(store: &Store) {
    for number in [1, 2] {
        assert!(store.begin_sign_in(attempt(number)).await.unwrap());
    }
    let taken = join_all((0..5).map(|_| store.take_sign_in([1; 32], VERIFIER))).await;
    let nonces: Vec<_> = taken.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(nonces, ["nonce 1"]);
    assert_eq!(store.take_sign_in([2; 32], [8; 32]).await.unwrap(), None);
    assert_eq!(store.take_sign_in([2; 32], VERIFIER).await.unwrap(), None, "a wrong verifier uses it up");
    assert_eq!(store.take_sign_in([3; 32], VERIFIER).await.unwrap(), None);
}

async fn an_old_attempt_is_not_found(store: &Store, mut raw_sql: RawSql) {
    assert!(store.begin_sign_in(attempt(1)).await.unwrap());
    let game = GameId::from(Uuid::now_v7());
    // The parameter has no effect here.
    let age = "UPDATE sign_in_attempt SET created_at_ms = created_at_ms - 600000 WHERE $1 IS NOT NULL";
    assert_eq!((raw_sql.execute(age, game).await, ATTEMPT_KEPT_MS), (1, 600_000));
    assert!(store.begin_sign_in(attempt(2)).await.unwrap());
    let count = "SELECT count(*) FROM sign_in_attempt WHERE $1 IS NOT NULL";
    assert_eq!(raw_sql.count(count, game).await, 1, "a new attempt deletes the old ones");
    assert_eq!(raw_sql.execute(age, game).await, 1);
    assert_eq!(store.take_sign_in([2; 32], VERIFIER).await.unwrap(), None);
}

async fn an_identity_has_one_account(store: &Store) {
    let identity = |subject: &str| ExternalIdentity { issuer: "https://one".to_owned(), subject: subject.to_owned() };
    assert!(store.account_by_identity(&identity("ann")).await.unwrap().is_none());
    let create = |name: &str, subject: &str| {
        let account =
            quizhall::store::NewAccount { password_hash: None, created_at_ms: clock::unix_ms(), ..account(name) };
        store.create_account_of(account, identity(subject))
    };
    assert_eq!(create("Ann", "ann").await.unwrap(), AccountCreation::Created);
    assert_eq!(create("Other", "ann").await.unwrap(), AccountCreation::NotFirst, "it has an account");
    assert_eq!(create("Ann", "bob").await.unwrap(), AccountCreation::NameTaken);
    assert_eq!(create("Bob", "bob").await.unwrap(), AccountCreation::Created);
    let (ann, bob) = (identity("ann"), identity("bob"));
    let (ann, bob) = (store.account_by_identity(&ann).await.unwrap(), store.account_by_identity(&bob).await.unwrap());
    let (ann, bob) = (ann.unwrap(), bob.unwrap());
    assert_eq!((ann.name.as_str(), bob.name.as_str()), ("Ann", "Bob"));
    let other = ExternalIdentity { issuer: "https://two".to_owned(), subject: "ann".to_owned() };
    assert!(store.account_by_identity(&other).await.unwrap().is_none());
    assert!(store.accounts().await.unwrap().iter().all(|line| line.is_person));
    store.remove_account(ann.id, None).await.unwrap();
    assert!(store.account_by_identity(&identity("ann")).await.unwrap().is_none());
}
