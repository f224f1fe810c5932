//! Applies committed events to the replica, and renders their messages for the sockets here.

use quizhall_rules::{Change, CommandId, Device, Event, Phase, PlayerId, QuestionId, State};

use super::extension::Touched;
use super::sessions::Session;
use super::{Edge, EdgeEffect, sender_of};
use crate::ids::{ConnectionId, Participant, Time};
use crate::wire::{self, Boards, CloseCode, Closing, Dialect, FrameKind, Scores};

impl Edge {
    pub(super) fn apply_event(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let were_held = self.state().is_some_and(State::are_standings_held);
        // Paced messages that are pending come before the messages of the new phase.
        if changes_phase(&event.change, were_held) {
            self.flush_all_paced(now, effects);
        }
        let touched = self.touched_by(&event.change);
        let stated = self.stated_before(&event.change);
        let timed = self.timed_before(now, &event.change);
        let of_break = self.break_counted(now);
        let Some(replica) = &mut self.replica else { return };
        replica.state.apply_at(event, now.into());
        replica.next += 1;
        if matches!(event.change, Change::Started) {
            effects.push(EdgeEffect::Broadcast(wire::game_started(), FrameKind::Queued));
        }
        self.send_stated(stated, event, effects);
        self.send_of_interface(now, event, (&touched, were_held), effects);
        self.send_team(event, effects);
        self.send_extension(event, touched, effects);
        self.send_changed_timers(now, event, &timed, effects);
        self.send_changed_break(now, event, of_break, effects);
        self.stored(now, event, effects);
    }

    /// Sends the event's own messages.
    fn send_of_interface(
        &mut self,
        now: Time,
        event: &Event,
        (touched, were_held): (&Touched, bool),
        effects: &mut Vec<EdgeEffect>,
    ) {
        match &event.change {
            Change::Joined { player, .. } => self.pacing.lobby.player_changed(*player),
            Change::Left { player, .. } | Change::Returned { player, .. } => self.lobby_changed(*player, touched),
            Change::SeatAdded { .. } | Change::AnswerEntered { .. } => self.changed_on_paper(&event.change, touched),
            Change::PlayerRemoved { player, .. } => self.removed(*player, effects),
            Change::SeatMoved { player, device, .. } => self.seat_moved(*player, *device, effects),
            Change::CoHostRemoved { device } => self.co_host_removed(*device, effects),
            Change::QuestionReleased { question } => self.question_released(*question, event.command_id, effects),
            Change::Answered { question, .. } => {
                self.answer_stored(now, (sender_of(event), *question), (event.command_id, touched), effects);
            }
            Change::RoundEnded => self.round_ended(effects),
            Change::AnswerOverridden { .. } => self.overridden(event, effects),
            Change::JokerPlayed { player, .. } | Change::TieBreakAnswered { player, .. } => {
                self.send_own(*player, event, effects);
            }
            Change::MarksCorrected { .. } | Change::Appealed { .. } | Change::AppealDismissed { .. } => {
                self.mended(event, effects);
            }
            Change::QuestionEdited(_) | Change::QuestionWithdrawn { .. } | Change::PlayerRenamed { .. } => {
                self.mended_beside_marks(event, effects);
            }
            Change::TieBreakEnded { .. } => self.board_changed(Scores::reordered, event.command_id, effects),
            Change::ScoresReleased { .. } if were_held => self.standings_shown(event.command_id, effects),
            Change::ScoresReleased { held: true } => self.scores_released_alone(event.command_id, effects),
            Change::ScoresReleased { held: false } => self.scores_released(effects),
            Change::Ended => self.ended(now, effects),
            Change::Closed => self.game_closed(effects),
            // Without a message of the interface.
            Change::Created(_)
            | Change::Claimed { .. }
            | Change::Started
            | Change::NextRoundStarted
            | Change::Set(_)
            | Change::Disconnected { .. }
            | Change::Connected { .. }
            | Change::HostLeft
            | Change::HostReturned
            | Change::AnswersMarked { .. }
            | Change::KeyChanged { .. }
            | Change::MarkingUndone { .. }
            | Change::TallyShown { .. }
            | Change::QuestionClosed { .. }
            | Change::TimerSet(_)
            | Change::TimerHeld { .. }
            | Change::TimerMark { .. }
            | Change::AutopilotSet { .. }
            | Change::ExtraTimeSet { .. }
            | Change::TimeOver { .. }
            | Change::AnswerRevealed { .. }
            | Change::BreakStarted { .. }
            | Change::BreakMark { .. }
            | Change::BreakEnded
            | Change::DeviceAdded(_)
            | Change::CoHostAdded(_)
            | Change::ScreenAdded(_)
            | Change::ScreenRemoved { .. }
            | Change::TieBreakStarted { .. }
            | Change::Suggested { .. }
            | Change::SeatCodeIssued(_) => {}
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
        if self.is_first_answer(touched, question) {
            self.pacing.count_changed(question);
        }
    }

    fn overridden(&mut self, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let Change::AnswerOverridden { player, question, correct } = event.change else { return };
        self.note_shown_to_host(event.command_id);
        let frame = wire::override_applied(player, question, correct);
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
        for host in self.sessions.hosts() {
            let Some(session) = self.sessions.get(host) else { continue };
            let review = wire::round_review(state, session.dialect).into_iter();
            effects.extend(review.map(|frame| EdgeEffect::Send(host, frame, FrameKind::Queued)));
        }
    }

    fn scores_released(&mut self, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        effects.push(EdgeEffect::Broadcast(wire::round_leaderboard(state), FrameKind::Queued));
        self.boards = Some(Boards::new(state));
        effects.push(EdgeEffect::SendScores(Scores::Whole, self.player_sockets(|_| true)));
    }

    /// The players' sockets of these dialects, in the order in which they came.
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

    /// The socket of the phone that had the seat is closed; the new phone's attached with the event.
    fn seat_moved(&mut self, player: PlayerId, device: Device, effects: &mut Vec<EdgeEffect>) {
        let socket = self.sessions.of(Participant::player_over(player, device));
        let (Some(connection), Some(state)) = (socket, self.state()) else { return };
        if self.sessions.get(connection).is_some_and(|session| session.holder().is_void(state)) {
            self.close(connection, CloseCode::Unauthorized.into(), effects);
        }
    }

    /// Notes that the command in flight of this socket, if it has this id, needs no confirmation.
    pub(super) fn note_shown(&mut self, connection: ConnectionId, command_id: Option<CommandId>) {
        let in_flight = self.sessions.get_mut(connection).and_then(|session| session.in_flight.as_mut());
        if let Some(in_flight) = in_flight.filter(|in_flight| Some(in_flight.command_id) == command_id) {
            in_flight.shown = true;
        }
    }
}

fn changes_phase(change: &Change, were_standings_held: bool) -> bool {
    match change {
        Change::Started | Change::RoundEnded | Change::NextRoundStarted | Change::Ended => true,
        Change::ScoresReleased { .. } => !were_standings_held,
        _ => false,
    }
}
