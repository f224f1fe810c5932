//! The messages about timers that sockets of v1 receive: `timer_update` and `question_closed`.
//!
//! Called by `edge` on connecting and at its ticks, and by `events` after each event's own messages. The time left is that of the
//! replica at a moment of this process; only the owner decides when a question closes.

use std::time::Duration;

use quizhall_rules::{Change, Event, Moment, PlayerId, QuestionId, State, TimeLeft};

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Participant, Time};
use crate::wire::{self, Closing, FrameKind, Frames, timers};

/// How often the time left is sent without a change.
const EVERY: Duration = Duration::from_secs(10);
/// A mark of the owner that differs by more from what this edge counts is sent at once, milliseconds.
const NOTICEABLE: u64 = 500;

/// The timers before an event.
#[derive(Default)]
pub(super) struct TimedBefore {
    /// The time that the timers of a mark had left here.
    counted: Vec<TimeLeft>,
    /// The questions that were closed for each socket, where an event may close some for a part of them.
    closed: Option<Vec<ClosedFor>>,
    /// The number of the next step.
    step: u32,
}

/// The effect of a change on timers.
#[derive(Clone, Copy)]
enum Timing<'a> {
    /// Nothing.
    Nothing,
    /// The autopilot's next step stays, and may be due at another time or wait.
    Step,
    /// All timers begin, or count from another moment.
    Begun,
    /// The timer of this question begins.
    Released(QuestionId),
    /// This timer was set.
    Set(Option<QuestionId>),
    /// All timers were held, or run again.
    Held,
    /// The time left of these timers was stated.
    Marked(&'a [TimeLeft]),
    /// This question closed.
    Closed(QuestionId),
    /// The time of this question, or of the round, is over for some players.
    Over(Option<QuestionId>),
    /// This player has other extra time.
    Extra(PlayerId),
    /// A question was withdrawn, which closes it.
    Withdrawn,
}

#[expect(clippy::match_same_arms, reason = "grouped by what they are about")]
fn timing(change: &Change) -> Timing<'_> {
    use Change as C;
    match change {
        C::Started | C::NextRoundStarted | C::Claimed { .. } | C::AutopilotSet { .. } => Timing::Begun,
        C::QuestionReleased { question } => Timing::Released(*question),
        C::TimerSet(set) => Timing::Set(set.left.question),
        C::TimerHeld { .. } => Timing::Held,
        C::TimerMark { left, .. } => Timing::Marked(left),
        C::QuestionClosed { question } => Timing::Closed(*question),
        C::TimeOver { left, .. } => Timing::Over(left.question),
        C::ExtraTimeSet { player, .. } => Timing::Extra(*player),
        C::QuestionWithdrawn { .. } => Timing::Withdrawn,
        C::TallyShown { .. } | C::HostLeft | C::HostReturned => Timing::Step,
        C::AnswerOverridden { .. } | C::AnswersMarked { .. } | C::KeyChanged { .. } => Timing::Step,
        C::MarkingUndone { .. } => Timing::Step,
        C::Created(_) | C::Closed | C::Ended | C::RoundEnded | C::ScoresReleased { .. } => Timing::Nothing,
        C::AnswerRevealed { .. } | C::Set(_) => Timing::Nothing,
        C::Joined { .. } | C::Left { .. } | C::Returned { .. } | C::Disconnected { .. } | C::Connected { .. } => {
            Timing::Nothing
        }
        C::PlayerRemoved { .. } | C::PlayerRenamed { .. } | C::QuestionEdited(_) => Timing::Nothing,
        C::Answered { .. } | C::Answers(_) | C::AnswerEntered { .. } => Timing::Nothing,
        C::Suggested { .. } | C::JokerPlayed { .. } => Timing::Nothing,
        C::MarksCorrected { .. } | C::PointsAdjusted { .. } | C::AdjustmentUndone { .. } => Timing::Nothing,
        C::Appealed { .. } | C::AppealDismissed { .. } => Timing::Nothing,
        C::QuestionClosing { .. } | C::OptionsSet(_) => Timing::Nothing,
        C::BreakStarted { .. } | C::BreakMark { .. } | C::BreakEnded => Timing::Nothing,
        C::TieBreakStarted { .. } | C::TieBreakAnswered { .. } | C::TieBreakEnded { .. } => Timing::Nothing,
        C::SeatCodeIssued(_) | C::SeatMoved { .. } | C::SeatAdded { .. } | C::DeviceAdded(_) => Timing::Nothing,
        C::CoHostAdded(_) | C::CoHostRemoved { .. } | C::ScreenAdded(_) | C::ScreenRemoved { .. } => Timing::Nothing,
    }
}

/// A socket that speaks `quizhall.v1`, and the questions that are closed for it.
type ClosedFor = ((ConnectionId, Participant), Vec<QuestionId>);

impl Edge {
    /// Sends a v1 socket the timers of a state, and the questions that are closed for it there and not `before`.
    pub(super) fn send_timers(
        now: Time,
        (connection, participant): (ConnectionId, Participant),
        (before, state): (Option<&State>, &State),
        effects: &mut Vec<EdgeEffect>,
    ) {
        let before = before.map_or_else(Vec::new, |before| timers::closed_for(before, participant));
        send_new_closings((connection, participant), &before, state, effects);
        send_updates(now, (connection, participant), state, |_| true, effects);
        if let Some(next) = state.autopilot_step(now.into()) {
            let kind = FrameKind::Replace(wire::STEP_KEY);
            effects.push(EdgeEffect::Send(connection, timers::autopilot_step(state, next), kind));
        }
    }

    /// Sends the time left of every timer when the last sending was long ago.
    pub(super) fn flush_timers(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.next_of_timers().is_some_and(|due| due <= now) {
            self.send_time_left(now, |_| true, effects);
            self.send_step(now, effects);
            self.send_clocks(now, effects);
            self.timers_due = now + EVERY;
        }
    }

    /// The time at which [`Edge::flush_timers`] next has something to do.
    pub(super) fn next_of_timers(&self) -> Option<Time> {
        let is_counted = |state: &State| {
            let at = Moment::default();
            state.timers(at).next().is_some() || state.autopilot_step(at).is_some() || state.has_break()
        };
        let has_timers = self.state().is_some_and(is_counted);
        has_timers.then_some(self.timers_due)
    }

    /// Reads the timers before an event is in the replica.
    pub(super) fn timed_before(&self, now: Time, change: &Change) -> TimedBefore {
        let Some(state) = self.state() else { return TimedBefore::default() };
        let timing = timing(change);
        let is_marked = matches!(timing, Timing::Marked(_));
        let counted = state.timers(now.into()).filter(|_| is_marked).collect();
        let may_close = match timing {
            Timing::Over(_) | Timing::Extra(_) | Timing::Withdrawn => true,
            Timing::Released(_) | Timing::Closed(_) => state.has_stages(),
            Timing::Nothing | Timing::Step | Timing::Begun | Timing::Set(_) | Timing::Held | Timing::Marked(_) => false,
        };
        let of_socket = |at: (ConnectionId, Participant)| (at, timers::closed_for(state, at.1));
        let closed = may_close.then(|| self.v1_sockets().into_iter().map(of_socket).collect());
        TimedBefore { counted, closed, step: state.step_number() }
    }

    /// Sends the changes that an event makes to the timers.
    pub(super) fn send_changed_timers(
        &mut self,
        now: Time,
        event: &Event,
        before: &TimedBefore,
        effects: &mut Vec<EdgeEffect>,
    ) {
        self.send_closings(before, effects);
        let timing = timing(&event.change);
        match timing {
            Timing::Begun => self.send_time_left(now, |_| true, effects),
            Timing::Released(question) => self.send_time_left(now, |of| of == Some(question), effects),
            Timing::Over(question) => self.send_time_left(now, |of| of == question, effects),
            Timing::Set(question) => {
                self.send_time_left(now, |of| of == question, effects);
                self.note_shown_to_host(event.command_id);
            }
            Timing::Held => {
                self.send_time_left(now, |_| true, effects);
                self.note_shown_to_host(event.command_id);
            }
            Timing::Marked(left) => {
                let jumps = |left: TimeLeft| {
                    let before = before.counted.iter().find(|before| before.question == left.question);
                    before.is_none_or(|before| before.ms.abs_diff(left.ms) > NOTICEABLE)
                };
                let jumped: Vec<_> = left.iter().filter(|left| jumps(**left)).map(|left| left.question).collect();
                self.send_time_left(now, |of| jumped.contains(&of), effects);
            }
            Timing::Closed(question) if before.closed.is_none() => Self::send_closed(question, effects),
            Timing::Closed(_) | Timing::Nothing | Timing::Step | Timing::Withdrawn => {}
            Timing::Extra(player) => {
                self.send_own_time_left(now, None, effects);
                self.send_own_time_left(now, Some(player), effects);
            }
        }
        let restates = matches!(timing, Timing::Step | Timing::Withdrawn | Timing::Begun | Timing::Closed(_));
        if restates || self.step_number() != before.step {
            self.send_step(now, effects);
        }
    }

    /// The time left of every timer, for a host whose command has changed nothing.
    pub(super) fn all_time_left(&self, now: Time) -> Vec<bytes::Bytes> {
        let Some(state) = self.state() else { return Vec::new() };
        let updates = timers::timer_updates(state, Participant::Host, now.into());
        updates.into_iter().map(|(_, update)| update).collect()
    }

    /// Sends the closings that each socket needs since before an event, where they may differ.
    fn send_closings(&self, before: &TimedBefore, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        for (to, closed) in before.closed.iter().flatten() {
            send_new_closings(*to, closed, state, effects);
        }
    }

    /// Sends the time left of every timer to one player, or to the host.
    fn send_own_time_left(&self, now: Time, player: Option<PlayerId>, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        for to in self.v1_sockets().into_iter().filter(|(_, of)| of.player() == player) {
            send_updates(now, to, state, |_| true, effects);
        }
    }

    /// The v1 sockets, in the order in which they came.
    fn v1_sockets(&self) -> Vec<(ConnectionId, Participant)> {
        let with_extension = self.sessions.iter().filter(|(_, session)| session.has_extension());
        let mut sockets: Vec<_> = with_extension.map(|(id, session)| (id, session.participant)).collect();
        sockets.sort_unstable_by_key(|(connection, _)| *connection);
        sockets
    }

    fn send_closed(question: QuestionId, effects: &mut Vec<EdgeEffect>) {
        let message = Frames::extension(timers::question_closed(question));
        effects.push(EdgeEffect::Broadcast(message, FrameKind::Closes(Closing::Question(question))));
    }

    /// Sends the next step of the autopilot, while no question is open.
    fn send_step(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        let Some(replica) = &self.replica else { return };
        let Some(next) = replica.state.autopilot_step(now.into()) else { return };
        let message = Frames::extension(timers::autopilot_step(&replica.state, next));
        effects.push(EdgeEffect::Broadcast(message, FrameKind::Replace(wire::STEP_KEY)));
        self.timers_sent(now);
    }

    /// Stores that a time left was sent, so that the next one is not due for some time.
    pub(super) fn timers_sent(&mut self, now: Time) {
        self.timers_due = if self.timers_due <= now { now + EVERY } else { self.timers_due };
    }

    /// Sends each socket what time these timers have left for its participant.
    fn send_time_left(
        &mut self,
        now: Time,
        is_meant: impl Fn(Option<QuestionId>) -> bool,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let Some(state) = self.state() else { return };
        let before = effects.len();
        if state.has_stages() {
            for to in self.v1_sockets() {
                send_updates(now, to, state, &is_meant, effects);
            }
        } else {
            for (left, _) in state.time_left(now.into()).filter(|(left, _)| is_meant(left.question)) {
                let message = Frames::extension(timers::timer_update(state, left, 0));
                effects.push(EdgeEffect::Broadcast(message, FrameKind::Replace(wire::timer_key(left.question))));
            }
        }
        if effects.len() > before && self.timers_due <= now {
            self.timers_due = now + EVERY;
        }
    }
}

/// Sends a socket the closings of a state that it has not been sent yet.
fn send_new_closings(
    (connection, participant): (ConnectionId, Participant),
    before: &[QuestionId],
    state: &State,
    effects: &mut Vec<EdgeEffect>,
) {
    let closed = timers::closed_for(state, participant);
    for question in closed.into_iter().filter(|question| !before.contains(question)) {
        let kind = FrameKind::Closes(Closing::Question(question));
        effects.push(EdgeEffect::Send(connection, timers::question_closed(question), kind));
    }
}

/// Sends a socket what time these timers have left for its participant.
fn send_updates(
    now: Time,
    (connection, participant): (ConnectionId, Participant),
    state: &State,
    is_meant: impl Fn(Option<QuestionId>) -> bool,
    effects: &mut Vec<EdgeEffect>,
) {
    for (question, update) in timers::timer_updates(state, participant, now.into()) {
        if is_meant(question) {
            effects.push(EdgeEffect::Send(connection, update, FrameKind::Replace(wire::timer_key(question))));
        }
    }
}
