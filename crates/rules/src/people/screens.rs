//! The screens of a game: which have a token, and which the host has removed. Never holds a token, only its hash.

use serde::{Deserialize, Serialize};

use crate::base::{ScreenId, TokenHash};

/// The most screens of a game that have a token.
const MOST_SCREENS: usize = 50;
/// The most ids of removed screens that a game keeps. The oldest id is dropped for a newer one.
const MOST_REMOVED: usize = 500;

/// A screen that has a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Its id.
    #[serde(rename = "sc")]
    pub id: ScreenId,
    /// Hash of the token that opens its socket.
    #[serde(rename = "k")]
    pub token: TokenHash,
    /// Wall-clock time in milliseconds since 1970, for display only.
    pub at_ms: i64,
}

/// The screens of a game that have a token, and those that the host has removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screens {
    /// The screens in order of adding.
    pub(crate) added: Vec<Screen>,
    /// The removed screens, the newest last.
    pub(crate) removed: Vec<ScreenId>,
}

impl Screens {
    /// The screens that have a token, in order of adding.
    pub fn all(&self) -> &[Screen] {
        &self.added
    }

    /// Whether the game has as many screens as are allowed.
    pub fn are_full(&self) -> bool {
        self.added.len() >= MOST_SCREENS
    }

    /// Whether a screen has a token.
    pub fn has(&self, screen: ScreenId) -> bool {
        self.added.iter().any(|known| known.id == screen)
    }

    /// The screen whose token has this hash.
    pub fn by_token(&self, token: &TokenHash) -> Option<ScreenId> {
        self.added.iter().find(|screen| screen.token == *token).map(|screen| screen.id)
    }

    /// Whether the host has removed a screen. A removed screen cannot be added again.
    pub fn is_removed(&self, screen: ScreenId) -> bool {
        self.removed.contains(&screen)
    }

    pub(crate) fn remove(&mut self, screen: ScreenId) {
        self.added.retain(|known| known.id != screen);
        if !self.is_removed(screen) {
            if self.removed.len() >= MOST_REMOVED {
                self.removed.remove(0);
            }
            self.removed.push(screen);
        }
    }

    pub(crate) fn add(&mut self, screen: &Screen) {
        if !self.has(screen.id) {
            self.added.push(screen.clone());
        }
    }
}
