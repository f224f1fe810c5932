//! The section about the autopilot: the host's plan (`autopilot_status`).

use quizhall_protocol::to_all::AutopilotStatus;
use quizhall_protocol::{ServerMessage, ToAll};
use quizhall_rules::Phase;

use super::Section;
use super::course::stated;
use crate::wire::options::plan_body;

/// The plan, or that there is none. The end of the game needs no statement that the autopilot is over.
pub const AUTOPILOT_STATUS: Section = Section {
    message: "autopilot_status",
    opens: true,
    phases: &[Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    render: |view| {
        stated(Some(ToAll::AutopilotStatus(AutopilotStatus { plan: view.state.autopilot().map(plan_body) })))
    },
    is_assumed: |message| *message == ServerMessage::All(ToAll::AutopilotStatus(AutopilotStatus { plan: None })),
    ..Section::PLAIN
};
