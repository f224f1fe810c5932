//! The screens of a game, and what they show of a round once its scores are out.
//!
//! Changed by `apply`, read by `decide`, by the engine and by the server. Never holds a token, only its hash.

use quizhall_quiz::choice;
use serde::{Deserialize, Serialize};

use crate::State;
use crate::{Question, QuestionId, ScreenId, TokenHash};

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

impl State {
    /// The screens that have a token, in order of adding.
    pub fn screens(&self) -> &[Screen] {
        &self.screens
    }

    /// Whether the game has as many screens as are allowed.
    pub fn has_all_screens(&self) -> bool {
        self.screens.len() >= MOST_SCREENS
    }

    /// Whether a screen has a token.
    pub fn has_screen(&self, screen: ScreenId) -> bool {
        self.screens.iter().any(|known| known.id == screen)
    }

    /// The screen whose token has this hash.
    pub fn screen_by_token(&self, token: &TokenHash) -> Option<ScreenId> {
        self.screens.iter().find(|screen| screen.token == *token).map(|screen| screen.id)
    }

    /// How many answers to a question of the current round count as right, without those of removed players.
    pub fn right_answers(&self, question: QuestionId) -> usize {
        self.answers_to(question).filter(|answer| answer.correct()).count()
    }

    /// For each choice of a question of the current round, how many answers name it.
    pub fn taken(&self, question: &Question) -> Vec<u32> {
        let mut taken = vec![0; question.choices.len()];
        for answer in self.answers_to(question.id) {
            let mut named = choice::named(&answer.text, &question.choices).unwrap_or_default();
            named.sort_unstable();
            named.dedup();
            for place in named {
                taken[place] += 1;
            }
        }
        taken
    }

    /// Whether the host has removed a screen. A removed screen cannot be added again.
    pub fn is_removed_screen(&self, screen: ScreenId) -> bool {
        self.removed_screens.contains(&screen)
    }

    pub(crate) fn remove_screen(&mut self, screen: ScreenId) {
        self.screens.retain(|known| known.id != screen);
        if !self.is_removed_screen(screen) {
            if self.removed_screens.len() >= MOST_REMOVED {
                self.removed_screens.remove(0);
            }
            self.removed_screens.push(screen);
        }
    }

    pub(crate) fn add_screen(&mut self, screen: &Screen) {
        if !self.has_screen(screen.id) {
            self.screens.push(screen.clone());
        }
    }

    fn answers_to(&self, question: QuestionId) -> impl Iterator<Item = &crate::Answer> {
        let answers = self.sheet(question).into_iter().flat_map(crate::base::sheet::Sheet::answers);
        answers.filter(|answer| !self.roster.player(answer.slot).removed)
    }
}
