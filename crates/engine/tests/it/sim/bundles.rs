//! Answers that travel together: what a bundle means, and what can go wrong with one on its way.

use std::sync::Arc;
use std::time::Duration;

use quizhall_engine::wire::FromPlayer;
use quizhall_engine::{Message, Time, ToOwner};
use quizhall_rules::{Change, Device, Event, PlayerId};

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

impl World {
    /// When a message arrives: answers that can travel together arrive together.
    pub fn with_others(&self, message: &Message, at: Time) -> Time {
        let is_answer = matches!(message, Message::Player(FromPlayer::SubmitAnswer(_)));
        let passed = at.as_nanos() % TOGETHER.as_nanos();
        let left = TOGETHER.as_nanos() - passed;
        let is_early = is_answer && self.setting.bundles && passed > 0;
        at + if is_early { Duration::from_nanos(u64::try_from(left).expect("short")) } else { Duration::ZERO }
    }

    /// Counts bundles. For a mutant: each row names the next text.
    pub fn note_bundle(&mut self, frame: &mut ToOwner) {
        let ToOwner::Answers(given) = frame else { return };
        self.coverage.note(Kind::BundleReceived);
        if self.is_mutant(Mutation::TextsShifted) {
            let texts = u32::try_from(given.texts.len()).expect("few");
            given.rows.0.iter_mut().for_each(|row| row.text = (row.text + 1) % texts);
        }
    }
}
