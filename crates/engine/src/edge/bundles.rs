//! Answers that travel together: the edge collects those of its players for the owner, and applies those that the owner has stored. Also its
//! sockets, which it announces to a new owner together.
//!
//! Only in games whose players are not listed one by one, while every node reads bundles. An answer without another to the same
//! question travels as a command by itself.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use foldhash::fast::RandomState;
use quizhall_rules::{AnswerText, Bundle, Change, Command, CommandId, Event, Phase, QuestionId, Rows, SentRow, State};

use super::sessions::{InFlight, Session};
use super::{Edge, EdgeEffect};
use crate::frames::{Attaching, GivenAnswers, ToOwner};
use crate::ids::{ConnectionId, Participant, Time};
use crate::wire::{FrameKind, room};

/// How long answers wait for others while the last ones that were sent are unanswered: a write to disk takes about as long.
const WAIT: Duration = Duration::from_millis(4);
/// The most answers in a frame, and the most bytes of their texts.
const MOST_ROWS: usize = 1_024;
const MOST_BYTES: usize = 48 << 10;
/// The most sockets in a frame, of about 100 bytes each.
const MOST_SOCKETS: usize = 512;

/// The answers that wait for others.
#[derive(Debug, Default)]
pub(super) struct Bundling {
    /// The sockets whose answers in flight have not been sent, in order.
    collected: Vec<ConnectionId>,
    pub(super) due: Option<Time>,
    /// The last answer that was sent with others, or instead of a bundle.
    last: Option<(ConnectionId, CommandId)>,
}

impl Bundling {
    pub fn collect(&mut self, connection: ConnectionId) {
        self.collected.push(connection);
    }

    /// Another owner is sent everything in flight.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Answers to one question that become a frame.
#[derive(Default)]
struct Frame {
    texts: Vec<AnswerText>,
    /// Clients choose the keys.
    places: HashMap<AnswerText, u32, RandomState>,
    rows: Vec<SentRow>,
    bytes: usize,
    /// The socket of the last one.
    last: Option<ConnectionId>,
}

impl Frame {
    fn push(&mut self, connection: ConnectionId, (text, row): (&AnswerText, SentRow)) {
        let place = *self.places.entry(text.clone()).or_insert_with(|| {
            self.texts.push(text.clone());
            self.bytes += text.as_str().len();
            u32::try_from(self.texts.len() - 1).unwrap_or(u32::MAX)
        });
        self.rows.push(SentRow { text: place, ..row });
        self.last = Some(connection);
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= MOST_ROWS || self.bytes >= MOST_BYTES
    }
}

impl InFlight {
    /// The answer as a row without its text; `None` when it has to travel by itself: a command of another kind, one over a session of which
    /// the owner does not know, or the first one after a command over another edge.
    fn row(&self, session: &Session) -> Option<(QuestionId, &AnswerText, SentRow)> {
        let Command::SubmitAnswer { question, answer, elapsed } = &self.waiting.command else { return None };
        let is_own = |id: CommandId| [session.id, session.prior].contains(&Some(id.session));
        let is_plain = self.waiting.seen.is_none_or(is_own) && is_own(self.command_id);
        let (given, number) = self.command_id.given_by(self.command_id.epoch()).filter(|_| is_plain)?;
        let row = SentRow { session: given, number, text: 0, elapsed: *elapsed };
        session.participant.as_first_phone().map(|_| (*question, answer, row))
    }
}

impl Edge {
    /// Whether answers travel together in this game now.
    pub(super) fn bundles(&self) -> bool {
        let is_large = |state: &State| state.player_count() >= self.options.bundle_from;
        self.oldest_log >= Bundle::SINCE && self.state().is_some_and(is_large)
    }

    /// Requests sessions for these sockets from the owner.
    pub(super) fn announce(&self, sockets: &[Attaching], effects: &mut Vec<EdgeEffect>) {
        if self.bundles() {
            let frames = sockets.chunks(MOST_SOCKETS).map(|some| ToOwner::AttachMany(some.to_vec()));
            effects.extend(frames.map(EdgeEffect::ToOwner));
        } else {
            effects.extend(sockets.iter().map(|socket| EdgeEffect::ToOwner(ToOwner::Attach(*socket))));
        }
    }

    /// Whether the command in flight of this socket waits for others.
    pub(super) fn travels_with_others(&self, connection: ConnectionId) -> bool {
        let in_flight =
            |session: &Session| session.in_flight.as_ref().is_some_and(|in_flight| in_flight.row(session).is_some());
        self.bundles() && self.sessions.get(connection).is_some_and(in_flight)
    }

    /// Sends what was collected, when no earlier answers are unanswered or it has waited for long enough.
    pub(super) fn flush_bundles(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.bundling.collected.is_empty() {
            return;
        }
        let due = *self.bundling.due.get_or_insert(now + WAIT);
        if now >= due || self.bundling.collected.len() >= MOST_ROWS || self.are_answered() {
            let collected = std::mem::take(&mut self.bundling.collected);
            self.bundling.due = None;
            self.send_together(collected, effects);
        }
    }

    /// Whether the answers that were sent last are answered.
    fn are_answered(&self) -> bool {
        self.bundling.last.is_none_or(|(connection, command_id)| {
            let in_flight = self.sessions.get(connection).and_then(|session| session.in_flight.as_ref());
            in_flight.is_none_or(|in_flight| in_flight.command_id != command_id)
        })
    }

    /// Sends the answers in flight of these sockets, those to one question over sessions of one owner in one frame.
    pub(super) fn send_together(&mut self, connections: Vec<ConnectionId>, effects: &mut Vec<EdgeEffect>) {
        let mut frames: BTreeMap<(QuestionId, u64), Frame> = BTreeMap::new();
        for connection in connections {
            let Some(session) = self.sessions.get(connection) else { continue };
            let Some(in_flight) = &session.in_flight else { continue };
            let Some((question, text, row)) = in_flight.row(session) else { continue };
            let of = (question, in_flight.command_id.epoch());
            let frame = frames.entry(of).or_default();
            frame.push(connection, (text, row));
            if frame.is_full() {
                let full = std::mem::take(frame);
                self.send_frame(of, full, effects);
            }
        }
        for (of, frame) in frames {
            self.send_frame(of, frame, effects);
        }
    }

    fn send_frame(&mut self, (question, given_by): (QuestionId, u64), frame: Frame, effects: &mut Vec<EdgeEffect>) {
        let Some(connection) = frame.last else { return };
        let Some(session) = self.sessions.get(connection) else { return };
        let Some(in_flight) = &session.in_flight else { return };
        self.bundling.last = Some((connection, in_flight.command_id));
        effects.push(EdgeEffect::ToOwner(if frame.rows.len() == 1 {
            in_flight.to_owner(connection, session.participant, self.epoch)
        } else {
            let (epoch, texts, rows) = (self.epoch, frame.texts, Rows(frame.rows));
            let given_by = Some(given_by).filter(|given_by| *given_by != epoch);
            ToOwner::Answers(GivenAnswers { epoch, given_by, question, texts, rows })
        }));
    }

    /// Applies answers that were stored together. The host of a game that lists its players, and the phones of a team, are sent each
    /// answer as it would come by itself.
    pub(super) fn apply_answers(&mut self, now: Time, event: &Event, effects: &mut Vec<EdgeEffect>) {
        let (Change::Answers(bundle), Some(replica)) = (&event.change, &mut self.replica) else { return };
        let has_host = self.sessions.hosts().next().is_some();
        if replica.state.teams().is_some() || has_host && room::is_room_listed(&replica.state) {
            for single in bundle.expand(&replica.state).collect::<Vec<_>>() {
                self.apply_change(now, &single, effects);
            }
            return;
        }
        let before = replica.state.answer_count(bundle.question);
        replica.state.apply_at(event, now.into());
        let is_asking = replica.state.phase() == Phase::Question;
        let is_more = replica.state.answer_count(bundle.question) > before;
        self.acknowledge_rows(now, bundle, effects);
        if has_host && is_asking && is_more {
            self.pacing.count_changed(bundle.question);
        }
        if self.sessions.hosts_v1().next().is_some() {
            self.pacing.desks().for_each(|desk| desk.changed(bundle.question));
        }
    }

    fn acknowledge_rows(&mut self, now: Time, bundle: &Bundle, effects: &mut Vec<EdgeEffect>) {
        for row in &bundle.rows.0 {
            let player = self.state().and_then(|state| state.player_at(row.slot)).map(|player| player.id);
            let connection = player.and_then(|player| self.sessions.of(Participant::Player(player)));
            let Some(connection) = connection else { continue };
            let Some(in_flight) = self.take_in_flight(connection, row.sent.command_id(bundle.epoch)) else { continue };
            let frame = self.pacing.acknowledgement(bundle.question);
            effects.push(EdgeEffect::Send(connection, frame, FrameKind::Queued));
            effects.push(EdgeEffect::Acknowledged(now.saturating_sub(in_flight.waiting.since)));
            self.pump(connection, effects);
        }
    }
}
