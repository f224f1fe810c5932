//! The section about the next step of the game, for those who may take it: `step_update`.

use quizhall_protocol::{ServerMessage, ToHost};

use super::{Fact, Section, Viewers};
use crate::wire::{FrameKind, NEXT_KEY, step_update};

/// The next step. What it waits for changes with each answer, and the edge paces it (`edge/waiting.rs`).
pub const STEP: Section = Section {
    message: "step_update",
    viewers: Viewers::Devices,
    render: |view| vec![Fact::of_game(ServerMessage::Host(ToHost::StepUpdate(step_update(view.state))))],
    is_same: |_, one, other| number(one) == number(other),
    kind: |_| FrameKind::Replace(NEXT_KEY),
    ..Section::PLAIN
};

fn number(message: &ServerMessage) -> Option<u32> {
    let ServerMessage::Host(ToHost::StepUpdate(update)) = message else { return None };
    Some(update.number)
}
