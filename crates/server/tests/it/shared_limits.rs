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
    let asked = store.asked();
    assert!(there.ready_here(&"bob".to_owned()).is_err() && there.ready(&"bob".to_owned()).await.is_err());
    assert_eq!((taken(&there, "bob", 5).await, store.asked()), (0, asked), "a refusal of this node asks no store");
    for _ in 0..3 {
        here.charge("cid".to_owned());
    }
    settle().await;
    assert_eq!(there.ready(&"cid".to_owned()).await, Err(MINUTE), "a charge on one node counts on the other");
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

/// What is limited, the setting, the address of each guess, and how many are looked up.
type Guessing = (&'static str, Option<(&'static str, &'static str)>, fn(u32) -> String, usize);

#[tokio::test]
async fn guesses_at_codes_count_on_all_nodes_together() {
    let one_address = |_: u32| "198.51.100.7".to_owned();
    let everywhere = |number: u32| format!("198.51.100.{number}");
    let one_site = |number: u32| format!("2001:db8:0:{:x}::1", number * 256);
    let cases: [Guessing; 3] = [
        ("ten a minute of an address", None, one_address, 10),
        ("four of all addresses", Some(("FAILED_JOINS_PER_MINUTE", "4")), everywhere, 4),
        ("twenty times one address of a site", Some(("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "1")), one_site, 20),
    ];
    for (what, settings, address, allowed) in cases {
        let store = Memory::new();
        let settings = settings.as_slice();
        let (here, there) = (sharing(&store, settings).await, sharing(&store, settings).await);
        let mut statuses = Vec::new();
        for number in 0..u32::try_from(allowed).unwrap() + 2 {
            let node = if number % 2 == 0 { &here } else { &there };
            statuses.push(node.send(guess(&address(number))).await.status);
        }
        assert_eq!(statuses, [vec![404; allowed], vec![429; 2]].concat(), "{what}");
        let (_, code) = there.game().await;
        let right = async |address: &str| there.send(Request::join(&code, "Ann").from(address)).await.status;
        if allowed == 10 {
            assert_eq!(right("198.51.100.7").await, 429, "{what}");
            assert_eq!(there.send(guess("198.51.100.8")).await.status, 404, "{what}: another address");
        }
        assert_eq!(right("203.0.113.9").await, 201, "{what}: a code that exists");
    }
}

#[tokio::test]
async fn attempts_to_sign_in_count_on_all_nodes_together() {
    let (store, settings) = (Memory::new(), [("SIGN_INS_PER_MINUTE_PER_ACCOUNT", "2")]);
    let (here, there) = (sharing(&store, &settings).await, sharing(&store, &settings).await);
    let mut statuses = Vec::new();
    for node in [&here, &there, &here] {
        let body = json!({"name": "Ann", "password": "not the one"});
        let attempt = Request::post("/api/v1/sessions", &body).from("198.51.100.7");
        statuses.push(node.send(attempt).await.status);
    }
    assert_eq!(statuses, [401, 401, 429], "two a minute to one account from one address");
}

fn guess(address: &str) -> Request {
    Request::join("ZZZZZZ", "Ann").from(address)
}

/// A node with a database of its own, whose limits are those of the store.
async fn sharing(store: &Arc<Memory>, settings: &[(&str, &str)]) -> Stage {
    let limits: Arc<dyn SharedLimits> = Arc::clone(store) as _;
    Stage::sharing(settings, Shared { limits: Some(limits), notify: None }).await
}
