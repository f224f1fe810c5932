//! The pace at which sockets are opened: as fast as rows need, or slowly enough for a server with default limits.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;
use quizhall_client::transport::Endpoint;
use tokio::time::{Instant, sleep, sleep_until};

use crate::wire::{Knock, Opened};

/// The sockets of one seat within [`WINDOW`]: one fewer than a player may have by default, because the clocks differ.
const PER_SEAT: usize = 5;
const WINDOW: Duration = Duration::from_secs(10);
/// The status of a socket that is refused because there were too many.
const TOO_MANY: u16 = 503;
/// How often such a refusal is waited out, and how long.
const TRIES: usize = 60;
const PAUSE: Duration = Duration::from_secs(1);

/// A game's code and a token: a seat.
type Seat = (String, Option<String>);

/// Opens sockets at the pace that was asked for.
pub struct Pace {
    /// The times at which each seat's latest sockets may be opened; `None` without a pace.
    opened: Option<Mutex<HashMap<Seat, VecDeque<Instant>>>>,
}

impl Pace {
    /// With `slow`, below the default limits.
    pub fn new(slow: bool) -> Self {
        Self { opened: slow.then(Mutex::default) }
    }

    /// Requests a socket when its turn has come.
    pub async fn open(&self, knock: &Knock, endpoint: &Endpoint) -> anyhow::Result<Opened> {
        let Some(opened) = &self.opened else { return knock.open(endpoint).await };
        for _ in 0..TRIES {
            sleep_until(turn(opened, knock, Instant::now())).await;
            match knock.open(endpoint).await? {
                Opened::Refused(response) if response.status == TOO_MANY => sleep(PAUSE).await,
                other => return Ok(other),
            }
        }
        bail!("the server refused sockets with HTTP {TOO_MANY} for a minute")
    }
}

/// When the next socket of this seat may be opened.
fn turn(opened: &Mutex<HashMap<Seat, VecDeque<Instant>>>, knock: &Knock, now: Instant) -> Instant {
    let seat = (knock.code.clone(), knock.bearer.clone().or_else(|| knock.query.clone()));
    let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
    let turns = opened.entry(seat).or_default();
    let turn = if turns.len() < PER_SEAT { now } else { now.max(turns[0] + WINDOW) };
    if turns.len() == PER_SEAT {
        turns.pop_front();
    }
    turns.push_back(turn);
    turn
}
