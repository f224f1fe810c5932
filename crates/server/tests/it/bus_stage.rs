//! Shared by the tests of the bus: nodes on one cache store, messages with numbers, and waiting with a deadline.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use quizhall::cluster::bus::redis::RedisBus;
use quizhall::cluster::bus::{BusMessage, Received, Remote};
use quizhall_engine::{EdgeId, FromOwner, ToEdge, ToOwner};
use quizhall_rules::{Event, GameId};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, timeout};
use uuid::Uuid;

/// For conditions without a promise of their own; a test that waits longer has failed.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// A node as the bus sees it.
pub struct Node {
    pub id: EdgeId,
    pub bus: RedisBus,
    pub remote: Arc<dyn Remote>,
    pub inbox: mpsc::Receiver<Received<BusMessage>>,
}

impl Node {
    /// A node whose inbox exists.
    pub async fn enter(url: &str, id: u64) -> Self {
        let bus = RedisBus::open(url).unwrap();
        let id = EdgeId(id);
        let (remote, inbox) = (bus.remote(), bus.receive(id));
        let node = Self { id, bus, remote, inbox };
        node.is_well().await;
        node
    }

    /// Waits until a message that the node sends to itself arrives.
    pub async fn is_well(&self) {
        until(TIMEOUT, "its own messages arrive", || self.bus.lag().is_some()).await;
    }

    /// Waits until the node knows that the bus does not work.
    pub async fn is_cut_off(&self) {
        until(TIMEOUT, "the loss is noticed", || self.bus.lag().is_none()).await;
    }

    /// The name of its inbox.
    pub fn key(&self) -> String {
        format!("quizhall:inbox:{{{:016x}}}", self.id.0)
    }

    /// The number of the next message that arrives.
    pub async fn next(&mut self) -> u64 {
        number(&within(TIMEOUT, self.inbox.recv()).await.expect("the inbox is open").what)
    }

    /// Waits for the message with this number; the numbers of all messages up to it.
    pub async fn up_to(&mut self, last: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        while numbers.last() != Some(&last) {
            numbers.push(self.next().await);
        }
        numbers
    }

    /// Sends numbered messages to another node, beginning with `from`, until one arrives; how long that took.
    pub async fn reaches(&self, other: &mut Self, from: u64) -> Duration {
        let begun = Instant::now();
        self.pushes_out(other, from).await;
        begun.elapsed()
    }

    /// The same; the numbers of the messages that arrived before.
    pub async fn pushes_out(&self, other: &mut Self, from: u64) -> Vec<u64> {
        let mut ticks = interval(Duration::from_millis(50));
        let (mut next, mut before) = (from, Vec::new());
        let arrived = async {
            loop {
                tokio::select! {
                    _ = ticks.tick() => { self.remote.send(other.id, message(next)); next += 1; }
                    got = other.inbox.recv() => match number(&got.unwrap().what) {
                        number if number >= from => break,
                        number => before.push(number),
                    },
                }
            }
        };
        within(TIMEOUT, arrived).await;
        before
    }
}

/// A small message that can be distinguished from others.
pub fn message(number: u64) -> BusMessage {
    BusMessage::ToOwner { game: game(), from: EdgeId(number), frame: ToOwner::Hello }
}

/// A message as an owner sends it to edges after a commit: this many answers, with texts of this length.
pub fn committed(number: u64, answers: u64, length: usize) -> BusMessage {
    let events: Vec<Event> = (0..answers).map(|command_id| answered(command_id, length)).collect();
    let message = ToEdge::Committed { first: number, chain: None, events: events.into() };
    BusMessage::ToEdge { game: game(), from: EdgeId(number), frame: FromOwner { epoch: 3, message } }
}

fn answered(command_id: u64, length: usize) -> Event {
    let change = json!({ "t": "answered", "p": Uuid::now_v7(), "q": Uuid::now_v7(), "a": "x".repeat(length) });
    serde_json::from_value(json!({ "c": change, "s": [7, command_id] })).unwrap()
}

/// The number of a message.
pub fn number(message: &BusMessage) -> u64 {
    match message {
        BusMessage::ToOwner { from, .. } | BusMessage::ToEdge { from, .. } => from.0,
        BusMessage::Notice(_) => panic!("no node sent that"),
    }
}

fn game() -> GameId {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001).into()
}

/// The outcome; the test fails when it takes longer.
pub async fn within<T>(limit: Duration, what: impl Future<Output = T>) -> T {
    timeout(limit, what).await.expect("the time limit has passed")
}

/// Waits until the condition holds.
pub async fn until(limit: Duration, what: &str, mut so: impl FnMut() -> bool) {
    let mut looks = interval(Duration::from_millis(2));
    let wait = async {
        while !so() {
            looks.tick().await;
        }
    };
    assert!(timeout(limit, wait).await.is_ok(), "not within {limit:?}: {what}");
}
