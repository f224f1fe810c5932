//! Applies events to the state. It never refuses an event and never panics: an event that refers to something unknown (in a log
//! of a later version, for example) changes nothing.

use std::sync::Arc;

use crate::State;
use crate::base::board::Board;
use crate::base::roster::{Player, PlayerSlot};
use crate::base::sheet::{Answer, HostMark, KeyMark, Played, Sheet};
use crate::clock::timers::NOMINAL;
use crate::showing::streaks::Streak;
use crate::table::Running;
use crate::{Change, Device, Event, Mark, Moment, Phase, PlayerId, QuestionId, TimeLeft, TimerLength};

impl State {
    /// Applies one event that is read from a log, by a reader without a clock. The same events in the same order always give the
    /// same state. Timers then count from no moment of this process ([`State::restart_timers`]).
    pub fn apply(&mut self, event: &Event) {
        self.apply_at(event, Moment::default());
    }

    /// Applies one event at a moment of this process. The timers that it states count from this moment.
    pub fn apply_at(&mut self, event: &Event, at: Moment) {
        self.note_command_id(event);
        let stops = event.change.row().stops;
        if event.command_id.is_some() && stops.contains(&Running::Autopilot) {
            self.timers.autopilot = None;
        }
        if stops.contains(&Running::Break) {
            self.timers.pause = None;
        }
        self.carry_out(&event.change, event.host, at);
    }

    /// `by` is the device of the host that sent the command.
    fn carry_out(&mut self, change: &Change, by: Device, at: Moment) {
        use Change as C;
        match change {
            C::Created(_) | C::BreakEnded => {}
            C::Claimed { epoch, .. } => self.claim(*epoch, at),
            C::Joined { player, display_name, token, idempotency, team } => {
                self.roster.add(Player::joined((*player, display_name.clone()), (*token, *idempotency), *team));
            }
            C::Left { player, device } => self.set_present((*player, *device), false),
            C::Returned { player, device } => self.set_present((*player, *device), true),
            C::Disconnected { player, device } => self.set_connected((*player, *device), false),
            C::Connected { player, device } => self.set_connected((*player, *device), true),
            C::HostLeft | C::HostReturned => self.set_host_present(matches!(change, C::HostReturned), at),
            C::Started | C::NextRoundStarted => self.begin_round(at),
            C::QuestionReleased { question } => self.release(*question, at),
            C::QuestionClosed { question } => self.close_question(*question, at),
            C::TimerSet(length) => self.set_timer(*length, at),
            C::TimerHeld { held, left } => self.timers.hold(*held, left, at),
            C::TimerMark { left, step } => self.timers.mark(left, *step, at),
            C::TimeOver { left, up, next } => self.timers.pass(*left, (*up, *next), at),
            C::ExtraTimeSet { player, percent } => self.set_extra_time(*player, *percent),
            C::AutopilotSet { plan } => self.set_autopilot(*plan, at),
            C::BreakStarted { ms, text } => self.timers.start_break(*ms, text.as_deref(), at),
            C::BreakMark { ms } => self.timers.mark_break(*ms, at),
            C::Answered { player, device, question, answer, correct, near_miss, partial, elapsed } => {
                let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial };
                self.answered((*player, *device), *question, (answer, mark), *elapsed);
            }
            C::AnswerEntered { player, question, answer, correct, near_miss, partial } => {
                let mark = Mark { correct: *correct, near_miss: *near_miss, partial: *partial };
                self.enter_answer(*player, *question, answer, mark);
            }
            C::RoundEnded => self.end_round(),
            C::AnswerOverridden { player, question, correct } => self.overrule(*player, *question, *correct, by),
            C::AnswersMarked { question, texts, correct, partial } => {
                self.mark_all(*question, texts, HostMark::new((*correct, *partial), by));
            }
            C::KeyChanged { question, texts, correct } => self.change_key(*question, texts, *correct, by),
            C::MarksCorrected { question, players, correct, partial } => {
                self.correct_marks(*question, players, HostMark::new((*correct, *partial), by));
            }
            C::MarkingUndone { of } => self.undo_marking(*of),
            C::Appealed { player, question, text, .. } => self.appeal(*player, *question, text.as_deref()),
            C::AppealDismissed { player, question } => self.dismiss_appeal(*player, *question),
            C::TallyShown { question, hidden } => self.show_tally(*question, hidden, at),
            C::AnswerRevealed { question } => self.reveal(*question),
            C::ScoresReleased { held } => self.score_round(*held),
            C::Ended => self.end(),
            C::Closed => self.close(),
            C::PlayerRemoved { player, banned } => self.remove(*player, *banned),
            C::Set(setting) => _ = self.settings.set(setting),
            C::JokerPlayed { player, round, .. } => self.play_joker(*player, *round),
            C::CoHostAdded(co_host) => self.add_co_host(co_host),
            C::CoHostRemoved { device } => self.remove_co_host(*device),
            C::ScreenAdded(screen) => self.add_screen(screen),
            C::ScreenRemoved { screen } => self.remove_screen(*screen),
            C::SeatCodeIssued(issued) => self.seats.issue(*issued),
            C::SeatMoved { player, device, token } => self.move_seat(*player, *device, *token),
            C::QuestionEdited(edit) => self.edit_question(edit),
            C::QuestionWithdrawn { question } => self.withdraw_question(*question, at),
            C::PlayerRenamed { player, display_name } => self.rename(*player, display_name),
            C::SeatAdded { player, display_name } => self.roster.add(Player::seated(*player, display_name.clone())),
            C::DeviceAdded(added) => self.add_device(added),
            C::Suggested { player, device, question, answer } => self.suggest((*player, *device), *question, answer),
            C::TieBreakStarted { players, text, answer } => self.start_tie_break(players, text, *answer),
            C::TieBreakAnswered { player, answer, .. } => self.answer_tie_break(*player, *answer),
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
                let slot = self.roster.find_player(player);
                slot.and_then(|slot| self.roster.player_mut(slot).last_command_mut(device))
            }
            None => self.last_host_command_mut(event.host),
        };
        if let Some(last) = last {
            *last = command_id.max(*last);
        }
    }

    fn claim(&mut self, epoch: u64, at: Moment) {
        self.epoch = epoch;
        self.timers.continue_at(at);
    }

    fn close(&mut self) {
        self.closed = true;
        self.timers.end_all();
    }

    fn set_host_present(&mut self, present: bool, at: Moment) {
        self.host_present = present;
        self.hold_step(!present, at);
    }

    fn end(&mut self) {
        self.phase = Phase::Ended;
        self.standings_held = false;
        self.shown_tally = None;
        self.revealed.clear();
        self.settings.begin_slides();
        self.drop_tie_break();
        self.board = Arc::new(Board::of(&self.roster));
    }

    fn set_present(&mut self, who: (PlayerId, Device), present: bool) {
        if let Some((slot, present)) = self.connect(who, present) {
            self.roster.set_present(slot, present);
            self.roster.set_connected(slot, present);
            self.restage_timers();
        }
    }

    fn set_connected(&mut self, who: (PlayerId, Device), connected: bool) {
        if let Some((slot, connected)) = self.connect(who, connected) {
            self.roster.set_connected(slot, connected);
        }
    }

    /// Stores whether a device is connected. Returns its player and whether any device of that player is connected now.
    fn connect(&mut self, (player, device): (PlayerId, Device), connected: bool) -> Option<(PlayerSlot, bool)> {
        let slot = self.roster.find_player(player)?;
        let any = self.roster.player_mut(slot).connect(device, connected)?;
        Some((slot, any))
    }

    fn begin_round(&mut self, at: Moment) {
        if self.rounds.len() < self.frozen.quiz().rounds.len() {
            self.rounds.push(Played::default());
            self.phase = Phase::Question;
            self.standings_held = false;
            self.shown_tally = None;
            self.revealed.clear();
            self.drop_tie_break();
            self.forget_suggestions();
            let limit = self.quiz().rounds[self.round()].time_limit;
            self.start_timer(None, limit, at);
        }
    }

    fn end_round(&mut self) {
        self.phase = Phase::RoundReview;
        self.timers.end_all();
        if let Some(played) = self.rounds.last_mut() {
            played.joined = u32::try_from(self.roster.all().len()).ok();
        }
        self.mark_nearest();
    }

    fn release(&mut self, question: QuestionId, at: Moment) {
        self.open(question, at);
        self.step_after_release(at);
    }

    fn open(&mut self, question: QuestionId, at: Moment) {
        let round = self.round();
        let Some(place) = self.frozen.place(question).filter(|place| place.round == round) else { return };
        if let Some(played) = self.rounds.get_mut(round)
            && played.sheet(place.question).is_none()
        {
            played.sheets.push(Sheet::new(place.question));
            let limit = self.limit_now(self.frozen.at(place).and_then(|question| question.time_limit));
            self.start_timer(Some(question), limit, at);
            if self.counts_speed(question) {
                self.timers.count(question);
            }
        }
    }

    pub(crate) fn set_timer(&mut self, length: TimerLength, at: Moment) {
        if self.phase == Phase::Question && length.left.question.is_none_or(|question| self.is_open(question)) {
            self.timers.set(length, at);
        }
    }

    fn start_timer(&mut self, question: Option<QuestionId>, limit: Option<u16>, at: Moment) {
        if let Some(seconds) = limit {
            self.set_timer(TimeLeft { question, ms: u64::from(seconds) * 1_000 }.into(), at);
        }
    }

    fn close_question(&mut self, question: QuestionId, at: Moment) {
        if let Some(sheet) = self.sheet_mut(question) {
            sheet.closed = true;
        }
        self.timers.end(question);
        self.step_after_closing(question, at);
    }

    fn answered(
        &mut self,
        (player, by): (PlayerId, Device),
        question: QuestionId,
        (text, mark): (&Arc<str>, Mark),
        elapsed: Option<u32>,
    ) {
        let mark = self.key_mark(question, text, mark);
        let time_percent = elapsed.map_or(NOMINAL, |_| self.time_percent_of(player));
        let answer = |slot| Answer { elapsed, by, time_percent, ..Answer::new(slot, Arc::clone(text), mark) };
        self.answer(player, question, answer);
        if self.teams.is_some_and(|teams| teams.captain_only) {
            self.decide_suggestions(player, question);
        }
    }

    /// The mark of an answer on arrival, with the host's ruling in the changed key.
    pub(crate) fn key_mark(&self, question: QuestionId, text: &str, mark: Mark) -> KeyMark {
        let Mark { correct, near_miss, partial } = mark;
        KeyMark { correct, near_miss, partial, ruled: self.ruling_of(question, text) }
    }

    pub(crate) fn answer(&mut self, player: PlayerId, question: QuestionId, answer: impl FnOnce(u32) -> Answer) {
        let Some(slot) = self.roster.find_player(player) else { return };
        let Some(sheet) = self.sheet_mut(question) else { return };
        sheet.put(answer(slot));
        self.roster.player_mut(slot).answered = true;
    }

    pub(crate) fn sheet_mut(&mut self, question: QuestionId) -> Option<&mut Sheet> {
        let round = self.round();
        let place = self.frozen.place(question).filter(|place| place.round == round)?;
        self.rounds.get_mut(round)?.sheet_mut(place.question)
    }

    /// Adds the round's points to the scores, once, and builds the board. With `held`, phones receive the standings only when the
    /// host shows them.
    fn score_round(&mut self, held: bool) {
        self.standings_held = held;
        self.phase = Phase::Leaderboard;
        self.markings.clear();
        let round = self.round();
        if self.rounds.get(round).is_none_or(|played| played.scored) {
            return;
        }
        let earned = self.earned_in(round);
        for (player, earned) in self.roster.all_mut().zip(earned) {
            player.round_score = earned;
            player.score += earned;
            player.ties.clear();
        }
        self.rounds[round].scored = true;
        self.settings.begin_slides();
        self.board = Arc::new(Board::of(&self.roster));
    }

    /// The points of a round by slot.
    pub(crate) fn earned_in(&self, round: usize) -> Vec<i64> {
        let mut earned: Vec<_> = self.roster.all().map(|player| (0, Streak::of(player, self.quiz(), round))).collect();
        for (number, question, sheet) in self.numbered_sheets_of(round) {
            for answer in sheet.answers() {
                let (points, streak) = &mut earned[answer.slot as usize];
                *points += i64::from(streak.earn(number, question, answer).points);
            }
        }
        earned.into_iter().map(|(points, _)| points).collect()
    }

    fn remove(&mut self, player: PlayerId, banned: bool) {
        if let Some(slot) = self.roster.find(player).filter(|_| banned) {
            self.roster.player_mut(slot).banned = true;
        }
        let Some(slot) = self.roster.find_player(player) else { return };
        self.roster.remove(slot);
        for sheet in self.rounds.iter_mut().flat_map(|played| &mut played.sheets) {
            sheet.forget(slot);
        }
        self.markings.forget(slot);
        self.forget_extra_time(slot);
        self.recount_tally();
        self.mark_nearest();
        if self.board.standing_of(player).is_some() {
            self.board = Arc::new(self.board.without(player));
        }
    }
}
