//! Teams: players with several phones, which share one sheet and one line on the board and have a token each.
//!
//! Changed by `apply`, read by `decide`, by the engine and by the server. The first phone uses the player's own token, name and
//! last command; a team stores the further ones. Holds no tokens, only hashes. Decides nothing.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::State;
use crate::base::roster::Player;
use crate::{AddedDevice, CommandId, Device, DeviceId, DisplayName, PlayerId, QuestionId, TeamCode, TokenHash};

/// How several phones play as a team: an option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Teams {
    /// How many phones a team can have.
    pub devices: u8,
    /// Whether only the first phone of a team answers, and the others suggest.
    #[serde(default, skip_serializing_if = "crate::event::is_false")]
    pub captain_only: bool,
}

/// The additional values of a player that is a team. `Debug` shows neither code nor texts.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Team {
    code: TeamCode,
    /// Whether the first phone is connected.
    connected: bool,
    /// The phones after the first, in order of joining.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    devices: Vec<Phone>,
    /// The last suggestion of each phone to each question of the current round, in order of arrival.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
}

/// A phone after the first.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Phone {
    id: DeviceId,
    display_name: DisplayName,
    connected: bool,
    pub(crate) token: TokenHash,
    pub(crate) idempotency: Option<TokenHash>,
    #[serde(rename = "stamp")]
    command_id: Option<CommandId>,
    /// How often its place has moved to another phone.
    #[serde(default, skip_serializing_if = "crate::event::is_zero")]
    moves: u32,
}

/// An answer that a phone suggests to its captain.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The question.
    pub question: QuestionId,
    /// The phone that suggests it.
    pub by: Device,
    /// As written.
    pub text: Arc<str>,
}

/// A phone of a team, as others see it.
#[derive(Clone, Copy, Debug)]
pub struct TeamPhone<'a> {
    /// Its place in the team.
    pub device: Device,
    /// Its id; that of the first phone is the player's.
    pub id: DeviceId,
    /// Its name; the first phone has the team's.
    pub display_name: &'a DisplayName,
    /// Whether it has a socket, or lost it less than the grace period ago.
    pub connected: bool,
    /// Whether the host or the captain removed it. A removed phone has no valid token.
    pub removed: bool,
}

impl fmt::Debug for Team {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Team({} phones)", self.devices.len() + 1)
    }
}

impl fmt::Debug for Suggestion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Suggestion({})", self.question)
    }
}

impl Team {
    pub fn new(code: TeamCode) -> Self {
        Self { code, connected: true, devices: Vec::new(), suggestions: Vec::new() }
    }

    /// Whether a number is left for a further phone. The limit is far above what a game allows.
    pub fn has_room(&self) -> bool {
        self.devices.len() < usize::from(u8::MAX)
    }

    pub fn add(&mut self, phone: Phone) {
        self.devices.push(phone);
    }

    pub fn phones(&self) -> &[Phone] {
        &self.devices
    }

    pub fn phone_mut(&mut self, device: Device) -> Option<&mut Phone> {
        self.devices.get_mut(usize::from(device.0.checked_sub(1)?))
    }

    fn phone(&self, device: Device) -> Option<&Phone> {
        self.devices.get(usize::from(device.0.checked_sub(1)?))
    }

    /// Stores whether a phone is connected. Returns whether any phone of the team is connected now; `None` for a phone that the
    /// team does not have.
    fn connect(&mut self, device: Device, connected: bool) -> Option<bool> {
        match self.phone_mut(device) {
            Some(phone) => phone.connected = connected,
            None if device.is_first() => self.connected = connected,
            None => return None,
        }
        Some(self.connected || self.devices.iter().any(|phone| phone.connected))
    }
}

impl Player {
    /// The code with which further phones join; none for a player that is no team.
    pub fn team_code(&self) -> Option<TeamCode> {
        self.team.as_ref().map(|team| team.code)
    }

    /// The phones of a team, removed ones included, in order of joining; none for a player that is no team.
    pub fn phones(&self) -> impl Iterator<Item = TeamPhone<'_>> {
        self.team.iter().flat_map(|team| {
            let first = TeamPhone {
                device: Device::FIRST,
                id: DeviceId::from(self.id.uuid()),
                display_name: &self.display_name,
                connected: team.connected,
                removed: self.token.is_nobodys(),
            };
            let others = (1..).zip(&team.devices).map(|(number, phone)| TeamPhone {
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
        self.team.as_ref().map_or(0, |team| u8::try_from(team.devices.len()).unwrap_or(u8::MAX))
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
        // The team keeps the name of its first phone, even if that phone was removed.
        let named = self.phones().filter(|phone| phone.device.is_first() || !phone.removed);
        named.into_iter().any(|phone| phone.display_name.looks().iter().any(|look| looks.contains(look)))
    }
}

impl State {
    /// How several phones play as a team, if they do.
    pub fn teams(&self) -> Option<Teams> {
        self.teams
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

    /// How often a device of a player has moved to another phone. A token from before the last move is no longer valid.
    pub fn moves_over(&self, player: PlayerId, device: Device) -> u32 {
        if device.is_first() {
            return self.moves_of(player);
        }
        let team = self.roster.find(player).and_then(|slot| self.roster.player(slot).team.as_ref());
        team.and_then(|team| team.phone(device)).map_or(0, |phone| phone.moves)
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
        player.team.is_some() && self.teams.is_some_and(|teams| teams.captain_only)
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

    pub(crate) fn move_phone(&mut self, player: PlayerId, device: Device, token: TokenHash) {
        let Some(slot) = self.roster.find_player(player) else { return };
        if !self.roster.set_phone_token(slot, device, token) {
            return;
        }
        self.seats.forget_codes_of(player, device);
        if let Some(team) = self.roster.player_mut(slot).team.as_mut().filter(|_| token.is_nobodys()) {
            team.suggestions.retain(|one| one.by != device);
        }
    }

    pub(crate) fn suggest(&mut self, (player, by): (PlayerId, Device), question: QuestionId, text: &Arc<str>) {
        if !self.is_released(question) {
            return;
        }
        let Some(slot) = self.roster.find_player(player) else { return };
        if let Some(team) = &mut self.roster.player_mut(slot).team {
            let suggestion = Suggestion { question, by, text: Arc::clone(text) };
            // A suggestion that is sent again over a newer socket keeps its place.
            if !team.suggestions.contains(&suggestion) {
                team.suggestions.retain(|one| (one.question, one.by) != (question, by));
                team.suggestions.push(suggestion);
            }
        }
    }

    /// An answer of the captain removes the suggestions to that question.
    pub(crate) fn decide_suggestions(&mut self, player: PlayerId, question: QuestionId) {
        let Some(slot) = self.roster.find_player(player) else { return };
        if let Some(team) = &mut self.roster.player_mut(slot).team {
            team.suggestions.retain(|one| one.question != question);
        }
    }

    pub(crate) fn forget_suggestions(&mut self) {
        if self.teams.is_some_and(|teams| teams.captain_only) {
            self.roster.all_mut().filter_map(|player| player.team.as_mut()).for_each(|team| team.suggestions.clear());
        }
    }
}

impl Phone {
    pub(crate) fn set_token(&mut self, token: TokenHash) {
        self.token = token;
        self.moves += 1;
    }
}
