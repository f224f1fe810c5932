//! Teams: players with several phones, who share a sheet and a line on the board, and have a token for each phone.

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::{
    CommandId, Device, DeviceId, DisplayName, Game, Phone, Player, PlayerId, PlayerSlot, Suggestion, Team, TeamCode,
    TeamPhone, Teams, TokenHash,
};

/// A phone that joined a team.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct AddedDevice {
    /// The team.
    #[serde(rename = "p")]
    pub player: PlayerId,
    /// The phone's id.
    #[serde(rename = "di")]
    pub device: DeviceId,
    /// The name shown to the team.
    #[serde(rename = "n")]
    pub display_name: DisplayName,
    /// Hash of the session token.
    #[serde(rename = "k")]
    pub token: TokenHash,
    /// Hash of the idempotency key of the join.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<TokenHash>,
}

impl Player {
    /// The code with which more phones join; none of other players.
    pub fn team_code(&self) -> Option<TeamCode> {
        self.team.as_ref().map(|team| team.code)
    }

    /// The phones of a team, removed ones included, in order of joining; none of other players.
    pub fn phones(&self) -> impl Iterator<Item = TeamPhone<'_>> {
        self.team.iter().flat_map(|team| {
            let first = TeamPhone {
                device: Device::FIRST,
                id: DeviceId::from(self.id.uuid()),
                display_name: &self.display_name,
                connected: team.connected,
                removed: self.token.is_nobodys(),
            };
            let others = (1..).zip(team.phones()).map(|(number, phone)| TeamPhone {
                device: Device(number),
                id: phone.id,
                display_name: &phone.display_name,
                connected: phone.connected,
                removed: phone.token.is_nobodys(),
            });
            std::iter::once(first).chain(others)
        })
    }

    /// The suggestions of a team's phones to their captain, in order of arrival.
    pub fn suggestions(&self) -> &[Suggestion] {
        self.team.as_ref().map_or(&[], |team| &team.suggestions)
    }

    /// The devices of any player, in order of joining.
    pub fn devices(&self) -> impl Iterator<Item = Device> + use<> {
        (0..=self.further_devices()).map(Device)
    }

    /// Whether a device counts as connected; `None` for a device that the player does not have.
    pub fn is_device_connected(&self, device: Device) -> Option<bool> {
        match &self.team {
            None => device.is_first().then_some(self.connected),
            Some(team) if device.is_first() => Some(team.connected),
            Some(team) => team.phone(device).map(|phone| phone.connected),
        }
    }

    /// Whether this phone of a team was removed.
    pub(crate) fn is_phone_removed(&self, device: Device) -> bool {
        self.phones().any(|phone| phone.device == device && phone.removed)
    }

    /// Whether a number is left for a further phone of a team. Numbers of removed phones are not used again.
    pub(crate) fn has_number_left(&self) -> bool {
        self.team.as_deref().is_some_and(Team::has_room)
    }

    fn further_devices(&self) -> u8 {
        self.team.as_ref().map_or(0, |team| u8::try_from(team.phones().len()).unwrap_or(u8::MAX))
    }

    /// The device of this player that a token opens.
    pub(crate) fn device_of(&self, token: &TokenHash) -> Option<Device> {
        if self.token == *token {
            return Some(Device::FIRST);
        }
        let phones = self.team.iter().flat_map(|team| team.phones());
        (1..).zip(phones).find(|(_, phone)| phone.token == *token).map(|(number, _)| Device(number))
    }

    /// The device of this player that joined with an idempotency key, and the hash of its current token.
    pub(crate) fn joined_with(&self, key: &TokenHash) -> Option<(Device, TokenHash)> {
        if self.idempotency == Some(*key) {
            return Some((Device::FIRST, self.token));
        }
        let phones = (1..).zip(self.team.iter().flat_map(|team| team.phones()));
        let mut joined = phones.filter(|(_, phone)| phone.idempotency == Some(*key));
        joined.next().map(|(number, phone)| (Device(number), phone.token))
    }

    pub(crate) fn last_command_over(&self, device: Device) -> Option<CommandId> {
        if device.is_first() { self.command_id } else { self.team.as_ref()?.phone(device)?.command_id }
    }

    pub(crate) fn last_command_mut(&mut self, device: Device) -> Option<&mut Option<CommandId>> {
        if device.is_first() {
            return Some(&mut self.command_id);
        }
        self.team.as_mut()?.phone_mut(device).map(|phone| &mut phone.command_id)
    }

    /// Stores whether a device is connected. Returns whether any device of the player is connected now; `None` for a device that
    /// the player does not have.
    pub(crate) fn connect(&mut self, device: Device, connected: bool) -> Option<bool> {
        match &mut self.team {
            Some(team) => team.connect(device, connected),
            None => device.is_first().then_some(connected),
        }
    }

    /// Whether a phone or the team itself has this name, or one that looks like it.
    pub(crate) fn has_phone_like(&self, name: &DisplayName) -> bool {
        let looks = name.looks();
        // The team keeps the name of its first phone.
        let named = self.phones().filter(|phone| phone.device.is_first() || !phone.removed);
        named.into_iter().any(|phone| phone.display_name.looks().iter().any(|look| looks.contains(look)))
    }
}

impl Player {
    pub(crate) fn decide_suggestions(&mut self, question: QuestionId) {
        if let Some(team) = &mut self.team {
            team.suggestions.retain(|one| one.question != question);
        }
    }
}

impl Game {
    /// How several phones play as a team; none without teams.
    pub fn teams(&self) -> Option<Teams> {
        self.options.teams
    }

    /// The team (not removed) that further phones join with this code.
    pub fn team_of(&self, code: TeamCode) -> Option<&Player> {
        self.players().find(|player| player.team_code() == Some(code))
    }

    /// The player (not removed) and the device that a session token opens.
    pub fn device_by_token(&self, token: &TokenHash) -> Option<(&Player, Device)> {
        let player = self.player_by_token(token)?;
        player.device_of(token).map(|device| (player, device))
    }

    /// The player (not removed) and the device that joined with an idempotency key, and the hash of the device's current token.
    pub fn device_by_idempotency(&self, key: &TokenHash) -> Option<(&Player, Device, TokenHash)> {
        let player = self.player_by_idempotency(key)?;
        player.joined_with(key).map(|(device, token)| (player, device, token))
    }

    /// The devices of a player, removed or not, in order of joining.
    pub fn devices_of(&self, player: PlayerId) -> impl Iterator<Item = Device> + use<> {
        let known = self.roster.find(player).map(|slot| self.roster.player(slot).devices());
        known.into_iter().flatten()
    }

    /// The place of a phone with this id in a team, removed or not.
    pub fn device_with_id(&self, player: PlayerId, id: DeviceId) -> Option<Device> {
        self.player(player)?.phones().find(|phone| phone.id == id).map(|phone| phone.device)
    }

    /// Whether this device is the captain of its team: only it answers, and the others suggest.
    pub fn is_captain(&self, player: &Player, device: Device) -> bool {
        device.is_first() && self.is_captain_only(player)
    }

    /// The id of the last stored command over a device of a player.
    pub fn last_command_over(&self, player: PlayerId, device: Device) -> Option<CommandId> {
        self.player(player)?.last_command_over(device)
    }

    /// Whether the answers of a device count: those of every device, or only those of the captain.
    pub(crate) fn may_answer(&self, player: &Player, device: Device) -> bool {
        device.is_first() || !self.is_captain_only(player)
    }

    /// Whether a device suggests answers to a captain.
    pub(crate) fn may_suggest(&self, player: &Player, device: Device) -> bool {
        !device.is_first() && self.is_captain_only(player)
    }

    fn is_captain_only(&self, player: &Player) -> bool {
        player.team.is_some() && self.options.teams.is_some_and(|teams| teams.captain_only)
    }

    /// How often the place of a phone after the first has moved to another phone.
    pub(crate) fn phone_moves(&self, player: PlayerId, device: Device) -> u32 {
        let team = self.roster.find(player).and_then(|slot| self.roster.player(slot).team.as_ref());
        team.and_then(|team| team.phone(device)).map_or(0, |phone| phone.moves)
    }

    /// Gives the place of a phone another token; whether there is such a phone.
    pub(crate) fn move_phone(&mut self, slot: PlayerSlot, device: Device, token: TokenHash) -> bool {
        let has_phone = self.roster.set_phone_token(slot, device, token);
        if let Some(team) = self.roster.player_mut(slot).team.as_mut().filter(|_| has_phone && token.is_nobodys()) {
            team.suggestions.retain(|one| one.by != device);
        }
        has_phone
    }

    pub(crate) fn add_device(&mut self, added: &AddedDevice) {
        let Some(slot) = self.roster.find_player(added.player) else { return };
        let phone = Phone {
            id: added.device,
            display_name: added.display_name.clone(),
            connected: false,
            token: added.token,
            idempotency: added.idempotency,
            command_id: None,
            moves: 0,
        };
        self.roster.add_phone(slot, phone);
    }

    pub(crate) fn suggest(&mut self, player: PlayerId, suggestion: Suggestion) {
        if !self.is_released(suggestion.question) {
            return;
        }
        let Some(slot) = self.roster.find_player(player) else { return };
        if let Some(team) = &mut self.roster.player_mut(slot).team {
            // A suggestion that is sent again over a newer socket keeps its place.
            if !team.suggestions.contains(&suggestion) {
                let Suggestion { question, by, .. } = suggestion;
                team.suggestions.retain(|one| (one.question, one.by) != (question, by));
                team.suggestions.push(suggestion);
            }
        }
    }

    /// By answering a question, the captain decides on the suggestions for it.
    pub(crate) fn decide_suggestions(&mut self, player: PlayerId, question: QuestionId) {
        if let Some(slot) = self.roster.find_player(player) {
            self.roster.player_mut(slot).decide_suggestions(question);
        }
    }

    pub(crate) fn forget_suggestions(&mut self) {
        if self.options.teams.is_some_and(|teams| teams.captain_only) {
            self.roster.all_mut().filter_map(|player| player.team.as_mut()).for_each(|team| team.suggestions.clear());
        }
    }
}
