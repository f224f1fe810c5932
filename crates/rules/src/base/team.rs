//! The stored values of a team: its further phones, each with its own token, and their suggestions to the captain.
//!
//! The first phone uses the player's own token, name and last command. Holds no tokens, only hashes.

use std::fmt;
use std::sync::Arc;

use quizhall_quiz::QuestionId;
use serde::{Deserialize, Serialize};

use crate::base::command_id::CommandId;
use crate::base::device::{Device, TeamCode};
use crate::base::ids::DeviceId;
use crate::base::name::DisplayName;
use crate::base::token::TokenHash;

/// How several phones play as a team: an option of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Teams {
    /// How many phones a team can have.
    pub devices: u8,
    /// Whether only the first phone of a team answers, and the others suggest.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_false")]
    pub captain_only: bool,
}

/// The additional values of a player that is a team. `Debug` shows neither code nor texts.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Team {
    pub code: TeamCode,
    /// Whether the first phone is connected.
    pub connected: bool,
    /// The phones after the first, in order of joining.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    devices: Vec<Phone>,
    /// The last suggestion of each phone to each question of the current round, in order of arrival.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
}

/// A phone of a team after its first.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Phone {
    pub id: DeviceId,
    pub display_name: DisplayName,
    pub connected: bool,
    pub token: TokenHash,
    pub idempotency: Option<TokenHash>,
    #[serde(rename = "stamp")]
    pub command_id: Option<CommandId>,
    /// How often its place has moved to another phone.
    #[serde(default, skip_serializing_if = "crate::base::left_out::is_zero")]
    pub moves: u32,
}

/// An answer that a phone suggests to its captain.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The question.
    pub question: QuestionId,
    /// The phone that suggests it.
    pub by: Device,
    /// The answer as written.
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

    pub fn phone(&self, device: Device) -> Option<&Phone> {
        self.devices.get(usize::from(device.0.checked_sub(1)?))
    }

    /// Stores whether a phone is connected. Returns whether any phone of the team is connected now; `None` for a phone that the
    /// team does not have.
    pub fn connect(&mut self, device: Device, connected: bool) -> Option<bool> {
        match self.phone_mut(device) {
            Some(phone) => phone.connected = connected,
            None if device.is_first() => self.connected = connected,
            None => return None,
        }
        Some(self.connected || self.devices.iter().any(|phone| phone.connected))
    }
}

impl Phone {
    pub fn set_token(&mut self, token: TokenHash) {
        self.token = token;
        self.moves += 1;
    }
}
