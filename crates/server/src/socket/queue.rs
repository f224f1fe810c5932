//! What waits for one socket: whole frames in order, bounded in bytes and number, states replaced in place.
//!
//! The bytes that are bounded are those that pile up, frame after frame, behind the one being written. That one does not
//! count, nor does a state, of which only the newest waits: a lobby of 2,000 is a fifth of a megabyte, and a phone that is
//! slow for a moment has one list half written and the next one waiting. `budget` counts them all.
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
    /// As `Plain`, and counted when it is written.
    Closing,
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
    /// Of frames that nothing replaces, behind the first one.
    pub(super) bytes: usize,
    /// Of all frames.
    pub(super) messages: usize,
}

/// The frame did not fit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    /// Bytes of the frames behind the first one that nothing replaces.
    piled: usize,
    /// Bytes of the first frame that are written already.
    begun: usize,
    /// Frames of [`Key::Closing`] that are written to their last byte.
    closings_written: u32,
}

struct Waiting {
    key: Key,
    charged: Charged,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many frames of [`Key::Closing`] are written to their last byte.
    pub(super) fn closings_written(&self) -> u32 {
        self.closings_written
    }

    /// A frame was written without waiting here.
    pub(super) fn note_written(&mut self, key: Key) {
        self.closings_written += u32::from(key == Key::Closing);
    }

    /// Adds a frame, or puts it in the place of an older state of the same key, which always fits.
    pub(super) fn push(
        &mut self,
        frame: Bytes,
        key: Key,
        (bounds, budget): (Bounds, &Arc<Budget>),
    ) -> Result<(), Full> {
        if let Some(older) = self.replaceable(key) {
            older.charged = budget.charge(frame);
            return Ok(());
        }
        let piles_up = !self.waiting.is_empty() && key.piles_up();
        let too_much = piles_up && self.piled + frame.len() > bounds.bytes;
        if too_much || self.waiting.len() >= bounds.messages {
            return Err(Full);
        }
        self.append(frame, key, budget);
        Ok(())
    }

    /// Adds a frame whatever the bounds: the last one, a close; or the rest of one already begun.
    pub(super) fn append(&mut self, frame: Bytes, key: Key, budget: &Arc<Budget>) {
        let waiting = Waiting { key, charged: budget.charge(frame) };
        if !self.waiting.is_empty() {
            self.piled += waiting.piling_up();
        }
        self.waiting.push_back(waiting);
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
        self.piled = 0;
    }

    /// Drops everything that waits: the connection is lost.
    pub(super) fn clear(&mut self) {
        *self = Self { closings_written: self.closings_written, ..Self::default() };
    }

    fn pop(&mut self) {
        if let Some(first) = self.waiting.pop_front() {
            self.piled -= self.waiting.front().map_or(0, Waiting::piling_up);
            self.note_written(first.key);
        }
        self.begun = 0;
    }

    fn replaceable(&mut self, key: Key) -> Option<&mut Waiting> {
        if key.piles_up() {
            return None;
        }
        let begun = usize::from(self.begun > 0);
        self.waiting.iter_mut().skip(begun).rev().find(|waiting| waiting.key == key)
    }
}

impl Waiting {
    fn piling_up(&self) -> usize {
        if self.key.piles_up() { self.charged.frame.len() } else { 0 }
    }
}

impl Key {
    /// Whether a second one waits behind the first instead of replacing it.
    fn piles_up(self) -> bool {
        matches!(self, Self::Plain | Self::Closing)
    }
}

impl From<FrameKind> for Key {
    fn from(kind: FrameKind) -> Self {
        match kind {
            FrameKind::Queued => Self::Plain,
            FrameKind::Closes(_) => Self::Closing,
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
        assert_eq!(bench.budget.used(), 0);
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
        bench.push("written now", Key::Plain).unwrap();
        bench.push(LONG, Key::Plain).unwrap();
        assert_eq!(bench.push(LONG, Key::Closing), Err(Full), "120 bytes behind the first");
        assert_eq!(bench.written("written now".len()), "written now");
        bench.push(LONG, Key::Closing).unwrap();
        assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "the second is the first now, the third still counts");
    }

    #[test]
    fn a_lobby_larger_than_half_the_bound_waits_behind_an_older_one_that_is_half_written() {
        let mut bench = Bench::new();
        bench.push(LONG, Key::State(1)).unwrap();
        assert_eq!(bench.written(10), &LONG[..10]);
        for _ in 0..100 {
            bench.push(LONG, Key::State(1)).unwrap();
        }
        bench.push(LONG, Key::Plain).unwrap();
        assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "what nothing replaces is bounded as ever");
        assert_eq!(bench.written(usize::MAX), [&LONG[10..], LONG, LONG].concat());
        assert_eq!((bench.queue.piled, bench.budget.used()), (0, 0));
    }

    #[test]
    fn what_piles_up_is_counted_right_whatever_happens() {
        let mut bench = Bench::new();
        let frames = [("a", Key::Plain), ("bb", Key::State(1)), ("ccc", Key::Closing), ("dddd", Key::Ping)];
        for (text, key) in frames {
            bench.push(text, key).unwrap();
        }
        let mut piled = vec![bench.queue.piled];
        for length in 1..=4 {
            bench.written(length);
            piled.push(bench.queue.piled);
        }
        assert_eq!(piled, [3, 3, 0, 0, 0], "the end of the round, until it is the first");
        bench.push("first", Key::Plain).unwrap();
        bench.push("second", Key::Plain).unwrap();
        bench.queue.drop_unbegun();
        bench.push("first", Key::Plain).unwrap();
        assert_eq!(bench.queue.piled, 0);
    }

    const LONG: &str = "sixty bytes of something that would be the json of a lobby..";

    #[test]
    fn a_closing_counts_when_its_last_byte_is_written() {
        let mut bench = Bench::new();
        bench.push("before", Key::Plain).unwrap();
        bench.push("end", Key::Closing).unwrap();
        assert_eq!(bench.written(8), "beforeen");
        assert_eq!(bench.queue.closings_written(), 0);
        assert_eq!(bench.written(1), "d");
        assert_eq!(bench.queue.closings_written(), 1);
    }

    #[test]
    fn dropping_keeps_the_stream_whole() {
        let mut bench = Bench::new();
        bench.push("first", Key::Closing).unwrap();
        bench.push("second", Key::Plain).unwrap();
        assert_eq!(bench.written(2), "fi");
        bench.queue.drop_unbegun();
        bench.queue.append(Bytes::from_static(b"close"), Key::Plain, &bench.budget);
        assert_eq!(bench.written(usize::MAX), "rstclose");
        bench.push("never begun", Key::Closing).unwrap();
        bench.queue.drop_unbegun();
        assert_eq!((bench.queue.is_empty(), bench.queue.closings_written()), (true, 1), "the first was written");
        assert_eq!(bench.budget.used(), 0);
    }
}
