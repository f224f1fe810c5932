//! Judges points that the host gives by hand. Never changes anything.

use std::sync::Arc;

use super::verdict::Verdict;
use crate::base::{AdjustmentId, PlayerId, Refusal};
use crate::event::Change;
use crate::showing::adjustments::MOST;
use crate::state::State;

/// They belong to the current round: it runs, or its scores were released last.
pub(super) fn judge(state: &State, player: PlayerId, points: i32, reason: Option<&Arc<str>>) -> Verdict {
    if state.player(player).is_none() {
        return Err(Refusal::UnknownPlayer);
    }
    if state.adjusted >= MOST {
        return Err(Refusal::TooManyAdjustments);
    }
    let round = u32::try_from(state.round()).unwrap_or(u32::MAX);
    let reason = reason.cloned();
    Ok((points != 0).then_some(Change::PointsAdjusted { player, round, points, reason }))
}

/// Does nothing when they were undone before, or never given.
pub(super) fn judge_undo(state: &State, adjustment: AdjustmentId) -> Option<Change> {
    let (player, adjustment) = state.adjustment(adjustment)?;
    let (player, round, number) = (player.id, adjustment.round, adjustment.number);
    Some(Change::AdjustmentUndone { player, round, number })
}
