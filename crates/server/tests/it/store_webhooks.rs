//! Webhooks and their outbox in the store, on every engine: what an append adds, who claims it, and when it is deleted.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use quizhall::store::{
    Answered, Append, Delivery, Failure, GameCreation, Head, NewWebhook, Outcome, PhaseChange, Store, WebhookEvent,
    connect,
};
use quizhall_rules::{GameId, HostId, Phase};
use uuid::Uuid;

use crate::store_stage::{
    RawSql, append_one, game, head_of, head_of_new, host, next, on_every_engine, on_every_engine_with_sql,
};
use crate::store_webhook_turns::multiply;

on_every_engine! {
    an_append_that_changes_the_phase_adds_deliveries
    a_webhook_has_one_delivery_under_way
    claims_at_once_get_each_delivery_once
    webhooks_belong_to_an_account_and_are_bounded
    a_delivery_is_attempted_again_until_the_webhook_is_disabled
    deliveries_are_deleted_with_their_game_or_webhook
}

mod full {
    use super::an_outbox_is_bounded;
    super::on_every_engine_with_sql! { an_outbox_is_bounded }
}

pub const LEASE_MS: i64 = 60_000;

pub async fn webhook(store: &Store, host: HostId, (round_released, game_ended): (bool, bool)) -> Uuid {
    let id = Uuid::now_v7();
    let (url, secret) = ("https://hooks.example.org/".to_owned(), vec![7; 32]);
    let new = NewWebhook { id, host, url, secret, round_released, game_ended, created_at_ms: 1 };
    assert!(store.create_webhook(new, 10).await.unwrap());
    id
}

/// A game of the host in its lobby, and the head of its log.
pub async fn begin(store: &Store, host: HostId, code: &str) -> (GameId, Head) {
    let new = game(host, code);
    let (id, head) = (new.id, head_of_new(&new));
    assert_eq!(store.create_game(new).await.unwrap(), GameCreation::Created);
    (id, head)
}

fn to(row: Append, phase: Phase) -> Append {
    let ended_at_ms = (phase == Phase::Ended).then_some(9);
    Append { phase: Some(PhaseChange { phase, ended_at_ms, closed: false }), ..row }
}

/// Appends a row for each phase; the head after them.
pub async fn pass(store: &Store, game: GameId, mut head: Head, phases: &[Phase]) -> Head {
    for phase in phases {
        let row = to(next(game, head, 1), *phase);
        head = head_of(&row);
        assert_eq!(append_one(store, row).await, Outcome::Committed);
    }
    head
}

/// Claims one delivery that is due.
pub async fn claim(store: &Store, lease_ms: i64) -> Option<Delivery> {
    store.claim_deliveries(lease_ms, 1).await.unwrap().pop()
}

async fn claimed(store: &Store) -> Vec<Delivery> {
    let mut all = Vec::new();
    while let Some(delivery) = claim(store, LEASE_MS).await {
        store.drop_delivery(delivery.id).await.unwrap();
        all.push(delivery);
    }
    all.sort_by_key(|delivery| (delivery.seq, delivery.event.as_str()));
    all
}

async fn an_append_that_changes_the_phase_adds_deliveries(store: &Store) {
    use Phase::{Ended, Leaderboard, Question, RoundReview};
    let (ann, bob) = (host(store).await, host(store).await);
    let both = webhook(store, ann, (true, true)).await;
    let end = webhook(store, ann, (false, true)).await;
    webhook(store, bob, (true, true)).await;
    let (id, head) = begin(store, ann, "AAAAAA").await;
    let head = pass(store, id, head, &[Question, Question, RoundReview, Leaderboard, Leaderboard]).await;
    let released = claimed(store).await;
    assert_eq!(released.len(), 1);
    let one = &released[0];
    assert_eq!((one.webhook, one.game, one.event, one.attempts), (both, id, WebhookEvent::RoundReleased, 1));
    assert_eq!((one.seq, one.body.is_none()), (4, true), "the row that released");
    assert_eq!((one.url.as_str(), one.secrets.as_slice()), ("https://hooks.example.org/", &[vec![7; 32]][..]));
    pass(store, id, head, &[Ended, Ended]).await;
    let ended = claimed(store).await;
    assert!(ended.iter().all(|delivery| (delivery.event, delivery.seq) == (WebhookEvent::GameEnded, 6)));
    let mut of: Vec<_> = ended.iter().map(|delivery| delivery.webhook).collect();
    of.sort_unstable();
    assert_eq!(of, [both, end], "once each, and none of another account");

    // A row may hold the release and later events: then the reader of the row decides.
    for (code, phases) in [("BBBBBB", [Question, RoundReview, Question]), ("CCCCCC", [Question, RoundReview, Ended])] {
        let (id, head) = begin(store, ann, code).await;
        pass(store, id, head, &phases).await;
        let events: Vec<_> = claimed(store).await.iter().map(|delivery| (delivery.event, delivery.seq)).collect();
        assert!(events.contains(&(WebhookEvent::RoundReleased, 3)), "{code}: {events:?}");
        assert_eq!(append_one(store, to(next(id, head, 1), Ended)).await, Outcome::Refused);
        assert!(claimed(store).await.is_empty(), "an append that is refused adds none");
    }
}

async fn a_webhook_has_one_delivery_under_way(store: &Store) {
    let ann = host(store).await;
    let (one, other) = (webhook(store, ann, (false, true)).await, webhook(store, ann, (false, true)).await);
    for code in ["AAAAAA", "BBBBBB"] {
        let (id, head) = begin(store, ann, code).await;
        pass(store, id, head, &[Phase::Ended]).await;
    }
    let first = claim(store, LEASE_MS).await.unwrap();
    let second = claim(store, LEASE_MS).await.unwrap();
    let mut of = [first.webhook, second.webhook];
    of.sort_unstable();
    assert_eq!(of, [one, other]);
    assert!(claim(store, LEASE_MS).await.is_none(), "the others wait");
    store.delivered(&first, "{}".to_owned(), 204).await.unwrap();
    let third = claim(store, 0).await.unwrap();
    assert_eq!(third.webhook, first.webhook);
    // The claim has expired without a result from its node.
    let again = claim(store, LEASE_MS).await.unwrap();
    assert_eq!((again.id, again.attempts), (third.id, 2));
}

async fn claims_at_once_get_each_delivery_once(store: &Store) {
    each_is_claimed_once([store, store]).await;
}

#[tokio::test]
async fn two_nodes_get_each_delivery_once() {
    let (one, url) = crate::store_stage::postgres().await;
    let server = crate::services::postgres::shared();
    let other = connect(&url, server.options()).await.unwrap();
    each_is_claimed_once([&one, &other]).await;
    one.close().await;
    other.close().await;
    server.drop_database(&url).await;
}

/// Three webhooks and eight games; in every round eight claims at once, alternately from both nodes.
async fn each_is_claimed_once(nodes: [&Store; 2]) {
    let ann = host(nodes[0]).await;
    for _ in 0..3 {
        webhook(nodes[0], ann, (false, true)).await;
    }
    for code in ["AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", "EEEEEE", "FFFFFF", "GGGGGG", "HHHHHH"] {
        let (id, head) = begin(nodes[0], ann, code).await;
        pass(nodes[0], id, head, &[Phase::Ended]).await;
    }
    let (mut ids, mut rounds) = (BTreeSet::new(), 0);
    while ids.len() < 24 {
        let claims = (0..8).map(|number| claim(nodes[number % 2], LEASE_MS));
        let claimed: Vec<Delivery> = join_all(claims).await.into_iter().flatten().collect();
        let webhooks: BTreeSet<_> = claimed.iter().map(|delivery| delivery.webhook).collect();
        assert_eq!(claimed.len(), webhooks.len(), "round {rounds}: one under way for each webhook");
        for delivery in &claimed {
            assert!(ids.insert(delivery.id) && delivery.attempts == 1, "round {rounds}: claimed twice");
            nodes[rounds % 2].delivered(delivery, "{}".to_owned(), 200).await.unwrap();
        }
        rounds += 1;
        assert!(rounds <= 24, "a round claims nothing: {}", ids.len());
    }
    assert!(claim(nodes[1], LEASE_MS).await.is_none());
}

async fn webhooks_belong_to_an_account_and_are_bounded(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let mine = webhook(store, ann, (true, false)).await;
    let line = store.webhooks_of(ann).await.unwrap().remove(0);
    assert_eq!((line.id, line.round_released, line.game_ended, line.waiting), (mine, true, false, 0));
    assert!(store.webhooks_of(bob).await.unwrap().is_empty());
    assert!(!store.delete_webhook(bob, mine).await.unwrap() && !store.enable_webhook(bob, mine).await.unwrap());
    let another = |id| NewWebhook {
        id,
        host: ann,
        url: "https://hooks.example.org/2".to_owned(),
        secret: vec![1],
        round_released: false,
        game_ended: true,
        created_at_ms: 2,
    };
    assert!(store.create_webhook(another(Uuid::now_v7()), 2).await.unwrap());
    assert!(!store.create_webhook(another(Uuid::now_v7()), 2).await.unwrap());
    assert!(store.delete_webhook(ann, mine).await.unwrap() && !store.delete_webhook(ann, mine).await.unwrap());
}

async fn a_delivery_is_attempted_again_until_the_webhook_is_disabled(store: &Store) {
    let ann = host(store).await;
    let hook = webhook(store, ann, (true, true)).await;
    let (id, head) = begin(store, ann, "AAAAAA").await;
    let head = pass(store, id, head, &[Phase::Question, Phase::RoundReview, Phase::Leaderboard, Phase::Ended]).await;
    let first = claim(store, LEASE_MS).await.unwrap();
    let patient = Failure {
        body: "{}".to_owned(),
        answered: Answered::Status(500),
        retry_in_ms: Some(0),
        disable_after_ms: 60_000,
    };
    assert!(!store.delivery_failed(&first, patient.clone()).await.unwrap());
    let line = store.webhooks_of(ann).await.unwrap().remove(0);
    assert!(line.failing_since_ms.is_some() && line.disabled_at_ms.is_none() && line.waiting == 2);
    let second = claim(store, LEASE_MS).await.unwrap();
    store.delivered(&second, "{}".to_owned(), 200).await.unwrap();
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].failing_since_ms, None, "it works again");
    let third = claim(store, LEASE_MS).await.unwrap();
    assert_eq!((third.id, third.body.as_deref()), (first.id, Some("{}")), "the same bytes again");
    assert!(store.delivery_failed(&third, Failure { disable_after_ms: 0, ..patient.clone() }).await.unwrap());
    let line = store.webhooks_of(ann).await.unwrap().remove(0);
    assert!(line.disabled_at_ms.is_some() && line.waiting == 0);
    pass(store, id, head, &[Phase::Question, Phase::Ended]).await;
    assert!(claimed(store).await.is_empty(), "nothing is added for a disabled webhook");
    assert!(store.enable_webhook(ann, hook).await.unwrap());
    let (id, head) = begin(store, ann, "BBBBBB").await;
    pass(store, id, head, &[Phase::Ended]).await;
    let last = claim(store, LEASE_MS).await.unwrap();
    assert!(!store.delivery_failed(&last, Failure { retry_in_ms: None, ..patient }).await.unwrap());
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 0, "given up");
}

async fn deliveries_are_deleted_with_their_game_or_webhook(store: &Store) {
    let ann = host(store).await;
    host(store).await;
    let hook = webhook(store, ann, (false, true)).await;
    let (id, head) = begin(store, ann, "AAAAAA").await;
    pass(store, id, head, &[Phase::Ended]).await;
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 1);
    // Purging deletes the row of a game, and with it the deliveries that wait.
    assert!(store.close_game(id).await.unwrap());
    while store.delete_piece(id).await.unwrap().is_some() {}
    store.delete_line(id, i64::MAX).await.unwrap();
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 0);
    let (id, head) = begin(store, ann, "BBBBBB").await;
    pass(store, id, head, &[Phase::Ended]).await;
    assert!(store.delete_webhook(ann, hook).await.unwrap());
    assert!(claim(store, LEASE_MS).await.is_none());
}

/// At most 1,000 deliveries wait for a webhook, and appends still work then.
async fn an_outbox_is_bounded(store: &Store, mut raw_sql: RawSql) {
    let ann = host(store).await;
    let hook = webhook(store, ann, (false, true)).await;
    let (id, head) = begin(store, ann, "AAAAAA").await;
    let head = pass(store, id, head, &[Phase::Ended]).await;
    multiply(&mut raw_sql, id).await;
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 1_000);
    pass(store, id, head, &[Phase::Question, Phase::Ended]).await;
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 1_000, "no more are added");
    assert!(store.delete_webhook(ann, hook).await.unwrap());
}
