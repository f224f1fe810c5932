//! What new sockets are shown: first the whole state of the game, and not an old one (invariants 4 and 11).

use std::time::Duration;

use quizhall_engine::Time;
use quizhall_protocol::ServerMessage;

use super::judge::Step;
use super::node::EdgeSlot;
use super::{Socket, World};

/// How old a state may be that a node which reaches the database shows a new socket: the silence after which the node reads the log
/// by itself, plus the time of an owner that sends frames while it waits for the outcome of its append.
pub const FRESH: Duration = Duration::from_secs(8);
/// How long a node waits for the log before it shows what the owner has sent.
const SLOW: Duration = Duration::from_millis(500);

impl World {
    /// Sockets whose view is built by the messages that they receive next.
    pub fn strangers(&self, slot: &EdgeSlot) -> Vec<usize> {
        let mut strangers = self.attached(slot);
        strangers.retain(|socket| {
            let Socket { who, shown, .. } = self.sockets[*socket];
            !shown || !slot.reference.knows(who)
        });
        strangers
    }

    /// Sockets that wait for their first message, and what it must be for the present replica.
    pub fn unshown(&self, slot: &EdgeSlot) -> Vec<(usize, Vec<&'static str>)> {
        let attached = self.attached(slot).into_iter();
        let waits = attached.filter(|socket| {
            let Socket { who, shown, .. } = self.sockets[*socket];
            !shown && slot.reference.knows(who)
        });
        waits.map(|socket| (socket, self.sync_types(slot, socket))).collect()
    }

    /// Invariant 11: a socket that connects is sent the state of the game, at once or as soon as the edge knows it; and the state is not
    /// old, as far as the node can find out (invariant 4 across the sockets of one client).
    pub fn check_welcome(&mut self, slot: &EdgeSlot, step: &Step) {
        for (socket, wanted) in &step.unshown {
            let received: Vec<_> = step.said.iter().filter(|(to, _)| to == socket).map(|(_, kind)| *kind).collect();
            if received.is_empty() {
                self.sockets[*socket].shown = wanted.is_empty() && self.is_welcome(slot, *socket);
                continue;
            }
            self.sockets[*socket].shown = true;
            // The log that was read may be shown without its new events, or with them.
            let Socket { server_open, .. } = self.sockets[*socket];
            let behind = self.sync_types(slot, *socket);
            if !received.starts_with(wanted) && !received.starts_with(&behind) && server_open {
                return self.fail(format!("11: on connecting {received:?} instead of {wanted:?}"));
            }
            // A state that was committed earlier is better than nothing.
            if !step.unread {
                self.check_fresh(slot, *socket);
            }
        }
        for (socket, _) in &step.said {
            self.sockets[*socket].shown = true;
        }
    }

    /// Whether the edge has shown a socket the state of the game, even without a message.
    fn is_welcome(&self, slot: &EdgeSlot, socket: usize) -> bool {
        let connection = self.sockets[socket].connection;
        slot.edge.seq() > 0 && connection.is_some_and(|connection| !slot.edge.waits_for_log(connection))
    }

    /// The types that a socket must receive on connecting, for the present replica.
    fn sync_types(&self, slot: &EdgeSlot, socket: usize) -> Vec<&'static str> {
        let Socket { who, dialect, .. } = self.sockets[socket];
        slot.reference.sync(who, dialect).iter().map(ServerMessage::name).collect()
    }

    /// Checks that a new socket is shown everything that clients had been shown when it connected, if the node could read it.
    pub fn check_known(&mut self, (seq, node): (u64, usize), known: u64, opened_at: Time) {
        let able = self.weather.cut_off_until(node).max(self.store.set_back_until(self.agenda.now));
        let is_in_time = able.max(self.store.stalled_until) < opened_at && self.agenda.now < opened_at + SLOW;
        if seq < known && is_in_time {
            self.fail(format!("4: a new socket is shown event {seq}, and a client was shown {known} before"));
        }
    }

    fn check_fresh(&mut self, slot: &EdgeSlot, socket: usize) {
        let node = self.sockets[socket].node;
        let now = self.agenda.now;
        // A database that was set back returns an old state itself.
        let cut_off = self.weather.cut_off_until(node).max(self.store.set_back_until(now));
        let knowing = now >= cut_off.max(self.store.stalled_until) + FRESH;
        let Socket { known, opened_at, .. } = self.sockets[socket];
        self.check_known((slot.edge.seq(), node), known, opened_at);
        let known = self.store.stored_at(slot.edge.seq());
        if let (true, Some(newer)) = (knowing, known)
            && now > newer + FRESH
        {
            self.fail(format!(
                "4: a new socket is shown event {}, and the next is as old as {newer:?}",
                slot.edge.seq()
            ));
        }
    }
}
