//! The books of the edges, and digests that compare them with the log: equal digests mean the same answers of the same players.

use quizhall_rules::PlayerId;
use sha2::{Digest as _, Sha256};

/// The sum of the hashes of (player, answer) pairs, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Digest {
    pub answers: u64,
    sum: u128,
}

/// The books of one edge.
#[derive(Debug, Default)]
pub struct Books {
    pub acknowledged: Digest,
    /// From the moment at which each player answered to the acknowledgement, microseconds.
    pub waits: Vec<u32>,
    /// Microseconds from the beginning of the run to the first question and to the last acknowledgement.
    pub asked: u64,
    pub last: u64,
    /// Frames and answers sent to the owner, and frames from it, while the question was open.
    pub frames_out: u64,
    pub rows_out: u64,
    pub frames_in: u64,
    /// Bytes of these frames as JSON, where they were counted.
    pub bytes_out: u64,
    pub bytes_in: u64,
    pub retransmitted: u64,
    pub refused: u64,
    /// Frames of the owner that did not follow the one before.
    pub gaps: u64,
}

impl Digest {
    pub fn add(&mut self, player: PlayerId, text: &str) {
        let hash = Sha256::new().chain_update(player.uuid().as_bytes()).chain_update(text).finalize();
        let half: [u8; 16] = hash[..16].try_into().unwrap();
        self.sum = self.sum.wrapping_add(u128::from_le_bytes(half));
        self.answers += 1;
    }
}

impl Books {
    pub fn add(&mut self, other: Self) {
        self.acknowledged.answers += other.acknowledged.answers;
        self.acknowledged.sum = self.acknowledged.sum.wrapping_add(other.acknowledged.sum);
        self.waits.extend(other.waits);
        self.asked = if self.asked == 0 { other.asked } else { self.asked.min(other.asked) };
        self.last = self.last.max(other.last);
        self.frames_out += other.frames_out;
        self.rows_out += other.rows_out;
        self.frames_in += other.frames_in;
        self.bytes_out += other.bytes_out;
        self.bytes_in += other.bytes_in;
        self.retransmitted += other.retransmitted;
        self.refused += other.refused;
        self.gaps += other.gaps;
    }

    /// The time below which this part of the acknowledgements came, milliseconds; `waits` must be sorted.
    pub fn wait(&self, part: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place"
        )]
        let place = (part * self.waits.len() as f64).ceil() as usize;
        let place = place.saturating_sub(1).min(self.waits.len().saturating_sub(1));
        self.waits.get(place).map_or(0.0, |micros| f64::from(*micros) / 1e3)
    }
}
