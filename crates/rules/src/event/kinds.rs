//! What can be asked of any change: its kind, as the log spells it, and who sent the message that caused it. Nothing but the kind is ever
//! printed of an event: it holds answers and names.

use std::fmt;

use super::{Change, Created};
use crate::{Device, PlayerId};

impl Change {
    /// The kind as the log spells it, for logs and metrics.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Claimed { .. } => "claimed",
            Self::Joined { .. } => "joined",
            Self::Left { .. } => "left",
            Self::Returned { .. } => "returned",
            Self::Disconnected { .. } => "disconnected",
            Self::Connected { .. } => "connected",
            Self::HostLeft => "host_left",
            Self::HostReturned => "host_returned",
            Self::Started => "started",
            Self::QuestionReleased { .. } => "question_released",
            Self::Answered { .. } => "answered",
            Self::QuestionClosed { .. } => "question_closed",
            Self::TimerSet(_) => "timer_set",
            Self::TimerHeld { .. } => "timer_held",
            Self::TimerMark { .. } => "timer_mark",
            Self::AutopilotSet { .. } => "autopilot_set",
            Self::RoundEnded => "round_ended",
            Self::AnswerOverridden { .. } => "answer_overridden",
            Self::AnswersMarked { .. } => "answers_marked",
            Self::KeyChanged { .. } => "key_changed",
            Self::MarksCorrected { .. } => "marks_corrected",
            Self::Appealed { .. } => "appealed",
            Self::AppealDismissed { .. } => "appeal_dismissed",
            Self::MarkingUndone { .. } => "marking_undone",
            Self::TallyShown { .. } => "tally_shown",
            Self::ScoresReleased { .. } => "scores_released",
            Self::NextRoundStarted => "next_round_started",
            Self::Ended => "ended",
            Self::PlayerRemoved { .. } => "player_removed",
            Self::Set(_) => "lock_changed",
            Self::Closed => "closed",
            Self::ExtraTimeSet { .. } => "extra_time_set",
            Self::TimeOver { .. } => "time_over",
            Self::AnswerRevealed { .. } => "answer_revealed",
            Self::BreakStarted { .. } => "break_started",
            Self::BreakMark { .. } => "break_mark",
            Self::BreakEnded => "break_ended",
            Self::JokerPlayed { .. } => "joker_played",
            Self::ScreenAdded(_) => "screen_added",
            Self::ScreenRemoved { .. } => "screen_removed",
            Self::CoHostAdded(_) => "co_host_added",
            Self::CoHostRemoved { .. } => "co_host_removed",
            Self::TieBreakStarted { .. } => "tie_break_started",
            Self::TieBreakAnswered { .. } => "tie_break_answered",
            Self::TieBreakEnded { .. } => "tie_break_ended",
            Self::SeatCodeIssued(_) => "seat_code_issued",
            Self::SeatMoved { .. } => "seat_moved",
            Self::QuestionEdited(_) => "question_edited",
            Self::QuestionWithdrawn { .. } => "question_withdrawn",
            Self::PlayerRenamed { .. } => "player_renamed",
            Self::SeatAdded { .. } => "seat_added",
            Self::AnswerEntered { .. } => "answer_entered",
            Self::DeviceAdded(_) => "device_added",
            Self::Suggested { .. } => "suggested",
        }
    }

    /// Which player sent the message that caused it, over which device; none for what the host or the service did.
    pub const fn sender(&self) -> Option<(PlayerId, Device)> {
        match self {
            Self::Answered { player, device, .. }
            | Self::Suggested { player, device, .. }
            | Self::JokerPlayed { player, device, .. }
            | Self::Appealed { player, device, .. }
            | Self::TieBreakAnswered { player, device, .. } => Some((*player, *device)),
            _ => None,
        }
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Change({})", self.kind())
    }
}

impl fmt::Debug for Created {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Created").field("game", &self.game).finish_non_exhaustive()
    }
}
