//! Messages as lines of JSON. A message of an owner to several nodes is encoded once.
//!
//! Used by `outbox` and `inbox`. Keeps only what waits to be sent.

use std::array;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use quizhall_engine::{EdgeId, FromOwner, ToEdge};
use quizhall_rules::{Event, GameId};

use crate::cluster::bus::BusMessage;

/// A message as one line, including its end.
pub type Encoded = Arc<Vec<u8>>;

/// Owners on other threads encode at the same time; the address of each batch of events determines its place.
const PLACES: usize = 16;

/// Encodes messages, and remembers the latest batches of events while they wait for other nodes.
pub struct Encoder {
    recent: [Mutex<Option<Recent>>; PLACES],
}

/// An encoded batch of events. The weak pointer keeps its address from being used again.
struct Recent {
    events: Weak<[Event]>,
    rest: Rest,
    encoded: Weak<Vec<u8>>,
}

/// The fields of a message besides the events.
type Rest = (GameId, EdgeId, u64, u64);

impl Default for Encoder {
    fn default() -> Self {
        Self { recent: array::from_fn(|_| Mutex::default()) }
    }
}

impl Encoder {
    /// The message as a line; `None` for messages that are never sent.
    pub fn encode(&self, message: &BusMessage) -> Option<Encoded> {
        let BusMessage::ToEdge {
            game,
            from,
            frame: FromOwner { epoch, message: ToEdge::Committed { first, events, .. } },
        } = message
        else {
            return line(message);
        };
        let rest = (*game, *from, *epoch, *first);
        let mut recent = self.place(events).lock().unwrap_or_else(PoisonError::into_inner);
        let known = recent.as_ref().filter(|known| known.rest == rest && known.is(events));
        if let Some(encoded) = known.and_then(|known| known.encoded.upgrade()) {
            return Some(encoded);
        }
        let encoded = line(message)?;
        *recent = Some(Recent { events: Arc::downgrade(events), rest, encoded: Arc::downgrade(&encoded) });
        Some(encoded)
    }

    fn place(&self, events: &Arc<[Event]>) -> &Mutex<Option<Recent>> {
        // The lowest bits of an address are the same for all, because of its alignment.
        &self.recent[(Arc::as_ptr(events).addr() >> 6) % PLACES]
    }
}

impl Recent {
    fn is(&self, events: &Arc<[Event]>) -> bool {
        self.events.as_ptr().addr() == Arc::as_ptr(events).addr()
    }
}

/// The messages of a batch, and the number of lines that are not messages.
pub fn decode(batch: &[u8]) -> (Vec<BusMessage>, usize) {
    let lines = batch.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let (mut messages, mut unknown) = (Vec::new(), 0);
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(message) => messages.push(message),
            Err(_) => unknown += 1,
        }
    }
    (messages, unknown)
}

fn line(message: &BusMessage) -> Option<Encoded> {
    let mut line = serde_json::to_vec(message).ok()?;
    line.push(b'\n');
    Some(Arc::new(line))
}
