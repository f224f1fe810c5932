//! The members who have received one message, and when.

use anyhow::ensure;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::spread::Spread;

/// The messages that are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `lobby_update`.
    Lobby,
    /// `game_started`.
    Started,
    /// `question_released`.
    Question,
    /// `answer_accepted`.
    Accepted,
    /// `round_ended`.
    RoundEnded,
    /// `round_scores`.
    Scores,
    /// `scoreboard_update`.
    Running,
    /// `round_leaderboard`.
    Board,
    /// `game_ended`.
    Over,
    /// Anything else.
    Other,
}

/// A message: its kind, and its question where there is one (else nil).
pub type Subject = (Kind, Uuid);

const KINDS: [(&[u8], Kind); 9] = [
    (b"answer_accepted\"", Kind::Accepted),
    (b"question_released\"", Kind::Question),
    (b"lobby_update\"", Kind::Lobby),
    (b"round_scores\"", Kind::Scores),
    (b"scoreboard_update\"", Kind::Running),
    (b"round_leaderboard\"", Kind::Board),
    (b"round_ended\"", Kind::RoundEnded),
    (b"game_started\"", Kind::Started),
    (b"game_ended\"", Kind::Over),
];
const HEAD: &[u8] = b"{\"type\":\"";

/// What a message is about, without reading all of it. A message that is written in another way than the service does
/// counts as `Other`, and is then missed by those who wait for it.
pub fn subject(message: &[u8]) -> Subject {
    let Some(rest) = message.strip_prefix(HEAD) else { return (Kind::Other, Uuid::nil()) };
    let Some((word, kind)) = KINDS.iter().find(|(word, _)| rest.starts_with(word)) else {
        return (Kind::Other, Uuid::nil());
    };
    let field: &[u8] = match kind {
        Kind::Accepted => b",\"payload\":{\"questionId\":\"",
        Kind::Question => b",\"payload\":{\"question\":{\"id\":\"",
        _ => return (*kind, Uuid::nil()),
    };
    let id = rest[word.len()..].strip_prefix(field).and_then(|rest| rest.get(..36));
    match id.map(Uuid::try_parse_ascii) {
        Some(Ok(id)) => (*kind, id),
        _ => (Kind::Other, Uuid::nil()),
    }
}

/// The members who have received it.
#[derive(Debug, Default)]
pub struct Tally {
    /// By member; 0 is not yet.
    received: Vec<u64>,
    /// When each sent what this answers; 0 is not yet.
    pub sent: Vec<u64>,
    /// How many have received it.
    pub count: usize,
    /// Received once more.
    repeats: u64,
    /// Received with other bytes than the first.
    differing: u64,
    sample: Vec<u8>,
    /// What each received, where each is sent its own.
    pub payloads: Vec<Vec<u8>>,
}

/// A message that a member received, and when.
pub struct Arrival<'a> {
    /// The member.
    pub member: usize,
    /// All of its bytes.
    pub message: &'a [u8],
    /// When, in nanoseconds.
    pub at: u64,
}

/// What became of a message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Delivery {
    /// How many have it.
    pub count: usize,
    /// How many read, and so should have it.
    pub wanted: usize,
    /// How many of them have it more than once.
    pub repeats: u64,
    /// How many have it with other bytes than the first.
    pub differing: u64,
    /// The first of all, in nanoseconds of the monotonic clock.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// Of an answer: when the first was sent.
    pub first_sent: u64,
    /// Times from the given moment, or from each one's own sending, in microseconds.
    pub spread: Spread,
    /// Of the personal ones: how many were not as they should be.
    pub wrong: u64,
    /// The message, where all get the same.
    pub sample: String,
}

impl Tally {
    /// A tally with room for this number of members.
    pub fn for_members(members: usize) -> Self {
        Self { received: vec![0; members], ..Self::default() }
    }

    /// Notes that a member has it.
    pub fn note(&mut self, arrival: &Arrival<'_>, kind: Kind) {
        let Arrival { member, message, at } = *arrival;
        if self.received.len() <= member {
            self.received.resize(member + 1, 0);
        }
        if self.received[member] != 0 {
            self.repeats += 1;
            return;
        }
        self.received[member] = at;
        self.count += 1;
        match kind {
            Kind::Question | Kind::Accepted | Kind::RoundEnded | Kind::Started => {
                if self.sample.is_empty() {
                    self.sample = message.to_vec();
                } else if self.sample != message {
                    self.differing += 1;
                }
            }
            Kind::Scores => {
                if self.payloads.len() <= member {
                    self.payloads.resize_with(member + 1, Vec::new);
                }
                self.payloads[member] = message.to_vec();
            }
            _ => {}
        }
    }

    /// Notes when a member sent what this answers.
    pub fn note_sent(&mut self, member: usize, at: u64) {
        if self.sent.len() <= member {
            self.sent.resize(member + 1, 0);
        }
        self.sent[member] = at;
    }

    /// The outcome; times count from `since`, for answers from each one's sending.
    pub fn outcome(&self, since: u64, apart: impl Fn(usize) -> bool) -> Delivery {
        let mut received = Delivery {
            count: self.count,
            repeats: self.repeats,
            differing: self.differing,
            first: u64::MAX,
            sample: String::from_utf8_lossy(&self.sample).into_owned(),
            first_sent: self.sent.iter().copied().filter(|sent| *sent > 0).min().unwrap_or(0),
            ..Delivery::default()
        };
        for (member, at) in self.received.iter().enumerate().filter(|(_, at)| **at > 0) {
            if apart(member) {
                continue;
            }
            let from = self.sent.get(member).copied().filter(|sent| *sent > 0).unwrap_or(since);
            received.spread.record(at.saturating_sub(from) / 1_000);
            received.first = received.first.min(*at);
            received.last = received.last.max(*at);
        }
        received
    }
}

impl Delivery {
    /// The same, if all who read have received it.
    ///
    /// # Errors
    /// How many have not.
    pub fn by_all(self, kind: Kind) -> anyhow::Result<Self> {
        let Self { count, wanted, .. } = self;
        ensure!(count >= wanted, "{} of {wanted} have not received {kind:?} in time", wanted - count);
        Ok(self)
    }

    /// Takes in what another part of the virtual users have received.
    pub fn add(&mut self, other: Self) {
        let either = |a: u64, b: u64| if a == 0 || (b > 0 && b < a) { b } else { a };
        self.count += other.count;
        self.wanted += other.wanted;
        self.repeats += other.repeats;
        self.differing += other.differing;
        self.wrong += other.wrong;
        self.first = either(self.first, other.first);
        self.first_sent = either(self.first_sent, other.first_sent);
        self.last = self.last.max(other.last);
        self.spread.add(&other.spread);
        if self.sample.is_empty() {
            self.sample = other.sample;
        } else if !other.sample.is_empty() && self.sample != other.sample {
            self.differing += 1;
        }
    }
}
