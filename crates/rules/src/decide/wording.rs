//! Decides the host's corrections other than marks: new words for a question, the withdrawal of a question, and a new name for a
//! player. Called by `decide`; each does nothing if it changes nothing.

use quizhall_quiz::QuestionId;

use super::verdict::Verdict;
use crate::answering::wording::QuestionEdit;
use crate::base::{DisplayName, PlayerId, Refusal};
use crate::event::Change;
use crate::state::State;

pub(crate) fn judge_edit(state: &State, edit: &QuestionEdit) -> Verdict {
    Ok(state.new_words(edit)?.map(|edit| Change::QuestionEdited(edit.into())))
}

pub(crate) fn judge_withdrawal(state: &State, question: QuestionId) -> Verdict {
    Ok(state.can_withdraw(question)?.then_some(Change::QuestionWithdrawn { question }))
}

pub(crate) fn judge_name(state: &State, player: PlayerId, name: &str) -> Verdict {
    let display_name = DisplayName::parse(name).map_err(|_| Refusal::UnfitName)?;
    Ok(state.can_rename(player, &display_name)?.then_some(Change::PlayerRenamed { player, display_name }))
}
