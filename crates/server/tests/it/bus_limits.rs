//! Allowances shared by all nodes, with a real Redis.

use std::sync::Arc;
use std::time::Duration;

use quizhall::cluster::bus::redis::RedisBus;
use quizhall::cluster::bus::{Ask, Rate, SharedLimits};
use quizhall::limits::Throttle;
use rand::RngExt as _;
use redis::Value;
use tokio::time::Instant;

use crate::bus_stage::{TIMEOUT, until, within};
use crate::services::redis::Redis;

const SECOND: Duration = Duration::from_secs(1);
/// The promise: an answer or an error within this time.
const PROMISED: Duration = Duration::from_millis(250);
/// Ten at once, then one every six seconds, and at most a minute of debt.
const RATE: Rate = Rate { cell: Duration::from_secs(6), burst: 10, most_debt: Duration::from_secs(60) };
/// How much time may pass while a test runs.
const SLACK: Duration = Duration::from_secs(5);

async fn open(redis: &Redis) -> RedisBus {
    let bus = RedisBus::open(&redis.url()).unwrap();
    within(TIMEOUT, async { while bus.probe().await.is_err() {} }).await;
    bus
}

async fn limits(redis: &Redis) -> Arc<dyn SharedLimits> {
    // It is unknown whether a late answer was counted, and two processors run many tests.
    open(redis).await.slow_limits(TIMEOUT)
}

async fn ask(limits: &Arc<dyn SharedLimits>, subject: &str, rate: Rate, ask: Ask) -> Result<(), Duration> {
    limits.ask("test", subject.as_bytes(), rate, ask).await.expect("an answer")
}

fn is_about(wait: Result<(), Duration>, expected: Duration) {
    let wait = wait.expect_err("it is refused");
    assert!(wait <= expected && wait > expected.saturating_sub(SLACK), "{wait:?}, not {expected:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_then_the_rate_for_all_nodes_together() {
    let redis = Redis::start();
    let nodes = [limits(&redis).await, limits(&redis).await];
    for number in 0..10 {
        assert_eq!(ask(&nodes[number % 2], "a", RATE, Ask::Take).await, Ok(()));
    }
    for node in &nodes {
        is_about(ask(node, "a", RATE, Ask::Take).await, 6 * SECOND);
        is_about(ask(node, "a", RATE, Ask::Ready).await, 6 * SECOND);
        assert_eq!(ask(node, "b", RATE, Ask::Ready).await, Ok(()), "the allowance of another key is unchanged");
    }
    // A store that lost the script is given it again.
    redis.run_command(&["SCRIPT", "FLUSH", "SYNC"]);
    assert_eq!(ask(&nodes[0], "c", RATE, Ask::Take).await, Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_refilled() {
    let redis = Redis::start();
    let limits = limits(&redis).await;
    let rate = Rate { cell: Duration::from_millis(300), burst: 2, most_debt: SECOND };
    for _ in 0..2 {
        assert_eq!(ask(&limits, "a", rate, Ask::Take).await, Ok(()));
    }
    let begun = Instant::now();
    let wait = loop {
        // On a slow machine it may have been refilled already.
        if let Err(wait) = ask(&limits, "a", rate, Ask::Take).await {
            break wait;
        }
        assert!(begun.elapsed() < TIMEOUT, "the allowance never becomes empty");
    };
    assert!(wait <= rate.cell, "{wait:?}");
    tokio::time::sleep(wait).await;
    assert_eq!(ask(&limits, "a", rate, Ask::Take).await, Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_counts_as_the_throttle_of_one_node_does() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let redis = Redis::start();
    let limits = limits(&redis).await;
    let mut random = rand::rng();
    for round in 0..20 {
        let (rate, burst) = (random.random_range(1..5), random.random_range(1..8));
        let throttle = Throttle::new(rate, HOUR, burst, std::time::Instant::now());
        let shared = Rate { cell: HOUR / rate, burst, most_debt: Duration::from_mins(10) };
        let subject = format!("subject {round}");
        for _ in 0..random.random_range(1..25) {
            let now = std::time::Instant::now();
            let which = [Ask::Ready, Ask::Take, Ask::Charge][random.random_range(0..3)];
            let local = match which {
                Ask::Ready => throttle.ready(&(), now),
                Ask::Take => throttle.take((), now),
                Ask::Charge => {
                    throttle.charge((), now);
                    Ok(())
                }
            };
            match (local, ask(&limits, &subject, shared, which).await) {
                (Ok(()), Ok(())) => {}
                (Err(local), Err(shared)) => assert!(local.abs_diff(shared) < SLACK, "{local:?} {shared:?}"),
                other => panic!("{rate} an hour, {burst} at once, {which:?}: {other:?}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subject_cannot_be_read_in_the_store_and_is_forgotten_when_whole() {
    let redis = Redis::start();
    let limits = limits(&redis).await;
    let rate = Rate { cell: Duration::from_millis(100), burst: 3, most_debt: SECOND };
    assert_eq!(ask(&limits, "192.0.2.1", rate, Ask::Take).await, Ok(()));
    assert_eq!(ask(&limits, "192.0.2.1", RATE, Ask::Ready).await, Ok(()));
    let keys = || match redis.run_command(&["KEYS", "quizhall:limit:*"]) {
        Value::Array(keys) => format!("{keys:?}"),
        other => panic!("{other:?}"),
    };
    assert!(!keys().contains("192"), "{}", keys());
    until(TIMEOUT, "it is removed", || keys() == "[]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_answer_there_is_an_error_soon() {
    let mut redis = Redis::start();
    let limits = open(&redis).await.limits();
    redis.stop();
    fails_in_time(&limits).await;
    redis.cont();
    answers_again(&limits).await;
    redis.kill();
    fails_in_time(&limits).await;
    redis.start_again();
    answers_again(&limits).await;
}

async fn answers_again(limits: &Arc<dyn SharedLimits>) {
    let again = async {
        loop {
            if let Ok(answer) = limits.ask("test", b"b", RATE, Ask::Ready).await {
                break answer;
            }
        }
    };
    assert_eq!(within(TIMEOUT, again).await, Ok(()));
}

/// The fastest of a few attempts counts: a machine that is busy with other tests makes any of them late.
async fn fails_in_time(limits: &Arc<dyn SharedLimits>) {
    let mut fastest = TIMEOUT;
    for _ in 0..4 {
        let begun = Instant::now();
        assert!(limits.ask("test", b"a", RATE, Ask::Take).await.is_err());
        fastest = fastest.min(begun.elapsed());
    }
    assert!(fastest <= PROMISED, "{fastest:?}");
}
