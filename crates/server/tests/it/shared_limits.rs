//! Limits that nodes share: one node refuses what another has counted, and when the store fails, each uses its own count.

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use quizhall::auth::Shared;
use quizhall::cluster::bus::{Ask, BusError, Rate, SharedLimits};
use quizhall::limits::{Allowances, Allowed, SharedThrottle};
use quizhall::telemetry::Limit;
use serde_json::json;

use crate::http_stage::{Ask as Request, Stage};
use crate::time_limits::promised;

/// The store's reply that asks for a wait of a minute.
const MINUTE: Duration = Duration::from_mins(1);

/// How the store behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Answers,
    Fails,
    Hangs,
}

/// A store of allowances in memory, with a clock that does not move: an allowance is never refilled.
pub struct Memory(Mutex<Counted>);

struct Counted {
    mood: Mood,
    taken: HashMap<(&'static str, Vec<u8>), u32>,
    asked: usize,
}

impl Memory {
    pub fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Counted { mood: Mood::Answers, taken: HashMap::new(), asked: 0 })))
    }

    fn is_now(&self, mood: Mood) {
        self.0.lock().unwrap().mood = mood;
    }

    /// How many requests the store received.
    fn asked(&self) -> usize {
        self.0.lock().unwrap().asked
    }

    fn answer(&self, (limit, subject): (&'static str, &[u8]), rate: Rate, ask: Ask) -> Result<(), Duration> {
        let mut counted = self.0.lock().unwrap();
        let taken = counted.taken.entry((limit, subject.to_vec())).or_default();
        let refused = *taken >= rate.burst && ask != Ask::Charge;
        if !refused && ask != Ask::Ready {
            *taken += 1;
        }
        if refused { Err(MINUTE) } else { Ok(()) }
    }
}

impl SharedLimits for Memory {
    fn ask<'a>(
        &'a self,
        limit: &'static str,
        subject: &'a [u8],
        rate: Rate,
        ask: Ask,
    ) -> BoxFuture<'a, Result<Result<(), Duration>, BusError>> {
        Box::pin(async move {
            let mood = {
                let mut counted = self.0.lock().unwrap();
                counted.asked += 1;
                counted.mood
            };
            match mood {
                Mood::Answers => Ok(self.answer((limit, subject), rate, ask)),
                Mood::Fails => Err(BusError::Unavailable("as configured".to_owned())),
                Mood::Hangs => pending().await,
            }
        })
    }
}

/// A limit of three a minute, as one node holds it.
fn node(store: &Arc<Memory>, limit: Limit) -> SharedThrottle<String> {
    let allowances = Allowances::new(Arc::clone(store) as Arc<dyn SharedLimits>);
    SharedThrottle::new(limit, Allowed { rate: 3, period: MINUTE, burst: 3 }, Some(&allowances))
}

/// How many of this many attempts a node allows.
async fn taken(node: &SharedThrottle<String>, key: &str, attempts: usize) -> usize {
    let mut taken = 0;
    for _ in 0..attempts {
        taken += usize::from(node.take(key.to_owned()).await.is_ok());
    }
    taken
}

/// Lets the spawned tasks run; none of them waits for anything.
async fn settle() {
    for _ in 0..16 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_nodes_draw_on_one_allowance() {
    let store = Memory::new();
    let (here, there) = (node(&store, Limit::FailedJoins), node(&store, Limit::FailedJoins));
    assert_eq!((taken(&here, "ann", 2).await, taken(&there, "ann", 2).await), (2, 1));
    assert_eq!(here.take("ann".to_owned()).await, Err(MINUTE), "though this node gave two of three");
    assert!(here.ready_here(&"ann".to_owned()).is_ok());
    assert_eq!(here.ready(&"ann".to_owned()).await, Err(MINUTE));
    assert_eq!(taken(&there, "bob", 5).await, 3, "every name has an allowance of its own");
    assert_eq!(taken(&node(&store, Limit::JoinsPerGame), "ann", 5).await, 3);
}

#[tokio::test]
async fn a_charge_on_one_node_is_refused_on_the_other() {
    let store = Memory::new();
    let (here, there) = (node(&store, Limit::FailedJoins), node(&store, Limit::FailedJoins));
    for _ in 0..3 {
        here.charge("ann".to_owned());
    }
    settle().await;
    assert_eq!(there.ready(&"ann".to_owned()).await, Err(MINUTE));
}

#[tokio::test]
async fn a_refusal_of_this_node_asks_no_store() {
    let store = Memory::new();
    let here = node(&store, Limit::FailedJoins);
    assert_eq!(taken(&here, "ann", 3).await, 3);
    let asked = store.asked();
    assert!(here.ready(&"ann".to_owned()).await.is_err());
    assert_eq!(taken(&here, "ann", 5).await, 0);
    assert_eq!(store.asked(), asked);
}

#[tokio::test]
async fn a_store_that_fails_or_hangs_leaves_the_own_allowance_and_is_left_in_peace() {
    for mood in [Mood::Fails, Mood::Hangs] {
        let store = Memory::new();
        store.is_now(mood);
        let (here, there) = (node(&store, Limit::FailedJoins), node(&store, Limit::FailedJoins));
        let begun = Instant::now();
        assert_eq!((taken(&here, "ann", 5).await, taken(&there, "ann", 5).await), (3, 3));
        assert_eq!(store.asked(), 2, "each node asks once, then not for a second");
        assert!(begun.elapsed() < promised(Duration::from_secs(2)), "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_refusal_of_the_others_is_not_counted_here() {
    let store = Memory::new();
    let (here, there) = (node(&store, Limit::FailedJoins), node(&store, Limit::FailedJoins));
    assert_eq!((taken(&there, "ann", 3).await, taken(&here, "ann", 3).await), (3, 0));
    store.is_now(Mood::Fails);
    assert_eq!(taken(&here, "ann", 5).await, 3);
}

#[tokio::test]
async fn guesses_at_codes_count_on_all_nodes_together() {
    let store = Memory::new();
    let (here, there) = (sharing(&store, &[]).await, sharing(&store, &[]).await);
    let mut statuses = Vec::new();
    for number in 0..12 {
        let node = if number % 2 == 0 { &here } else { &there };
        statuses.push(node.send(guess("198.51.100.7")).await.status);
    }
    assert_eq!(statuses, [vec![404; 10], vec![429; 2]].concat(), "ten a minute over all nodes");
    assert_eq!(there.send(guess("198.51.100.8")).await.status, 404, "another address");
    let (_, code) = there.game().await;
    assert_eq!(there.send(Request::join(&code, "Ann").from("198.51.100.7")).await.status, 429);
}

#[tokio::test]
async fn guesses_from_everywhere_count_on_all_nodes_together_and_close_no_game() {
    let store = Memory::new();
    let settings = [("FAILED_JOINS_PER_MINUTE", "4")];
    let (here, there) = (sharing(&store, &settings).await, sharing(&store, &settings).await);
    for (number, node) in [&here, &there, &here, &there].into_iter().enumerate() {
        assert_eq!(node.send(guess(&format!("198.51.100.{number}"))).await.status, 404);
    }
    assert_eq!(here.send(guess("198.51.100.99")).await.status, 429, "four over all addresses");
    let (_, code) = there.game().await;
    assert_eq!(there.send(Request::join(&code, "Ann").from("198.51.100.98")).await.status, 201);
}

#[tokio::test]
async fn guesses_of_one_site_count_on_all_nodes_together() {
    let store = Memory::new();
    let settings = [("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "1")];
    let (here, there) = (sharing(&store, &settings).await, sharing(&store, &settings).await);
    let mut statuses = Vec::new();
    for number in 0..30_u32 {
        let node = if number % 2 == 0 { &here } else { &there };
        statuses.push(node.send(guess(&format!("2001:db8:0:{:x}::1", number * 256))).await.status);
    }
    assert_eq!(statuses, [vec![404; 20], vec![429; 10]].concat(), "twenty times one address");
}

#[tokio::test]
async fn without_the_store_each_node_limits_by_itself() {
    let store = Memory::new();
    store.is_now(Mood::Fails);
    let (here, there) = (sharing(&store, &[]).await, sharing(&store, &[]).await);
    for node in [&here, &there] {
        let mut statuses = Vec::new();
        for _ in 0..11 {
            statuses.push(node.send(guess("198.51.100.7")).await.status);
        }
        assert_eq!(statuses, [vec![404; 10], vec![429]].concat());
    }
}

#[tokio::test]
async fn attempts_to_sign_in_count_on_all_nodes_together() {
    let store = Memory::new();
    let (here, there) = (sharing(&store, &[]).await, sharing(&store, &[]).await);
    let mut statuses = Vec::new();
    for number in 0..6 {
        let node = if number % 2 == 0 { &here } else { &there };
        let body = json!({"name": "Ann", "password": "not the one"});
        let attempt = Request::post("/api/v1/sessions", &body).from("198.51.100.7");
        statuses.push(node.send(attempt).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429], "five a minute to one account from one address");
}

fn guess(address: &str) -> Request {
    Request::join("ZZZZZZ", "Ann").from(address)
}

/// A node with a database of its own, whose limits are those of the store.
async fn sharing(store: &Arc<Memory>, settings: &[(&str, &str)]) -> Stage {
    let limits: Arc<dyn SharedLimits> = Arc::clone(store) as _;
    Stage::sharing(settings, Shared { limits: Some(limits), notify: None }).await
}
