//! The functions with which the engine and the server read the features of a state.

use quizhall_quiz::QuestionId;

use crate::base::{AutopilotPlan, CommandId, Device, Moment, PlayerId, TokenHash};
use crate::clock::span::{Expiry, TimeLeft};
use crate::people::co_hosts::CoHosts;
use crate::people::screens::Screens;
use crate::showing::reveal::Revealed;
use crate::showing::settings::OnScreens;
use crate::showing::tally::{ShownTally, Tally};
use crate::showing::tie_breaks::TieBreak;
use crate::state::State;

/// Settings, and things that are shown.
impl State {
    /// Whether the host has closed the game to new players.
    pub fn is_locked(&self) -> bool {
        self.settings.is_locked()
    }

    /// What the host has chosen for the screens.
    pub fn on_screens(&self) -> &OnScreens {
        self.settings.on_screens()
    }

    /// Whether the host lets spectators watch.
    pub fn may_watch(&self) -> bool {
        self.settings.may_watch()
    }

    /// The latest tally that the host has shown in this round, if any.
    pub fn tally(&self) -> Option<&Tally> {
        self.shown_tally.as_ref().map(ShownTally::tally)
    }

    /// The questions of the current round whose right answers are revealed, in that order.
    pub fn revealed(&self) -> impl Iterator<Item = Revealed<'_>> {
        self.revealed.shown(&self.game)
    }

    /// The tie-breaks of the game, in order; the last can be open.
    pub fn tie_breaks(&self) -> &[TieBreak] {
        self.tie_breaks.all()
    }

    /// The tie-break that takes answers.
    pub fn open_tie_break(&self) -> Option<&TieBreak> {
        self.tie_breaks.open()
    }

    /// How many markings of this round can be undone; with a device, only those that were made on it.
    pub fn undoable(&self, of: Option<Device>) -> usize {
        self.markings.undoable(of)
    }

    /// The question of the latest marking of this round and the players whose answers it touched, in order of arrival. With a
    /// device, the latest marking that was made on it.
    pub fn latest_marking(&self, of: Option<Device>) -> Option<(QuestionId, Vec<PlayerId>)> {
        self.markings.latest_touched(&self.game, of)
    }
}

/// Co-hosts, screens and seats.
impl State {
    /// The co-hosts.
    pub fn co_hosts(&self) -> &CoHosts {
        &self.co_hosts
    }

    /// The screens that have a token, and those that were removed.
    pub fn screens(&self) -> &Screens {
        &self.screens
    }

    /// The id of the last stored command of one of the host's devices.
    pub fn last_host_command(&self, device: Device) -> Option<CommandId> {
        if device.is_first() { self.last_host_command } else { self.co_hosts.last_command(device) }
    }

    /// The player and device whose seat can be taken with a code at this time.
    pub fn seat_of_code(&self, code: &TokenHash, now_ms: i64) -> Option<(PlayerId, Device)> {
        self.seats.of_code(code, now_ms).filter(|(player, _)| self.player(*player).is_some())
    }

    /// How often the seat of a player's first device has moved to another phone. A token from before the last move is
    /// no longer valid.
    pub fn moves_of(&self, player: PlayerId) -> u32 {
        self.seats.moves_of(player)
    }

    /// The same of any device of the player.
    pub fn moves_over(&self, player: PlayerId, device: Device) -> u32 {
        self.seats.moves_over(&self.game, player, device)
    }
}

/// Time.
impl State {
    /// The time that each timer of the round has left at a moment of this process, as the log states it; the oldest timer first.
    pub fn timers(&self, at: Moment) -> impl Iterator<Item = TimeLeft> {
        self.clock.timers.left(at)
    }

    /// The time left of a timer that records how long it has run. It has to be stated before the host changes the timer.
    pub fn unstated(&self, question: Option<QuestionId>, at: Moment) -> Option<TimeLeft> {
        self.clock.timers.unstated(question, at)
    }

    /// Whether the host holds the timers, so that their time does not pass.
    pub fn are_timers_held(&self) -> bool {
        self.clock.timers.are_held()
    }

    /// When each running timer closes its question or round (some time after it has run out), when the autopilot takes its next
    /// step, and when the break ends.
    pub fn expiries(&self) -> impl Iterator<Item = (Moment, Expiry)> {
        self.clock.timers.expiries()
    }

    /// When the time left has to be stated again ([`crate::Command::MarkTimers`]), calculated at a moment of this process.
    pub fn next_mark(&self, at: Moment) -> Option<Moment> {
        self.clock.timers.next_mark(at)
    }

    /// Timers count from this moment: for a state that was read, which knows no moment of this process.
    pub fn restart_timers(&mut self, at: Moment) {
        self.clock.timers.restart(at);
    }

    /// Leaves out `ms` milliseconds in which the process did not run.
    pub fn delay_timers(&mut self, ms: u64) {
        self.clock.timers.delay(ms);
    }

    /// The percent of every timer that a player has; 100 without extra time.
    pub fn time_percent_of(&self, player: PlayerId) -> u16 {
        self.clock.percent_of(&self.game, player)
    }

    /// Whether the time left can differ between players.
    pub fn has_stages(&self) -> bool {
        self.clock.has_stages()
    }

    /// How many players who are here have not answered an open question. Players who are away or on paper do not count.
    pub fn waits_for(&self, question: QuestionId) -> usize {
        self.clock.waits_for(&self.game, question)
    }

    /// Whether the host has closed a question of the current round that still has its grace.
    pub fn is_closing(&self, question: QuestionId) -> bool {
        self.clock.timers.closings.has_hosts(question)
    }

    /// Whether a question of the current round takes answers from this player, if the phase allows answers.
    pub fn is_open_for(&self, question: QuestionId, player: PlayerId) -> bool {
        self.clock.is_open_for(&self.game, question, player)
    }

    /// The questions that take no answers of this player although the round continues, in order of release.
    pub fn closed_questions_for(&self, player: PlayerId) -> impl Iterator<Item = QuestionId> {
        self.clock.closed_for(&self.game, player)
    }

    /// The time that each timer has left for a player at a moment of this process, the oldest timer first. Timers that are over
    /// for the player are left out.
    pub fn time_left_of(&self, player: PlayerId, at: Moment) -> impl Iterator<Item = TimeLeft> {
        self.clock.left_of(&self.game, player, at)
    }

    /// The time that each timer has left for players without extra time, and by how many milliseconds its last stage is longer.
    pub fn time_left(&self, at: Moment) -> impl Iterator<Item = (TimeLeft, u64)> {
        self.clock.left(&self.game, at)
    }

    /// Whether there is a break.
    pub fn has_break(&self) -> bool {
        self.clock.timers.pause.is_some()
    }

    /// How much time the break has left at a moment of this process, in milliseconds, and the text shown with it.
    pub fn break_left(&self, at: Moment) -> Option<(u64, Option<&str>)> {
        self.clock.timers.pause.as_ref().map(|pause| (pause.left(at), pause.text()))
    }

    /// The host's plan for the autopilot; none while none runs.
    pub fn autopilot(&self) -> Option<AutopilotPlan> {
        self.clock.timers.plan()
    }
}

/// Methods of the game that callers name by their path.
impl State {
    /// The last claim's epoch; 0 before any.
    pub fn epoch(&self) -> u64 {
        self.game.epoch()
    }

    /// Whether the scores are out and the host has not shown the standings yet.
    pub fn are_standings_held(&self) -> bool {
        self.game.are_standings_held()
    }
}
