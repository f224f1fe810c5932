//! The rows of the changes: what each stops, and which personal data it holds.

use super::Feature::{
    Adjustments, Answers, Appeals, Autopilot, Breaks, CoHosts, Corrections, Course, ExtraTime, Jokers, Life, Marks,
    Paper, People, Screens, Seats, Settings, Showing, Teams, TieBreaks, Timers, Wording,
};
use super::{ChangeRow, Personal, Running};
use crate::event::{Bundle, Change};

const NOTHING: &[Running] = &[];
const AUTOPILOT: &[Running] = &[Running::Autopilot];
const BOTH: &[Running] = &[Running::Autopilot, Running::Break];

const NONE: &[Personal] = &[];
const NAME: &[Personal] = &[Personal::Name];
const TEXT: &[Personal] = &[Personal::Text];
const TOKEN: &[Personal] = &[Personal::Token];
const NAME_AND_TOKEN: &[Personal] = &[Personal::Name, Personal::Token];
const EXTRA_TIME: &[Personal] = &[Personal::ExtraTime];

impl Change {
    /// Its row of the table.
    // A row stays on one line.
    #[rustfmt::skip]
    pub const fn row(&self) -> &'static ChangeRow {
        use {Change as C, ChangeRow as Row};
        match self {
            C::Created(_) => &Row { kind: "created", since: 1, feature: Life, stops: NOTHING, holds: NONE },
            C::Claimed { .. } => &Row { kind: "claimed", since: 1, feature: Life, stops: NOTHING, holds: NONE },
            C::Closed => &Row { kind: "closed", since: 1, feature: Life, stops: BOTH, holds: NONE },
            C::Joined { .. } => &Row { kind: "joined", since: 1, feature: People, stops: NOTHING, holds: NAME_AND_TOKEN },
            C::Left { .. } => &Row { kind: "left", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::Returned { .. } => &Row { kind: "returned", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::Disconnected { .. } => &Row { kind: "disconnected", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::Connected { .. } => &Row { kind: "connected", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::HostLeft => &Row { kind: "host_left", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::HostReturned => &Row { kind: "host_returned", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::PlayerRemoved { .. } => &Row { kind: "player_removed", since: 1, feature: People, stops: NOTHING, holds: NONE },
            C::PlayerRenamed { .. } => &Row { kind: "player_renamed", since: 1, feature: People, stops: NOTHING, holds: NAME },
            C::Started => &Row { kind: "started", since: 1, feature: Course, stops: BOTH, holds: NONE },
            C::QuestionReleased { .. } => &Row { kind: "question_released", since: 1, feature: Course, stops: AUTOPILOT, holds: NONE },
            C::RoundEnded => &Row { kind: "round_ended", since: 1, feature: Course, stops: AUTOPILOT, holds: NONE },
            C::ScoresReleased { .. } => &Row { kind: "scores_released", since: 1, feature: Course, stops: BOTH, holds: NONE },
            C::NextRoundStarted => &Row { kind: "next_round_started", since: 1, feature: Course, stops: BOTH, holds: NONE },
            C::Ended => &Row { kind: "ended", since: 1, feature: Course, stops: BOTH, holds: NONE },
            C::Answered { .. } => &Row { kind: "answered", since: 1, feature: Answers, stops: NOTHING, holds: TEXT },
            C::Answers(_) => &Row { kind: "answers", since: Bundle::SINCE, feature: Answers, stops: NOTHING, holds: TEXT },
            C::AnswerOverridden { .. } => &Row { kind: "answer_overridden", since: 1, feature: Marks, stops: NOTHING, holds: NONE },
            C::AnswersMarked { .. } => &Row { kind: "answers_marked", since: 1, feature: Marks, stops: NOTHING, holds: TEXT },
            C::KeyChanged { .. } => &Row { kind: "key_changed", since: 1, feature: Marks, stops: NOTHING, holds: TEXT },
            C::MarkingUndone { .. } => &Row { kind: "marking_undone", since: 1, feature: Marks, stops: NOTHING, holds: NONE },
            C::MarksCorrected { .. } => &Row { kind: "marks_corrected", since: 1, feature: Corrections, stops: NOTHING, holds: NONE },
            C::Appealed { .. } => &Row { kind: "appealed", since: 1, feature: Appeals, stops: NOTHING, holds: TEXT },
            C::AppealDismissed { .. } => &Row { kind: "appeal_dismissed", since: 1, feature: Appeals, stops: NOTHING, holds: NONE },
            C::PointsAdjusted { .. } => &Row { kind: "points_adjusted", since: 2, feature: Adjustments, stops: NOTHING, holds: TEXT },
            C::AdjustmentUndone { .. } => &Row { kind: "adjustment_undone", since: 2, feature: Adjustments, stops: NOTHING, holds: NONE },
            C::TallyShown { .. } => &Row { kind: "tally_shown", since: 1, feature: Showing, stops: AUTOPILOT, holds: TEXT },
            C::AnswerRevealed { .. } => &Row { kind: "answer_revealed", since: 1, feature: Showing, stops: AUTOPILOT, holds: NONE },
            C::QuestionClosing { .. } => &Row { kind: "question_closing", since: 1, feature: Timers, stops: NOTHING, holds: NONE },
            C::OptionsSet(_) => &Row { kind: "options_set", since: 1, feature: Life, stops: NOTHING, holds: NONE },
            C::QuestionClosed { .. } => &Row { kind: "question_closed", since: 1, feature: Timers, stops: NOTHING, holds: NONE },
            C::TimerSet(_) => &Row { kind: "timer_set", since: 1, feature: Timers, stops: AUTOPILOT, holds: NONE },
            C::TimerHeld { .. } => &Row { kind: "timer_held", since: 1, feature: Timers, stops: AUTOPILOT, holds: NONE },
            C::TimerMark { .. } => &Row { kind: "timer_mark", since: 1, feature: Timers, stops: NOTHING, holds: NONE },
            C::ExtraTimeSet { .. } => &Row { kind: "extra_time_set", since: 1, feature: ExtraTime, stops: NOTHING, holds: EXTRA_TIME },
            C::TimeOver { .. } => &Row { kind: "time_over", since: 1, feature: ExtraTime, stops: NOTHING, holds: NONE },
            C::AutopilotSet { .. } => &Row { kind: "autopilot_set", since: 1, feature: Autopilot, stops: NOTHING, holds: NONE },
            C::BreakStarted { .. } => &Row { kind: "break_started", since: 1, feature: Breaks, stops: AUTOPILOT, holds: NONE },
            C::BreakMark { .. } => &Row { kind: "break_mark", since: 1, feature: Breaks, stops: NOTHING, holds: NONE },
            C::BreakEnded => &Row { kind: "break_ended", since: 1, feature: Breaks, stops: BOTH, holds: NONE },
            C::JokerPlayed { .. } => &Row { kind: "joker_played", since: 1, feature: Jokers, stops: NOTHING, holds: NONE },
            C::TieBreakStarted { .. } => &Row { kind: "tie_break_started", since: 1, feature: TieBreaks, stops: AUTOPILOT, holds: NONE },
            C::TieBreakAnswered { .. } => &Row { kind: "tie_break_answered", since: 1, feature: TieBreaks, stops: NOTHING, holds: TEXT },
            C::TieBreakEnded { .. } => &Row { kind: "tie_break_ended", since: 1, feature: TieBreaks, stops: BOTH, holds: NONE },
            C::QuestionEdited(_) => &Row { kind: "question_edited", since: 1, feature: Wording, stops: NOTHING, holds: NONE },
            C::QuestionWithdrawn { .. } => &Row { kind: "question_withdrawn", since: 1, feature: Wording, stops: NOTHING, holds: NONE },
            C::SeatCodeIssued(_) => &Row { kind: "seat_code_issued", since: 1, feature: Seats, stops: NOTHING, holds: TOKEN },
            C::SeatMoved { .. } => &Row { kind: "seat_moved", since: 1, feature: Seats, stops: NOTHING, holds: TOKEN },
            C::DeviceAdded(_) => &Row { kind: "device_added", since: 1, feature: Teams, stops: NOTHING, holds: NAME_AND_TOKEN },
            C::Suggested { .. } => &Row { kind: "suggested", since: 1, feature: Teams, stops: NOTHING, holds: TEXT },
            C::SeatAdded { .. } => &Row { kind: "seat_added", since: 1, feature: Paper, stops: NOTHING, holds: NAME },
            C::AnswerEntered { .. } => &Row { kind: "answer_entered", since: 1, feature: Paper, stops: NOTHING, holds: TEXT },
            C::CoHostAdded(_) => &Row { kind: "co_host_added", since: 1, feature: CoHosts, stops: NOTHING, holds: NONE },
            C::CoHostRemoved { .. } => &Row { kind: "co_host_removed", since: 1, feature: CoHosts, stops: NOTHING, holds: NONE },
            C::ScreenAdded(_) => &Row { kind: "screen_added", since: 1, feature: Screens, stops: NOTHING, holds: NONE },
            C::ScreenRemoved { .. } => &Row { kind: "screen_removed", since: 1, feature: Screens, stops: NOTHING, holds: NONE },
            // Stored under the name of the first setting.
            C::Set(_) => &Row { kind: "lock_changed", since: 1, feature: Settings, stops: NOTHING, holds: NONE },
        }
    }
}
