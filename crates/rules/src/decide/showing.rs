//! Judges what the host shows, tie-breaks and jokers.

use std::collections::BTreeSet;

use quizhall_quiz::QuestionId;

use super::asking::{check_kind, sender};
use super::verdict::Verdict;
use crate::base::{AnswerTexts, PlayerId, Refusal};
use crate::command::{Actor, TieQuestion};
use crate::event::Change;
use crate::showing::tie_breaks::TieBreak;
use crate::state::State;

/// Stores nothing if the same tally is already shown.
pub(super) fn judge_tally(state: &State, question: QuestionId, hidden: &AnswerTexts) -> Verdict {
    check_kind(state, question, |kind| !kind.is_marked())?;
    let (tally, hidden) = state.tally_of(question, hidden);
    Ok((state.tally() != Some(&tally)).then_some(Change::TallyShown { question, hidden }))
}

pub(super) fn judge_reveal(state: &State, question: QuestionId) -> Verdict {
    if !state.is_released(question) {
        return Err(Refusal::UnknownQuestion);
    }
    Ok((!state.revealed.has(question)).then_some(Change::AnswerRevealed { question }))
}

/// Does nothing if there is no round to play it for, or if the player has already played it.
pub(super) fn judge_joker(state: &State, actor: Actor) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let round = state.joker_round().filter(|_| known.joker.is_none());
    Ok(round.map(|round| Change::JokerPlayed { player, device, round }))
}

/// Repeating the open question to the same players stores nothing, because a client may send it again.
pub(super) fn judge_tie_break(state: &State, asked: &TieQuestion) -> Verdict {
    let TieQuestion { players, text, answer } = asked;
    if players.iter().any(|player| state.player(*player).is_none()) {
        return Err(Refusal::UnknownPlayer);
    }
    let mut named = BTreeSet::new();
    let players: Vec<PlayerId> = players.iter().copied().filter(|player| named.insert(*player)).collect();
    let same = |open: &TieBreak| (&open.text, &open.answer, &open.players) == (text, answer, &players);
    let is_open = state.open_tie_break().is_some_and(same);
    Ok((!is_open).then(|| Change::TieBreakStarted { players, text: text.clone(), answer: *answer }))
}

/// Does nothing for a player who is not asked.
pub(super) fn judge_tie_answer(state: &State, actor: Actor, answer: i64) -> Verdict {
    let (known, device) = sender(state, actor)?;
    let player = known.id;
    let open = state.open_tie_break().filter(|open| open.players.contains(&player));
    let is_new = open.is_some_and(|open| open.answers.get(&player) != Some(&answer));
    Ok(is_new.then_some(Change::TieBreakAnswered { player, device, answer }))
}

/// Does nothing without an open one.
pub(super) fn judge_tie_end(state: &State) -> Option<Change> {
    state.open_tie_break().map(|open| Change::TieBreakEnded { places: open.order(&state.roster) })
}
