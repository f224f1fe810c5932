//! The common checks of several commands: the sender, and the kind of the question that they name.

use quizhall_quiz::{QuestionId, QuestionKind};

use crate::base::{Device, Moment, Player, Refusal};
use crate::command::Actor;
use crate::state::State;

/// The sender, and the moment of the decision.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub actor: Actor,
    pub at: Moment,
}

/// The player who sent a command, with the device.
pub(super) fn sender(state: &State, actor: Actor) -> Result<(&Player, Device), Refusal> {
    let (player, device) = actor.as_player().ok_or(Refusal::WrongRole)?;
    let known = state.player(player).filter(|known| known.is_device_connected(device).is_some());
    known.map(|known| (known, device)).ok_or(Refusal::UnknownPlayer)
}

/// Refuses a question that is not released in this round, and a question of a kind without such a command.
pub(super) fn check_kind(state: &State, question: QuestionId, is_fit: fn(QuestionKind) -> bool) -> Result<(), Refusal> {
    let released = state.question(question).filter(|_| state.is_released(question));
    if released.is_some_and(|released| is_fit(released.kind)) { Ok(()) } else { Err(Refusal::UnknownQuestion) }
}
