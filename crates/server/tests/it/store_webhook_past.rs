//! Finished deliveries, test events and replaced keys, on every engine.

use quizhall::clock;
use quizhall::store::{
    Answered, Delivery, DeliveryLine, Failure, MOST_OLD_KEYS, MOST_PAST, NewKey, Rotation, Sending, Store, TestEvent,
    WebhookEvent,
};
use quizhall_rules::{GameId, HostId, Phase};
use uuid::Uuid;

use crate::store_stage::{RawSql, host, on_every_engine, on_every_engine_with_sql};
use crate::store_webhooks::{LEASE_MS, begin, claim, pass, webhook};

on_every_engine! {
    deliveries_that_are_over_are_listed_and_sent_again
    the_latest_are_kept_and_go_with_their_game_and_their_webhook
    a_test_event_is_before_the_others_and_one_waits_at_a_time
    every_key_that_was_replaced_signs_for_its_time
}

mod aged {
    use super::kept_deliveries_are_deleted_after_their_time;
    super::on_every_engine_with_sql! { kept_deliveries_are_deleted_after_their_time }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A game of the host that has ended, and the claimed delivery about it.
async fn ended(store: &Store, host: HostId, code: &str) -> (GameId, Delivery) {
    let (game, head) = begin(store, host, code).await;
    pass(store, game, head, &[Phase::Ended]).await;
    (game, claim(store, LEASE_MS).await.unwrap())
}

fn failure(answered: Answered, retry_in_ms: Option<i64>) -> Failure {
    Failure { body: "second".to_owned(), answered, retry_in_ms, disable_after_ms: 60_000 }
}

async fn lines(store: &Store, host: HostId, hook: Uuid) -> Vec<DeliveryLine> {
    store.deliveries_of(host, hook).await.unwrap().unwrap()
}

/// The ids, whether they were delivered, and the answers to them.
async fn listed(store: &Store, host: HostId, hook: Uuid) -> Vec<(Uuid, Option<bool>, Option<Answered>)> {
    lines(store, host, hook).await.into_iter().map(|line| (line.id, line.has_arrived, line.answered)).collect()
}

async fn deliveries_that_are_over_are_listed_and_sent_again(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let hook = webhook(store, ann, (false, true)).await;
    let (_, first) = ended(store, ann, "AAAAAA").await;
    assert_eq!(listed(store, ann, hook).await, [(first.id, None, None)], "its answer is not known yet");
    store.delivered(&first, "first".to_owned(), 204).await.unwrap();
    let (_, second) = ended(store, ann, "BBBBBB").await;
    let busy = Answered::Status(503);
    store.delivery_failed(&second, failure(busy, Some(600_000))).await.unwrap();
    let arrived = (first.id, Some(true), Some(Answered::Status(204)));
    assert_eq!(listed(store, ann, hook).await, [(second.id, None, Some(busy)), arrived]);
    assert!(claim(store, LEASE_MS).await.is_none(), "it waits for ten minutes");

    // A delivery that waits is attempted now. After its last attempt it is finished, and is sent again with the same bytes.
    assert_eq!(store.send_again(ann, hook, second.id).await.unwrap(), Sending::Queued);
    assert!(lines(store, ann, hook).await[0].at_ms >= clock::unix_ms() - 60_000, "it is due now, not in 1970");
    let again = claim(store, LEASE_MS).await.unwrap();
    assert_eq!((again.id, again.attempts), (second.id, 2));
    store.delivery_failed(&again, failure(Answered::Nothing, None)).await.unwrap();
    assert_eq!(listed(store, ann, hook).await[0], (second.id, Some(false), Some(Answered::Nothing)), "given up");
    for (delivery, body) in [(&first, "first"), (&second, "second")] {
        assert_eq!(store.send_again(ann, hook, delivery.id).await.unwrap(), Sending::Queued);
        assert_eq!(store.send_again(ann, hook, delivery.id).await.unwrap(), Sending::Queued, "no second time");
        let again = claim(store, LEASE_MS).await.unwrap();
        assert_eq!((again.id, again.body.as_deref(), again.attempts), (delivery.id, Some(body), 1));
        assert_eq!(
            (again.event, again.seq, again.created_at_ms),
            (delivery.event, delivery.seq, delivery.created_at_ms)
        );
        assert_eq!(listed(store, ann, hook).await.len(), 2, "it is listed once");
        store.delivered(&again, body.to_owned(), 200).await.unwrap();
    }
    assert!(listed(store, ann, hook).await.iter().all(|(_, has_arrived, _)| *has_arrived == Some(true)));

    // A delivery of another account or another webhook is answered like one that does not exist.
    let others = webhook(store, bob, (false, true)).await;
    for (host, hook, delivery) in
        [(ann, hook, Uuid::now_v7()), (bob, hook, first.id), (bob, others, first.id), (ann, others, first.id)]
    {
        assert_eq!(store.send_again(host, hook, delivery).await.unwrap(), Sending::NotFound);
    }
    assert!(store.deliveries_of(bob, hook).await.unwrap().is_none());
    assert!(claim(store, LEASE_MS).await.is_none());
}

async fn the_latest_are_kept_and_go_with_their_game_and_their_webhook(store: &Store) {
    let ann = host(store).await;
    let hook = webhook(store, ann, (false, true)).await;
    let (game, first) = ended(store, ann, "AAAAAA").await;
    store.delivered(&first, "{}".to_owned(), 200).await.unwrap();
    for _ in 0..MOST_PAST {
        let id = Uuid::new_v4();
        assert_eq!(store.send_test(ann, hook, TestEvent { id, body: "{}".to_owned() }).await.unwrap(), Sending::Queued);
        let test = claim(store, LEASE_MS).await.unwrap();
        assert_eq!(test.id, id);
        store.delivered(&test, "{}".to_owned(), 200).await.unwrap();
    }
    let kept = lines(store, ann, hook).await;
    assert_eq!(kept.len(), MOST_PAST as usize);
    assert!(kept.iter().all(|line| line.id != first.id && line.game.is_none()), "the oldest is deleted");

    let other = webhook(store, ann, (false, true)).await;
    let (later, one) = ended(store, ann, "BBBBBB").await;
    store.delivered(&one, "{}".to_owned(), 200).await.unwrap();
    let two = claim(store, LEASE_MS).await.unwrap();
    store.delivered(&two, "{}".to_owned(), 200).await.unwrap();
    assert_eq!(lines(store, ann, other).await[0].game, Some(later.uuid()));
    for game in [game, later] {
        assert!(store.close_game(game).await.unwrap());
        while store.delete_piece(game).await.unwrap().is_some() {}
        store.delete_line(game, i64::MAX).await.unwrap();
    }
    assert!(lines(store, ann, other).await.is_empty(), "purged with the game");
    // A test that is under way when its webhook is deleted is not recorded.
    store.send_test(ann, hook, TestEvent { id: Uuid::new_v4(), body: "{}".to_owned() }).await.unwrap();
    let last = claim(store, LEASE_MS).await.unwrap();
    assert!(store.delete_webhook(ann, hook).await.unwrap());
    store.delivered(&last, "{}".to_owned(), 200).await.unwrap();
    assert!(store.deliveries_of(ann, hook).await.unwrap().is_none());
}

async fn a_test_event_is_before_the_others_and_one_waits_at_a_time(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let hook = webhook(store, ann, (true, true)).await;
    let (id, head) = begin(store, ann, "AAAAAA").await;
    pass(store, id, head, &[Phase::Ended]).await;
    let test = |host| store.send_test(host, hook, TestEvent { id: Uuid::new_v4(), body: "{}".to_owned() });
    assert_eq!(test(bob).await.unwrap(), Sending::NotFound);
    assert_eq!(test(ann).await.unwrap(), Sending::Queued);
    assert_eq!(test(ann).await.unwrap(), Sending::Waits);
    let first = claim(store, LEASE_MS).await.unwrap();
    assert_eq!((first.event, first.body.as_deref(), first.webhook), (WebhookEvent::Test, Some("{}"), hook));

    // A test that fails neither counts as a failure of the webhook nor disables it; one that is delivered shows that it works.
    let strict = Failure { disable_after_ms: 0, ..failure(Answered::NotAsked, None) };
    assert!(!store.delivery_failed(&first, strict.clone()).await.unwrap());
    assert_eq!(listed(store, ann, hook).await[1], (first.id, Some(false), Some(Answered::NotAsked)));
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].failing_since_ms, None);
    let event = claim(store, LEASE_MS).await.unwrap();
    store.delivery_failed(&event, failure(Answered::Nothing, Some(0))).await.unwrap();
    assert!(store.webhooks_of(ann).await.unwrap()[0].failing_since_ms.is_some());
    assert_eq!(test(ann).await.unwrap(), Sending::Queued);
    store.delivered(&claim(store, LEASE_MS).await.unwrap(), "{}".to_owned(), 200).await.unwrap();
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].failing_since_ms, None);

    assert!(store.delivery_failed(&claim(store, LEASE_MS).await.unwrap(), strict).await.unwrap());
    assert_eq!(test(ann).await.unwrap(), Sending::Disabled);
    assert_eq!(store.send_again(ann, hook, first.id).await.unwrap(), Sending::Disabled);
    assert_eq!(store.send_again(bob, hook, first.id).await.unwrap(), Sending::NotFound);
}

async fn every_key_that_was_replaced_signs_for_its_time(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let hook = webhook(store, ann, (false, true)).await;
    let (now, keys) = (clock::unix_ms(), |delivery: Delivery| delivery.secrets);
    let rotate = |host, key: u8, overlap_ms| store.rotate_secret(host, hook, NewKey { secret: vec![key], overlap_ms });
    assert_eq!(rotate(bob, 1, 60_000).await.unwrap(), Rotation::NotFound);
    let Rotation::Replaced { old_until_ms } = rotate(ann, 1, 60_000).await.unwrap() else { panic!("not replaced") };
    assert!(old_until_ms >= now + 60_000 && old_until_ms <= clock::unix_ms() + 60_000);
    let (_, both) = ended(store, ann, "AAAAAA").await;
    assert_eq!(both.secrets, [vec![1], vec![7; 32]], "the new one first");
    store.delivered(&both, "{}".to_owned(), 200).await.unwrap();

    // The reply with a key may be lost: replacing the key again keeps every key that a receiver may still use.
    for key in 2..=4 {
        assert!(matches!(rotate(ann, key, 120_000).await.unwrap(), Rotation::Replaced { .. }));
    }
    let full = Rotation::TooMany { until_ms: old_until_ms };
    assert_eq!((MOST_OLD_KEYS, rotate(ann, 5, 60_000).await.unwrap()), (4, full));
    assert_eq!(rotate(bob, 5, 60_000).await.unwrap(), Rotation::NotFound, "other accounts learn nothing of it");
    let (_, all) = ended(store, ann, "BBBBBB").await;
    assert_eq!(all.secrets.len(), 5);
    assert_eq!((&all.secrets[0], &all.secrets[4]), (&vec![4], &vec![7; 32]));
    store.delivered(&all, "{}".to_owned(), 200).await.unwrap();

    store.sweep(now + DAY_MS, None, 0).await.unwrap();
    assert!(matches!(rotate(ann, 5, 0).await.unwrap(), Rotation::Replaced { .. }));
    assert_eq!(keys(ended(store, ann, "CCCCCC").await.1), [vec![5]], "their time has ended");
}

async fn kept_deliveries_are_deleted_after_their_time(store: &Store, mut raw_sql: RawSql) {
    let ann = host(store).await;
    let hook = webhook(store, ann, (false, true)).await;
    let (game, first) = ended(store, ann, "AAAAAA").await;
    store.delivered(&first, "{}".to_owned(), 200).await.unwrap();
    let now = clock::unix_ms();
    store.sweep(now + 29 * DAY_MS, None, 0).await.unwrap();
    assert_eq!(lines(store, ann, hook).await.len(), 1);

    // A delivery that waits is deleted after seven days, unless it was sent again since.
    let aged = "UPDATE webhook_past SET created_at_ms = created_at_ms - 864000000 WHERE game_id = $1";
    assert_eq!(raw_sql.execute(aged, game).await, 1);
    assert_eq!(store.send_again(ann, hook, first.id).await.unwrap(), Sending::Queued);
    store.sweep(now, None, 0).await.unwrap();
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 1);
    store.sweep(now + 8 * DAY_MS, None, 0).await.unwrap();
    assert_eq!(store.webhooks_of(ann).await.unwrap()[0].waiting, 0);
    assert_eq!(listed(store, ann, hook).await, [(first.id, Some(true), Some(Answered::Status(200)))]);

    store.sweep(clock::unix_ms() + 31 * DAY_MS, None, 0).await.unwrap();
    assert!(lines(store, ann, hook).await.is_empty(), "30 days after its end");
}
