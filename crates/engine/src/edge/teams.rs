//! What the phones of a team are sent of each other, and of their sheet.
//!
//! Called by `events` behind the event's own messages. Which phones a team has is in the replica; which are here, in `sessions`.

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
            Change::Answered { player, .. } | Change::Suggested { player, .. } => {
                self.send_sheet(*player, event, effects);
            }
            Change::SeatMoved { player, token, .. } if token.is_nobodys() => {
                self.send_team_update(*player, effects);
                // What the phone had suggested has gone with it.
                if self.state().is_some_and(|state| state.phase() == Phase::Question) {
                    self.send_sheet(*player, event, effects);
                }
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

    fn send_sheet(&mut self, player: PlayerId, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let Some(frame) = self.state().and_then(|state| wire::teams::sheet(state, player)) else { return };
        let sheet = |to| EdgeEffect::Send(to, frame.clone(), FrameKind::Replace(wire::SHEET_KEY));
        effects.extend(self.phones_v1(player).map(sheet));
        if matches!(event.change, Change::Suggested { .. })
            && let Some(sender) = self.sessions.of(sender_of(event))
        {
            self.note_shown(sender, event.command_id);
        }
    }
}
