//! The clock of a game: its timers and the extra time of players. The two together decide for which players a question is open.

use quizhall_quiz::QuestionId;

use crate::base::{Game, Moment, NOMINAL, Phase, PlayerId, PlayerSlot, share};
use crate::clock::extra_time::ExtraTime;
use crate::clock::span::{TimeLeft, TimerLength};
use crate::clock::timers::Timers;

/// All that a state keeps of time.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Clock {
    pub timers: Timers,
    pub extra: ExtraTime,
}

/// A stage of a timer that is over while later stages still run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// The percent of the players whose time is over.
    pub up: u16,
    /// The percent of the players whose time is over next.
    pub next: u16,
    /// The time left until then, milliseconds.
    pub ms: u64,
}

impl Clock {
    /// Which percent of every timer a player has.
    pub fn percent_of(&self, game: &Game, player: PlayerId) -> u16 {
        game.roster.find_player(player).map_or(NOMINAL, |slot| self.extra.of(slot))
    }

    /// Whether the time left can differ between players.
    pub fn has_stages(&self) -> bool {
        !self.extra.is_unused() || self.timers.is_any_over()
    }

    /// Whether a question of the current round takes answers from this player, if the phase allows answers.
    pub fn is_open_for(&self, game: &Game, question: QuestionId, player: PlayerId) -> bool {
        let is_over = |slot| self.is_over_for(question, slot);
        let is_closed = || self.timers.is_any_over() && game.roster.find_player(player).is_some_and(is_over);
        game.is_open(question) && !is_closed()
    }

    /// Whether the time of a question or of its round is over for a player.
    pub fn is_over_for(&self, question: QuestionId, slot: PlayerSlot) -> bool {
        self.timers.is_over(question, (slot, self.extra.of(slot)))
    }

    /// The questions that take no answers of this player although the round continues, in order of release.
    pub fn closed_for(&self, game: &Game, player: PlayerId) -> impl Iterator<Item = QuestionId> {
        let released = game.released().filter(|_| game.phase() == Phase::Question).map(|asked| asked.id);
        released.filter(move |question| !self.is_open_for(game, *question, player))
    }

    /// The time that each timer has left for a player at a moment of this process, the oldest timer first. Timers that are over
    /// for the player are left out.
    pub fn left_of(&self, game: &Game, player: PlayerId, at: Moment) -> impl Iterator<Item = TimeLeft> {
        let slot = game.roster.find_player(player);
        let percent = slot.map_or(NOMINAL, |slot| self.extra.of(slot));
        let left =
            self.timers.left_for(percent, at, move |timer| !slot.is_some_and(|slot| timer.is_over_for(slot, percent)));
        left.filter(move |left| left.question.is_none_or(|question| self.is_open_for(game, question, player)))
    }

    /// The time that each timer has left for players without extra time, and by how many milliseconds its last stage is longer.
    pub fn left(&self, game: &Game, at: Moment) -> impl Iterator<Item = (TimeLeft, u64)> {
        let longest = self.extra.stages(&game.roster).last().copied().unwrap_or(NOMINAL);
        let longest = self.timers.left_for(longest, at, |_| true);
        let nominal = self.timers.left_for(NOMINAL, at, |_| true);
        nominal.zip(longest).map(|(left, longest)| (left, longest.ms.saturating_sub(left.ms)))
    }

    /// The stage of a timer that ends now, unless it is the last.
    pub fn ending_stage(&self, game: &Game, question: Option<QuestionId>, at: Moment) -> Option<Stage> {
        let up = self.timers.stage_of(question)?;
        let next = self.extra.stages(&game.roster).into_iter().find(|stage| *stage > up)?;
        let mut left = self.timers.left_for(next, at, |_| true);
        left.find(|left| left.question == question).map(|left| Stage { up, next, ms: left.ms })
    }

    /// A timer with this much time for players without extra time, in the form in which the log states it.
    pub fn timer_of(&self, TimeLeft { question, ms }: TimeLeft) -> TimerLength {
        let (_, percent) = self.timers.length_of(question).unwrap_or((0, NOMINAL));
        TimerLength::of(TimeLeft { question, ms: share(ms, percent) }, ms)
    }

    /// A timer whose time left the log states as `left`, with `more` time for players without extra time.
    pub fn longer_timer(&self, left: TimeLeft, more: u64) -> TimerLength {
        let (of, percent) = self.timers.length_of(left.question).unwrap_or((0, NOMINAL));
        let added = share(of + more, percent) - share(of, percent);
        TimerLength::of(TimeLeft { ms: left.ms + added, ..left }, of + more)
    }

    /// How long the timer of a question has run, in milliseconds, at this moment of this process. None where speed earns nothing.
    pub fn ran(&self, question: QuestionId, at: Moment) -> Option<u32> {
        let ran = self.timers.ran(question, at)?;
        Some(ran.try_into().unwrap_or(u32::MAX))
    }

    /// A question that is already closed for the player stays closed.
    pub fn set_extra_time(&mut self, game: &Game, player: PlayerId, percent: u16) {
        let Some(slot) = game.roster.find_player(player) else { return };
        self.timers.keep_over(slot, self.extra.of(slot));
        self.extra.set(slot, percent);
        self.restage(game);
    }

    /// Has to be called after the set of players who count has changed.
    pub fn restage(&mut self, game: &Game) {
        self.timers.restage(&self.extra.stages(&game.roster));
    }

    /// Removes the extra time of a player who was removed.
    pub fn forget(&mut self, game: &Game, slot: PlayerSlot) {
        self.extra.set(slot, NOMINAL);
        self.restage(game);
    }
}
