//! The answer to what corrections would do to the board of a game. Pure: computes on a copy of the state.

use quizhall_protocol::http::what_if::{BoardChange, WhatIfOutcome};
use quizhall_protocol::shapes::LeaderboardEntry;
use quizhall_rules::{Lines, Standing, State as GameState, Supposed, Unfit, what_if};

use super::collect::entry;

/// Carries the corrections out on this copy.
///
/// # Errors
/// The first correction that the game does not allow.
pub fn outcome(state: GameState, supposed: &[Supposed]) -> Result<WhatIfOutcome, Unfit> {
    let outcome = what_if(state, supposed)?;
    let board = |standings: &[Standing]| standings.iter().map(placed).collect();
    Ok(WhatIfOutcome {
        before: board(&outcome.before.standings),
        after: board(&outcome.after.standings),
        changes: outcome.changes().filter_map(change).collect(),
    })
}

/// An entry as hosts over `quizhall.v1` receive it: a tie-break gives equal scores ranks of their own.
fn placed(standing: &Standing) -> LeaderboardEntry {
    LeaderboardEntry { rank: standing.place, ..entry(standing) }
}

fn change((before, after): Lines<'_>) -> Option<BoardChange> {
    let line = after.or(before)?;
    let score = |line: Option<&Standing>| line.map_or(0, |line| line.score);
    let rank = |line: Option<&Standing>| line.map(|line| line.place);
    Some(BoardChange {
        player_id: line.player.uuid(),
        display_name: line.display_name.to_string(),
        score_before: score(before),
        score_after: score(after),
        rank_before: rank(before),
        rank_after: rank(after),
    })
}
