//! The section about the next step of the game, for those who may take it: `step_update`.

use quizhall_protocol::{ServerMessage, ToHost};
use quizhall_rules::State;

use super::{Fact, Section, Viewers};
use crate::wire::{FrameKind, NEXT_KEY, step_update};

/// The next step. What it waits for changes with each answer, and the edge paces it (`edge/waiting.rs`).
pub const STEP: Section = Section {
    message: "step_update",
    viewers: Viewers::Devices,
    render: |view| vec![Fact::of_game(ServerMessage::Host(ToHost::StepUpdate(step_update(view.state))))],
    number: Some(State::step_number),
    kind: |_| FrameKind::Replace(NEXT_KEY),
    ..Section::PLAIN
};
