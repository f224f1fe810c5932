//! The plain settings of a game: values that the host sets, that the log stores, and that decide something elsewhere.
//!
//! A setting is declared here and in no other file of the rules: a variant of [`Setting`] with its [`Rule`], a field of
//! [`Settings`] that holds its value, and how a [`State`] shows it. Command, event and snapshot follow from these.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::rule::{Rule, Sender};

/// A new value of one setting. Commands and events carry it as an object with one field, which names the setting: names may
/// never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// Whether joining is refused from now on.
    Locked(bool),
}

/// The value of each setting; a game begins with the defaults. Snapshots hold the fields beside those of the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    locked: bool,
}

impl Setting {
    /// Who may set it, and when.
    pub(crate) fn rule(&self) -> Rule {
        match self {
            Self::Locked(_) => Rule { sender: Sender::HostOrService, phases: Rule::BEFORE_THE_END },
        }
    }
}

impl Settings {
    /// Takes a new value; whether that changed anything.
    pub fn set(&mut self, new: &Setting) -> bool {
        match new {
            Setting::Locked(locked) => replace(&mut self.locked, locked),
        }
    }
}

impl State {
    /// Whether the host lets no other players in.
    pub fn is_locked(&self) -> bool {
        self.settings.locked
    }
}

fn replace<T: Clone + PartialEq>(value: &mut T, new: &T) -> bool {
    let changes = value != new;
    value.clone_from(new);
    changes
}
