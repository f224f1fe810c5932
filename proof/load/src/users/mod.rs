//! Virtual users for measurements: thousands of players in one thread (or in several processes, where one may not hold as many
//! descriptors), who carry out orders and note when they received what.
//!
//! Layout: `order` (what is asked and answered) · `work` (the loop) · `members` (which player is in which game) ·
//! `tally` (who has received what) · `answers` (who answers what) · `scores` (whether the results are right) · `spread`
//! (distributions) · `worker` (virtual users in a process of its own). Never reads more of a message than it must while
//! something is measured.

pub mod answers;
pub mod tally;
pub mod worker;

mod members;
mod order;
mod scores;
mod spread;
mod work;

use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;

use anyhow::{Context as _, anyhow, bail};
use futures_util::future::try_join_all;
use mio::Waker;
use tokio::sync::oneshot;

pub use self::answers::Key;
pub use self::order::{Counts, Order, Outcome, Table};
pub use self::spread::Spread;
pub use self::tally::{Delivery, Kind};

use self::work::Work;
use self::worker::Worker;
use crate::connections::Connections;

/// Orders that may wait; a conductor gives one at a time.
const ORDERS: usize = 16;

/// Virtual users in one part or several.
pub struct VirtualUsers(Vec<Part>);

enum Part {
    Here(Thread),
    There(Box<Worker>),
}

/// A part in a thread of this process.
struct Thread {
    orders: mpsc::SyncSender<(Order, oneshot::Sender<Outcome>)>,
    waker: Arc<Waker>,
    running: Option<JoinHandle<()>>,
}

impl VirtualUsers {
    /// Virtual users in a thread of this process.
    ///
    /// # Errors
    /// When the kernel gives no thread or no epoll.
    pub fn here() -> anyhow::Result<Self> {
        Ok(Self(vec![Part::Here(Thread::start()?)]))
    }

    /// Virtual users in this many processes.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn in_processes(count: usize) -> anyhow::Result<Self> {
        Ok(Self(
            (0..count)
                .map(|_| Worker::start().map(|worker| Part::There(Box::new(worker))))
                .collect::<anyhow::Result<_>>()?,
        ))
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.0.len()
    }

    /// Asks all parts the same, and puts together what they say.
    ///
    /// # Errors
    /// When a part cannot do it.
    pub async fn ask(&mut self, order: Order) -> anyhow::Result<Outcome> {
        let orders = vec![order; self.0.len()];
        self.ask_each(orders).await
    }

    /// Asks each part its own.
    ///
    /// # Errors
    /// When a part cannot do it, or there are not as many orders as parts.
    pub async fn ask_each(&mut self, orders: Vec<Order>) -> anyhow::Result<Outcome> {
        if orders.len() != self.0.len() {
            bail!("{} orders for {} parts of the virtual users", orders.len(), self.0.len());
        }
        let asked = self.0.iter_mut().zip(orders).map(|(part, order)| part.ask(order));
        let outcomes = try_join_all(asked).await?;
        outcomes.into_iter().map(Ok).reduce(|all, next| together(all?, next?)).context("no virtual users")?
    }

    /// Waits until all who read have received something.
    ///
    /// # Errors
    /// When the time limit ends before: measurements after a missing message mean nothing, and each further wait would
    /// take as long. Also as [`VirtualUsers::ask`].
    pub async fn wait_for(&mut self, order: Order) -> anyhow::Result<Delivery> {
        let Order::Await { kind, .. } = order else { bail!("not an order to wait for something: {order:?}") };
        let received = match self.ask(order).await? {
            Outcome::Delivered(received) => received.by_all(kind),
            other => bail!("the virtual users answered something else: {other:?}"),
        };
        match received {
            Ok(received) => Ok(received),
            Err(missed) => {
                let Counts { lost, closes, .. } = self.counts().await?;
                bail!("{missed}; {lost} connections were lost, closed by the server (code, times): {closes:?}")
            }
        }
    }

    /// The counts since the last call.
    ///
    /// # Errors
    /// As [`VirtualUsers::ask`].
    pub async fn counts(&mut self) -> anyhow::Result<Counts> {
        match self.ask(Order::Count).await? {
            Outcome::Counted(counts) => Ok(counts),
            other => bail!("the virtual users answered something else: {other:?}"),
        }
    }
}

impl Part {
    async fn ask(&mut self, order: Order) -> anyhow::Result<Outcome> {
        let outcome = match self {
            Self::Here(thread) => thread.ask(order).await?,
            Self::There(worker) => worker.ask(&order).await?,
        };
        match outcome {
            Outcome::Failed(why) => Err(anyhow!("the virtual users: {why}")),
            other => Ok(other),
        }
    }
}

impl Thread {
    fn start() -> anyhow::Result<Self> {
        let connections = Connections::new(0).context("epoll")?;
        let waker = connections.waker();
        let (orders, receiver) = mpsc::sync_channel(ORDERS);
        let work = Work::new(connections);
        let running = std::thread::Builder::new().name("users".to_owned()).spawn(move || work.run(&receiver))?;
        Ok(Self { orders, waker, running: Some(running) })
    }

    async fn ask(&self, order: Order) -> anyhow::Result<Outcome> {
        let (reply, outcome) = oneshot::channel();
        self.orders.send((order, reply)).map_err(|_| anyhow!("the virtual users have stopped"))?;
        self.waker.wake()?;
        outcome.await.context("the virtual users have stopped")
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        let (reply, _) = oneshot::channel();
        // Virtual users that have stopped need no order.
        let _ = self.orders.send((Order::Leave, reply));
        let _ = self.waker.wake();
        if let Some(running) = self.running.take() {
            let _ = running.join();
        }
    }
}

fn together(all: Outcome, next: Outcome) -> anyhow::Result<Outcome> {
    match (all, next) {
        (Outcome::Done { since, last, mut spread }, Outcome::Done { since: other, last: late, spread: more }) => {
            spread.add(&more);
            Ok(Outcome::Done { since: since.min(other), last: last.max(late), spread })
        }
        (Outcome::Delivered(mut received), Outcome::Delivered(more)) => {
            received.add(*more);
            Ok(Outcome::Delivered(received))
        }
        (Outcome::Counted(mut counts), Outcome::Counted(more)) => {
            counts.add(more);
            Ok(Outcome::Counted(counts))
        }
        (all, next) => bail!("parts of the virtual users disagree: {all:?}, {next:?}"),
    }
}
