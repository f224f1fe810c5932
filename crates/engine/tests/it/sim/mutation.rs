//! Safety rules that can be taken out of a world, one at a time, to see whether the simulation would notice.
//!
//! Not here are rules that keep a game going and, as good as always, protect nothing. The record is changed by
//! compare-and-set so that nodes do not take one game from each other in turn; a node that claims without it is fenced by the
//! log. Only while a database that was set back waits for the newest owner can such a claim lose anything, which one seed
//! in some thousands shows. A node that stops waits for its last append so that no command has to be sent twice; without
//! that it is the lost task of an owner, which is among the faults.

use std::mem;

use bytes::Bytes;
use quizhall_protocol::shapes::QuestionResult;
use quizhall_protocol::{Role, ServerMessage, ToPlayer, frame, read_server_message};

use super::judge::texts;

/// Which rule is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// The store says "committed" before anything is durable, and a crash loses what is not.
    AckBeforeCommit,
    /// A row is accepted whatever row is before it, and numbered by the database.
    NoExists,
    /// A refused append is reported as committed: no owner is fenced.
    NoFence,
    /// A lost reply counts as success, unread.
    AmbiguousIsSuccess,
    /// A repeated command carries a fresh command id, on a bus that repeats frames often.
    NoIdempotence,
    /// The same bus and nothing missing: what shows [`Self::NoIdempotence`] must not be the bus. Not among [`Self::ALL`].
    OftenDoubled,
    /// A lost frame of events leaves no gap in the numbers.
    GapIgnored,
    /// Frames of old owners carry the newest epoch.
    EpochIgnored,
    /// The owner's answer comes without the sequence number it depends on.
    AnswerOvertakesEvents,
    /// The extension messages go to every socket.
    ExtensionForAll,
    /// A board for some goes to every socket.
    BoardsForAll,
    /// Every other change of the room is lost.
    ChangesLost,
    /// What needs no append is answered without a look at the log.
    NoLook,
    /// Frames of nodes that were removed from the list are accepted.
    RemovedAreAccepted,
    /// An owner that finds its log set back takes that for another owner's write.
    RewindIsFence,
    /// An edge shows new sockets its replica although the owner is on another node.
    OtherNodesTrusted,
    /// An edge that has received nothing for long shows new sockets what it has.
    StaleIsShown,
    /// A frame that waited for as long as its node slept says that the replica is recent, where one node always sleeps.
    BelatedCounts,
    /// The same sleep and nothing missing: what shows [`Self::BelatedCounts`] must not be the sleep. Not among [`Self::ALL`], and
    /// to be compared on one seed: a node that always sleeps may read late twice in a row, and then shows what it read.
    OftenAsleep,
    /// What was read of the log a while ago is taken for what comes next.
    OlderTailTaken,
    /// A snapshot is taken for a state of this log, whatever row is at its place.
    SnapshotTrusted,
    /// An expiry closes its question whatever the host has done to the timer since it ran out.
    ExpiryUnchecked,
    /// The autopilot takes its next step at once, however much of the break is left.
    NoBreak,
    /// A new owner goes on from the last mark, however little time that leaves.
    NoFloor,
    /// What has run out is closed at once, before what was sent in time can arrive.
    NoGrace,
    /// Players are sent scores as an earlier version counts them, without the points for streaks.
    StreaksUnknown,
    /// A timer closes for all when it is over for players without extra time.
    ExtraTimeIgnored,
    /// What closes a question for some players is sent to all.
    ClosedForAll,
    /// The end of a round reveals its first answer, which the host has not revealed.
    KeyBeforeReveal,
    /// A new owner goes on with a break from the last mark, however little time that leaves.
    NoBreakFloor,
    /// Players are sent scores as an earlier version counts them, without the points for speed.
    SpeedUnknown,
    /// Players are sent scores as an earlier version counts them, without the points for jokers.
    JokerUnknown,
    /// Every token that was ever good opens the seat.
    OldTokensCount,
    /// An edge passes on nothing of what its sockets measure: the owner's time counts, and with it the way there and back.
    SlowLineCosts,
    /// Half of the sheets that go to the phones of a team are lost.
    SheetsLost,
    /// Half of the marks that one host sets are not sent to the other.
    MarksLost,
    /// Half of the pictures do not reach their screens.
    PicturesLost,
}

impl Mutation {
    /// Whether it is looked for in games with screens.
    pub fn is_of_screens(self) -> bool {
        matches!(self, Self::PicturesLost)
    }

    /// How many times as often as usual a frame is doubled.
    pub fn doubling(self) -> u64 {
        if matches!(self, Self::NoIdempotence | Self::EpochIgnored | Self::OftenDoubled) { 10 } else { 1 }
    }

    /// Whether owners are to change often, on the same node.
    pub fn loses_owners(self) -> bool {
        matches!(self, Self::EpochIgnored)
    }

    /// Whether it is looked for in games with timers.
    pub fn is_of_timers(self) -> bool {
        let of_extra = matches!(self, Self::ExtraTimeIgnored | Self::ClosedForAll);
        let of_time = matches!(self, Self::ExpiryUnchecked | Self::NoBreak | Self::NoFloor | Self::NoGrace);
        let of_speed = matches!(self, Self::SpeedUnknown | Self::SlowLineCosts);
        of_extra || of_time || of_speed || self == Self::NoBreakFloor
    }

    /// Whether it is looked for in games with teams.
    pub fn is_of_teams(self) -> bool {
        matches!(self, Self::SheetsLost)
    }

    /// Whether it is looked for in games with a co-host.
    pub fn is_of_co_hosts(self) -> bool {
        matches!(self, Self::MarksLost)
    }

    /// Whether one node always sleeps, for long enough that the others play on, and nothing else goes wrong.
    pub fn sleeps(self) -> bool {
        matches!(self, Self::BelatedCounts | Self::OftenAsleep)
    }

    /// Within how many seeds it must show. Most show at once. What an earlier owner or a dead node may still say is little
    /// by now, and has to meet a late frame to do harm.
    pub fn seeds(self) -> u64 {
        let is_rare = matches!(self, Self::EpochIgnored | Self::RemovedAreAccepted | Self::StaleIsShown);
        if is_rare { 2_000 } else { 300 }
    }

    /// Whether it is looked for where nodes cannot reach each other, which makes silence, and shows nothing by itself.
    pub fn in_silence(self) -> bool {
        matches!(self, Self::StaleIsShown)
    }

    pub const ALL: [Self; 35] = [
        Self::AckBeforeCommit,
        Self::NoExists,
        Self::NoFence,
        Self::AmbiguousIsSuccess,
        Self::NoIdempotence,
        Self::GapIgnored,
        Self::EpochIgnored,
        Self::AnswerOvertakesEvents,
        Self::ExtensionForAll,
        Self::BoardsForAll,
        Self::ChangesLost,
        Self::NoLook,
        Self::RemovedAreAccepted,
        Self::RewindIsFence,
        Self::OtherNodesTrusted,
        Self::StaleIsShown,
        Self::BelatedCounts,
        Self::OlderTailTaken,
        Self::SnapshotTrusted,
        Self::ExpiryUnchecked,
        Self::NoBreak,
        Self::NoFloor,
        Self::NoGrace,
        Self::StreaksUnknown,
        Self::ExtraTimeIgnored,
        Self::ClosedForAll,
        Self::KeyBeforeReveal,
        Self::NoBreakFloor,
        Self::SpeedUnknown,
        Self::JokerUnknown,
        Self::SlowLineCosts,
        Self::OldTokensCount,
        Self::SheetsLost,
        Self::MarksLost,
        Self::PicturesLost,
    ];
}

/// A run of frames with scores as a world without this rule counts them.
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
