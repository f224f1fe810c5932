//! Counts what happened to a world, per kind of fault and of rare path, so that a run can show that it covered them all.

use quizhall_engine::Time;

use super::BusIs;

/// The enumeration with the list of all its kinds.
macro_rules! kinds {
    ($($kind:ident,)*) => {
        /// Every kind; each must happen often in a full run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub const ALL: [Self; Self::COUNT] = [$(Self::$kind,)*];
        }
    };
}

kinds! {
    OwnerCrash,
    NodeCrash,
    NodePause,
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
    FrameBelated,
    FrameUnsent,
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
    TallyShown,
    HostRepeats,
    HostRaces,
    StorageTimeout,
    StateTransfer,
    HostAway,
    PlayerAway,
    AnswersMarked,
    KeyChanged,
    DeskHeard,
    MarksCorrected,
    PointsAdjusted,
    AdjustmentUndone,
    Appealed,
    AppealDismissed,
    QuestionEdited,
    QuestionWithdrawn,
    PlayerRenamed,
    SeatAdded,
    AnswerEntered,
    MarkingUndone,
    StandingsHeld,
    StandingsShown,
    StepTaken,
    PictureShown,
    StepRaced,
    QuestionClosed,
    QuestionClosing,
    OptionsSet,
    RoundTimedOut,
    TimerSet,
    TimersHeld,
    TimersMarked,
    AutopilotSet,
    AutopilotReleased,
    ExtraTimeSet,
    TimeOver,
    AnswerRevealed,
    BreakStarted,
    BreakMarked,
    BreakOver,
    JokerPlayed,
    TieBreakStarted,
    TieBreakAnswered,
    TieBreakEnded,
    SeatMoved,
    CoHostMarked,
    CoHostRemoved,
    ScreenShown,
    ScreenRemoved,
    PhoneJoined,
    PhoneRemoved,
    SheetShared,
    Suggested,
    FoundAway,
    RewindNoticed,
    SetBack,
    StateLate,
    TailOlder,
    TailRead,
    AnswerLost,
    ClaimLost,
    ReplicaClaimed,
    ReplicaBehind,
    OwnerRetired,
    UnsubscribeSent,
    FrameOvertakes,
    OldVersion,
    NodeEvicted,
    NodeRelisted,
    NodeRejoined,
    NodeDrained,
    EdgeForgotten,
    SocketWaits,
    ClientGivesUp,
    LongPause,
    BusCutOneWay,
    BusCutBothWays,
    BusCutOff,
    BusDead,
    BusDeadAndNear,
    BundleReceived,
    BundleStored,
    AttachedTogether,
    OutcomesTogether,
    VersionsMixed,
    StoreCut,
    StoreDown,
    SnapshotWritten,
    SnapshotCut,
    SnapshotDamaged,
    SnapshotOtherFormat,
    SnapshotStale,
    SnapshotUsed,
    SnapshotOlder,
    SnapshotNone,
    ProbeCrash,
    ProbeSilence,
}

impl Kind {
    pub const COUNT: usize = Self::ProbeSilence as usize + 1;

    /// How often it must happen in a thousand seeds. Some kinds need several conditions at once:
    /// * a node that is removed twice: a database that forgets the first removal within a renewal;
    /// * an old tail of the log: an answer that is late and overtaken by the owner's events;
    /// * a lost claim: two nodes that miss the owner within a few milliseconds;
    /// * a replica that is behind the log at a claim: an owner that dies between a commit and its frames;
    /// * an unsent frame: a node that crashes within milliseconds of its decision;
    /// * a removed phone: a team, and a host who strays;
    /// * a dismissed appeal: a round whose scores are released early;
    /// * a probe of a silence: an owner whose game has sockets elsewhere.
    pub fn wanted(self) -> u64 {
        if matches!(
            self,
            Self::NodeRelisted
                | Self::TailOlder
                | Self::ClaimLost
                | Self::ReplicaBehind
                | Self::FrameUnsent
                | Self::PhoneRemoved
                | Self::SeatMoved
                | Self::AppealDismissed
                | Self::ProbeSilence
                | Self::TimeOver
                | Self::BreakOver
                | Self::AutopilotReleased
        ) {
            30
        } else {
            100
        }
    }
}

/// How often each kind happened.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    counts: Vec<u64>,
    /// The longest take-over after a crash, and after a silent cut.
    longest: [Time; 2],
}

impl Coverage {
    pub fn note(&mut self, kind: Kind) {
        self.counts.resize(Kind::COUNT, 0);
        self.counts[kind as usize] += 1;
    }

    pub fn note_setting(&mut self, bus: BusIs, mixed: bool) {
        match bus {
            BusIs::Alive => {}
            BusIs::DeadAndNear => self.note(Kind::BusDeadAndNear),
            BusIs::Dead => self.note(Kind::BusDead),
        }
        if mixed {
            self.note(Kind::VersionsMixed);
        }
    }

    /// Records a measured take-over.
    pub fn took(&mut self, silent: bool, time: Time) {
        let longest = &mut self.longest[usize::from(silent)];
        *longest = time.max(*longest);
    }

    pub fn longest(&self) -> [Time; 2] {
        self.longest
    }

    pub fn of(&self, kind: Kind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or_default()
    }

    pub fn add(&mut self, other: &Self) {
        self.counts.resize(Kind::COUNT, 0);
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        for (mine, theirs) in self.longest.iter_mut().zip(&other.longest) {
            *mine = (*mine).max(*theirs);
        }
    }
}
