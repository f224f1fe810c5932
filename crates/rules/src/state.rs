//! The whole state of a game, built from its log only. The engine keeps one per game, reads it, and applies events.
//!
//! The parts that all features share are in [`Game`]; each feature that stores something has a struct of its own. Changes are
//! in `apply`, the form of a snapshot in `stored`.

mod asked;
pub(crate) mod step;
mod stored;

use std::fmt;
use std::hint::black_box;
use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use crate::answering::markings::Markings;
use crate::base::{FrozenQuiz, Game, Phase, PlayerId, Roster};
use crate::clock::game_clock::Clock;
use crate::event::{Change, Created, Event};
use crate::people::co_hosts::CoHosts;
use crate::people::screens::Screens;
use crate::people::seats::Seats;
use crate::showing::reveal::RevealedAnswers;
use crate::showing::settings::Settings;
use crate::showing::tally::ShownTally;
use crate::showing::tie_breaks::TieBreaks;

/// The state of one game. `Debug` shows no name, answer or secret.
#[derive(Clone, PartialEq)]
pub struct State {
    pub(crate) game: Game,
    pub(crate) settings: Settings,
    /// The host's markings of the current round, for undoing them.
    pub(crate) markings: Markings,
    /// The tally that the host shows; none once another round begins or the game ends.
    pub(crate) shown_tally: Option<ShownTally>,
    pub(crate) clock: Clock,
    pub(crate) revealed: RevealedAnswers,
    pub(crate) screens: Screens,
    pub(crate) co_hosts: CoHosts,
    pub(crate) tie_breaks: TieBreaks,
    pub(crate) seats: Seats,
    /// How often the next step has changed.
    pub(crate) steps: u32,
}

/// Why a log cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The log has no entry.
    #[error("the log of the game is empty")]
    Empty,
    /// The first entry is not the creation.
    #[error("the log of the game does not begin with its creation")]
    NotCreated,
}

/// The functions of a [`Game`] are also available on its state.
impl Deref for State {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.game
    }
}

impl State {
    /// A new game in the lobby.
    pub fn created(created: &Created) -> Self {
        let game = Game {
            id: created.game,
            host: created.host,
            code: created.code.clone(),
            frozen: FrozenQuiz::of(Arc::new(created.quiz.clone()), &created.options),
            join_secret: created.join_secret,
            created_at_ms: created.created_at_ms,
            epoch: 0,
            phase: Phase::Lobby,
            closed: false,
            last_host_command: None,
            host_present: false,
            roster: Roster::default(),
            rounds: Vec::new(),
            board: Arc::default(),
            standings_held: false,
            adjusted: 0,
            options: created.options,
            rule: created.rule,
            sealed: created.sealed.clone(),
        };
        Self {
            game,
            settings: Settings::default(),
            markings: Markings::default(),
            shown_tally: None,
            clock: Clock::default(),
            revealed: RevealedAnswers::default(),
            screens: Screens::default(),
            co_hosts: CoHosts::default(),
            tie_breaks: TieBreaks::default(),
            seats: Seats::default(),
            steps: 0,
        }
    }

    /// The state after a whole log, which begins with the creation.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let mut state = match &events.next().ok_or(ReplayError::Empty)?.change {
            Change::Created(created) => Self::created(created),
            _ => return Err(ReplayError::NotCreated),
        };
        for event in events {
            state.apply(event);
        }
        Ok(state)
    }

    /// Touches the memory that an answer of this player needs. It is called for several players before the first command is
    /// decided or applied, so that the processor fetches their memory in parallel instead of waiting for each in turn. Changes
    /// nothing.
    pub fn read_ahead(&self, player: PlayerId) {
        black_box(self.last_command_of(player));
    }

    /// The approximate number of events that the state replaces: players, answers, and answers touched by markings. A log can
    /// have any number more. The cost is one step per released question.
    pub fn weight(&self) -> usize {
        let sheets = self.rounds.iter().flat_map(|played| &played.sheets);
        self.roster.all().len() + sheets.map(|sheet| sheet.answers().len()).sum::<usize>() + self.markings.touched()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("State")
            .field("game", &self.id)
            .field("phase", &self.phase)
            .field("round", &self.round())
            .field("players", &self.player_count())
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
