//! Applies events to the state. It never refuses an event and never panics: an event that refers to something unknown (in a log
//! of a later version, for example) changes nothing.

pub(crate) mod bundle;

use std::sync::Arc;

use quizhall_quiz::{QuestionId, QuestionKind};

use crate::answering::markings::{Marked, Ruling};
use crate::base::{
    Answer, Device, FrozenQuiz, HostMark, Mark, Moment, NOMINAL, Pace, Phase, PlayOptions, Played, Player,
    PlayerDevice, PlayerId, Sheet, Suggestion, TokenHash, Worth,
};
use crate::clock::span::{Limit, Passed};
use crate::event::{Change, Event};
use crate::showing::adjustments::Given as GivenPoints;
use crate::showing::settings::{OnScreens, Setting};
use crate::showing::tally::ShownTally;
use crate::showing::tie_breaks::TieBreak;
use crate::state::State;
use crate::state::step::{may_move, next_step};
use crate::table::Running;

/// The values of an answer from a phone.
#[derive(Clone, Copy)]
struct Given<'a> {
    by: Device,
    text: &'a Arc<str>,
    mark: Mark,
    /// How long the player took, milliseconds; none where that earns nothing.
    elapsed: Option<u32>,
}

impl State {
    /// Applies one event that is read from a log, by a reader without a clock. The same events in the same order always give the
    /// same state. Timers then count from no moment of this process ([`State::restart_timers`]).
    pub fn apply(&mut self, event: &Event) {
        self.apply_at(event, Moment::default());
    }

    /// Applies one event at a moment of this process. The timers that it states count from this moment.
    pub fn apply_at(&mut self, event: &Event, at: Moment) {
        if let Change::Answers(bundle) = &event.change {
            return self.apply_bundle(bundle, at);
        }
        let step = may_move(&event.change).then(|| next_step(self));
        self.note_command_id(event);
        let stops = event.change.row().stops;
        if event.command_id.is_some() && !event.is_step && stops.contains(&Running::Autopilot) {
            self.clock.timers.autopilot = None;
        }
        if event.is_step || stops.contains(&Running::Break) {
            self.clock.timers.pause = None;
        }
        self.carry_out(&event.change, event.host, at);
        if self.game.options.close_when_answered {
            self.clock.close_answered(&self.game, answered(&event.change), at);
        }
        if event.is_step {
            self.show_held(&event.change);
        }
        let is_other = step.is_some_and(|step| step != next_step(self));
        if is_other {
            self.steps = self.steps.saturating_add(1);
        }
        // A choice for the screens says itself whether they show anything.
        if is_other && !matches!(event.change, Change::Set(Setting::Screens(_))) {
            self.settings.end_blank();
        }
        if is_other || matches!(event.change, Change::AutopilotSet { .. }) {
            let pause = self.pause_of_autopilot();
            self.clock.timers.step_after_change(&self.game, pause, at);
        }
    }

    /// A picture that is shown as the next step shows the held standings as well, if it is the first with them.
    fn show_held(&mut self, change: &Change) {
        if let Change::Set(Setting::Screens(OnScreens { slide: Some(slide), .. })) = change
            && self.shows_held(*slide)
        {
            self.game.standings_held = false;
        }
    }

    /// `by` is the device of the host that sent the command.
    fn carry_out(&mut self, change: &Change, by: Device, at: Moment) {
        use Change as C;
        let Self { game, clock, markings, .. } = self;
        match change {
            // Bundles are applied as a whole.
            C::Created(_) | C::BreakEnded | C::Answers(_) => {}
            C::Claimed { epoch, .. } => self.claim(*epoch, at),
            C::Joined { player, display_name, token, idempotency, team } => {
                game.roster.add(Player::joined(*player, display_name.clone(), *token).with(*idempotency, *team));
            }
            C::Left { player, device } => self.set_present(*player, *device, false),
            C::Returned { player, device } => self.set_present(*player, *device, true),
            C::Disconnected { player, device } => game.set_connected(*player, *device, false),
            C::Connected { player, device } => game.set_connected(*player, *device, true),
            C::HostLeft | C::HostReturned => self.set_host_present(matches!(change, C::HostReturned), at),
            C::Started => {
                self.begin_round(at);
                let plan = self.game.options.autopilot;
                self.clock.timers.set_autopilot(&self.game, plan, at);
            }
            C::NextRoundStarted => self.begin_round(at),
            C::QuestionReleased { question } => self.release(*question, at),
            C::QuestionClosing { question } => clock.timers.close_soon(*question, true, at),
            C::QuestionClosed { question } => self.close_question(*question, at),
            C::OptionsSet(options) => self.set_options(**options),
            C::TimerSet(length) => clock.timers.set_in(game, *length, at),
            C::TimerHeld { held, left } => clock.timers.hold(*held, left, at),
            C::TimerMark { left, step } => clock.timers.mark(left, *step, at),
            C::TimeOver { left, up, next } => clock.timers.pass(*left, Passed { up: *up, next: *next }, at),
            C::ExtraTimeSet { player, percent } => clock.set_extra_time(game, *player, *percent),
            C::AutopilotSet { plan } => clock.timers.set_autopilot(game, *plan, at),
            C::BreakStarted { ms, text } => clock.timers.start_break(*ms, text.as_deref(), at),
            C::BreakMark { ms } => clock.timers.mark_break(*ms, at),
            C::Answered { player, device, question, answer, correct, near_miss, partial, elapsed } => {
                let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial };
                self.answered(*player, *question, Given { by: *device, text: answer, mark, elapsed: *elapsed });
            }
            C::AnswerEntered { player, question, answer, correct, near_miss, partial } => {
                let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial };
                self.enter_answer(*player, *question, answer, mark);
            }
            C::RoundEnded => self.end_round(),
            C::AnswerOverridden { player, question, correct } => self.overrule(*player, *question, *correct, by),
            C::AnswersMarked { question, texts, correct, partial } => {
                self.mark_all(*question, texts, HostMark::of(*correct, *partial, by));
            }
            C::KeyChanged { question, texts, correct, partial } => {
                self.change_key(*question, texts, Worth { correct: *correct, partial: *partial }, by);
            }
            C::MarksCorrected { question, players, correct, partial } => {
                game.correct_marks(*question, players, HostMark::of(*correct, *partial, by));
            }
            C::MarkingUndone { of } => markings.undo(game, *of),
            C::Appealed { player, question, text, .. } => game.appeal(*player, *question, text.as_deref()),
            C::AppealDismissed { player, question } => game.dismiss_appeal(*player, *question),
            C::PointsAdjusted { player, round, points, reason } => {
                game.adjust(*player, &GivenPoints { points: *points, round: *round, reason: reason.as_ref(), by });
            }
            C::AdjustmentUndone { player, number, .. } => game.undo_adjustment(*player, *number),
            C::TallyShown { question, hidden } => self.show_tally(*question, hidden, at),
            C::AnswerRevealed { question } => self.reveal(*question),
            C::ScoresReleased { held } => self.release_scores(*held),
            C::Ended => self.end(),
            C::Closed => self.close(),
            C::PlayerRemoved { player, banned } => self.remove(*player, *banned),
            C::Set(setting) => _ = self.settings.set(setting),
            C::JokerPlayed { player, round, .. } => game.play_joker(*player, *round),
            C::CoHostAdded(co_host) => self.co_hosts.add(co_host),
            C::CoHostRemoved { device } => self.co_hosts.remove(*device),
            C::ScreenAdded(screen) => self.screens.add(screen),
            C::ScreenRemoved { screen } => self.screens.remove(*screen),
            C::SeatCodeIssued(issued) => self.seats.issue(*issued),
            C::SeatMoved { player, device, token } => self.move_seat(*player, *device, *token),
            C::QuestionEdited(edit) => game.edit_question(edit),
            C::QuestionWithdrawn { question } => self.withdraw_question(*question, at),
            C::PlayerRenamed { player, display_name } => game.rename(*player, display_name),
            C::SeatAdded { player, display_name } => game.roster.add(Player::seated(*player, display_name.clone())),
            C::DeviceAdded(added) => game.add_device(added),
            C::Suggested { player, device, question, answer } => self.suggest(*player, *device, *question, answer),
            C::TieBreakStarted { players, text, answer } => self.start_tie_break(players, text, *answer),
            C::TieBreakAnswered { player, answer, .. } => self.tie_breaks.answer(*player, *answer),
            C::TieBreakEnded { places } => self.end_tie_break(places),
        }
    }

    /// Stores the id of a command: for the player's device if a player sent it, otherwise for the host's device. Commands of the
    /// service have no id.
    fn note_command_id(&mut self, event: &Event) {
        let command_id = event.command_id;
        if command_id.is_none() {
            return;
        }
        let last = match event.change.sender() {
            Some((player, device)) => {
                let slot = self.game.roster.find_player(player);
                slot.and_then(|slot| self.game.roster.player_mut(slot).last_command_mut(device))
            }
            None if event.host.is_first() => Some(&mut self.game.last_host_command),
            None => self.co_hosts.last_command_mut(event.host),
        };
        if let Some(last) = last {
            *last = command_id.max(*last);
        }
    }

    /// In the lobby the quiz is played by the new options; later only what has no effect on the quiz can change.
    fn set_options(&mut self, options: PlayOptions) {
        if self.game.phase == Phase::Lobby {
            let written = Arc::clone(self.game.frozen.written());
            self.game.frozen = FrozenQuiz::of(written, &options);
            self.game.take_back_jokers();
        }
        if !options.close_when_answered {
            self.clock.timers.closings.keep_open(None);
        }
        self.game.options = options;
    }

    fn claim(&mut self, epoch: u64, at: Moment) {
        self.game.epoch = epoch;
        self.clock.timers.continue_at(at);
    }

    fn close(&mut self) {
        self.game.closed = true;
        self.clock.timers.end_all();
    }

    fn set_host_present(&mut self, present: bool, at: Moment) {
        self.game.host_present = present;
        self.clock.timers.hold_step(!present, at);
    }

    fn set_present(&mut self, player: PlayerId, device: Device, present: bool) {
        if self.game.set_present(player, device, present) {
            self.clock.restage(&self.game);
        }
    }

    fn move_seat(&mut self, player: PlayerId, device: Device, token: TokenHash) {
        self.seats.move_seat(&mut self.game, PlayerDevice { player, device }, token);
    }

    fn suggest(&mut self, player: PlayerId, by: Device, question: QuestionId, text: &Arc<str>) {
        self.game.suggest(player, Suggestion { question, by, text: Arc::clone(text) });
    }

    fn overrule(&mut self, player: PlayerId, question: QuestionId, correct: bool, by: Device) {
        let mark = HostMark::of(correct, 0, by);
        self.markings.overrule(&mut self.game, Marked { question, named: &[player], mark });
    }

    fn mark_all(&mut self, question: QuestionId, texts: &[String], mark: HostMark) {
        self.markings.mark_all(&mut self.game, Marked { question, named: texts, mark });
    }

    fn change_key(&mut self, question: QuestionId, texts: &[String], worth: Worth, by: Device) {
        self.markings.change_key(&mut self.game, Ruling { question, texts, worth }, by);
    }

    fn enter_answer(&mut self, player: PlayerId, question: QuestionId, text: &Arc<str>, mark: Mark) {
        self.game.enter_answer(player, question, text, mark);
        if let Some(slot) = self.game.roster.find_player(player) {
            self.markings.forget_answer(question, slot);
        }
    }

    fn start_tie_break(&mut self, players: &[PlayerId], text: &str, answer: i64) {
        self.tie_breaks.start(TieBreak::new(self.game.round(), players, text, answer));
    }

    fn begin_round(&mut self, at: Moment) {
        let game = &mut self.game;
        if game.rounds.len() < game.frozen.quiz().rounds.len() {
            game.rounds.push(Played::default());
            game.phase = Phase::Question;
            game.forget_suggestions();
            self.forget_shown();
            let limit = self.game.quiz().rounds[self.game.round()].time_limit;
            self.clock.timers.start_in(&self.game, Limit { question: None, seconds: limit }, at);
        }
    }

    /// Ends everything that is shown of a round.
    fn forget_shown(&mut self) {
        self.game.standings_held = false;
        self.shown_tally = None;
        self.revealed.clear();
        self.tie_breaks.drop_open();
    }

    fn end_round(&mut self) {
        self.game.forget_away();
        self.game.phase = Phase::RoundReview;
        self.clock.timers.end_round();
        let joined = u32::try_from(self.game.roster.all().len()).ok();
        if let Some(played) = self.game.rounds.last_mut() {
            played.joined = joined;
        }
        self.game.mark_nearest();
    }

    fn release(&mut self, question: QuestionId, at: Moment) {
        self.open(question, at);
        self.clock.timers.step_after_release(at);
    }

    fn open(&mut self, question: QuestionId, at: Moment) {
        let round = self.game.round();
        let Some(place) = self.game.frozen.place(question).filter(|place| place.round == round) else { return };
        if let Some(played) = self.game.rounds.get_mut(round)
            && played.sheet(place.question).is_none()
        {
            played.sheets.push(Sheet::new(place.question));
            let timers = &mut self.clock.timers;
            let limit = timers.limit_now(self.game.frozen.at(place).and_then(|question| question.time_limit));
            timers.start_in(&self.game, Limit { question: Some(question), seconds: limit }, at);
            if self.game.counts_speed(question) {
                timers.count(question);
            }
        }
    }

    fn close_question(&mut self, question: QuestionId, at: Moment) {
        if let Some(sheet) = self.game.sheet_mut(question) {
            sheet.closed = true;
        }
        self.clock.timers.end(question);
        self.clock.timers.step_after_closing(&self.game, question, at);
    }

    fn withdraw_question(&mut self, question: QuestionId, at: Moment) {
        self.game.withdraw(question);
        if self.game.is_in_round(question) && self.game.is_withdrawn(question) {
            self.clock.timers.end(question);
        }
        self.clock.timers.step_after_withdrawal(&self.game, at);
    }

    fn answered(&mut self, player: PlayerId, question: QuestionId, given: Given<'_>) {
        let Given { by, text, mark, elapsed } = given;
        let mark = self.game.key_mark(question, text, mark);
        let time_percent = elapsed.map_or(NOMINAL, |_| self.time_percent_of(player));
        let answer = |slot| Answer { elapsed, by, time_percent, ..Answer::new(slot, Arc::clone(text), mark) };
        self.game.answer(player, question, answer);
        if self.game.options.teams.is_some_and(|teams| teams.captain_only) {
            self.game.decide_suggestions(player, question);
        }
    }

    fn show_tally(&mut self, question: QuestionId, hidden: &[String], at: Moment) {
        self.shown_tally = Some(ShownTally::of(&self.game, question, hidden));
        self.clock.timers.step_after_tally(at);
    }

    /// As the next step of a game of single questions it also ends the round. A cloud of words has no right answer: it is shown instead.
    fn reveal(&mut self, question: QuestionId) {
        if self.game.phase == Phase::Question && self.pace() == Pace::Question && self.is_released(question) {
            self.end_round();
            if self.game.question(question).is_some_and(|asked| asked.kind == QuestionKind::WordCloud) {
                self.shown_tally = Some(ShownTally::of(&self.game, question, &[]));
            }
        }
        self.revealed.reveal(&self.game, question);
    }

    /// `held`: phones are sent the standings when the host has shown them.
    fn release_scores(&mut self, held: bool) {
        self.game.standings_held = held;
        self.game.phase = Phase::Leaderboard;
        self.markings.clear();
        if self.game.score_round() {
            self.settings.begin_slides();
        }
    }

    fn end_tie_break(&mut self, places: &[(PlayerId, u32)]) {
        if self.tie_breaks.end(places, &mut self.game.roster) {
            self.game.board = Arc::new(self.game.board.reordered(&self.game.roster));
        }
    }

    fn end(&mut self) {
        self.game.phase = Phase::Ended;
        self.clock.timers.autopilot = None;
        self.settings.begin_slides();
        self.forget_shown();
        self.game.rank();
    }

    fn remove(&mut self, player: PlayerId, banned: bool) {
        let game = &mut self.game;
        if let Some(slot) = game.roster.find(player).filter(|_| banned) {
            game.roster.player_mut(slot).banned = true;
        }
        let Some(slot) = game.roster.find_player(player) else { return };
        game.remove_player(slot);
        self.markings.forget(slot);
        self.clock.forget(game, slot);
        self.shown_tally = self.shown_tally.take().map(|shown| shown.recounted(game));
        game.mark_nearest();
        if game.board.standing_of(player).is_some() {
            game.board = Arc::new(game.board.without(player));
        }
    }
}

/// The question of an answer: nothing else that answers close depends on has changed.
fn answered(change: &Change) -> Option<QuestionId> {
    match change {
        Change::Answered { question, .. } => Some(*question),
        _ => None,
    }
}
