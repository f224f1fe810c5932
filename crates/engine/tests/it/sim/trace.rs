//! What happened in a world, as a running hash that two runs of a seed must share, and as text when one seed is examined.

use quizhall_engine::Time;

#[derive(Debug, Default)]
pub struct Trace {
    hash: u64,
    notes: u64,
    print: bool,
}

impl Trace {
    pub fn new(print: bool) -> Self {
        Self { hash: 0xCBF2_9CE4_8422_2325, notes: 0, print }
    }

    /// Records one event.
    pub fn note(&mut self, at: Time, what: &'static str, parts: &[u64]) {
        self.notes += 1;
        self.mix(u64::try_from(at.as_micros()).unwrap_or(u64::MAX));
        self.bytes(what.as_bytes());
        for part in parts {
            self.mix(*part);
        }
        if self.print {
            eprintln!("{:>12} {what} {parts:?}", at.as_micros());
        }
    }

    /// Adds detail to the last note.
    pub fn detail(&mut self, detail: impl FnOnce() -> String) {
        if self.print {
            eprintln!("{:>12} {}", "", detail());
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn mix(&mut self, word: u64) {
        self.hash = (self.hash.rotate_left(5) ^ word).wrapping_mul(0x0100_0000_01B3_9E37);
    }

    pub fn hash(&self) -> u64 {
        self.hash
    }

    pub fn notes(&self) -> u64 {
        self.notes
    }
}
