//! Whose deliveries are claimed next, on every engine: accounts take turns, and a backlog slows neither claims nor commits.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use quizhall::store::{Answered, Delivery, Failure, Store};
use quizhall_rules::{GameId, HostId, Phase};
use uuid::Uuid;

use crate::store_stage::{RawSql, host, on_every_engine_with_sql};
use crate::store_webhooks::{LEASE_MS, begin, pass, webhook};

on_every_engine_with_sql! {
    an_account_has_places_of_its_own_and_the_one_served_longest_ago_is_next
    a_backlog_makes_neither_claims_nor_commits_slow
    waiting_deliveries_are_deleted_piece_by_piece
}

/// The most attempts of one account under way, as in docs/build/webhooks.md.
const PLACES: usize = 4;
/// The most deliveries that wait for a webhook.
const BACKLOG: i64 = 1_000;

const MULTIPLY_SQLITE: &str = "
    WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < 999)
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT randomblob(16), webhook_id, game_id, event, seq, created_at_ms, due_at_ms
    FROM webhook_delivery, copy WHERE game_id = $1";
const MULTIPLY_POSTGRES: &str = "
    INSERT INTO webhook_delivery (id, webhook_id, game_id, event, seq, created_at_ms, due_at_ms)
    SELECT gen_random_uuid(), webhook_id, game_id, event, seq, created_at_ms, due_at_ms
    FROM webhook_delivery, generate_series(1, 999) WHERE game_id = $1";
const WAITING: &str = "SELECT count(*) FROM webhook_delivery WHERE game_id = $1";
const ARE_OLD: &str = "UPDATE webhook_delivery SET created_at_ms = 1 WHERE game_id = $1";

/// Turns each delivery about the game into a thousand.
pub async fn multiply(raw_sql: &mut RawSql, game: GameId) {
    let multiply = if matches!(raw_sql, RawSql::Sqlite(_)) { MULTIPLY_SQLITE } else { MULTIPLY_POSTGRES };
    raw_sql.execute(multiply, game).await;
}

/// A thousand deliveries for each webhook of the host, all due.
async fn backlog(store: &Store, raw_sql: &mut RawSql, host: HostId, code: &str) -> GameId {
    let (game, head) = begin(store, host, code).await;
    pass(store, game, head, &[Phase::Ended]).await;
    multiply(raw_sql, game).await;
    game
}

async fn claim(store: &Store, most: u32) -> Vec<Delivery> {
    store.claim_deliveries(LEASE_MS, most).await.unwrap()
}

async fn webhooks(store: &Store, host: HostId, count: usize) -> Vec<Uuid> {
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(webhook(store, host, (false, true)).await);
    }
    ids
}

/// The number of deliveries of each account.
fn of_accounts(claimed: &[Delivery], accounts: &[Vec<Uuid>]) -> Vec<usize> {
    let of = |ids: &Vec<Uuid>| claimed.iter().filter(|delivery| ids.contains(&delivery.webhook)).count();
    accounts.iter().map(of).collect()
}

async fn an_account_has_places_of_its_own_and_the_one_served_longest_ago_is_next(store: &Store, mut raw_sql: RawSql) {
    let hosts = [host(store).await, host(store).await, host(store).await];
    let mut accounts = Vec::new();
    for (host, count) in hosts.iter().zip([10, 10, 1]) {
        accounts.push(webhooks(store, *host, count).await);
    }
    backlog(store, &mut raw_sql, hosts[0], "AAAAAA").await;
    backlog(store, &mut raw_sql, hosts[1], "BBBBBB").await;
    let both = claim(store, 16).await;
    assert_eq!(of_accounts(&both, &accounts), [PLACES, PLACES, 0]);
    assert!(claim(store, 16).await.is_empty(), "the others of both wait");

    // One event that came last, and one free place: it does not wait for the backlogs of other accounts.
    let failure = || Failure {
        body: String::new(),
        answered: Answered::Nothing,
        retry_in_ms: Some(600_000),
        disable_after_ms: i64::MAX / 2,
    };
    for delivery in &both {
        store.delivery_failed(delivery, failure()).await.unwrap();
    }
    let (game, head) = begin(store, hosts[2], "CCCCCC").await;
    pass(store, game, head, &[Phase::Ended]).await;
    assert_eq!(of_accounts(&claim(store, 1).await, &accounts), [0, 0, 1]);

    // All webhooks of an account get their turn, however many of its receivers hang.
    let (mut counts, mut under_way) = (BTreeMap::<Uuid, usize>::new(), Vec::new());
    for _ in 0..5 {
        for delivery in under_way.drain(..) {
            store.delivery_failed(&delivery, failure()).await.unwrap();
        }
        under_way = claim(store, 16).await;
        assert_eq!(of_accounts(&under_way, &accounts), [PLACES, PLACES, 0]);
        for delivery in &under_way {
            *counts.entry(delivery.webhook).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 20, "{counts:?}");
    assert!(counts.values().all(|count| *count == 2), "{counts:?}");
}

/// Ten receivers that hang have a thousand deliveries each. Earlier, each claim counted all of them within the transaction that
/// every commit waits for, for a second.
async fn a_backlog_makes_neither_claims_nor_commits_slow(store: &Store, mut raw_sql: RawSql) {
    for code in ["AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE"] {
        let ann = host(store).await;
        webhooks(store, ann, 2).await;
        let game = backlog(store, &mut raw_sql, ann, code).await;
        assert_eq!(raw_sql.count(WAITING, game).await, 2 * BACKLOG);
    }
    assert_eq!(claim(store, 16).await.len(), 10, "each webhook has one under way");
    let begun = Instant::now();
    for _ in 0..20 {
        assert!(claim(store, 16).await.is_empty());
    }
    let other = host(store).await;
    webhooks(store, other, 1).await;
    for code in ["FFFFFF", "GGGGGG", "HHHHHH"] {
        let (game, head) = begin(store, other, code).await;
        pass(store, game, head, &[Phase::Question, Phase::Ended]).await;
        let claimed = claim(store, 16).await;
        assert_eq!(claimed.len(), 1);
        store.delivered(&claimed[0], String::new(), 200).await.unwrap();
    }
    let took = begun.elapsed();
    println!("23 claims with 10 x 1,000 deliveries due, on {}: {took:?}", store.engine());
    assert!(took < Duration::from_secs(5), "{took:?}");
}

async fn waiting_deliveries_are_deleted_piece_by_piece(store: &Store, mut raw_sql: RawSql) {
    let ann = host(store).await;
    let hooks = webhooks(store, ann, 2).await;
    let game = backlog(store, &mut raw_sql, ann, "AAAAAA").await;
    assert!(store.delete_webhook(ann, hooks[0]).await.unwrap());
    assert_eq!(raw_sql.count(WAITING, game).await, BACKLOG);
    let failed = claim(store, 1).await.remove(0);
    let failure =
        Failure { body: String::new(), answered: Answered::Nothing, retry_in_ms: Some(0), disable_after_ms: 0 };
    assert!(store.delivery_failed(&failed, failure).await.unwrap(), "it is disabled");
    assert_eq!(raw_sql.count(WAITING, game).await, 0);
    assert!(store.enable_webhook(ann, hooks[1]).await.unwrap());
    let game = backlog(store, &mut raw_sql, ann, "BBBBBB").await;
    raw_sql.execute(ARE_OLD, game).await;
    store.sweep(quizhall::clock::unix_ms(), None, 0).await.unwrap();
    assert_eq!(raw_sql.count(WAITING, game).await, 0, "too old");
}
