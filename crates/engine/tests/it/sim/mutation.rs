//! Safety rules that can be taken out of a world, one at a time, to see whether the simulation would notice.

/// Which rule is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// The store says "committed" before anything is durable, and a crash loses what is not.
    AckBeforeCommit,
    /// A row is taken whatever stands before it, and numbered by the database.
    NoExists,
    /// A refused append is reported as committed: nobody is fenced.
    NoFence,
    /// A lost reply counts as success, unread.
    AmbiguousIsSuccess,
    /// A repeated command carries a fresh stamp, on a bus that repeats frames often.
    NoIdempotence,
    /// The same bus and nothing missing: what shows [`Self::NoIdempotence`] must not be the bus. Not among [`Self::ALL`].
    OftenDoubled,
    /// A lost frame of events leaves no gap in the numbers.
    GapIgnored,
    /// Frames of old owners carry the newest epoch.
    EpochIgnored,
    /// The owner's answer comes without the sequence number it depends on.
    AnswerOvertakesEvents,
    /// The additions go to every socket.
    AdditionsForAll,
    /// Every other change of the room is lost.
    ChangesLost,
}

impl Mutation {
    /// How many times as often as usual a frame is doubled.
    pub fn doubling(self) -> u64 {
        if matches!(self, Self::NoIdempotence | Self::OftenDoubled) { 10 } else { 1 }
    }

    pub const ALL: [Self; 10] = [
        Self::AckBeforeCommit,
        Self::NoExists,
        Self::NoFence,
        Self::AmbiguousIsSuccess,
        Self::NoIdempotence,
        Self::GapIgnored,
        Self::EpochIgnored,
        Self::AnswerOvertakesEvents,
        Self::AdditionsForAll,
        Self::ChangesLost,
    ];
}
