//! State → frames about time: timers, closed questions, the next step of the autopilot.

use bytes::Bytes;
use quizhall_protocol::to_all::{self, NextStep, QuestionClosed, TimerUpdate};
use quizhall_protocol::{ToAll, frame};
use quizhall_rules::{AutopilotStep, Moment, QuestionId, State, Step, TimeLeft};

use crate::ids::Participant;

/// `timer_update` of each timer that a participant may be sent of, as it is at a moment.
pub fn timer_updates(state: &State, participant: Participant, at: Moment) -> Vec<(Option<QuestionId>, Bytes)> {
    let update = |(left, extra): (TimeLeft, u64)| (left.question, timer_update(state, left, extra));
    match participant.player() {
        None => state.time_left(at).map(update).collect(),
        Some(player) => state.time_left_of(player, at).map(|left| update((left, 0))).collect(),
    }
}

/// The questions that take no answers of a participant; for the host those that take none of any player.
pub fn closed_for(state: &State, participant: Participant) -> Vec<QuestionId> {
    match participant.player() {
        None => state.closed_questions().collect(),
        Some(player) => state.closed_questions_for(player).collect(),
    }
}

/// `timer_update`: the time left of a timer at this moment, how much longer it runs at most, and whether it runs.
pub fn timer_update(state: &State, left: TimeLeft, extra: u64) -> Bytes {
    frame::text(&ToAll::TimerUpdate(TimerUpdate {
        question_id: left.question.map(QuestionId::uuid),
        remaining_ms: u32::try_from(left.ms).unwrap_or(u32::MAX),
        running: !state.are_timers_held(),
        extra_ms: u32::try_from(extra).ok().filter(|extra| *extra > 0),
    }))
}

/// `autopilot_step`.
pub fn autopilot_step(state: &State, next: (AutopilotStep, u64)) -> Bytes {
    frame::text(&ToAll::AutopilotStep(coming(state, next)))
}

/// The autopilot's next step, and the time left until then.
pub(super) fn coming(state: &State, (step, ms): (AutopilotStep, u64)) -> to_all::AutopilotStep {
    to_all::AutopilotStep {
        next: named(step),
        remaining_ms: u32::try_from(ms).unwrap_or(u32::MAX),
        running: !state.is_autopilot_held(),
    }
}

fn named(step: AutopilotStep) -> NextStep {
    match step {
        AutopilotStep::Tally(_) => NextStep::Tally,
        AutopilotStep::Next(Step::ReleaseQuestion(_)) => NextStep::Release,
        AutopilotStep::Next(Step::EndRound) => NextStep::EndRound,
        AutopilotStep::Next(Step::RevealAnswer(_)) => NextStep::RevealAnswer,
        AutopilotStep::Next(Step::Show(_)) => NextStep::Show,
        AutopilotStep::Next(Step::ReleaseScores) => NextStep::ReleaseScores,
        AutopilotStep::Next(Step::EndTieBreak) => NextStep::EndTieBreak,
        AutopilotStep::Next(Step::ShowStandings) => NextStep::ShowStandings,
        AutopilotStep::Next(Step::StartNextRound) => NextStep::StartNextRound,
        // An autopilot begins with the game at the earliest and ends with it, and a timer closes its questions.
        AutopilotStep::Next(Step::EndGame | Step::StartGame | Step::CloseQuestion(_) | Step::Nothing) => {
            NextStep::EndGame
        }
    }
}

/// `question_closed`.
pub fn question_closed(question: QuestionId) -> Bytes {
    frame::text(&ToAll::QuestionClosed(QuestionClosed { question_id: question.uuid() }))
}
