//! What hosts who review groups of answers are sent after an event: the groups that it touches, as they are then (`review_groups`).
//!
//! Called by `marks` around the event: an answer that the event removes or replaces can be read only before it.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use quizhall_rules::{Change, Phase, PlayerId, QuestionId, State};

use super::Edge;
use super::marks::Touched;
use crate::ids::ConnectionId;
use crate::wire;

/// The answers that an event touches, and what they meant before it.
#[derive(Default)]
pub(super) struct Regrouping {
    touched: BTreeMap<QuestionId, (Vec<PlayerId>, BTreeSet<String>)>,
    nearest: Vec<(QuestionId, PlayerId)>,
}

impl Regrouping {
    /// Nothing when the event touches no answer of the closed round.
    fn of(state: &State, change: &Change, touched: &Touched) -> Self {
        let answers: Vec<(QuestionId, Vec<PlayerId>)> = match (change, touched) {
            (_, Touched::Answers(question, players)) => vec![(*question, players.clone())],
            (Change::AnswerOverridden { player, question, .. } | Change::AnswerEntered { player, question, .. }, _) => {
                vec![(*question, vec![*player])]
            }
            (Change::PlayerRemoved { player, .. }, _) => {
                state.released().map(|question| (question.id, vec![*player])).collect()
            }
            _ => return Self::default(),
        };
        let with_meanings = answers.into_iter().map(|(question, players)| {
            let meanings = state.meanings_of(question, &players);
            (question, (players, meanings))
        });
        Self { touched: with_meanings.collect(), nearest: state.nearest_answers() }
    }

    /// The groups of each question that are different now.
    fn frames(mut self, state: &State) -> Vec<Bytes> {
        let nearest: BTreeSet<_> = state.nearest_answers().into_iter().collect();
        let before: BTreeSet<_> = self.nearest.into_iter().collect();
        for (question, player) in nearest.symmetric_difference(&before) {
            self.touched.entry(*question).or_default().0.push(*player);
        }
        let meanings = self.touched.into_iter().map(|(question, (players, mut meanings))| {
            meanings.extend(state.meanings_of(question, &players));
            (question, meanings)
        });
        let changed = meanings.filter(|(_, meanings)| !meanings.is_empty());
        changed.map(|(question, meanings)| wire::review::changed_groups(state, question, &meanings)).collect()
    }
}

impl Edge {
    /// Has to be called before the event is in the replica. None when no host here reviews groups.
    pub(super) fn regrouping_before(&self, change: &Change, touched: &Touched) -> Option<Regrouping> {
        let state = self.state().filter(|state| state.phase() == Phase::RoundReview)?;
        let has_groups = self.sessions.hosts_v1().any(|(_, host)| self.reviews_groups(host));
        has_groups.then(|| Regrouping::of(state, change, touched))
    }

    /// The messages for hosts who review groups, after the event.
    pub(super) fn regrouped(&self, regrouping: Option<Regrouping>) -> Vec<Bytes> {
        regrouping.zip(self.state()).map(|(regrouping, state)| regrouping.frames(state)).unwrap_or_default()
    }

    /// Whether this host was sent groups of the closed round.
    pub(super) fn reviews_groups(&self, host: ConnectionId) -> bool {
        self.sessions.get(host).is_some_and(|session| session.reviews_groups)
    }

    /// Stores in which form this socket has been sent the review of the present state, if it is a host's.
    pub(super) fn note_review(&mut self, connection: ConnectionId) {
        let is_grouped =
            self.state().is_some_and(|state| state.phase() == Phase::RoundReview && wire::review::is_grouped(state));
        if let Some(session) = self.sessions.get_mut(connection) {
            session.reviews_groups = is_grouped && session.has_extension() && session.participant.as_host().is_some();
        }
    }
}
