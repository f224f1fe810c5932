//! Judges changes of how a game is played. Called by `decide`, which has checked role and phase; each does nothing if it changes
//! nothing.

use super::verdict::Verdict;
use crate::base::{PlayOptions, Refusal};
use crate::event::Change;
use crate::state::State;

/// Players have joined as single players or as teams, so this is decided while there are none.
pub(crate) fn judge(state: &State, asked: &PlayOptions) -> Verdict {
    if asked.teams != state.teams() && state.player_count() > 0 {
        return Err(Refusal::HasPlayers);
    }
    Ok(changed(state, *asked))
}

pub(crate) fn judge_closing(state: &State, on: bool) -> Option<Change> {
    changed(state, PlayOptions { close_when_answered: on, ..*state.options() })
}

fn changed(state: &State, options: PlayOptions) -> Option<Change> {
    (options != *state.options()).then(|| Change::OptionsSet(options.into()))
}
