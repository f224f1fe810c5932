//! The section about the autopilot: the host's plan (`autopilot_status`).

use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::to_all::AutopilotStatus;
use quizhall_protocol::{ServerMessage, ToAll};
use quizhall_rules::{Phase, State};

use super::Section;
use super::course::stated;

/// The plan, or that there is none. The end of the game needs no statement that the autopilot is over.
pub const AUTOPILOT_STATUS: Section = Section {
    message: "autopilot_status",
    opens: true,
    phases: &[Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    render: |view| stated(Some(ToAll::AutopilotStatus(AutopilotStatus { plan: plan(view.state) }))),
    is_assumed: |message| *message == ServerMessage::All(ToAll::AutopilotStatus(AutopilotStatus { plan: None })),
    ..Section::PLAIN
};

fn plan(state: &State) -> Option<AutopilotPlan> {
    state.autopilot().map(|plan| AutopilotPlan {
        answer_for: plan.answer_for.into(),
        reveal_for: plan.reveal_for.into(),
        break_for: plan.break_for.into(),
        hold_without_host: plan.hold_without_host,
        standings_for: plan.standings_for.map(Into::into),
        hold_for_marking: plan.hold_for_marking,
    })
}
