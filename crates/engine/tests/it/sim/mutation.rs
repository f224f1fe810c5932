//! Safety rules that can be removed from a world, one at a time, to see whether the simulation notices.
//!
//! Rules that only keep a game running, and protect almost nothing, are not here. The record is changed by compare-and-set so that
//! nodes do not take one game from each other in turn; a node that claims without it is fenced by the log. Such a claim can lose
//! something only while a database that was set back waits for the newest owner, which one seed in some thousands shows. A node
//! that stops waits for its last append so that no command has to be sent twice; without that, it is the same as the lost task of
//! an owner, which is among the faults.

use std::mem;
use std::ops::Range;

use bytes::Bytes;
use quizhall_protocol::shapes::QuestionResult;
use quizhall_protocol::{Role, ServerMessage, ToPlayer, frame, read_server_message};

use super::judge::texts;

/// The enumeration with the list of its rules.
macro_rules! rules {
    ($($(#[$about:meta])* $rule:ident,)*) => {
        /// The rule that is removed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mutation {
            $($(#[$about])* $rule,)*
            // Worlds without a missing rule.
            /// The same bus without a missing rule: it must not be the bus that shows [`Self::NoIdempotence`].
            OftenDoubled,
            /// The same sleep without a missing rule: it must not be the sleep that shows [`Self::BelatedCounts`]. To be compared on one
            /// seed: a node that always sleeps may read late twice in a row, and then shows what it read.
            OftenAsleep,
        }

        impl Mutation {
            /// The rules; without any of them the simulation must fail.
            pub const ALL: &[Self] = &[$(Self::$rule,)*];
        }
    };
}

rules! {
    /// The store reports "committed" before anything is durable, and a crash loses what is not.
    AckBeforeCommit,
    /// A row is accepted whatever row precedes it, and numbered by the database.
    NoExists,
    /// A refused append is reported as committed: no owner is fenced.
    NoFence,
    /// A lost reply counts as success, without reading the log.
    AmbiguousIsSuccess,
    /// A repeated command gets a new command id, on a bus that often repeats frames.
    NoIdempotence,
    /// A lost frame of events leaves no gap in the numbers.
    GapIgnored,
    /// Frames of old owners carry the newest epoch.
    EpochIgnored,
    /// The owner's answer lacks the sequence number that it depends on.
    AnswerOvertakesEvents,
    /// The extension messages go to every socket.
    ExtensionForAll,
    /// A board for some participants is sent to every socket.
    BoardsForAll,
    /// Every other change of the room is lost.
    ChangesLost,
    /// Frames that need no append are sent without reading the head of the log.
    NoLook,
    /// Frames of nodes that were removed from the list are accepted.
    RemovedAreAccepted,
    /// An owner that finds its log set back considers that another owner's write.
    RewindIsFence,
    /// An edge shows new sockets its replica although the owner is on another node.
    OtherNodesTrusted,
    /// An edge shows new sockets its replica while the owner on its node waits for an append.
    AppendNotAwaited,
    /// An edge that has received nothing for long shows new sockets its replica.
    StaleIsShown,
    /// A frame that waited while its node slept counts as a sign that the replica is recent, where one node always sleeps.
    BelatedCounts,
    /// A part of the log that was read earlier is applied as the next one.
    OlderTailTaken,
    /// A snapshot is used as a state of this log, whatever row is at its place.
    SnapshotTrusted,
    /// An expiry closes its question whatever the host has done to the timer since it ran out.
    ExpiryUnchecked,
    /// The autopilot takes its next step at once, however much of the break is left.
    NoBreak,
    /// A new owner continues from the last mark, however little time that leaves.
    NoFloor,
    /// A question is closed as soon as its time is over, before answers that were sent in time can arrive.
    NoGrace,
    /// Players are sent scores as an earlier version counts them, without the points for streaks.
    StreaksUnknown,
    /// A timer closes for all when it is over for players without extra time.
    ExtraTimeIgnored,
    /// The closing of a question for some players is sent to all.
    ClosedForAll,
    /// The end of a round reveals its first answer, which the host has not revealed.
    KeyBeforeReveal,
    /// A new owner continues a break from the last mark, however little time that leaves.
    NoBreakFloor,
    /// Players are sent scores as an earlier version counts them, without the points for speed.
    SpeedUnknown,
    /// Players are sent scores as an earlier version counts them, without the points for jokers.
    JokerUnknown,
    /// Every earlier token of a seat still opens it.
    OldTokensCount,
    /// An edge does not pass on what its sockets measure: the owner's time counts, with the delay in both directions.
    SlowLineCosts,
    /// Half of the sheets that go to the phones of a team are lost.
    SheetsLost,
    /// Half of the marks of one host are not sent to the other.
    MarksLost,
    /// Half of the pictures do not reach their screens.
    PicturesLost,
    /// Each answer of a bundle is read with the text of the next.
    TextsShifted,
    /// A bundle of a socket that was replaced counts as one of the newer socket.
    SessionUnchecked,
    /// A bundle is stored after the closing of its question that was decided after it.
    ClosedIsTaken,
    /// What the owner refuses of a bundle is acknowledged.
    RefusedIsDone,
}

impl Mutation {
    /// Whether this rule is tested in games with screens.
    pub fn is_of_screens(self) -> bool {
        matches!(self, Self::PicturesLost)
    }

    /// How many times as often as usual a frame is doubled.
    pub fn doubling(self) -> u64 {
        let often = [Self::NoIdempotence, Self::EpochIgnored, Self::OftenDoubled, Self::SessionUnchecked];
        if often.contains(&self) { 10 } else { 1 }
    }

    /// Whether owners change often, on the same node.
    pub fn loses_owners(self) -> bool {
        matches!(self, Self::EpochIgnored)
    }

    /// Whether this rule is tested in games with timers.
    pub fn is_of_timers(self) -> bool {
        let of_extra = matches!(self, Self::ExtraTimeIgnored | Self::ClosedForAll);
        let of_time = matches!(self, Self::ExpiryUnchecked | Self::NoBreak | Self::NoFloor | Self::NoGrace);
        let of_speed = matches!(self, Self::SpeedUnknown | Self::SlowLineCosts);
        of_extra || of_time || of_speed || self == Self::NoBreakFloor
    }

    /// Whether this rule is tested in games with teams.
    pub fn is_of_teams(self) -> bool {
        matches!(self, Self::SheetsLost)
    }

    /// Whether this rule is tested in games with a co-host.
    pub fn is_of_co_hosts(self) -> bool {
        matches!(self, Self::MarksLost)
    }

    /// Whether one node always sleeps, long enough that the others continue, and no other fault happens.
    pub fn sleeps(self) -> bool {
        matches!(self, Self::BelatedCounts | Self::OftenAsleep)
    }

    /// The seeds within which it must be noticed. Most are noticed at once. What an earlier owner or a dead node may still send
    /// is rare, and does harm only together with a late frame. The search begins shortly before the seed that noticed it last,
    /// which saves most of the time of this test. Doubled frames break nothing: each of their seeds is played to its end.
    pub fn seeds(self) -> Range<u64> {
        match self {
            Self::RemovedAreAccepted => 290..2_290,
            Self::StaleIsShown => 2_130..4_130,
            Self::EpochIgnored => 60..2_060,
            Self::OftenDoubled => 0..60,
            Self::SessionUnchecked => 2_410..4_410,
            Self::NoBreakFloor | Self::AppendNotAwaited | Self::OldTokensCount => 50..350,
            _ => 0..300,
        }
    }

    /// Whether this rule is tested where nodes cannot reach each other, which causes silence, and shows nothing by itself.
    pub fn in_silence(self) -> bool {
        matches!(self, Self::StaleIsShown)
    }
}

/// A run of frames with the scores of a world without this rule.
pub fn miscounted(run: Bytes, mutation: Option<Mutation>) -> Bytes {
    let take: fn(&mut QuestionResult) -> i32 = match mutation {
        Some(Mutation::StreaksUnknown) => |result| mem::take(&mut result.streak_points).cast_signed(),
        Some(Mutation::SpeedUnknown) => |result| mem::take(&mut result.speed_points).cast_signed(),
        Some(Mutation::JokerUnknown) => |result| mem::take(&mut result.joker_points),
        _ => return run,
    };
    let frames = texts(&run).into_iter().map(|text| match read_server_message(&text, Role::Player) {
        Ok(Some(ServerMessage::Player(ToPlayer::RoundScores(mut scores)))) => {
            for result in &mut scores.results {
                result.points -= take(result);
            }
            scores.round_total = scores.results.iter().map(|result| i64::from(result.points)).sum();
            frame::text(&ToPlayer::RoundScores(scores))
        }
        _ => frame::text_of_json(&[text.as_bytes()]),
    });
    frames.collect::<Vec<_>>().concat().into()
}
