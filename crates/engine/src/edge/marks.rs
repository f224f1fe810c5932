//! The messages about answers and their marks that hosts receive after an event. The touched answers can be read only before the
//! event.
//!
//! Called by `events` around the event, for sockets of v1 and, for the counts, of the plain interface.

use bytes::Bytes;
use quizhall_rules::{Change, CommandId, Event, Phase, PlayerId, QuestionId, State};

use super::{Edge, EdgeEffect};
use crate::wire::{FrameKind, marks, review};

/// The values that can be read only from the state before an event.
pub(super) enum Touched {
    /// Nothing that matters.
    Nothing,
    /// Whether the player was present.
    Presence(bool),
    /// A player answers.
    Answer(Given),
    /// The host enters an answer, which may change other marks.
    Entered(Given, Marks),
    /// The answers to this question whose counting changes.
    Answers(QuestionId, Vec<PlayerId>),
    /// An answer whose mark the host sets with a message that states it itself.
    Overridden,
    /// The marks that a removal may change.
    Removal(Marks),
}

/// An answer that is given.
#[derive(Clone, Copy)]
pub(super) struct Given {
    player: PlayerId,
    question: QuestionId,
    /// How many players had answered the question.
    before: usize,
}

/// How many markings could be undone, and which answers were the nearest.
pub(super) struct Marks {
    undoable: usize,
    nearest: Vec<(QuestionId, PlayerId)>,
}

/// What an event touches, and the messages about the groups of answers that it has changed.
pub(super) struct After<'a> {
    pub touched: &'a Touched,
    pub groups: &'a [Bytes],
}

/// The messages about marks for hosts who know every answer, and for those who know groups.
struct Marked<'a> {
    answers: &'a [Bytes],
    groups: &'a [Bytes],
}

impl Marks {
    fn of(state: &State) -> Self {
        Self { undoable: state.undoable(None), nearest: state.nearest_answers() }
    }
}

impl Edge {
    /// Has to be called before the event is in the replica.
    #[expect(clippy::match_same_arms, reason = "grouped by what they are about")]
    pub(super) fn touched_by(&self, change: &Change) -> Touched {
        use Change as C;
        let Some(state) = self.state() else { return Touched::Nothing };
        let has_host = || self.sessions.hosts().next().is_some();
        let has_v1 = || self.sessions.hosts_v1().next().is_some();
        let given = |player: &PlayerId, question: &QuestionId| {
            let (player, question) = (*player, *question);
            Given { player, question, before: state.answer_count(question) }
        };
        match change {
            C::Left { player, .. } | C::Returned { player, .. } => {
                Touched::Presence(state.player(*player).is_some_and(|player| player.present))
            }
            C::Answered { player, question, .. } if has_host() => Touched::Answer(given(player, question)),
            C::AnswerEntered { player, question, .. } if has_host() => {
                Touched::Entered(given(player, question), Marks::of(state))
            }
            C::AnswersMarked { question, texts, correct, partial } if has_v1() => {
                Touched::Answers(*question, state.touched_by_marking(*question, texts, (*correct, *partial)))
            }
            C::KeyChanged { question, texts, .. } if has_v1() => {
                Touched::Answers(*question, state.answers_ruled_by(*question, texts))
            }
            C::MarkingUndone { of } if has_v1() => {
                let latest = state.latest_marking(*of);
                latest.map_or(Touched::Overridden, |(question, players)| Touched::Answers(question, players))
            }
            C::AnswerOverridden { .. } => Touched::Overridden,
            C::PlayerRemoved { .. } if has_v1() => Touched::Removal(Marks::of(state)),
            C::Answered { .. } | C::Answers(_) | C::AnswerEntered { .. } | C::PlayerRemoved { .. } => Touched::Nothing,
            C::AnswersMarked { .. } | C::KeyChanged { .. } | C::MarkingUndone { .. } => Touched::Nothing,
            C::Created(_) | C::Claimed { .. } | C::Closed | C::Started | C::Ended | C::Set(_) => Touched::Nothing,
            C::Joined { .. } | C::Disconnected { .. } | C::Connected { .. } => Touched::Nothing,
            C::HostLeft | C::HostReturned | C::CoHostAdded(_) | C::CoHostRemoved { .. } => Touched::Nothing,
            C::QuestionReleased { .. } | C::RoundEnded | C::ScoresReleased { .. } | C::NextRoundStarted => {
                Touched::Nothing
            }
            C::MarksCorrected { .. } | C::Appealed { .. } | C::AppealDismissed { .. } => Touched::Nothing,
            C::PointsAdjusted { .. } | C::AdjustmentUndone { .. } => Touched::Nothing,
            C::TallyShown { .. } | C::AnswerRevealed { .. } | C::JokerPlayed { .. } => Touched::Nothing,
            C::QuestionClosing { .. } | C::OptionsSet(_) => Touched::Nothing,
            C::QuestionClosed { .. } | C::TimerSet(_) | C::TimerHeld { .. } | C::TimerMark { .. } => Touched::Nothing,
            C::ExtraTimeSet { .. } | C::TimeOver { .. } | C::AutopilotSet { .. } => Touched::Nothing,
            C::BreakStarted { .. } | C::BreakMark { .. } | C::BreakEnded => Touched::Nothing,
            C::TieBreakStarted { .. } | C::TieBreakAnswered { .. } | C::TieBreakEnded { .. } => Touched::Nothing,
            C::QuestionEdited(_) | C::QuestionWithdrawn { .. } | C::PlayerRenamed { .. } => Touched::Nothing,
            C::SeatCodeIssued(_) | C::SeatMoved { .. } | C::SeatAdded { .. } => Touched::Nothing,
            C::DeviceAdded(_) | C::Suggested { .. } | C::ScreenAdded(_) | C::ScreenRemoved { .. } => Touched::Nothing,
        }
    }

    /// Whether the event that is in the replica now was its player's first answer: a changed answer changes no count, and after the end
    /// of the round no count is sent.
    pub(super) fn is_first_answer(&self, touched: &Touched) -> bool {
        match touched {
            Touched::Answer(given) | Touched::Entered(given, _) => {
                let asking = self.state().filter(|state| state.phase() == Phase::Question);
                asking.is_some_and(|state| state.answer_count(given.question) > given.before)
            }
            Touched::Nothing
            | Touched::Presence(_)
            | Touched::Answers(..)
            | Touched::Overridden
            | Touched::Removal(_) => false,
        }
    }

    /// Has to be called after the event's own messages.
    pub(super) fn send_touched(
        &mut self,
        event: &Event,
        &After { touched, groups: regrouped }: &After<'_>,
        effects: &mut Vec<EdgeEffect>,
    ) {
        if self.sessions.hosts_v1().next().is_none() {
            return;
        }
        match touched {
            Touched::Nothing | Touched::Presence(_) => {}
            Touched::Answer(given) => self.note_given(*given, touched),
            Touched::Entered(given, marks) => {
                self.note_given(*given, touched);
                self.send_changed_marks(marks, regrouped, effects);
            }
            Touched::Answers(question, players) => {
                self.note_shown_to_host(event.command_id);
                self.pacing.desks().for_each(|desk| desk.changed(*question));
                let confirmed = self.marked(*question, &[]);
                let groups: Vec<Bytes> = regrouped.iter().cloned().chain(confirmed).collect();
                let answers = self.marked(*question, players);
                self.send_marks(Marked { answers: &answers, groups: &groups }, true, effects);
            }
            Touched::Overridden => {
                self.note_shown_to_host(event.command_id);
                self.send_marks(Marked { answers: &[], groups: regrouped }, true, effects);
            }
            Touched::Removal(marks) => {
                if let Some(replica) = &self.replica {
                    self.pacing.desks().for_each(|desk| desk.all_changed(&replica.state));
                }
                self.send_changed_marks(marks, regrouped, effects);
            }
        }
    }

    /// How these answers count now, for hosts who know every answer. With very many answers, no one knows them while questions are open:
    /// then only the marking is confirmed.
    fn marked(&self, question: QuestionId, players: &[PlayerId]) -> Vec<Bytes> {
        let Some(state) = self.state() else { return Vec::new() };
        let knows_each = |(_, host)| !self.reviews_groups(host);
        let is_closed = state.phase() == Phase::RoundReview;
        let is_read = if is_closed { self.sessions.hosts_v1().any(knows_each) } else { !review::is_grouped(state) };
        marks::answers_marked(state, question, if is_read { players } else { &[] })
    }

    /// Records an answer for the room and for open desks.
    fn note_given(&mut self, given: Given, touched: &Touched) {
        if self.is_first_answer(touched) {
            self.pacing.rooms().for_each(|room| room.answered(given.question, given.player));
        }
        self.pacing.desks().for_each(|desk| desk.changed(given.question));
    }

    pub(super) fn note_shown_to_host(&mut self, command_id: Option<CommandId>) {
        for host in self.sessions.hosts().collect::<Vec<_>>() {
            self.note_shown(host, command_id);
        }
    }

    /// Sends hosts the answers that have become the nearest or no longer are, and how many markings can be undone.
    fn send_changed_marks(&self, before: &Marks, groups: &[Bytes], effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        let marked = marks::nearest_marked(state, &before.nearest);
        let is_new = !marked.is_empty() || before.undoable != state.undoable(None);
        self.send_marks(Marked { answers: &marked, groups }, is_new, effects);
    }

    /// Sends hosts how these answers count now, and each host how many markings it can undo, if that `is_new`.
    fn send_marks(&self, Marked { answers, groups }: Marked<'_>, is_new: bool, effects: &mut Vec<EdgeEffect>) {
        let Some(state) = self.state() else { return };
        for (device, host) in self.sessions.hosts_v1() {
            let is_grouped = state.phase() == Phase::RoundReview && self.reviews_groups(host);
            let marked = if is_grouped { groups } else { answers };
            let undoable = is_new.then(|| marks::marking_update(state, device));
            let frames = marked.iter().cloned().chain(undoable);
            effects.extend(frames.map(|frame| EdgeEffect::Send(host, frame, FrameKind::Queued)));
        }
    }

    /// Sends a message to the hosts with v1.
    pub(super) fn send_to_hosts(&self, frame: &Bytes, effects: &mut Vec<EdgeEffect>) {
        let hosts = self.sessions.hosts_v1();
        effects.extend(hosts.map(|(_, host)| EdgeEffect::Send(host, frame.clone(), FrameKind::Queued)));
    }
}
