//! The viewers of a game, screens and spectators: sockets that receive one picture after another and send no requests.
//!
//! They are kept separate from the sockets of participants: the owner does not know them, they send no commands, and they receive
//! no broadcasts. Called by `edge` after every input; renders from the replica like everything else.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use bytes::Bytes;

use super::{Edge, EdgeEffect};
use crate::ids::{ConnectionId, Time, Viewer};
use crate::sampling::Sampling;
use crate::wire::{self, Close, CloseCode, FrameKind};

/// Sent to a spectator when all places on this node, or its address' share of them, are taken. A second would be too short for a
/// place to become free.
const FULL: Close = Close::with_retry(CloseCode::TryAgainLater, 30, 60);
/// The spectators at one address may be this many times the places that are left, so at most three quarters of all places: a
/// whole pub has one address, but other addresses still get places.
const SHARE: usize = 3;
/// How much longer the sockets of screens stay open after `game_ended` than those of participants: the room looks at the podium.
const LINGER: u32 = 30;

/// The viewers that are attached here.
#[derive(Debug, Default)]
pub(super) struct Screens {
    attached: BTreeMap<ConnectionId, (Viewer, IpAddr)>,
    /// How many of them are spectators.
    spectators: usize,
    /// How many events the state of the last picture had.
    seen: Option<u64>,
    /// The picture that was shown last.
    shown: Option<Bytes>,
    sampling: Sampling,
    over_at: Option<Time>,
}

impl Screens {
    pub fn len(&self) -> usize {
        self.attached.len()
    }

    pub fn contains(&self, connection: ConnectionId) -> bool {
        self.attached.contains_key(&connection)
    }

    pub fn remove(&mut self, connection: ConnectionId) -> bool {
        let viewer = self.attached.remove(&connection);
        self.spectators -= usize::from(matches!(viewer, Some((Viewer::Spectator(_), _))));
        viewer.is_some()
    }

    fn insert(&mut self, connection: ConnectionId, (viewer, address): (Viewer, IpAddr)) {
        self.attached.insert(connection, (viewer, address));
        self.spectators += usize::from(matches!(viewer, Viewer::Spectator(_)));
    }

    /// Whether there is a place for another spectator at this address.
    fn has_room(&self, address: IpAddr, most: usize) -> bool {
        let is_here = |(viewer, of): &&(Viewer, IpAddr)| matches!(viewer, Viewer::Spectator(_)) && *of == address;
        let here = self.attached.values().filter(is_here).count();
        here < most.saturating_sub(self.spectators).saturating_mul(SHARE)
    }

    fn note_shown(&mut self, (now, seen): (Time, u64), picture: Bytes) {
        self.sampling.note(now, picture.len());
        (self.seen, self.shown) = (Some(seen), Some(picture));
    }

    fn of(&self, viewer: Viewer) -> Option<ConnectionId> {
        self.attached.iter().find(|(_, (known, _))| *known == viewer).map(|(connection, _)| *connection)
    }
}

impl Edge {
    /// Attaches the socket of a viewer. An older socket of the same viewer is closed; a spectator without a place is asked to
    /// retry later.
    pub(super) fn attach_viewer(
        &mut self,
        now: Time,
        connection: ConnectionId,
        (viewer, address): (Viewer, IpAddr),
        effects: &mut Vec<EdgeEffect>,
    ) {
        if let Some(present) = self.screens.of(viewer) {
            if present > connection {
                return effects.push(EdgeEffect::Close(connection, CloseCode::Replaced.into()));
            }
            self.close_screen(present, CloseCode::Replaced.into(), effects);
        }
        let most = self.options.most_spectators;
        if matches!(viewer, Viewer::Spectator(_)) && !self.screens.has_room(address, most) {
            return effects.push(EdgeEffect::Close(connection, FULL));
        }
        self.screens.insert(connection, (viewer, address));
        let Some(state) = self.state() else { return self.freshness.note_newcomer(now, connection) };
        if state.is_closed() {
            return self.close_screen(connection, CloseCode::GameClosed.into(), effects);
        }
        // Since the handshake the screen may have been removed, or watching may have been disallowed.
        if !viewer.may_watch(state) {
            return self.close_screen(connection, CloseCode::Unauthorized.into(), effects);
        }
        self.welcome(now, connection, effects);
        self.note_phase(now);
    }

    /// Sends a screen the current picture, or closes it: its token may have been revoked while it waited for the log.
    pub(super) fn show_screen(&mut self, now: Time, connection: ConnectionId, effects: &mut Vec<EdgeEffect>) {
        let (Some(replica), Some((viewer, _))) = (&self.replica, self.screens.attached.get(&connection)) else {
            return;
        };
        if !viewer.may_watch(&replica.state) {
            return self.close_screen(connection, CloseCode::Unauthorized.into(), effects);
        }
        let picture = wire::screen_update(&replica.state, now.into());
        effects.push(EdgeEffect::Send(connection, picture.clone(), OF_PICTURE));
        // This is the first screen. Others may have connected before the log could be read: then the next turn shows all of them the
        // picture.
        let is_first = self.screens.shown.is_none();
        if is_first && self.screens.attached.keys().all(|other| *other == connection || self.waits_for_log(*other)) {
            self.screens.note_shown((now, replica.next), picture);
        }
    }

    /// Closes the screens whose tokens are no longer valid, and shows the others the changes.
    pub(super) fn flush_screens(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.screens.len() == 0 {
            self.screens = Screens::default();
            return;
        }
        let Some(replica) = &self.replica else { return };
        if self.screens.seen == Some(replica.next) {
            return;
        }
        let attached = &self.screens.attached;
        let without: BTreeSet<_> =
            attached.iter().filter(|(_, (viewer, _))| !viewer.may_watch(&replica.state)).map(|(id, _)| *id).collect();
        if now >= self.screens.sampling.due() {
            let picture = wire::screen_update(&replica.state, now.into());
            self.screens.seen = Some(replica.next);
            if self.screens.shown.as_ref() != Some(&picture) {
                let shown =
                    self.screens.attached.keys().filter(|id| !without.contains(id) && !self.waits_for_log(**id));
                effects.extend(shown.map(|id| EdgeEffect::Send(*id, picture.clone(), OF_PICTURE)));
                self.screens.note_shown((now, replica.next), picture);
            }
        }
        for connection in without {
            self.close_screen(connection, CloseCode::Unauthorized.into(), effects);
        }
    }

    /// The time at which [`Edge::flush_screens`] next has something to do.
    pub(super) fn next_of_screens(&self) -> Option<Time> {
        let replica = self.replica.as_ref().filter(|_| self.screens.len() > 0)?;
        let due = (self.screens.seen != Some(replica.next)).then_some(self.screens.sampling.due());
        due.into_iter().chain(self.screens.over_at).min()
    }

    /// Starts the linger of the screens after `game_ended`, longer than that of others.
    pub(super) fn note_over_for_screens(&mut self, now: Time) {
        self.screens.over_at.get_or_insert(now + self.options.linger * LINGER);
    }

    /// Closes the screens whose linger is over.
    pub(super) fn close_lingering_screens(&mut self, now: Time, effects: &mut Vec<EdgeEffect>) {
        if self.screens.over_at.is_some_and(|over| over <= now) {
            self.close_screens(CloseCode::GameOver.into(), effects);
        }
    }

    pub(super) fn close_screens(&mut self, close: Close, effects: &mut Vec<EdgeEffect>) {
        let all: Vec<_> = self.screens.attached.keys().copied().collect();
        for connection in all {
            self.close_screen(connection, close, effects);
        }
    }

    fn close_screen(&mut self, connection: ConnectionId, close: Close, effects: &mut Vec<EdgeEffect>) {
        if self.screens.remove(connection) {
            self.freshness.note_gone(connection);
            effects.push(EdgeEffect::Close(connection, close));
        }
    }
}

/// A newer picture replaces one that is not written yet.
const OF_PICTURE: FrameKind = FrameKind::Replace(wire::PICTURE_KEY);
