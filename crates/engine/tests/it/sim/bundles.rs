//! Answers that travel together: what a bundle means, and what can go wrong with one on its way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{Append, EdgeId, FromOwner, Message, Outcome, Participant, Time, ToEdge, ToOwner};
use quizhall_rules::{Change, CommandId, Device, Event, PlayerId, SentRow};

use super::World;
use super::coverage::Kind;
use super::mutation::Mutation;

/// The time from one arrival of answers to the next.
const TOGETHER: Duration = Duration::from_millis(200);

/// The events that an event stands for, in a game with these players in order of joining.
pub fn singles(event: &Event, joined: &[PlayerId]) -> Vec<Event> {
    let Change::Answers(bundle) = &event.change else { return vec![event.clone()] };
    let single = |row: &quizhall_rules::BundleRow| {
        let text = &bundle.texts[row.sent.text as usize];
        let change = Change::Answered {
            player: joined[row.slot as usize],
            device: Device::FIRST,
            question: bundle.question,
            answer: Arc::clone(&text.text),
            correct: text.correct,
            near_miss: text.near_miss,
            partial: text.partial,
            elapsed: row.sent.elapsed,
        };
        Event::new(change, Some(row.sent.command_id(bundle.epoch)))
    };
    bundle.rows.0.iter().map(single).collect()
}

/// The player whom an event lets join.
pub fn joins(change: &Change) -> Option<PlayerId> {
    match change {
        Change::Joined { player, .. } | Change::SeatAdded { player, .. } => Some(*player),
        _ => None,
    }
}

/// The sessions that owners gave.
#[derive(Debug, Default)]
pub struct SessionsGiven {
    of: BTreeMap<u64, Participant>,
    newest: BTreeMap<Participant, (u64, EdgeId)>,
}

impl SessionsGiven {
    fn note(&mut self, edge: EdgeId, participant: Participant, session: u64) {
        self.of.insert(session, participant);
        let newest = self.newest.entry(participant).or_insert((session, edge));
        *newest = (session, edge).max(*newest);
    }

    /// Makes an answer over a replaced socket a new command over the present one; returns its edge.
    fn renew(&self, epoch: u64, row: &mut SentRow) -> Option<EdgeId> {
        let session = row.command_id(epoch).session;
        let newest = self.of.get(&session).and_then(|participant| self.newest.get(participant)).copied();
        let (newest, edge) = newest.filter(|(newest, _)| *newest > session)?;
        let (given, _) = (CommandId { session: newest, number: 1 }).given_by(epoch)?;
        (row.session, row.number) = (given, row.number + 1_000);
        Some(edge)
    }
}

impl World {
    /// When a message arrives: answers that can travel together arrive together.
    pub fn with_others(&self, message: &Message, at: Time) -> Time {
        let is_answer = matches!(message, Message::Player(FromPlayer::SubmitAnswer(_)));
        let passed = at.as_nanos() % TOGETHER.as_nanos();
        let left = TOGETHER.as_nanos() - passed;
        let is_early = is_answer && self.setting.bundles && passed > 0;
        at + if is_early { Duration::from_nanos(u64::try_from(left).expect("short")) } else { Duration::ZERO }
    }

    /// Counts bundles. For mutants: each row names the next text, or the newest session of its player.
    pub fn note_bundle(&mut self, from: &mut EdgeId, frame: &mut ToOwner) {
        let ToOwner::Answers(given) = frame else { return };
        self.coverage.note(Kind::BundleReceived);
        if self.is_mutant(Mutation::TextsShifted) {
            let texts = u32::try_from(given.texts.len()).expect("few");
            given.rows.0.iter_mut().for_each(|row| row.text = (row.text + 1) % texts);
        }
        if self.is_mutant(Mutation::SessionUnchecked) {
            let epoch = given.epoch;
            let renewed = given.rows.0.iter_mut().filter_map(|row| self.sessions.renew(epoch, row));
            *from = renewed.last().unwrap_or(*from);
        }
    }

    /// For mutants: which sessions an owner gives is noted, and what it refuses of a bundle is done.
    pub fn change_replies(&mut self, edge: EdgeId, frame: &mut FromOwner) {
        match &mut frame.message {
            ToEdge::Attached { participant, session, .. } => self.sessions.note(edge, *participant, *session),
            ToEdge::AttachedMany(sockets) => {
                self.coverage.note(Kind::AttachedTogether);
                for (_, participant, session) in sockets {
                    self.sessions.note(edge, *participant, *session);
                }
            }
            ToEdge::Outcomes { rows, .. } => {
                self.coverage.note(Kind::OutcomesTogether);
                if self.is_mutant(Mutation::RefusedIsDone) {
                    for (_, _, outcome) in rows {
                        *outcome = Outcome::Done;
                    }
                }
            }
            _ => {}
        }
    }

    /// For a mutant: the answers of a row are stored after what closes their question.
    pub fn closed_late(&self, append: Append) -> Append {
        if !self.is_mutant(Mutation::ClosedIsTaken) {
            return append;
        }
        let mut events = append.events.to_vec();
        events.sort_by_key(|event| matches!(event.change, Change::Answers(_)));
        Append { events: events.into(), ..append }
    }
}
