//! Judges what the host does to marks, before and after the scores are out, and appeals about them.

use std::collections::BTreeSet;

use quizhall_quiz::{QuestionId, QuestionKind};

use super::asking::{check_kind, sender};
use super::verdict::Verdict;
use crate::answering::appeals::{Appeal, AppealStatus};
use crate::answering::key::MOST_RULINGS;
use crate::base::{AnswerTexts, PlayerId, Refusal, Worth};
use crate::command::Actor;
use crate::event::Change;
use crate::state::State;

/// The host's mark of answers.
#[derive(Clone, Copy)]
pub(super) struct Said {
    /// Whether they count as right.
    pub correct: bool,
    /// Whether they earn half of the points when they do not.
    pub half: bool,
}

impl Said {
    fn worth(self, state: &State, question: QuestionId) -> Worth {
        let partial = if self.half && !self.correct { state.half_of(question) } else { 0 };
        Worth { correct: self.correct, partial }
    }
}

pub(super) fn judge_override(state: &State, player: PlayerId, question: QuestionId, correct: bool) -> Verdict {
    check_kind(state, question, QuestionKind::is_marked)?;
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    let so_already =
        state.answer_of(player, question).is_some_and(|answer| answer.counts_as(Worth { correct, partial: 0 }));
    Ok((!so_already).then_some(Change::AnswerOverridden { player, question, correct }))
}

/// Stores only texts that change a mark or decide about a doubtful one, so a log never holds a text that is no player's answer.
pub(super) fn judge_marking(state: &State, question: QuestionId, texts: &AnswerTexts, said: Said) -> Verdict {
    check_kind(state, question, QuestionKind::is_marked)?;
    let worth = said.worth(state, question);
    let mut found: Vec<String> = Vec::new();
    for (_, text) in state.markable(question, |text| texts.name(text), worth) {
        found.push(text.to_owned());
    }
    found.sort_unstable();
    found.dedup();
    Ok((!found.is_empty()).then_some(Change::AnswersMarked {
        question,
        texts: found,
        correct: worth.correct,
        partial: worth.partial,
    }))
}

/// Stores only texts on which the host has not ruled, or has ruled differently.
pub(super) fn judge_key(state: &State, question: QuestionId, texts: &AnswerTexts, said: Said) -> Verdict {
    check_kind(state, question, QuestionKind::has_key)?;
    let worth = said.worth(state, question);
    let rulings = state.rulings(question);
    let compared = texts.iter().filter_map(|text| state.compared(question, text));
    let texts: BTreeSet<String> = compared.filter(|text| rulings.get(text) != Some(&worth)).collect();
    let added = texts.iter().filter(|text| !rulings.contains_key(*text)).count();
    if added > 0 && rulings.len() + added > MOST_RULINGS {
        return Err(Refusal::KeyFull);
    }
    let texts: Vec<String> = texts.into_iter().collect();
    let Worth { correct, partial } = worth;
    Ok((!texts.is_empty()).then_some(Change::KeyChanged { question, texts, correct, partial }))
}

/// A co-host whose role is not `host` undoes the latest of their own markings; the others undo the latest of all.
pub(super) fn judge_undo(state: &State, actor: Actor) -> Option<Change> {
    let of = actor.as_host().and_then(|device| state.co_hosts.undone_over(device));
    (state.undoable(of) > 0).then_some(Change::MarkingUndone { of })
}

pub(super) fn judge_correction(state: &State, question: QuestionId, texts: &AnswerTexts, said: Said) -> Verdict {
    let worth = said.worth(state, question);
    let players = state.correctable(question, |text| texts.name(text), worth).ok_or(Refusal::UnknownQuestion)?;
    Ok(corrected(question, players, worth))
}

pub(super) fn judge_credit(state: &State, question: QuestionId, players: &[PlayerId], said: Said) -> Verdict {
    let worth = said.worth(state, question);
    Ok(corrected(question, state.creditable(question, players, worth)?, worth))
}

fn corrected(question: QuestionId, players: Vec<PlayerId>, Worth { correct, partial }: Worth) -> Option<Change> {
    (!players.is_empty()).then_some(Change::MarksCorrected { question, players, correct, partial })
}

/// Does nothing for an answer that counts as right, for a second appeal about the same question, or for a fourth appeal in a
/// round.
pub(super) fn judge_appeal(state: &State, actor: Actor, question: QuestionId, text: Option<&String>) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let can_appeal = state.can_appeal(player, question).ok_or(Refusal::UnknownQuestion)?;
    Ok(can_appeal.then(|| Change::Appealed { player, device, question, text: text.cloned() }))
}

/// Does nothing without an open appeal.
pub(super) fn judge_dismissal(state: &State, player: PlayerId, question: QuestionId) -> Verdict {
    if !state.is_scored_question(question) {
        return Err(Refusal::UnknownQuestion);
    }
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    let is_open = |appeal: Appeal<'_>| appeal.question == question && appeal.status == AppealStatus::Open;
    Ok(state.appeals_of(player).any(is_open).then_some(Change::AppealDismissed { player, question }))
}
