//! Managing accounts in the store, on every engine.

use quizhall::clock;
use quizhall::store::{AccountChange, AccountLine, GameCreation, NewAccount, NewSession, Store};
use quizhall_rules::HostId;
use uuid::Uuid;

use crate::store_stage::{account, end, game, head_of_new, host, on_every_engine, quiz_row};

on_every_engine! {
    accounts_are_listed_with_what_they_own
    a_new_name_must_be_free
    a_disabled_account_has_no_sessions
    the_last_account_that_can_be_signed_in_to_stays
    one_of_two_owners_who_disable_each_other_stays
    an_account_that_owns_something_is_removed_with_an_heir_only
    a_closed_account_keeps_nothing_but_closed_games
}

async fn line(store: &Store, host: HostId) -> AccountLine {
    store.accounts().await.unwrap().into_iter().find(|line| line.id == host).unwrap()
}

async fn session(store: &Store, host: HostId, byte: u8) -> [u8; 32] {
    let now = clock::unix_ms();
    let session = NewSession { hash: [byte; 32], host, created_at_ms: now, expires_at_ms: now + 60_000 };
    store.create_session(session).await.unwrap();
    [byte; 32]
}

async fn quiz(store: &Store, host: HostId) -> Uuid {
    let row = quiz_row(host);
    assert!(store.create_quiz(row.clone(), Vec::new(), 10).await.unwrap());
    row.id
}

async fn accounts_are_listed_with_what_they_own(store: &Store) {
    let (ann, bob) = (account("Ann"), NewAccount { password_hash: None, ..account("bob") });
    for account in [bob.clone(), ann.clone()] {
        store.create_account(account).await.unwrap();
    }
    quiz(store, ann.id).await;
    assert_eq!(store.create_game(game(ann.id, "AAAAAA")).await.unwrap(), GameCreation::Created);
    let line = |id, name: &str, is_person, owned| AccountLine {
        id,
        name: name.to_owned(),
        created_at_ms: 1,
        disabled_at_ms: None,
        is_owner: false,
        is_person,
        quizzes: owned,
        games: owned,
    };
    assert_eq!(store.accounts().await.unwrap(), [line(ann.id, "Ann", true, 1), line(bob.id, "bob", false, 0)]);
}

async fn a_new_name_must_be_free(store: &Store) {
    let (ann, bob) = (account("Ann"), account("Bob"));
    for account in [&ann, &bob] {
        store.create_account(account.clone()).await.unwrap();
    }
    let rename = |id, name: &str| store.rename_account(id, name.to_owned(), name.to_lowercase());
    let taken = rename(ann.id, "BOB").await.unwrap();
    assert_eq!(taken, AccountChange::NameTaken);
    assert_eq!(rename(HostId::from(Uuid::nil()), "Cid").await.unwrap(), AccountChange::NotFound);
    let kept = session(store, ann.id, 1).await;
    assert_eq!(rename(ann.id, "ANN").await.unwrap(), AccountChange::Done(Vec::new()), "its own name in another case");
    assert_eq!(rename(ann.id, "Anna").await.unwrap(), AccountChange::Done(Vec::new()));
    assert_eq!(store.session(kept).await.unwrap().unwrap().name, "Anna");
    assert!(store.account_by_name("ann").await.unwrap().is_none());
}

async fn a_disabled_account_has_no_sessions(store: &Store) {
    let (ann, _bob) = (host(store).await, host(store).await);
    let ended = session(store, ann, 1).await;
    assert_eq!(store.disable_account(ann, Some(5)).await.unwrap(), AccountChange::Done(vec![ended]));
    assert_eq!(store.ended_sessions(vec![ended]).await.unwrap(), [ended]);
    // A sign-in that had read the account earlier.
    let late = session(store, ann, 2).await;
    assert_eq!(store.session(late).await.unwrap(), None);
    assert_eq!(store.disable_account(ann, Some(9)).await.unwrap(), AccountChange::Done(vec![late]));
    assert_eq!(line(store, ann).await.disabled_at_ms, Some(5), "since the first time");
    let late = session(store, ann, 3).await;
    assert_eq!(store.disable_account(ann, None).await.unwrap(), AccountChange::Done(vec![late]));
    assert_eq!(line(store, ann).await.disabled_at_ms, None);
    let new = session(store, ann, 4).await;
    assert_eq!(store.disable_account(ann, None).await.unwrap(), AccountChange::Done(vec![]), "nothing has changed");
    assert!(store.session(new).await.unwrap().is_some());
}

async fn the_last_account_that_can_be_signed_in_to_stays(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    store.create_account(NewAccount { password_hash: None, ..account("script") }).await.unwrap();
    assert!(matches!(store.disable_account(ann, Some(1)).await.unwrap(), AccountChange::Done(_)));
    assert_eq!(store.disable_account(bob, Some(1)).await.unwrap(), AccountChange::LastAccount);
    assert_eq!(store.remove_account(bob, None).await.unwrap(), AccountChange::LastAccount);
    assert_eq!(store.close_account(bob, 1).await.unwrap(), AccountChange::LastAccount);
    assert!(matches!(store.remove_account(ann, None).await.unwrap(), AccountChange::Done(_)), "it is disabled already");
    assert_eq!(store.remove_account(ann, None).await.unwrap(), AccountChange::NotFound);
}

async fn one_of_two_owners_who_disable_each_other_stays(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let outcomes = tokio::join!(store.disable_account(ann, Some(1)), store.disable_account(bob, Some(1)));
    let mut last = [outcomes.0.unwrap(), outcomes.1.unwrap()];
    last.sort_by_key(|outcome| *outcome == AccountChange::LastAccount);
    assert_eq!(last, [AccountChange::Done(Vec::new()), AccountChange::LastAccount]);
}

async fn an_account_that_owns_something_is_removed_with_an_heir_only(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let (quiz, new) = (quiz(store, ann).await, game(ann, "AAAAAA"));
    let (id, ended) = (new.id, session(store, ann, 1).await);
    assert_eq!(store.create_game(new).await.unwrap(), GameCreation::Created);
    assert_eq!(store.remove_account(ann, None).await.unwrap(), AccountChange::OwnsData { games: 1, quizzes: 1 });
    assert_eq!(store.remove_account(ann, Some(HostId::from(Uuid::nil()))).await.unwrap(), AccountChange::NotFound);
    assert_eq!(line(store, ann).await.games, 1, "nothing was changed");
    assert_eq!(store.remove_account(ann, Some(bob)).await.unwrap(), AccountChange::Done(vec![ended]));
    assert!(store.accounts().await.unwrap().iter().all(|line| line.id != ann));
    assert_eq!(store.game_by_id(id).await.unwrap().map(|row| row.host), Some(bob));
    assert!(store.quiz(bob, quiz).await.unwrap().is_some());
    assert_eq!(store.session(ended).await.unwrap(), None);
}

async fn a_closed_account_keeps_nothing_but_closed_games(store: &Store) {
    let (ann, _bob) = (host(store).await, host(store).await);
    let (_, new) = (quiz(store, ann).await, game(ann, "AAAAAA"));
    let (id, head) = (new.id, head_of_new(&new));
    assert_eq!(store.create_game(new).await.unwrap(), GameCreation::Created);
    assert_eq!(store.close_account(ann, 9).await.unwrap(), AccountChange::LiveGames(1));
    assert_eq!(line(store, ann).await.disabled_at_ms, None, "nothing was changed");
    end(store, id, head, 5).await;
    assert_eq!(store.close_account(ann, 9).await.unwrap(), AccountChange::Done(Vec::new()));
    let now = line(store, ann).await;
    assert_eq!((now.disabled_at_ms, now.quizzes, now.games), (Some(9), 0, 0));
    assert!(store.all_games_of(ann).await.unwrap().iter().all(|row| row.closed && row.id == id));
    assert_eq!(store.remove_account(ann, None).await.unwrap(), AccountChange::OwnsData { games: 1, quizzes: 0 });
}
