//! What happened to a world: a counter per kind of fault and of rare path, so that a run can show that it met them all.

/// Every kind; each must have happened often in a full run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    OwnerCrash,
    NodeCrash,
    NodePause,
    RivalClaim,
    OwnerFenced,
    AppendRefused,
    CommitReplyLost,
    CommitFailed,
    CommitLate,
    AppendSlow,
    StoreStall,
    HeadUnread,
    FrameLost,
    FrameDoubled,
    FrameLate,
    SocketLost,
    SocketClosed,
    SocketDoubled,
    WentHome,
    SocketSlow,
    WrongPhase,
    UnknownQuestion,
    AnswerOutOfRange,
    AnswerCrossed,
    AnswerChanged,
    AnswerChangedBack,
    AnswerRepeated,
    JoinedLate,
    JoinRepeated,
    LeftLobby,
    PlayerRemoved,
    GameLocked,
    HostRepeats,
    HostRaces,
    StorageTimeout,
    StateTransfer,
    HostAway,
    PlayerAway,
    AnswersMarked,
    MarkingUndone,
    FoundAway,
}

impl Kind {
    pub const COUNT: usize = Self::FoundAway as usize + 1;

    pub const ALL: [Self; Self::COUNT] = [
        Self::OwnerCrash,
        Self::NodeCrash,
        Self::NodePause,
        Self::RivalClaim,
        Self::OwnerFenced,
        Self::AppendRefused,
        Self::CommitReplyLost,
        Self::CommitFailed,
        Self::CommitLate,
        Self::AppendSlow,
        Self::StoreStall,
        Self::HeadUnread,
        Self::FrameLost,
        Self::FrameDoubled,
        Self::FrameLate,
        Self::SocketLost,
        Self::SocketClosed,
        Self::SocketDoubled,
        Self::WentHome,
        Self::SocketSlow,
        Self::WrongPhase,
        Self::UnknownQuestion,
        Self::AnswerOutOfRange,
        Self::AnswerCrossed,
        Self::AnswerChanged,
        Self::AnswerChangedBack,
        Self::AnswerRepeated,
        Self::JoinedLate,
        Self::JoinRepeated,
        Self::LeftLobby,
        Self::PlayerRemoved,
        Self::GameLocked,
        Self::HostRepeats,
        Self::HostRaces,
        Self::StorageTimeout,
        Self::StateTransfer,
        Self::HostAway,
        Self::PlayerAway,
        Self::AnswersMarked,
        Self::MarkingUndone,
        Self::FoundAway,
    ];
}

/// How often each happened.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    counts: Vec<u64>,
}

impl Coverage {
    pub fn note(&mut self, kind: Kind) {
        self.counts.resize(Kind::COUNT, 0);
        self.counts[kind as usize] += 1;
    }

    pub fn of(&self, kind: Kind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or_default()
    }

    pub fn add(&mut self, other: &Self) {
        self.counts.resize(Kind::COUNT, 0);
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
    }
}
