//! The plain settings of a game: values that the host sets, that the log stores, and that decide something elsewhere.
//!
//! A setting is a variant of [`Setting`] with its row of the table, a field of [`Settings`] that holds its value, and how a
//! state shows it. Command, event and snapshot follow from these.

use serde::{Deserialize, Serialize};

use crate::base::is_false;

/// A new value of one setting. Commands and events carry it as an object with one field, which names the setting: names may
/// never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// Whether joining is refused from now on.
    Locked(bool),
    /// What the screens of the game show, besides what follows from the state.
    Screens(OnScreens),
    /// Whether spectators may watch.
    Spectators(bool),
}

/// What the host has chosen for the screens of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnScreens {
    /// The picture shown after the scores are out; none until the host turns the screens, and none again after each release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slide: Option<Slide>,
    /// Whether they show nothing, until the game's next step is another one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub blank: bool,
    /// Whether the screens play sounds.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sound: bool,
    /// The language tag of the screens' own words; none means that each screen uses its own language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// One picture of what screens show step by step once the scores are out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slide {
    /// A released question of the round with its answer, from 0.
    Question(u32),
    /// A page of the standings, from 0.
    Standings(u32),
    /// The round that comes next.
    Next,
    /// This many of the first three places, from the lowest up.
    Podium(u32),
    /// The first place.
    Winner,
    /// The latest tie-break after this round.
    TieBreak,
}

/// The value of each setting; a game begins with the defaults. Snapshots hold the fields beside those of the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    locked: bool,
    #[serde(default, skip_serializing_if = "OnScreens::is_default")]
    screens: OnScreens,
    #[serde(default, skip_serializing_if = "is_false")]
    spectators: bool,
}

impl OnScreens {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Settings {
    /// Takes a new value; whether that changed anything.
    pub fn set(&mut self, new: &Setting) -> bool {
        match new {
            Setting::Locked(locked) => replace(&mut self.locked, locked),
            Setting::Screens(screens) => replace(&mut self.screens, screens),
            Setting::Spectators(allowed) => replace(&mut self.spectators, allowed),
        }
    }

    /// Whether the host has closed the game to new players.
    pub fn is_locked(&self) -> bool {
        self.locked
    }

    /// What the host has chosen for the screens.
    pub fn on_screens(&self) -> &OnScreens {
        &self.screens
    }

    /// Whether the host lets spectators watch.
    pub fn may_watch(&self) -> bool {
        self.spectators
    }

    /// The screens show their picture again.
    pub fn end_blank(&mut self) {
        self.screens.blank = false;
    }

    /// Starts the slides of the screens again, because new scores are published.
    pub fn begin_slides(&mut self) {
        self.screens.slide = None;
    }
}

fn replace<T: Clone + PartialEq>(value: &mut T, new: &T) -> bool {
    let changes = value != new;
    value.clone_from(new);
    changes
}
