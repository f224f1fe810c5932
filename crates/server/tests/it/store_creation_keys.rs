//! Idempotency keys and pages in the store, on every engine.

use std::collections::HashSet;

use futures_util::future::join_all;
use quizhall::clock;
use quizhall::store::{
    CreationKey, GameCreation, KEY_KEPT_MS, KEYS_PER_HOST, KeyUse, NewGame, NewQuiz, Page, Place, QuizCreation,
    QuizRow, Store,
};
use quizhall_rules::HostId;

use crate::store_stage::{RawSql, game, host, on_every_engine, on_every_engine_with_sql, quiz_row};

on_every_engine! {
    of_equal_requests_at_once_one_creates_a_quiz
    of_equal_requests_at_once_one_creates_a_game
    a_key_belongs_to_one_request_of_one_host
    a_refused_request_leaves_its_key_free
    pages_of_games_hold_each_game_once
    pages_of_quizzes_hold_each_quiz_once
}

mod aged {
    super::on_every_engine_with_sql! { a_host_has_a_limit_of_keys a_key_is_free_after_a_day }
    use super::{a_host_has_a_limit_of_keys, a_key_is_free_after_a_day};
}

const REQUEST: [u8; 32] = [9; 32];

fn key(number: u32) -> CreationKey {
    let mut name = [0; 32];
    name[..4].copy_from_slice(&number.to_be_bytes());
    CreationKey { name, request: REQUEST }
}

fn quiz(host: HostId, updated_at_ms: i64) -> QuizRow {
    QuizRow { created_at_ms: updated_at_ms, updated_at_ms, ..quiz_row(host) }
}

fn keyed(host: HostId, key: CreationKey) -> NewQuiz {
    NewQuiz { row: quiz(host, 1), media: Vec::new(), key: Some(key) }
}

async fn create(store: &Store, host: HostId, key: CreationKey) -> QuizCreation {
    store.create_quiz_by_key(keyed(host, key), u32::MAX).await.unwrap()
}

async fn of_equal_requests_at_once_one_creates_a_quiz(store: &Store) {
    let host = host(store).await;
    let outcomes = join_all((0..6).map(|_| create(store, host, key(1)))).await;
    let stored = store.quizzes_of(host).await.unwrap();
    assert_eq!(stored.len(), 1);
    let repeated = QuizCreation::KeyUsed(KeyUse::Created(stored[0].id));
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == QuizCreation::Created).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == repeated).count(), 5);
}

async fn of_equal_requests_at_once_one_creates_a_game(store: &Store) {
    let host = host(store).await;
    let codes = ["AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD"];
    let new = codes.map(|code| NewGame { key: Some(key(1)), live_limit: 1, ..game(host, code) });
    let outcomes = join_all(new.map(|game| store.create_game(game))).await;
    let stored = store.games_of(host).await.unwrap();
    assert_eq!(stored.len(), 1);
    let repeated = GameCreation::KeyUsed(KeyUse::Created(stored[0].id.uuid()));
    let count = |wanted| outcomes.iter().filter(|outcome| *outcome.as_ref().unwrap() == wanted).count();
    assert_eq!(
        (count(GameCreation::Created), count(repeated)),
        (1, 3),
        "the limit of games does not count for a repeated request"
    );
}

async fn a_key_belongs_to_one_request_of_one_host(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    assert_eq!(store.key_use(ann, key(1)).await.unwrap(), None);
    assert_eq!(create(store, ann, key(1)).await, QuizCreation::Created);
    let other = CreationKey { request: [8; 32], ..key(1) };
    assert_eq!(create(store, ann, other).await, QuizCreation::KeyUsed(KeyUse::OtherRequest));
    assert_eq!(create(store, ann, key(2)).await, QuizCreation::Created);
    assert_eq!(create(store, bob, key(1)).await, QuizCreation::Created);
    let id = store.quizzes_of(bob).await.unwrap()[0].id;
    assert_eq!(store.key_use(bob, key(1)).await.unwrap(), Some(KeyUse::Created(id)));
}

async fn a_refused_request_leaves_its_key_free(store: &Store) {
    let host = host(store).await;
    let refused = store.create_quiz_by_key(keyed(host, key(1)), 0).await.unwrap();
    assert_eq!(refused, QuizCreation::TooMany);
    assert_eq!(create(store, host, key(1)).await, QuizCreation::Created);
}

/// Adds keys to the first one, until one more is allowed.
const MORE_SQLITE: &str = "
    WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < 998)
    INSERT INTO creation_key (host_id, name, request, created, created_at_ms)
    SELECT host_id, randomblob(32), request, created, created_at_ms FROM creation_key, copy WHERE host_id = $1";
const MORE_POSTGRES: &str = "
    INSERT INTO creation_key (host_id, name, request, created, created_at_ms)
    SELECT host_id, decode(md5(number::text), 'hex'), request, created, created_at_ms
    FROM creation_key, generate_series(1, 998) AS copy (number) WHERE host_id = $1";

async fn a_host_has_a_limit_of_keys(store: &Store, mut raw_sql: RawSql) {
    let host = host(store).await;
    let before = clock::unix_ms();
    assert_eq!(create(store, host, key(0)).await, QuizCreation::Created);
    let more = if matches!(raw_sql, RawSql::Sqlite(_)) { MORE_SQLITE } else { MORE_POSTGRES };
    assert_eq!((raw_sql.execute(more, host.uuid().into()).await, KEYS_PER_HOST), (998, 1_000));
    assert_eq!(create(store, host, key(1)).await, QuizCreation::Created);
    let QuizCreation::KeyUsed(KeyUse::TooMany { until_ms }) = create(store, host, key(KEYS_PER_HOST)).await else {
        panic!("one key more than allowed was taken");
    };
    assert!((before - 60_000..=clock::unix_ms() + 60_000).contains(&(until_ms - KEY_KEPT_MS)));
    assert!(
        matches!(create(store, host, key(0)).await, QuizCreation::KeyUsed(KeyUse::Created(_))),
        "a known key is known"
    );
}

async fn a_key_is_free_after_a_day(store: &Store, mut raw_sql: RawSql) {
    let host = host(store).await;
    assert_eq!(create(store, host, key(1)).await, QuizCreation::Created);
    assert_eq!(create(store, host, key(2)).await, QuizCreation::Created);
    let age = "UPDATE creation_key SET created_at_ms = created_at_ms - 86400000 WHERE host_id = $1";
    assert_eq!(raw_sql.execute(age, host.uuid().into()).await, 2);
    assert_eq!(create(store, host, key(1)).await, QuizCreation::Created);
    let kept = "SELECT count(*) FROM creation_key WHERE host_id = $1";
    assert_eq!(raw_sql.count(kept, host.uuid().into()).await, 1, "a new key deletes the old ones");
    store.sweep(clock::unix_ms() + KEY_KEPT_MS + 60_000, None, 0).await.unwrap();
    assert_eq!(raw_sql.count(kept, host.uuid().into()).await, 0);
}

async fn pages_of_games_hold_each_game_once(store: &Store) {
    let owner = host(store).await;
    // Games of the same millisecond are ordered by id.
    for (code, created_at_ms) in [("AAAAAA", 5), ("BBBBBB", 5), ("CCCCCC", 9), ("DDDDDD", 1), ("EEEEEE", 5)] {
        store.create_game(NewGame { created_at_ms, ..game(owner, code) }).await.unwrap();
    }
    store.create_game(NewGame { created_at_ms: 4, ..game(host(store).await, "FFFFFF") }).await.unwrap();
    let whole: Vec<_> = store.games_of(owner).await.unwrap().into_iter().map(|row| row.id).collect();
    let (mut paged, mut page) = (Vec::new(), Page::first(2));
    loop {
        let rows = store.games_page(owner, page).await.unwrap();
        let Some(last) = rows.last() else { break };
        page.after = Some(Place { time_ms: last.created_at_ms, id: last.id.uuid() });
        paged.extend(rows.into_iter().map(|row| row.id));
    }
    assert_eq!(paged, whole);
    assert_eq!(paged.iter().collect::<HashSet<_>>().len(), 5);
}

async fn pages_of_quizzes_hold_each_quiz_once(store: &Store) {
    let owner = host(store).await;
    for updated_at_ms in [5, 5, 9, 1, 5] {
        assert!(store.create_quiz(quiz(owner, updated_at_ms), Vec::new(), 10).await.unwrap());
    }
    let whole: Vec<_> = store.quizzes_of(owner).await.unwrap().into_iter().map(|line| line.id).collect();
    let (mut paged, mut page) = (Vec::new(), Page::first(2));
    loop {
        let lines = store.quizzes_page(owner, page).await.unwrap();
        let Some(last) = lines.last() else { break };
        page.after = Some(Place { time_ms: last.updated_at_ms, id: last.id });
        paged.extend(lines.into_iter().map(|line| line.id));
    }
    assert_eq!((paged.len(), &paged), (5, &whole));
}
