//! Judges joins, phones of teams, presence, removals, and seats that move to another phone. Never changes anything.

use super::verdict::Verdict;
use crate::base::{Device, Phase, PlayerId, Refusal, TokenHash};
use crate::command::{AddDevice, Join, SeatMove};
use crate::event::Change;
use crate::people::seats::SeatCode;
use crate::people::teams::AddedDevice;
use crate::state::State;

/// A repeated join is answered first: the player exists, even if the game has been locked or filled since.
pub(crate) fn judge_join(state: &State, join: &Join) -> Verdict {
    if let Some(slot) = state.roster.find(join.player) {
        let player = state.roster.player(slot);
        let same = !player.removed && player.token == join.token;
        return if same { Ok(None) } else { Err(Refusal::IdempotencyMismatch) };
    }
    // Ids and keys of removed players are kept, so a removed player cannot return by repeating a request.
    if join.idempotency.is_some_and(|key| state.roster.find_idempotency(&key).is_some()) {
        return Err(Refusal::IdempotencyMismatch);
    }
    if join.team.is_some() && state.teams().is_none() {
        return Err(Refusal::NoTeams);
    }
    if state.is_locked() {
        return Err(Refusal::Locked);
    }
    if state.roster.is_taken(&join.display_name) {
        return Err(Refusal::NameTaken);
    }
    if state.player_count() >= usize::try_from(join.player_limit).unwrap_or(usize::MAX) {
        return Err(Refusal::Full);
    }
    if join.team.is_some_and(|code| state.team_of(code).is_some()) {
        return Err(Refusal::TeamCodeTaken);
    }
    Ok(Some(Change::Joined {
        player: join.player,
        display_name: join.display_name.clone(),
        token: join.token,
        idempotency: join.idempotency,
        team: join.team,
    }))
}

/// A repeated request is recognised by its token. A locked game still accepts phones of its teams.
pub(crate) fn judge_device(state: &State, asked: &AddDevice) -> Verdict {
    let teams = state.teams().ok_or(Refusal::NoTeams)?;
    if state.device_by_token(&asked.token).is_some() {
        return Ok(None);
    }
    // Tokens and keys of removed teams are kept, like those of removed players.
    let key = asked.idempotency.and_then(|key| state.roster.find_idempotency(&key));
    if key.is_some() || state.roster.find_token(&asked.token).is_some() {
        return Err(Refusal::IdempotencyMismatch);
    }
    let team = state.team_of(asked.team).ok_or(Refusal::UnknownTeam)?;
    if team.has_phone_like(&asked.display_name) {
        return Err(Refusal::NameTaken);
    }
    if team.phones().filter(|phone| !phone.removed).count() >= usize::from(teams.devices) || !team.has_number_left() {
        return Err(Refusal::TeamFull);
    }
    let AddDevice { device, display_name, token, idempotency, .. } = asked.clone();
    Ok(Some(Change::DeviceAdded(AddedDevice { player: team.id, device, display_name, token, idempotency }.into())))
}

/// A player can leave only the lobby; later the player is disconnected. Presence is not stored once the game is over.
pub(crate) fn judge_leave(state: &State, player: PlayerId, device: Device) -> Option<Change> {
    let was_here = state.player(player)?.is_device_connected(device)?;
    match state.phase() {
        Phase::Lobby => was_here.then_some(Change::Left { player, device }),
        Phase::Ended => None,
        _ => was_here.then_some(Change::Disconnected { player, device }),
    }
}

/// A team that had left returns with the first of its phones.
pub(crate) fn judge_return(state: &State, player: PlayerId, device: Device) -> Option<Change> {
    let known = state.player(player).filter(|_| state.phase() != Phase::Ended)?;
    match (known.present, known.is_device_connected(device)?) {
        (false, _) => Some(Change::Returned { player, device }),
        (true, false) => Some(Change::Connected { player, device }),
        (true, true) => None,
    }
}

/// A repeated request does nothing. A removed phone has no seat, except the first phone: without it, a team with a captain could
/// not answer.
pub(crate) fn judge_seat_code(state: &State, code: SeatCode) -> Verdict {
    let known = state.player(code.player).filter(|player| player.is_device_connected(code.device).is_some());
    let known = known.filter(|player| code.device.is_first() || !player.is_phone_removed(code.device));
    if known.is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    Ok((!state.seats.has_code(&code)).then_some(Change::SeatCodeIssued(code)))
}

/// A repeated request is recognised by its token until the seat moves again.
pub(crate) fn judge_seat_move(state: &State, SeatMove { code, token, at_ms }: &SeatMove) -> Verdict {
    if state.player_by_token(token).is_some() {
        return Ok(None);
    }
    let (player, device) = state.seat_of_code(code, *at_ms).ok_or(Refusal::UnknownSeatCode)?;
    Ok(Some(Change::SeatMoved { player, device, token: *token }))
}

/// Revokes the phone's token. Nothing is done for a phone that was already removed.
pub(crate) fn judge_phone_removal(state: &State, player: PlayerId, device: Device) -> Verdict {
    let team = state.player(player).filter(|player| player.team_code().is_some());
    let team = team.filter(|team| team.is_device_connected(device).is_some()).ok_or(Refusal::UnknownPlayer)?;
    let is_there = !team.is_phone_removed(device);
    Ok(is_there.then_some(Change::SeatMoved { player, device, token: TokenHash::NOBODYS }))
}

/// A removed player can still be banned.
pub(crate) fn judge_remove(state: &State, player: PlayerId, banned: bool) -> Verdict {
    match state.roster.find(player).map(|slot| state.roster.player(slot)) {
        None => Err(Refusal::UnknownPlayer),
        Some(known) if known.removed && (known.banned || !banned) => Ok(None),
        Some(_) => Ok(Some(Change::PlayerRemoved { player, banned })),
    }
}

pub(crate) fn judge_host(state: &State, present: bool) -> Option<Change> {
    let changes = state.is_host_present() != present && state.phase() != Phase::Ended;
    changes.then_some(if present { Change::HostReturned } else { Change::HostLeft })
}
