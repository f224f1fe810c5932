//! Applies committed events to the replica, and renders their messages for the sockets here.

use std::cell::LazyCell;

use bytes::Bytes;
use quizhall_rules::{Change, CommandId, Device, Event, Phase, PlayerId, QuestionId, Setting};

use super::marks::{After, Touched};
use super::sections::Shown;
use super::sessions::Session;
use super::{Edge, EdgeEffect, sender_of};
use crate::ids::{ConnectionId, Participant, Time};
use crate::sections::shows;
use crate::wire::{self, Boards, CloseCode, Closing, Dialect, FrameKind, Scores};

impl Edge {
    /// Applies an entry of the log.
    pub(super) fn apply_event(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let next = self.seq() + 1;
        // Until the end of its row.
        self.note_head(None);
        match &event.change {
            Change::Answers(_) => self.apply_answers(now, event, effects),
            _ => self.apply_change(now, event, effects),
        }
        if let Some(replica) = &mut self.replica {
            (replica.next, replica.ahead.events) = (next, replica.ahead.events + event.change.weight());
        }
    }

    /// Applies a change that is an entry of the log, or means an answer of a bundle.
    pub(super) fn apply_change(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let (were_held, number, before) = (self.are_standings_held(), self.step_number(), effects.len());
        // Paced messages that are pending come before the messages of the new phase. Standings that were held begin none.
        let are_shown = were_held && matches!(event.change, Change::ScoresReleased { .. });
        if shows(&event.change).is_phase && !are_shown {
            self.flush_all_paced(now, effects);
        }
        let was_asking = self.state().is_some_and(|state| state.phase() == Phase::Question);
        let touched = self.touched_by(&event.change);
        let regrouping = self.regrouping_before(&event.change, &touched);
        let timed = self.timed_before(now, &event.change);
        let (opening, following) = self.known_before(now, &event.change);
        let (clocks, following): (Vec<_>, Vec<_>) = following.into_iter().partition(Shown::is_clock);
        let Some(replica) = &mut self.replica else { return };
        replica.state.apply_at(event, now.into());
        replica.next += 1;
        if matches!(event.change, Change::Started) {
            effects.push(EdgeEffect::Broadcast(wire::game_started(), FrameKind::Queued));
        }
        let is_over = self.state().is_some_and(|state| state.phase() == Phase::RoundReview);
        if was_asking && is_over && matches!(event.change, Change::AnswerRevealed { .. }) {
            self.round_ended(effects);
        }
        self.send_sections(now, event, opening, effects);
        self.send_of_interface(now, event, (&touched, were_held), effects);
        self.send_sections(now, event, following, effects);
        let regrouped = self.regrouped(regrouping);
        self.send_touched(event, &After { touched: &touched, groups: &regrouped }, effects);
        self.send_changed_timers(now, event, &timed, effects);
        self.send_sections(now, event, clocks, effects);
        self.note_step(number, &effects[before..]);
        self.stored(now, event, effects);
    }

    /// Sends the event's own messages.
    #[expect(clippy::match_same_arms, reason = "grouped by what they are about")]
    fn send_of_interface(
        &mut self,
        now: Time,
        event: &Event,
        (touched, were_held): (&Touched, bool),
        effects: &mut Vec<EdgeEffect>,
    ) {
        use Change as C;
        let id = event.command_id;
        match &event.change {
            C::Joined { player, .. } | C::SeatAdded { player, .. } => self.pacing.lobby.player_changed(*player),
            C::Left { player, .. } | C::Returned { player, .. } => self.lobby_changed(*player, touched),
            C::PlayerRemoved { player, .. } => self.removed(*player, effects),
            C::PlayerRenamed { player, .. } => self.player_renamed(*player, id, effects),
            C::SeatMoved { player, device, .. } => self.seat_moved(*player, *device, effects),
            C::CoHostRemoved { device } => self.co_host_removed(*device, effects),
            C::QuestionReleased { question } => self.question_released(*question, id, effects),
            C::QuestionEdited(edit) => self.question_edited(edit.question, id, effects),
            C::QuestionWithdrawn { question } => self.question_withdrawn(*question, id, effects),
            C::Answered { question, .. } => {
                self.answer_stored(now, (sender_of(event), *question), (id, touched), effects);
            }
            C::AnswerEntered { question, .. } => self.note_count(touched, *question),
            // Applied as a whole, or answer by answer.
            C::Answers(_) => {}
            C::RoundEnded => self.round_ended(effects),
            C::AnswerOverridden { player, question, correct } => {
                self.overridden(&wire::override_applied(*player, *question, *correct), id, effects);
            }
            C::MarksCorrected { .. } => self.board_changed(Scores::corrected, id, effects),
            C::PointsAdjusted { round, .. } | C::AdjustmentUndone { round, .. } => {
                self.points_adjusted(*round, id, effects);
            }
            C::TieBreakEnded { .. } => self.board_changed(Scores::reordered, id, effects),
            C::ScoresReleased { .. } if were_held => self.standings_shown(id, effects),
            C::ScoresReleased { held: true } => self.own_scores_released(id, effects),
            C::ScoresReleased { held: false } => self.scores_released(effects),
            C::Set(Setting::Screens(_)) if were_held && !self.are_standings_held() => {
                self.standings_shown(id, effects);
            }
            C::Ended => self.ended(now, effects),
            C::Closed => self.game_closed(effects),
            // Changes without a message of the interface.
            C::Created(_) | C::Claimed { .. } | C::Started | C::NextRoundStarted | C::Set(_) => {}
            C::Disconnected { .. } | C::Connected { .. } | C::HostLeft | C::HostReturned => {}
            C::AnswersMarked { .. } | C::KeyChanged { .. } | C::MarkingUndone { .. } => {}
            C::Appealed { .. } | C::AppealDismissed { .. } => {}
            C::TallyShown { .. } | C::AnswerRevealed { .. } | C::JokerPlayed { .. } => {}
            C::TieBreakStarted { .. } | C::TieBreakAnswered { .. } => {}
            C::QuestionClosing { .. } | C::OptionsSet(_) => {}
            C::QuestionClosed { .. } | C::TimerSet(_) | C::TimerHeld { .. } | C::TimerMark { .. } => {}
            C::ExtraTimeSet { .. } | C::TimeOver { .. } | C::AutopilotSet { .. } => {}
            C::BreakStarted { .. } | C::BreakMark { .. } | C::BreakEnded => {}
            C::DeviceAdded(_) | C::Suggested { .. } | C::SeatCodeIssued(_) => {}
            C::CoHostAdded(_) | C::ScreenAdded(_) | C::ScreenRemoved { .. } => {}
        }
    }

    fn game_closed(&mut self, effects: &mut Vec<EdgeEffect>) {
        self.close_all(CloseCode::GameClosed.into(), effects);
        effects.push(EdgeEffect::GameClosed);
    }

    fn answer_stored(
        &mut self,
        now: Time,
        (sender, question): (Participant, QuestionId),
        (id, touched): (Option<CommandId>, &Touched),
        effects: &mut Vec<EdgeEffect>,
    ) {
        let since = self.acknowledge(sender, question, id, effects);
        effects.extend(since.map(|since| EdgeEffect::Acknowledged(now.saturating_sub(since))));
        self.note_count(touched, question);
    }

    /// Another answer changes the count of a question.
    fn note_count(&mut self, touched: &Touched, question: QuestionId) {
        if self.is_first_answer(touched) {
            self.pacing.count_changed(question);
        }
    }

    fn overridden(&mut self, frame: &Bytes, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        self.note_shown_to_host(command_id);
        effects.extend(self.sessions.hosts().map(|host| EdgeEffect::Send(host, frame.clone(), FrameKind::Queued)));
    }

    fn ended(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let message = self.state().map(wire::game_ended);
        effects.extend(message.map(|message| EdgeEffect::Broadcast(message, FrameKind::Queued)));
        self.note_phase(now);
    }

    fn question_released(
        &mut self,
        question: QuestionId,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let Some(message) = state.question(question).map(|asked| wire::question_released(state, asked)) else { return };
        let kind = if state.counts_speed(question) { FrameKind::Asks(question) } else { FrameKind::Queued };
        effects.push(EdgeEffect::Broadcast(message, kind));
        // The broadcast confirms the host's command.
        self.note_shown_to_host(command_id);
    }

    /// Sends `answer_accepted` over the socket that sent the answer only: over another one it could pass for the acknowledgement of
    /// another answer. Returns when the answer came to this edge.
    fn acknowledge(
        &mut self,
        sender: Participant,
        question: QuestionId,
        command_id: Option<CommandId>,
        effects: &mut Vec<EdgeEffect>,
    ) -> Option<Time> {
        let connection = self.sessions.of(sender)?;
        let in_flight = self.sessions.get_mut(connection).and_then(|session| session.in_flight.as_mut());
        let in_flight = in_flight.filter(|in_flight| Some(in_flight.command_id) == command_id)?;
        in_flight.shown = true;
        let since = in_flight.waiting.since;
        let frame = self.pacing.acknowledgement(question);
        effects.push(EdgeEffect::Send(connection, frame, FrameKind::Queued));
        Some(since)
    }

    fn round_ended(&mut self, effects: &mut Vec<EdgeEffect>) {
        effects.push(EdgeEffect::Broadcast(wire::round_ended(), FrameKind::Closes(Closing::Round)));
        let Some(state) = self.state() else { return };
        // Large reviews take long to render.
        let review = |dialect| LazyCell::new(move || wire::review::review(state, dialect));
        let (plain, v1) = (review(Dialect::Interface), review(Dialect::QuizhallV1));
        let hosts: Vec<_> = self.sessions.hosts().collect();
        for host in &hosts {
            let is_v1 = self.sessions.get(*host).is_some_and(Session::has_extension);
            let review = if is_v1 { &*v1 } else { &*plain };
            effects.extend(review.iter().map(|frame| EdgeEffect::Send(*host, frame.clone(), FrameKind::Queued)));
        }
        for host in hosts {
            self.note_review(host);
        }
    }

    fn scores_released(&mut self, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        effects.push(EdgeEffect::Broadcast(wire::round_leaderboard(state), FrameKind::Queued));
        self.boards = Some(Boards::new(state));
        effects.push(EdgeEffect::SendScores(Scores::Whole, self.player_sockets(|_| true)));
    }

    /// The players' sockets of these dialects, in order of connecting.
    pub(super) fn player_sockets(&self, fits: impl Fn(Dialect) -> bool) -> Vec<(ConnectionId, PlayerId)> {
        let of_player = |(connection, session): (ConnectionId, &Session)| {
            session.participant.player().filter(|_| fits(session.dialect)).map(|player| (connection, player))
        };
        let mut players: Vec<_> = self.sessions.iter().filter_map(of_player).collect();
        players.sort_unstable_by_key(|(connection, _)| *connection);
        players
    }

    fn removed(&mut self, player: PlayerId, effects: &mut Vec<EdgeEffect>) {
        for connection in self.phones(player).collect::<Vec<_>>() {
            self.close(connection, CloseCode::Removed.into(), effects);
        }
        self.pacing.lobby.player_changed(player);
        if let Some(replica) = self.replica.as_ref().filter(|replica| replica.state.phase() == Phase::Question) {
            for question in replica.state.released() {
                self.pacing.count_changed(question.id);
            }
        }
        if self.state().is_some_and(|state| state.phase() == Phase::Leaderboard) {
            self.boards = self.state().map(Boards::new);
        }
    }

    fn co_host_removed(&mut self, device: Device, effects: &mut Vec<EdgeEffect>) {
        if let Some(connection) = self.sessions.of(Participant::CoHost(device)) {
            self.close(connection, CloseCode::Unauthorized.into(), effects);
        }
    }

    /// Closes the socket of the phone that had the seat; the new phone's socket attaches with the event.
    fn seat_moved(&mut self, player: PlayerId, device: Device, effects: &mut Vec<EdgeEffect>) {
        let socket = self.sessions.of(Participant::player_over(player, device));
        let (Some(connection), Some(state)) = (socket, self.state()) else { return };
        if self.sessions.get(connection).is_some_and(|session| session.holder().is_void(state)) {
            self.close(connection, CloseCode::Unauthorized.into(), effects);
        }
    }

    /// Stores that the command in flight of this socket, if it has this id, needs no confirmation.
    pub(super) fn note_shown(&mut self, connection: ConnectionId, command_id: Option<CommandId>) {
        let in_flight = self.sessions.get_mut(connection).and_then(|session| session.in_flight.as_mut());
        if let Some(in_flight) = in_flight.filter(|in_flight| Some(in_flight.command_id) == command_id) {
            in_flight.shown = true;
        }
    }
}
