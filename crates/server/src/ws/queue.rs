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
use std::time::Duration;

use bytes::Bytes;
use quizhall_engine::FrameKind;
use quizhall_rules::QuestionId;

use super::budget::{Budget, Charged};
use super::timing::Moment;

/// Frames written with one system call.
pub(super) const AT_ONCE: usize = 16;

/// What a frame is to the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// In order, never dropped.
    Plain,
    /// As `Plain`, and counted when it is written.
    Closing,
    /// As `Plain`, and the moments are kept at which it was handed over and is written.
    Asks(QuestionId),
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
    /// The questions of [`Key::Asks`]. At most those of a quiz.
    asked: Vec<Asked>,
}

/// A question that went or goes to this socket.
struct Asked {
    question: QuestionId,
    /// When its frame was to be sent.
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
pub(super) struct QueueLimits<'a> {
    pub(super) bounds: Bounds,
    pub(super) budget: &'a Arc<Budget>,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many frames of [`Key::Closing`] are written to their last byte.
    pub(super) fn closings_written(&self) -> u32 {
        self.closings_written
    }

    /// From when on the time of a player counts: when a question of [`Key::Asks`] was written to its last byte, but no later than so
    /// long after it was to be sent. A client that stops reading would otherwise start its own clock.
    pub(super) fn asked_at(&self, question: QuestionId, most_on_the_way: Duration) -> Option<Moment> {
        let asked = self.asked.iter().find(|asked| asked.question == question)?;
        Some(asked.written?.min(asked.handed_over.plus(most_on_the_way)))
    }

    /// A frame is to be sent. A question that is sent again keeps its first moment, so a queue notes each question once.
    pub(super) fn note_handed_over(&mut self, key: Key, now: impl FnOnce() -> Moment) {
        if let Key::Asks(question) = key
            && self.asked.iter().all(|asked| asked.question != question)
        {
            self.asked.push(Asked { question, handed_over: now(), written: None });
        }
    }

    /// A frame was written to its last byte.
    pub(super) fn note_written(&mut self, key: Key, now: impl FnOnce() -> Moment) {
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

    /// Adds a frame, or puts it in the place of an older state of the same key, which always fits.
    pub(super) fn push(&mut self, frame: Bytes, key: Key, limits: QueueLimits<'_>) -> Result<(), Full> {
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
    pub(super) fn advance(&mut self, mut written: usize, now: Moment) {
        while let Some(first) = self.waiting.front() {
            let rest = first.charged.frame.len() - self.begun;
            if written < rest {
                self.begun += written;
                return;
            }
            written -= rest;
            self.pop(now);
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
    /// Whether a second one waits behind the first instead of replacing it.
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

#[cfg(test)]
mod tests;
