//! Whether an actor may send a command in the current phase, by the command's row of the table. `decide` calls it before it reads
//! anything else of the state.

use quizhall_quiz::CoHostRole;

use crate::base::{Device, Refusal};
use crate::command::{Actor, Command};
use crate::state::State;
use crate::table::{CommandRow, Sender};

/// Refuses a command from the wrong actor, in the wrong phase, or from a co-host with the wrong role.
pub(crate) fn check(state: &State, actor: Actor, command: &Command) -> Result<(), Refusal> {
    check_row(state, actor, command.row())
}

/// The same, for a command with this row.
pub(crate) fn check_row(state: &State, actor: Actor, row: &CommandRow) -> Result<(), Refusal> {
    if !includes(row.sender, actor) {
        return Err(Refusal::WrongRole);
    }
    let is_in_phase = row.phases.contains(&state.phase());
    match (actor.as_host(), row.sender) {
        (None, Sender::HostOrService(_)) => Ok(()),
        (_, Sender::Service) if !is_in_phase => Err(Refusal::Ended),
        _ if !is_in_phase => Err(Refusal::WrongPhase),
        (Some(device), Sender::Host(roles) | Sender::HostOrService(roles)) => check_role(state, device, roles),
        _ => Ok(()),
    }
}

fn includes(sender: Sender, actor: Actor) -> bool {
    match actor {
        Actor::Host | Actor::CoHost(_) => matches!(sender, Sender::Host(_) | Sender::HostOrService(_)),
        Actor::Player(_) | Actor::Device(..) => sender == Sender::Player,
        Actor::Service => matches!(sender, Sender::Service | Sender::HostOrService(_)),
    }
}

/// The host may send every command of a host from the first device; a co-host may send the commands of their role.
fn check_role(state: &State, device: Device, roles: &[CoHostRole]) -> Result<(), Refusal> {
    let role = state.co_hosts.role(device).ok_or(Refusal::WrongRole)?;
    if device.is_first() || roles.contains(&role) { Ok(()) } else { Err(Refusal::WrongRole) }
}
