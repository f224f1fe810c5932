//! The copies of pictures and sounds that phones load before the questions are released: name, key and size of each.
//!
//! The node that serves a copy creates it and stores it nowhere: its name and its key follow from the secret of the game. A client
//! that knows the name can load the copy, but cannot read it before the key is sent with the question. Used by `wire`, which sends
//! names and keys, and by the server, which encrypts. Reads no file.

use hmac::{Hmac, KeyInit as _, Mac as _};
use quizhall_rules::{Phase, Question, QuestionMedia, State};
use sha2::Sha256;

/// The bytes of a segment before it is encrypted; the last segment may be shorter.
pub const SEGMENT_BYTES: u64 = 256 * 1024;

/// The bytes that the encryption of a segment adds.
pub const TAG_BYTES: u64 = 16;

/// The smallest size of a copy, before it is encrypted.
const LEAST_BYTES: u64 = 16 * 1024;

/// The label with which the secret of copies is derived. It begins with a zero byte, which no `Idempotency-Key` can contain: a value
/// derived from the same secret and a client's key is sent to that client.
const COPIES: &[u8] = b"\0copies of media";

/// A copy of the picture or the sound of a question.
#[derive(Clone, PartialEq, Eq)]
pub struct MediaCopy<'a> {
    /// The file of which it is a copy.
    pub media: &'a QuestionMedia,
    /// Its random name.
    pub name: [u8; 16],
    /// The key of its encryption, used for nothing else.
    pub key: [u8; 32],
    /// The length of the file.
    pub bytes: u64,
}

impl MediaCopy<'_> {
    /// Its length before encryption: that of the file, padded with zeros to one of four sizes per doubling, so that it shows little about
    /// the file.
    pub fn padded_bytes(&self) -> u64 {
        let bytes = self.bytes.max(LEAST_BYTES);
        let step = (1_u64 << bytes.ilog2()) / 4;
        bytes.div_ceil(step) * step
    }

    /// The number of its segments.
    pub fn segments(&self) -> u64 {
        self.padded_bytes().div_ceil(SEGMENT_BYTES)
    }

    /// Its length as sent.
    pub fn sent_bytes(&self) -> u64 {
        self.padded_bytes() + self.segments() * TAG_BYTES
    }
}

/// The copies that phones load now: those of the present or next round, ordered by name, so that the order of the questions does not
/// show.
pub fn copies_ahead(state: &State) -> Vec<MediaCopy<'_>> {
    let round = match state.phase() {
        Phase::Lobby | Phase::Question => state.round(),
        Phase::RoundReview | Phase::Leaderboard => state.round() + 1,
        Phase::Ended => return Vec::new(),
    };
    let questions = state.quiz().rounds.get(round).map_or(&[][..], |round| &round.questions);
    let mut copies: Vec<_> = questions.iter().filter_map(|question| copy_for(state, question)).collect();
    copies.sort_unstable_by_key(|copy| copy.name);
    copies
}

/// The copy with this name, of any question of the game.
pub fn copy_named(state: &State, name: [u8; 16]) -> Option<MediaCopy<'_>> {
    let questions = state.quiz().rounds.iter().flat_map(|round| &round.questions);
    questions.filter_map(|question| copy_for(state, question)).find(|copy| copy.name == name)
}

/// The copy of a question's picture or sound; `None` when it has none.
pub fn copy_for<'a>(state: &State, question: &'a Question) -> Option<MediaCopy<'a>> {
    let media = question.media.as_ref()?;
    let bytes = u64::from(media.bytes?);
    let secret = derived(state.join_secret(), &[COPIES]);
    let id = question.id.uuid();
    let (name, key) = (derived(&secret, &[b"name", id.as_bytes()]), derived(&secret, &[b"key", id.as_bytes()]));
    let (name, _) = name.split_first_chunk()?;
    Some(MediaCopy { media, name: *name, key, bytes })
}

fn derived(secret: &[u8; 32], of: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    for part in of {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
