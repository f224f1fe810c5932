//! Attempts of deliveries: how many there are and when, and what happens to a delivery that cannot be made. Their statements run on
//! every engine in `store_webhooks.rs` and `store_webhook_turns.rs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use quizhall::clock;
use quizhall::config::Config;
use quizhall::store::{Append, PhaseChange, Store};
use quizhall::webhooks::{Wanted, Webhooks};
use quizhall_rules::{Change, Event, GameId, HostId, Phase};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::games_idle::abandoned_by;
use crate::store_stage::{RawSql, append_one, head_of, host, next, sqlite};
use crate::store_webhook_turns::multiply;
use crate::webhooks::{ALLOWED, Receiver, SOON};

/// The waits between attempts, in milliseconds, as in docs/build/webhooks.md.
const WAITS_MS: [i64; 9] = [5_000, 30_000, 120_000, 600_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000];

/// The time within which a delivery is sent, whatever the receivers of other accounts do.
const SHORTLY: Duration = Duration::from_secs(10);

/// The recorded attempts of the delivery; -1 when the delivery no longer exists.
const NOTED: &str = "
    SELECT CAST(COALESCE(MAX(CASE WHEN claimed_until_ms = 0 THEN attempts ELSE 0 END), -1) AS BIGINT)
    FROM webhook_delivery WHERE game_id = $1";
const DUE_AT: &str = "SELECT due_at_ms FROM webhook_delivery WHERE game_id = $1";
const IS_DUE: &str = "UPDATE webhook_delivery SET due_at_ms = 0 WHERE game_id = $1";

/// A node that sends; it ends with the test.
struct Node(JoinHandle<()>);

impl Drop for Node {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn stage() -> (Arc<Store>, RawSql, TempDir) {
    let (store, folder) = sqlite().await;
    let raw_sql = RawSql::sqlite(&folder.path().join("data/quizhall.db")).await;
    (store, raw_sql, folder)
}

/// Creates a webhook of the host for ends of games, and the sender for it.
pub async fn create(store: &Arc<Store>, host: HostId, url: &str) -> Webhooks {
    let settings = Config::from_pairs(&ALLOWED).unwrap().webhooks;
    let webhooks = Webhooks::new(Arc::clone(store), settings, None);
    let wanted = Wanted { host, url: url.to_owned(), round_released: false, game_ended: true };
    assert!(webhooks.create(wanted).await.is_ok());
    webhooks
}

/// A game of the host that has ended; its deliveries to the host's webhooks wait.
pub async fn ended(store: &Store, host: HostId, code: &str) -> GameId {
    let (game, head) = abandoned_by(store, host, code).await;
    let body = serde_json::to_string(&[Event::new(Change::Ended, None)]).unwrap();
    let phase = Some(PhaseChange { phase: Phase::Ended, ended_at_ms: Some(9), closed: false });
    let row = Append { body, phase, ..next(game, head, 3) };
    let head = head_of(&row);
    append_one(store, row).await;
    assert_eq!(store.head(game).await.unwrap(), Some(head));
    game
}

/// Waits until this many attempts of the game's delivery are recorded.
async fn noted(raw_sql: &mut RawSql, game: GameId, attempts: i64) {
    let end = Instant::now() + SOON;
    loop {
        let noted = raw_sql.count(NOTED, game).await;
        if noted == attempts {
            return;
        }
        assert!(Instant::now() < end, "{noted} attempts of {attempts}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_delivery_is_given_up_after_its_tenth_attempt() {
    let (store, mut raw_sql, _folder) = stage().await;
    let store = &store;
    let (ann, receiver) = (host(store).await, Receiver::start().await);
    for _ in 0..20 {
        receiver.answers_first(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    }
    let webhooks = create(store, ann, &receiver.url).await;
    let game = ended(store, ann, "AAAAAA").await;
    let mut before = clock::unix_ms();
    let _node = Node(tokio::spawn(webhooks.run()));
    for (attempt, wait) in (1..).zip(WAITS_MS) {
        noted(&mut raw_sql, game, attempt).await;
        let waits = before + wait..=clock::unix_ms() + wait + wait / 5;
        let due = raw_sql.count(DUE_AT, game).await;
        assert!(waits.contains(&due), "after attempt {attempt}: {due} is not in {waits:?}");
        before = clock::unix_ms();
        assert_eq!(raw_sql.execute(IS_DUE, game).await, 1);
    }
    noted(&mut raw_sql, game, -1).await;
    let arrived = receiver.arrived();
    assert_eq!(arrived.len(), 10);
    assert!(arrived.iter().all(|one| one.header("webhook-id") == arrived[0].header("webhook-id")));
    let line = store.webhooks_of(ann).await.unwrap().remove(0);
    assert!(line.failing_since_ms.is_some() && line.disabled_at_ms.is_none() && line.waiting == 0);
}

#[tokio::test]
async fn a_delivery_of_a_damaged_log_is_dropped_and_others_arrive() {
    let (store, mut raw_sql, _folder) = stage().await;
    let store = &store;
    let (ann, receiver) = (host(store).await, Receiver::start().await);
    let webhooks = create(store, ann, &receiver.url).await;
    let damaged = ended(store, ann, "AAAAAA").await;
    let whole = ended(store, ann, "BBBBBB").await;
    let change = "UPDATE game_log SET body = replace(body, 'Ann', 'Bnn') WHERE game_id = $1 AND seq = 1";
    assert_eq!(raw_sql.execute(change, damaged).await, 1);
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 2);
    let _node = Node(tokio::spawn(webhooks.run()));
    noted(&mut raw_sql, whole, -1).await;
    noted(&mut raw_sql, damaged, -1).await;
    let arrived = receiver.arrived();
    let games: Vec<_> = arrived.iter().map(|one| one.json()["data"]["gameId"].clone()).collect();
    assert_eq!(games, [whole.uuid().to_string()]);
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].failing_since_ms, None, "its receiver is not to blame");
}

/// Two accounts with ten receivers each that accept connections and never answer, and a thousand deliveries for each of them.
#[tokio::test]
async fn receivers_that_hang_delay_no_other_account() {
    let (store, mut raw_sql, _folder) = stage().await;
    let store = &store;
    let hanging = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", hanging.local_addr().unwrap());
    for code in ["AAAAAA", "BBBBBB"] {
        let ann = host(store).await;
        for _ in 0..10 {
            create(store, ann, &url).await;
        }
        multiply(&mut raw_sql, ended(store, ann, code).await).await;
    }
    let (ben, receiver) = (host(store).await, Receiver::start().await);
    let webhooks = create(store, ben, &receiver.url).await;
    let _node = Node(tokio::spawn(webhooks.run()));
    // As many of their attempts as are allowed are under way.
    let mut connections = Vec::new();
    for _ in 0..8 {
        connections.push(timeout(SOON, hanging.accept()).await.unwrap().unwrap());
    }
    for (number, code) in (1..).zip(["CCCCCC", "DDDDDD", "EEEEEE"]) {
        let begun = Instant::now();
        ended(store, ben, code).await;
        receiver.wait_for(number).await;
        assert!(begun.elapsed() < SHORTLY, "{:?}", begun.elapsed());
    }
}
