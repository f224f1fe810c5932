//! What a committed event means to the sockets that have the extension (`quizhall.v1`), beside what every socket receives.
//!
//! Called by `events`: state messages before the event's own messages, everything else behind them.

use bytes::Bytes;
use quizhall_rules::{Change, CommandId, Event, HostRole, Phase, PlayerId, QuestionId, Setting, State};

use super::room::Room;
use super::sessions::Session;
use super::{Edge, EdgeEffect, sender_of};
use crate::ids::ConnectionId;
use crate::wire::{self, Boards, Dialect, FrameKind, Frames, Scores, Stated, extension};

/// What can be read only from the state before an event.
pub(super) enum Touched {
    /// Nothing that matters.
    Nothing,
    /// The answers whose counting changes.
    Answers(QuestionId, Vec<PlayerId>),
    /// How many players had answered the question.
    Count(usize),
    /// Whether the player was present.
    Presence(bool),
    /// The player who gets a phone had none.
    Paper,
    /// What a removal may change.
    Removal(Marks),
    /// How many players had answered the question, and what an answer that is entered may change besides.
    Entered(usize, Marks),
}

/// How many markings could be taken back, and which answers were the nearest.
pub(super) struct Marks {
    pub undoable: usize,
    pub nearest: Vec<(QuestionId, PlayerId)>,
}

impl Marks {
    fn of(state: &State) -> Self {
        Self { undoable: state.undoable(None), nearest: state.nearest_answers() }
    }
}

impl Edge {
    /// To be asked before the event is in the replica.
    pub(super) fn touched_by(&self, change: &Change) -> Touched {
        let Some(state) = self.state() else { return Touched::Nothing };
        if let Change::Left { player, .. } | Change::Returned { player, .. } = change {
            return Touched::Presence(state.player(*player).is_some_and(|player| player.present));
        }
        if self.sessions.hosts().next().is_none() {
            return Touched::Nothing;
        }
        match change {
            Change::Answered { question, .. } => Touched::Count(state.answer_count(*question)),
            Change::AnswerEntered { question, .. } => Touched::Entered(state.answer_count(*question), Marks::of(state)),
            _ if self.sessions.hosts_v1().next().is_none() => Touched::Nothing,
            Change::AnswersMarked { question, texts, correct, partial } => {
                Touched::Answers(*question, state.touched_by_marking(*question, texts, (*correct, *partial)))
            }
            Change::KeyChanged { question, texts, .. } => {
                Touched::Answers(*question, state.answers_ruled_by(*question, texts))
            }
            Change::MarkingUndone { of } => state
                .latest_marking(*of)
                .map_or(Touched::Nothing, |(question, players)| Touched::Answers(question, players)),
            Change::SeatMoved { player, .. } if state.player(*player).is_some_and(|player| player.on_paper) => {
                Touched::Paper
            }
            Change::PlayerRemoved { .. } => Touched::Removal(Marks::of(state)),
            _ => Touched::Nothing,
        }
    }

    /// Whether the event that is in the replica now was its player's first answer: who answers again changes no count, and behind the
    /// end of the round none is sent.
    pub(super) fn is_first_answer(&self, touched: &Touched, question: QuestionId) -> bool {
        let asking = self.state().filter(|state| state.phase() == Phase::Question);
        let now = || asking.map_or(0, |state| state.answer_count(question));
        matches!(touched, Touched::Count(before) | Touched::Entered(before, _) if now() > *before)
    }

    /// To be called behind the event's own messages.
    pub(super) fn send_extension(&mut self, event: &Event, touched: Touched, effects: &mut Vec<EdgeEffect>) {
        if self.sessions.hosts_v1().next().is_none() {
            return;
        }
        self.note_groups(event, &touched);
        match &event.change {
            Change::Joined { player, .. }
            | Change::Left { player, .. }
            | Change::Returned { player, .. }
            | Change::Disconnected { player, .. }
            | Change::Connected { player, .. }
            | Change::JokerPlayed { player, .. } => self.room_changed(*player),
            Change::DeviceAdded(added) => self.room_changed(added.player),
            Change::SeatMoved { player, token, .. } if matches!(touched, Touched::Paper) || token.is_nobodys() => {
                self.room_changed(*player);
            }
            Change::PlayerRemoved { player, .. } => {
                self.room_changed(*player);
                self.note_shown_to_host(event.command_id);
                if let (Touched::Removal(Marks { undoable, nearest }), Some(state)) = (touched, self.state()) {
                    let marked = extension::nearest_marked(state, &nearest);
                    self.send_marks(&marked, undoable != state.undoable(None), effects);
                }
            }
            Change::AnswerEntered { .. } => self.answer_entered(event, &touched, effects),
            Change::ExtraTimeSet { player, .. } | Change::SeatAdded { player, .. } => {
                self.room_changed(*player);
                self.note_shown_to_host(event.command_id);
            }
            Change::Set(Setting::Locked(_)) => {
                self.pacing.rooms().for_each(Room::changed);
                self.note_shown_to_host(event.command_id);
            }
            Change::Answered { player, question, .. } if self.is_first_answer(&touched, *question) => {
                self.pacing.rooms().for_each(|room| room.answered(*question, *player));
            }
            Change::AnswerOverridden { .. }
            | Change::AnswersMarked { .. }
            | Change::KeyChanged { .. }
            | Change::MarkingUndone { .. } => {
                self.note_shown_to_host(event.command_id);
                let marked = match (touched, self.state()) {
                    (Touched::Answers(question, players), Some(state)) => {
                        extension::answers_marked(state, question, &players)
                    }
                    _ => Vec::new(),
                };
                self.send_marks(&marked, true, effects);
            }
            _ => {}
        }
    }

    fn room_changed(&mut self, player: PlayerId) {
        self.pacing.rooms().for_each(|room| room.player_changed(player));
    }

    /// Notes whose groups of answers the event changes, for an open desk.
    fn note_groups(&mut self, event: &Event, touched: &Touched) {
        match (&event.change, touched) {
            (
                Change::Answered { question, .. }
                | Change::AnswerEntered { question, .. }
                | Change::KeyChanged { question, .. },
                _,
            )
            | (Change::MarkingUndone { .. }, Touched::Answers(question, _)) => {
                self.pacing.desks().for_each(|desk| desk.changed(*question));
            }
            (Change::PlayerRemoved { .. }, _) => {
                if let Some(replica) = &self.replica {
                    self.pacing.desks().for_each(|desk| desk.all_changed(&replica.state));
                }
            }
            _ => {}
        }
    }

    /// Sends the player what the own joker, or the own answer to a tie-break, is now, over the sockets that have the message.
    pub(super) fn send_own(
        &mut self,
        player: PlayerId,
        event: &Event,
        message: fn(&State, PlayerId) -> Option<Bytes>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        self.note_shown_to(sender_of(event), event.command_id);
        let Some(frame) = self.state().and_then(|state| message(state, player)) else { return };
        let sockets = self.phones_v1(player);
        effects.extend(sockets.map(|to| EdgeEffect::Send(to, frame.clone(), FrameKind::Queued)));
    }

    /// The scores came out and the standings are held: players of the extension receive their own results alone, or nothing while
    /// phones wait for the screen.
    pub(super) fn scores_released_alone(&mut self, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        let (board, boards) = (wire::round_leaderboard(state), Boards::new(state));
        let plain = self.player_sockets(|dialect| dialect == Dialect::Interface);
        let receivers = self.sessions.hosts().chain(plain.iter().map(|(connection, _)| *connection));
        self.send_to(receivers, &board, effects);
        effects.push(EdgeEffect::SendScores(Scores::Whole, plain));
        if !state.are_phones_after_screen() {
            let withheld = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1);
            effects.push(EdgeEffect::SendScores(Scores::Own, withheld));
        }
        self.boards = Some(boards);
        self.note_shown_to_host(command_id);
    }

    /// The host shows the standings that were held: the sockets from which they were kept receive them now.
    pub(super) fn standings_shown(&mut self, command_id: Option<CommandId>, effects: &mut Vec<EdgeEffect>) {
        let shown = self.state().map(|state| (wire::round_leaderboard(state), Scores::behind_hold(state)));
        let Some((board, part)) = shown else { return };
        let players = self.player_sockets(|dialect| dialect == Dialect::QuizhallV1);
        self.send_to(players.iter().map(|(connection, _)| *connection), &board, effects);
        effects.push(EdgeEffect::SendScores(part, players));
        self.note_shown_to_host(command_id);
    }

    pub(super) fn note_shown_to_host(&mut self, command_id: Option<CommandId>) {
        for host in self.sessions.hosts().collect::<Vec<_>>() {
            self.note_shown(host, command_id);
        }
    }

    /// What the sockets here have been sent of state messages, to be asked before the event is in the replica; `None` when
    /// nothing can change for them. But for tie-breaks no state message is about one player: what each player may cause, answers and presence
    /// above all, costs nothing here, whatever the number of sockets.
    pub(super) fn stated_before(&self, change: &Change) -> Option<Stated> {
        let is_of_a_player = matches!(
            change,
            Change::Answered { .. }
                | Change::JokerPlayed { .. }
                | Change::Appealed { .. }
                | Change::Suggested { .. }
                | Change::Joined { .. }
                | Change::DeviceAdded(_)
                | Change::Left { .. }
                | Change::Returned { .. }
                | Change::Disconnected { .. }
                | Change::Connected { .. }
        );
        let is_stated = !is_of_a_player && self.sessions.any_v1();
        self.state().filter(|_| is_stated).map(Stated::of)
    }

    /// Sends the state messages that the event changed. Who could be the host and has a socket here is not sent the host's absence.
    pub(super) fn send_stated(&mut self, before: Option<Stated>, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let (Some(before), Some(state)) = (before, self.state()) else { return };
        let is_absent = |session: &Session| {
            let device = session.participant.as_host().filter(|_| matches!(event.change, Change::HostLeft));
            device.and_then(|device| state.host_role(device)) == Some(HostRole::Host)
        };
        let absent: Vec<ConnectionId> =
            self.sessions.hosts().filter(|host| self.sessions.get(*host).is_some_and(is_absent)).collect();
        let frames = before.changed_frames(state);
        let is_changed = !frames.is_empty();
        for frame in frames {
            if absent.is_empty() {
                effects.push(EdgeEffect::Broadcast(Frames::extension(frame), FrameKind::Queued));
                continue;
            }
            let others = self.sessions.iter().filter(|(to, session)| !absent.contains(to) && session.has_extension());
            effects.extend(others.map(|(to, _)| EdgeEffect::Send(to, frame.clone(), FrameKind::Queued)));
        }
        if is_changed {
            self.note_shown_to_host(event.command_id);
        }
    }

    /// Sends a message to these sockets, to each in its dialect.
    fn send_to(
        &self,
        connections: impl Iterator<Item = ConnectionId>,
        message: &Frames,
        effects: &mut Vec<EdgeEffect>,
    ) {
        for connection in connections {
            let frame = self.sessions.get(connection).and_then(|session| message.of(session.recipient()));
            effects.extend(frame.map(|frame| EdgeEffect::Send(connection, frame.clone(), FrameKind::Queued)));
        }
    }

    /// Sends hosts how these answers count now, and each how many markings it can take back, where that `is_new`.
    pub(super) fn send_marks(&self, marked: &[Bytes], is_new: bool, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        for (device, host) in self.sessions.hosts_v1() {
            let undoable = is_new.then(|| extension::marking_update(state, device));
            let frames = marked.iter().cloned().chain(undoable);
            effects.extend(frames.map(|frame| EdgeEffect::Send(host, frame, FrameKind::Queued)));
        }
    }

    /// Sends a message to the hosts with the extension.
    pub(super) fn send_to_hosts(&self, frame: &Bytes, effects: &mut Vec<EdgeEffect>) {
        let hosts = self.sessions.hosts_v1();
        effects.extend(hosts.map(|(_, host)| EdgeEffect::Send(host, frame.clone(), FrameKind::Queued)));
    }
}
