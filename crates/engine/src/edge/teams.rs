//! What the phones of a team are sent of each other, and of their sheet.
//!
//! Called by `events` behind the event's own messages. Which phones a team has is in the replica; which are here, in `sessions`.

use bytes::Bytes;
use quizhall_rules::{Change, Device, Event, Phase, PlayerId};

use super::extension::Touched;
use super::sessions::Session;
use super::{Edge, EdgeEffect, sender_of};
use crate::ids::{ConnectionId, Participant};
use crate::wire::{self, FrameKind};

impl Edge {
    /// The sockets here of a player's devices, in order of joining.
    pub(super) fn phones(&self, player: PlayerId) -> impl Iterator<Item = ConnectionId> {
        self.phones_with_devices(player).map(|(connection, _)| connection)
    }

    /// Those that have the extension.
    pub(super) fn phones_v1(&self, player: PlayerId) -> impl Iterator<Item = ConnectionId> {
        let has_extension = |to: &ConnectionId| self.sessions.get(*to).is_some_and(Session::has_extension);
        self.phones(player).filter(has_extension)
    }

    fn phones_with_devices(&self, player: PlayerId) -> impl Iterator<Item = (ConnectionId, Device)> {
        // A removed team still has the sockets that are to be closed.
        let known = self.state().into_iter().flat_map(move |state| state.devices_of(player));
        known.filter_map(move |device| {
            let connection = self.sessions.of(Participant::player_over(player, device))?;
            Some((connection, device))
        })
    }

    /// A player came or left, unless another phone of the team was here before or still is.
    pub(super) fn lobby_changed(&mut self, player: PlayerId, touched: &Touched) {
        let present = self.state().and_then(|state| state.player(player)).is_some_and(|player| player.present);
        if !matches!(touched, Touched::Presence(before) if *before == present) {
            self.pacing.lobby.player_changed(player);
        }
    }

    /// Sends the phones of a team what the event changes for them.
    pub(super) fn send_team(&mut self, event: &Event, effects: &mut Vec<EdgeEffect>) {
        match &event.change {
            Change::DeviceAdded(added) => self.send_team_update(added.player, effects),
            Change::Left { player, .. }
            | Change::Returned { player, .. }
            | Change::Disconnected { player, .. }
            | Change::Connected { player, .. }
            | Change::PlayerRenamed { player, .. } => self.send_team_update(*player, effects),
            Change::Answered { player, question, .. } => {
                let line = self.state().and_then(|state| wire::teams::answered(state, *player, *question));
                self.send_line(*player, line, effects);
            }
            Change::Suggested { player, device, question, .. } => {
                let of_phone = (*player, *device);
                let line = self.state().and_then(|state| wire::teams::suggested(state, of_phone, *question));
                self.send_line(*player, line, effects);
                if let Some(sender) = self.sessions.of(sender_of(event)) {
                    self.note_shown(sender, event.command_id);
                }
            }
            Change::SeatMoved { player, token, .. } if token.is_nobodys() => {
                self.send_team_update(*player, effects);
                // What the phone had suggested has gone with it.
                let state = self.state().filter(|state| state.phase() == Phase::Question);
                let sheet = state.and_then(|state| wire::teams::sheet(state, *player));
                self.send_line(*player, sheet, effects);
            }
            _ => {}
        }
    }

    fn send_team_update(&self, player: PlayerId, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state().filter(|state| state.teams().is_some()) else { return };
        for (to, device) in self.phones_with_devices(player) {
            let frame = wire::teams::team_update(state, player, device);
            let frame = frame.filter(|_| self.sessions.get(to).is_some_and(Session::has_extension));
            effects.extend(frame.map(|frame| EdgeEffect::Send(to, frame, FrameKind::Replace(wire::TEAM_KEY))));
        }
    }

    /// Sends each phone of a team a new line of the sheet, or the sheet. In order, because a line says nothing of the others.
    fn send_line(&self, player: PlayerId, line: Option<Bytes>, effects: &mut Vec<EdgeEffect>) {
        let Some(line) = line else { return };
        effects.extend(self.phones_v1(player).map(|to| EdgeEffect::Send(to, line.clone(), FrameKind::Queued)));
    }
}
