//! Decides the host's requests to give tokens to screens and co-hosts, and to revoke them. Called by `decide`; never changes
//! anything.

use super::verdict::Verdict;
use crate::base::{CoHostId, Refusal, ScreenId};
use crate::event::Change;
use crate::people::co_hosts::CoHost;
use crate::people::screens::Screen;
use crate::state::State;

/// A repeated request does nothing, and neither does one for a screen that the host has removed.
pub(crate) fn judge_screen(state: &State, screen: &Screen) -> Verdict {
    if state.screens.has(screen.id) || state.screens.is_removed(screen.id) {
        return Ok(None);
    }
    if state.screens.are_full() {
        return Err(Refusal::TooManyScreens);
    }
    Ok(Some(Change::ScreenAdded(screen.clone())))
}

pub(crate) fn judge_screen_removal(state: &State, screen: ScreenId) -> Option<Change> {
    state.screens.has(screen).then_some(Change::ScreenRemoved { screen })
}

/// A repeated request does nothing.
pub(crate) fn judge_co_host(state: &State, co_host: &CoHost) -> Verdict {
    if state.co_hosts.device_of(co_host.id).is_some() {
        return Ok(None);
    }
    if state.co_hosts.are_full() {
        return Err(Refusal::TooManyCoHosts);
    }
    Ok(Some(Change::CoHostAdded(co_host.clone().into())))
}

pub(crate) fn judge_co_host_removal(state: &State, co_host: CoHostId) -> Option<Change> {
    state.co_hosts.device_of(co_host).map(|device| Change::CoHostRemoved { device })
}
