//! Decides when the list of players is sent, and which part of it: whole lists in small lobbies and to everyone except players of
//! the extension; in larger ones, these players receive only the changes (messages.md#big-games).
//!
//! It never decides who is in the lobby: that is in the state.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use quizhall_rules::{PlayerId, State};

use super::EdgeEffect;
use crate::ids::Time;
use crate::wire::{self, Audience, FrameKind, Frames, LobbyList, Recipient};

/// Whole lists of lobbies up to this size are sent after every join.
const EVERY_JOIN: usize = 200;
/// At most 4 lists a second up to [`wire::WHOLE_LOBBY`] players, one a second above, and one second more for each further
/// [`HUGE`]. A list of the newest hundred has little value there, and for all players it takes a hundred megabytes and more.
const BIG_LOBBY: Duration = Duration::from_millis(250);
const HUGE_LOBBY: Duration = Duration::from_secs(1);
const HUGE: usize = 20_000;
/// The bytes per second that lobby lists may take on this node for one game.
const LOBBY_BUDGET: u64 = 200_000_000;
/// Above this many players, players of the extension receive the changes instead of the list.
const SMALL: usize = 10;
/// Between two changes with names, and between two of only the number: a phone that looks on for ten minutes while two thousand
/// come is sent 20 KB.
const CHANGES: Duration = Duration::from_millis(250);
const TOTALS: Duration = Duration::from_secs(10);

/// The part of the lobby that has to be sent, and when.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    dirty: bool,
    due: Time,
    /// The lists, each encoded once, with the number of events that it contains.
    list: Option<(u64, Bytes)>,
    list_for_players: Option<(u64, Bytes)>,
    grown: LobbyList,
    /// The lobby was above [`SMALL`] once. From then on no list replaces one that still waits in a socket's queue: it would come
    /// before the changes after that one.
    by_changes: bool,
    /// The players who have joined or left since the last change was sent.
    changed: BTreeSet<PlayerId>,
    changes_due: Time,
}

impl Lobby {
    pub fn player_changed(&mut self, player: PlayerId) {
        self.dirty = true;
        self.changed.insert(player);
    }

    /// After a jump of the state, pending messages are still pending.
    pub fn jumped(&mut self, before: &State, after: &State) {
        let ids = |state: &State| state.lobby().map(|player| player.id).collect::<BTreeSet<_>>();
        let changed = &ids(before) ^ &ids(after);
        self.dirty |= !changed.is_empty();
        self.changed.extend(changed);
    }

    /// Every socket has been sent the state.
    pub fn forget(&mut self) {
        self.dirty = false;
        self.changed.clear();
    }

    /// Whether the changes are sent in addition to the list.
    fn is_by_changes(&mut self, state: &State) -> bool {
        self.by_changes |= state.present_count() > SMALL;
        self.by_changes
    }

    pub fn next_deadline(&self) -> Option<Time> {
        let list = self.dirty.then_some(self.due);
        let changes = (!self.changed.is_empty()).then_some(self.changes_due);
        list.into_iter().chain(changes).min()
    }

    /// The list for new sockets and for the next broadcast.
    pub fn list(&mut self, (state, seq): (&State, u64), recipient: Recipient) -> Bytes {
        let is_short = recipient == Recipient::Player && !wire::is_lobby_named(state);
        let kept = if is_short { &mut self.list_for_players } else { &mut self.list };
        let known = kept.take().filter(|(of, _)| *of == seq);
        let mut encoded = || if is_short { wire::lobby_list(state, recipient) } else { self.grown.of(state) };
        let (_, list) = kept.insert(known.unwrap_or_else(|| (seq, encoded())));
        list.clone()
    }

    /// Sends messages that are due, or `all` pending ones, to this many sockets.
    pub fn flush(
        &mut self,
        (now, all): (Time, bool),
        (state, seq): (&State, u64),
        sockets: usize,
        effects: &mut Vec<EdgeEffect>,
    ) {
        let by_changes = self.is_by_changes(state);
        if self.dirty && (all || self.due <= now) {
            self.dirty = false;
            let list = self.list((state, seq), Recipient::Plain);
            self.due = now + list_interval(state.present_count(), list.len(), sockets);
            let audience = if by_changes { Audience::Others } else { Audience::All };
            effects.push(EdgeEffect::Broadcast(Frames::to(audience, list), FrameKind::Replace(wire::LOBBY_KEY)));
        }
        if !by_changes {
            self.changed.clear();
        } else if !self.changed.is_empty() && (all || self.changes_due <= now) {
            let changed = std::mem::take(&mut self.changed);
            let is_named = wire::is_lobby_named(state);
            self.changes_due = now + if is_named { CHANGES } else { TOTALS };
            let kind = if is_named { FrameKind::Queued } else { FrameKind::Replace(wire::LOBBY_TOTAL_KEY) };
            let message = Frames::to(Audience::Players, wire::lobby_changed(state, &changed));
            effects.push(EdgeEffect::Broadcast(message, kind));
        }
    }
}

fn list_interval(players: usize, bytes: usize, sockets: usize) -> Duration {
    if players <= EVERY_JOIN {
        return Duration::ZERO;
    }
    let times = u32::try_from(1 + players / HUGE).unwrap_or(u32::MAX);
    let by_size = if players > wire::WHOLE_LOBBY { HUGE_LOBBY * times } else { BIG_LOBBY };
    let micros = (bytes as u64 * sockets as u64).saturating_mul(1_000_000) / LOBBY_BUDGET;
    by_size.max(Duration::from_micros(micros))
}
