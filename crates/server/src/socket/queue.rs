//! What waits for one socket: whole frames in order, bounded in bytes and number, states replaced in place.
//!
//! Pure bookkeeping, called by `connection` under its lock. And when full? The caller closes the socket with 4101.

use std::collections::VecDeque;
use std::io::IoSlice;
use std::sync::Arc;

use bytes::Bytes;
use quizhall_engine::FrameKind;

use super::budget::{Budget, Charged};

/// Frames written with one system call.
pub(super) const AT_ONCE: usize = 16;

/// What a frame is to the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// In order, never dropped.
    Plain,
    /// As `Plain`, and remembered until written.
    RoundEnd,
    /// Replaces an unsent older one of the same number.
    State(u64),
    /// A ping of ours: one waiting is enough.
    Ping,
    /// An answer to a ping: RFC 6455 §5.5.3 lets the newest stand for all.
    Pong,
}

/// How much may wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) bytes: usize,
    pub(super) messages: usize,
}

/// The frame did not fit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    /// Bytes of the first frame that are written already.
    begun: usize,
    round_ends: usize,
}

struct Waiting {
    key: Key,
    charged: Charged,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Bytes that wait, the begun frame counted whole.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn has_round_end(&self) -> bool {
        self.round_ends > 0
    }

    /// Adds a frame, or puts it in the place of an older state of the same key.
    pub(super) fn push(
        &mut self,
        frame: Bytes,
        key: Key,
        (bounds, budget): (Bounds, &Arc<Budget>),
    ) -> Result<(), Full> {
        if let Some(older) = self.replaceable(key) {
            let (added, removed) = (frame.len(), older.charged.frame.len());
            older.charged = budget.charge(frame);
            self.bytes = self.bytes + added - removed;
            return if self.bytes > bounds.bytes { Err(Full) } else { Ok(()) };
        }
        if self.bytes + frame.len() > bounds.bytes || self.waiting.len() >= bounds.messages {
            return Err(Full);
        }
        self.append(frame, key, budget);
        Ok(())
    }

    /// Adds a frame whatever the bounds: the last one, a close; or the rest of one already begun.
    pub(super) fn append(&mut self, frame: Bytes, key: Key, budget: &Arc<Budget>) {
        self.bytes += frame.len();
        self.round_ends += usize::from(key == Key::RoundEnd);
        self.waiting.push_back(Waiting { key, charged: budget.charge(frame) });
    }

    /// The first bytes of the queue, for a vectored write.
    pub(super) fn slices<'a>(&'a self, room: &mut [IoSlice<'a>; AT_ONCE]) -> usize {
        let mut used = 0;
        for (slot, waiting) in room.iter_mut().zip(&self.waiting) {
            let skip = if used == 0 { self.begun } else { 0 };
            *slot = IoSlice::new(&waiting.charged.frame[skip..]);
            used += 1;
        }
        used
    }

    /// So many bytes are written.
    pub(super) fn advance(&mut self, mut written: usize) {
        while let Some(first) = self.waiting.front() {
            let rest = first.charged.frame.len() - self.begun;
            if written < rest {
                self.begun += written;
                return;
            }
            written -= rest;
            self.pop();
        }
        // Nothing waits: give the memory back too, most sockets never need it again.
        self.waiting = VecDeque::new();
    }

    /// Drops everything but a frame already begun: half a frame would break the stream.
    pub(super) fn drop_unbegun(&mut self) {
        let keep = usize::from(self.begun > 0);
        self.waiting.truncate(keep);
        self.bytes = self.waiting.iter().map(|waiting| waiting.charged.frame.len()).sum();
        self.round_ends = self.waiting.iter().filter(|waiting| waiting.key == Key::RoundEnd).count();
    }

    /// Forgets everything: the connection is gone.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn pop(&mut self) {
        if let Some(first) = self.waiting.pop_front() {
            self.bytes -= first.charged.frame.len();
            self.round_ends -= usize::from(first.key == Key::RoundEnd);
        }
        self.begun = 0;
    }

    fn replaceable(&mut self, key: Key) -> Option<&mut Waiting> {
        if matches!(key, Key::Plain | Key::RoundEnd) {
            return None;
        }
        let begun = usize::from(self.begun > 0);
        self.waiting.iter_mut().skip(begun).rev().find(|waiting| waiting.key == key)
    }
}

impl From<FrameKind> for Key {
    fn from(kind: FrameKind) -> Self {
        match kind {
            FrameKind::Queued => Self::Plain,
            FrameKind::RoundEnd => Self::RoundEnd,
            FrameKind::Replace(number) => Self::State(number),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const BOUNDS: Bounds = Bounds { bytes: 100, messages: 4 };

    struct Bench {
        queue: Queue,
        budget: Arc<Budget>,
    }

    impl Bench {
        fn new() -> Self {
            Self { queue: Queue::default(), budget: Arc::new(Budget::new(1 << 20)) }
        }

        fn push(&mut self, text: &'static str, key: Key) -> Result<(), Full> {
            self.queue.push(Bytes::from_static(text.as_bytes()), key, (BOUNDS, &self.budget))
        }

        /// Everything that would be written, at most `limit` bytes of it.
        fn written(&mut self, limit: usize) -> String {
            let mut room = [IoSlice::new(&[]); AT_ONCE];
            let used = self.queue.slices(&mut room);
            let mut bytes: Vec<u8> = room[..used].iter().flat_map(|slice| slice.to_vec()).collect();
            bytes.truncate(limit);
            self.queue.advance(bytes.len());
            String::from_utf8(bytes).unwrap()
        }
    }

    #[test]
    fn a_state_replaces_an_older_one_in_its_place_but_never_a_begun_one() {
        let mut bench = Bench::new();
        bench.push("lobby1", Key::State(1)).unwrap();
        bench.push("plain", Key::Plain).unwrap();
        bench.push("lobby2!", Key::State(1)).unwrap();
        bench.push("other", Key::State(2)).unwrap();
        assert_eq!(bench.written(3), "lob");
        bench.push("lobby3", Key::State(1)).unwrap();
        assert_eq!(bench.written(usize::MAX), "by2!plainotherlobby3");
        assert!(bench.queue.is_empty());
        assert_eq!((bench.queue.bytes(), bench.budget.used()), (0, 0));
    }

    #[test]
    fn bytes_and_messages_are_bounded() {
        let mut bench = Bench::new();
        for _ in 0..4 {
            bench.push("x", Key::Plain).unwrap();
        }
        assert_eq!(bench.push("x", Key::Plain), Err(Full), "the fifth message");
        assert_eq!(bench.push("x", Key::State(1)), Err(Full), "a state that is not there yet is a message too");
        let mut bench = Bench::new();
        bench.push(LONG, Key::State(1)).unwrap();
        bench.push(LONG, Key::State(1)).unwrap();
        assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "120 bytes");
    }

    const LONG: &str = "sixty bytes of something that would be the json of a lobby..";

    #[test]
    fn the_end_of_a_round_is_remembered_until_its_last_byte_is_written() {
        let mut bench = Bench::new();
        bench.push("before", Key::Plain).unwrap();
        bench.push("end", Key::RoundEnd).unwrap();
        assert_eq!(bench.written(8), "beforeen");
        assert!(bench.queue.has_round_end());
        assert_eq!(bench.written(1), "d");
        assert!(!bench.queue.has_round_end());
    }

    #[test]
    fn dropping_keeps_the_stream_whole() {
        let mut bench = Bench::new();
        bench.push("first", Key::RoundEnd).unwrap();
        bench.push("second", Key::Plain).unwrap();
        assert_eq!(bench.written(2), "fi");
        bench.queue.drop_unbegun();
        bench.queue.append(Bytes::from_static(b"close"), Key::Plain, &bench.budget);
        assert_eq!(bench.written(usize::MAX), "rstclose");
        bench.push("never begun", Key::RoundEnd).unwrap();
        bench.queue.drop_unbegun();
        assert!(bench.queue.is_empty() && !bench.queue.has_round_end());
        assert_eq!(bench.budget.used(), 0);
    }
}
