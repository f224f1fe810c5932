//! The moments of a game, from the rows of its whole log: the pictures that a screen was sent live, in their order. Sans-IO.
//!
//! **What a moment is**: a picture that differs from the one before in something other than running times. Rows that follow each
//! other faster than pictures are sent live make one moment together, of which the last state is the picture: the sampling is that
//! of the edge ([`Sampling`]), by the times of the rows (decision 41). A row without a time makes a moment by itself.
//!
//! Called by the server for a replay. Reads no snapshot, because a state has none of the pictures that led to it.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{Change, QuestionId, ReplayError, State};

use crate::claim::ClaimError;
use crate::ids::Time;
use crate::reading::LogRow;
use crate::sampling::Sampling;
use crate::wire::{MomentKind, Picture};

/// A picture that a screen showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// When it was shown, milliseconds since 1970; none when its row has no time.
    pub at_ms: Option<u64>,
    /// What the picture shows.
    pub kind: MomentKind,
    /// The round, from 1; 0 in the lobby.
    pub round: u32,
    /// The question that the picture is about.
    pub question: Option<QuestionId>,
}

/// The result of reading a log.
#[derive(Debug, Default)]
pub struct Film {
    /// Every moment of the game.
    pub moments: Vec<Moment>,
    /// The pictures that were asked for, in order, each as the JSON of a payload of `screen_update`.
    pub pictures: Vec<Bytes>,
}

/// A log whose moments are being found.
#[derive(Debug)]
pub struct Moments {
    wanted: Range<usize>,
    state: Option<State>,
    next_seq: u64,
    /// The time of the last row with a time. A clock that was set back stands still here.
    now: Time,
    sampling: Sampling,
    /// Whether the state has changed since the last picture.
    is_unshown: bool,
    shown: Option<Shown>,
    film: Film,
}

/// The picture that was shown last.
#[derive(Debug)]
struct Shown {
    frame: Bytes,
    without_times: Picture,
}

impl Moments {
    /// Finds all moments, and keeps the pictures of those with these places.
    pub fn new(wanted: Range<usize>) -> Self {
        Self {
            wanted,
            state: None,
            next_seq: 0,
            now: Time::ZERO,
            sampling: Sampling::default(),
            is_unshown: false,
            shown: None,
            film: Film::default(),
        }
    }

    /// The event with which the next row begins.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Whether every picture that was asked for is here, so that no later row is needed for them.
    pub fn has_wanted(&self) -> bool {
        !self.wanted.is_empty() && self.film.moments.len() >= self.wanted.end
    }

    /// The next row of the log, and when it was committed, milliseconds since 1970.
    ///
    /// # Errors
    /// When the row does not follow the one before, or cannot be read.
    pub fn row<R: LogRow>(&mut self, row: &R, at_ms: Option<u64>) -> Result<(), ClaimError> {
        let head = row.head();
        if head.seq != self.next_seq {
            return Err(ClaimError::Gap(self.next_seq));
        }
        let at = at_ms.map(Duration::from_millis);
        self.show_what_was_due(at);
        self.now = at.map_or(self.now, |at| at.max(self.now));
        self.apply(row)?;
        self.is_unshown = true;
        if at.is_none() {
            self.show(self.now, None);
        } else if self.now >= self.sampling.due() {
            self.show(self.now, Some(self.now));
        }
        Ok(())
    }

    /// The moments, once every row was given.
    ///
    /// # Errors
    /// When there was no row.
    pub fn finish(mut self) -> Result<Film, ClaimError> {
        if self.state.is_none() {
            return Err(ClaimError::Empty);
        }
        self.show_what_was_due(None);
        Ok(self.film)
    }

    /// Shows the last state of a burst that was over before this time; without one, at any time.
    fn show_what_was_due(&mut self, next: Option<Time>) {
        let due = self.sampling.due().max(self.now);
        if self.is_unshown && next.is_none_or(|next| next > due) {
            self.show(due, Some(due));
        }
    }

    fn apply<R: LogRow>(&mut self, row: &R) -> Result<(), ClaimError> {
        let (state, at, mut applied) = (&mut self.state, self.now.into(), 0);
        let is_read = row.replay(&mut |event| {
            applied += 1;
            match (&mut *state, &event.change) {
                (Some(state), _) => state.apply_at(event, at),
                (None, Change::Created(created)) => *state = Some(State::created(created)),
                (None, _) => {}
            }
        });
        if !is_read || applied != row.count() {
            return Err(ClaimError::Unreadable(self.next_seq));
        }
        self.next_seq += applied;
        if self.state.is_none() { Err(ReplayError::NotCreated.into()) } else { Ok(()) }
    }

    /// Shows the state at this time; `said` is the time of the moment.
    fn show(&mut self, at: Time, said: Option<Time>) {
        let Some(state) = &self.state else { return };
        self.is_unshown = false;
        let picture = Picture::of(state, at.into());
        let frame = picture.frame();
        if self.shown.as_ref().is_some_and(|shown| shown.frame == frame) {
            return;
        }
        if said.is_some() {
            self.sampling.note(at, frame.len());
        }
        let (kind, round, question) = (picture.kind(), picture.round(), picture.question(state));
        let without_times = picture.clone().without_times();
        let is_moment = self.shown.as_ref().is_none_or(|shown| shown.without_times != without_times);
        if is_moment {
            if self.wanted.contains(&self.film.moments.len()) {
                self.film.pictures.push(picture.payload());
            }
            let at_ms = said.map(|said| u64::try_from(said.as_millis()).unwrap_or(u64::MAX));
            self.film.moments.push(Moment { at_ms, kind, round, question });
        }
        self.shown = Some(Shown { frame, without_times });
    }
}
