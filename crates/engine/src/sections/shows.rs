//! The sections that each change may change, and the players whose facts they are.
//!
//! They are here and not in the table of the rules, which do not know the wire. The match is in full: a new change does not
//! compile without its sections, and a section that is left out fails a test that replays random games.

use std::slice::from_ref;

use quizhall_rules::{Change, PlayerId, Setting};

use super::{
    ADJUSTMENTS, ANSWER_REVEALED, APPEAL_STATUS, APPEALS, AUTOPILOT_STATUS, BREAK, ENTERED, GAME_INFO, GAME_OPTIONS,
    HOST_STATUS, JOKER_ROUND, JOKER_UPDATE, MEDIA_PRELOAD, Named, QUESTION_EDITED, QUESTION_WITHDRAWN, ROOM,
    ROUND_STARTED, STANDINGS_STATUS, STEP, Section, TALLY, TEAM_SHEET, TEAM_UPDATE, TIE_BREAK_ANSWER, TIE_BREAKS,
};

/// What a change may change for viewers.
#[derive(Debug, Clone, Copy)]
pub struct Shows<'a> {
    /// The sections, in the order on the wire.
    pub sections: &'static [&'static Section],
    /// The players whose facts they are.
    pub players: Named<'a>,
    /// Whether another phase may begin.
    pub is_phase: bool,
}

/// The sections of a change of the phase.
const PHASE: &[&Section] = &[
    &GAME_OPTIONS,
    &GAME_INFO,
    &ROUND_STARTED,
    &JOKER_ROUND,
    &STANDINGS_STATUS,
    &TALLY,
    &MEDIA_PRELOAD,
    &AUTOPILOT_STATUS,
    &TIE_BREAKS,
    &ANSWER_REVEALED,
    &QUESTION_EDITED,
    &QUESTION_WITHDRAWN,
    &STEP,
    &BREAK,
];

/// The sections that this change may change. Changes that players cause all the time, above all answers and presence, list no
/// section for all sockets.
#[expect(clippy::match_same_arms, reason = "grouped by what they are about")]
pub fn shows(change: &Change) -> Shows<'_> {
    use Change as C;
    match change {
        C::Started | C::RoundEnded | C::ScoresReleased { .. } | C::NextRoundStarted | C::Ended => {
            Shows { is_phase: true, ..all(PHASE) }
        }
        C::QuestionReleased { .. } => all(&[&JOKER_ROUND, &MEDIA_PRELOAD, &AUTOPILOT_STATUS, &STEP]),
        C::HostLeft | C::HostReturned => all(&[&HOST_STATUS]),
        C::PlayerRemoved { player, .. } => {
            of(player, &[&TALLY, &TIE_BREAKS, &ANSWER_REVEALED, &ADJUSTMENTS, &ROOM, &STEP])
        }
        C::PlayerRenamed { player, .. } => of(player, &[&TIE_BREAKS, &TEAM_UPDATE]),
        C::Claimed { .. } => all(&[&BREAK]),
        C::Closed => all(&[&AUTOPILOT_STATUS, &BREAK]),
        C::Answered { player, .. } | C::Suggested { player, .. } => of(player, &[&TEAM_SHEET]),
        C::Left { player, .. }
        | C::Returned { player, .. }
        | C::Disconnected { player, .. }
        | C::Connected { player, .. } => of(player, &[&TEAM_UPDATE, &ROOM]),
        C::DeviceAdded(added) => of(&added.player, &[&TEAM_UPDATE, &ROOM]),
        C::SeatMoved { player, .. } => of(player, &[&TEAM_UPDATE, &TEAM_SHEET, &ROOM]),
        C::Joined { player, .. } => of(player, &[&TEAM_UPDATE, &ROOM]),
        C::SeatAdded { player, .. } => of(player, &[&ROOM]),
        C::AnswerEntered { player, .. } => of(player, &[&ANSWER_REVEALED, &ENTERED]),
        // Applied answer by answer where a section shows answers.
        C::Answers(_) | C::AnswerOverridden { .. } | C::AnswersMarked { .. } => all(&[]),
        C::KeyChanged { .. } | C::MarkingUndone { .. } => all(&[]),
        C::Appealed { player, .. } | C::AppealDismissed { player, .. } => of(player, &[&APPEALS, &APPEAL_STATUS]),
        C::MarksCorrected { players, .. } => {
            Shows { players: Named::Only(players), ..all(&[&APPEALS, &APPEAL_STATUS, &STEP]) }
        }
        C::PointsAdjusted { player, .. } | C::AdjustmentUndone { player, .. } => of(player, &[&ADJUSTMENTS, &STEP]),
        C::QuestionEdited(_) => all(&[&ANSWER_REVEALED, &QUESTION_EDITED]),
        C::QuestionWithdrawn { .. } => all(&[&ANSWER_REVEALED, &QUESTION_WITHDRAWN, &STEP]),
        C::TallyShown { .. } => all(&[&TALLY, &AUTOPILOT_STATUS]),
        // It can end the round.
        C::AnswerRevealed { .. } => Shows { is_phase: true, ..all(PHASE) },
        C::TimerSet(_) | C::TimerHeld { .. } => all(&[&AUTOPILOT_STATUS]),
        C::ExtraTimeSet { player, .. } => of(player, &[&ROOM]),
        C::TimerMark { .. } | C::TimeOver { .. } => all(&[]),
        C::QuestionClosing { .. } | C::QuestionClosed { .. } => all(&[&STEP]),
        C::OptionsSet(_) => all(&[&ROOM, &GAME_OPTIONS, &JOKER_ROUND, &MEDIA_PRELOAD, &JOKER_UPDATE, &STEP]),
        C::AutopilotSet { .. } => all(&[&AUTOPILOT_STATUS]),
        C::BreakStarted { .. } | C::BreakEnded => all(&[&AUTOPILOT_STATUS, &BREAK]),
        C::BreakMark { .. } => all(&[&BREAK]),
        C::JokerPlayed { player, .. } => of(player, &[&JOKER_UPDATE, &ROOM]),
        C::TieBreakStarted { .. } | C::TieBreakEnded { .. } => all(&[&AUTOPILOT_STATUS, &TIE_BREAKS, &STEP, &BREAK]),
        C::TieBreakAnswered { player, .. } => of(player, &[&TIE_BREAKS, &TIE_BREAK_ANSWER]),
        C::CoHostAdded(_) | C::CoHostRemoved { .. } => all(&[]),
        C::ScreenAdded(_) | C::ScreenRemoved { .. } | C::Set(Setting::Spectators(_)) => all(&[&STEP]),
        C::Set(Setting::Screens(_)) => all(&[&STANDINGS_STATUS, &STEP, &BREAK]),
        C::Set(Setting::Locked(_)) => of_no_player(&[&ROOM]),
        C::Created(_) | C::SeatCodeIssued(_) => all(&[]),
    }
}

/// Facts of no player.
const fn of_no_player(sections: &'static [&'static Section]) -> Shows<'static> {
    Shows { players: Named::Only(&[]), ..all(sections) }
}

const fn all(sections: &'static [&'static Section]) -> Shows<'static> {
    Shows { sections, players: Named::All, is_phase: false }
}

fn of<'a>(player: &'a PlayerId, sections: &'static [&'static Section]) -> Shows<'a> {
    Shows { players: Named::Only(from_ref(player)), ..all(sections) }
}
