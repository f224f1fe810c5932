//! The frames that wait for one socket: whole frames in order, bounded in bytes and number, with states replaced in
//! place.
//!
//! The bound on bytes applies to frames that pile up after the one being written. That one does not count, nor does a
//! state, of which only the newest waits: the list of a lobby of 2,000 has a fifth of a megabyte, and a phone that is
//! slow for a moment has one list half written and the next one waiting. `budget` counts all of them.
//!
//! Pure bookkeeping, called by `connection` under its lock. When the queue is full, the caller closes the socket with
//! 4101.

use std::collections::VecDeque;
use std::io::IoSlice;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quizhall_engine::FrameKind;
use quizhall_rules::QuestionId;

use super::budget::{Budget, Charged};
use crate::moment::Moment;

/// Most frames written with one system call.
pub const AT_ONCE: usize = 16;

/// The kind of a frame in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Sent in order, never dropped.
    Plain,
    /// Like `Plain`, and counted when it is written.
    Closing,
    /// Like `Plain`, and the moments of handing it over and writing it are kept.
    Asks(QuestionId),
    /// Replaces an unsent older one of the same number.
    State(u64),
    /// A ping of ours: one waiting ping is enough.
    Ping,
    /// An answer to a ping: RFC 6455 §5.5.3 allows sending only the newest.
    Pong,
}

/// How much may wait for one socket.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Most bytes of frames that nothing replaces, after the first one.
    pub bytes: usize,
    /// Most frames of all kinds.
    pub messages: usize,
}

/// The frame did not fit.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// The frames that wait for one socket.
#[derive(Default)]
pub struct Queue {
    waiting: VecDeque<Waiting>,
    /// Bytes of the frames after the first one that nothing replaces.
    piled: usize,
    /// Bytes of the first frame that are already written.
    begun: usize,
    /// Frames of [`Key::Closing`] that are written completely.
    closings_written: u32,
    /// The questions of [`Key::Asks`], at most those of a quiz.
    asked: Vec<Asked>,
}

/// A question that was or will be sent to this socket.
struct Asked {
    question: QuestionId,
    /// When its frame was handed over.
    handed_over: Moment,
    /// When its last byte was written.
    written: Option<Moment>,
}

struct Waiting {
    key: Key,
    charged: Charged,
}

/// The bounds of one socket's queue, and the budget of all.
#[derive(Clone, Copy)]
pub struct QueueLimits<'a> {
    /// What one socket may have waiting.
    pub bounds: Bounds,
    /// Where the waiting bytes are counted.
    pub budget: &'a Arc<Budget>,
}

impl Queue {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many frames of [`Key::Closing`] are written completely.
    pub fn closings_written(&self) -> u32 {
        self.closings_written
    }

    /// The moment from which a player's time counts: when a question of [`Key::Asks`] was written completely, but at
    /// most `most_on_the_way` after it was handed over. Otherwise a client that stops reading would start its own
    /// clock.
    pub fn asked_at(&self, question: QuestionId, most_on_the_way: Duration) -> Option<Moment> {
        let asked = self.asked.iter().find(|asked| asked.question == question)?;
        Some(asked.written?.min(asked.handed_over.plus(most_on_the_way)))
    }

    /// Records that a frame was handed over. A question that is sent again keeps its first moment, so a queue records
    /// each question once.
    pub fn note_handed_over(&mut self, key: Key, now: impl FnOnce() -> Moment) {
        if let Key::Asks(question) = key
            && self.asked.iter().all(|asked| asked.question != question)
        {
            self.asked.push(Asked { question, handed_over: now(), written: None });
        }
    }

    /// Records that a frame was written completely.
    pub fn note_written(&mut self, key: Key, now: impl FnOnce() -> Moment) {
        match key {
            Key::Closing => self.closings_written += 1,
            Key::Asks(question) => {
                if let Some(asked) = self.asked.iter_mut().find(|asked| asked.question == question) {
                    asked.written.get_or_insert_with(now);
                }
            }
            _ => {}
        }
    }

    /// Adds a frame, or replaces an older state of the same key, which always fits.
    ///
    /// # Errors
    /// The bounds do not allow one more; the queue is unchanged.
    pub fn push(&mut self, frame: Bytes, key: Key, limits: QueueLimits<'_>) -> Result<(), Full> {
        let QueueLimits { bounds, budget } = limits;
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

    /// Adds a frame regardless of the bounds: the last one, a close; or the rest of one that is partly written.
    pub fn append(&mut self, frame: Bytes, key: Key, budget: &Arc<Budget>) {
        let waiting = Waiting { key, charged: budget.charge(frame) };
        if !self.waiting.is_empty() {
            self.piled += waiting.piling_up();
        }
        self.waiting.push_back(waiting);
    }

    /// The first bytes of the queue, for a vectored write.
    pub fn slices<'a>(&'a self, room: &mut [IoSlice<'a>; AT_ONCE]) -> usize {
        let mut used = 0;
        for (slot, waiting) in room.iter_mut().zip(&self.waiting) {
            let skip = if used == 0 { self.begun } else { 0 };
            *slot = IoSlice::new(&waiting.charged.frame[skip..]);
            used += 1;
        }
        used
    }

    /// Records that this many bytes are written.
    pub fn advance(&mut self, mut written: usize, now: Moment) {
        while let Some(first) = self.waiting.front() {
            let rest = first.charged.frame.len() - self.begun;
            if written < rest {
                self.begun += written;
                return;
            }
            written -= rest;
            self.pop(now);
        }
        // Nothing waits: the memory is freed too, because most sockets never need it again.
        self.waiting = VecDeque::new();
    }

    /// Drops everything except a frame that is partly written: half a frame would break the stream.
    pub fn drop_unbegun(&mut self) {
        let keep = usize::from(self.begun > 0);
        self.waiting.truncate(keep);
        self.piled = 0;
    }

    /// Drops everything, because the connection is lost.
    pub fn clear(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        *self = Self { closings_written: self.closings_written, asked, ..Self::default() };
    }

    fn pop(&mut self, now: Moment) {
        if let Some(first) = self.waiting.pop_front() {
            self.piled -= self.waiting.front().map_or(0, Waiting::piling_up);
            self.note_written(first.key, || now);
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
    /// Whether a second frame waits after the first instead of replacing it.
    fn piles_up(self) -> bool {
        matches!(self, Self::Plain | Self::Closing | Self::Asks(_))
    }
}

impl From<FrameKind> for Key {
    fn from(kind: FrameKind) -> Self {
        match kind {
            FrameKind::Queued => Self::Plain,
            FrameKind::Closes(_) => Self::Closing,
            FrameKind::Asks(question) => Self::Asks(question),
            FrameKind::Replace(number) => Self::State(number),
        }
    }
}
