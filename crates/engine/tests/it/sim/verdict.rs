//! The checks when the game is over: invariants 2, 6, 7, 10 and 11.

use std::time::Duration;

use quizhall_engine::{Participant, Time};
use quizhall_oracle::Phase;
use quizhall_rules::State;

use super::agenda::What;
use super::coverage::Kind;
use super::{BusIs, Socket, World, edge_options};

/// How long the change of a socket may take to be in the log while there is no fault.
const REPORTING: Duration = Duration::from_secs(5);

/// How long the frames that a commit releases may be under way while there is no fault.
const DELIVERY: Duration = Duration::from_secs(1);

/// How long the newest owner may take to notice that the database was set back, and to append up to twenty rows again, one after
/// the other, any of which may be slow.
const PUT_BACK: Duration = Duration::from_secs(60);

impl World {
    pub fn judge(&mut self) {
        if self.store.is_set_back() {
            return self.fail("2: what the database had acknowledged and forgotten was not put back".to_owned());
        }
        self.check_ledger();
        self.check_seats();
        self.check_co_hosts();
        self.check_effects();
        let state = match State::replay(&self.store.events) {
            Ok(state) => state,
            Err(error) => return self.fail(format!("7: {error}")),
        };
        self.check_board(&state);
        self.check_edges(&state);
        self.check_screens(&state);
        self.check_connections();
        self.check_clients();
        self.check_extension();
        self.check_timing();
    }

    fn check_board(&mut self, state: &State) {
        let shown = state.board().standings.iter();
        let shown = shown.map(|row| (row.player.uuid(), row.score, Some(row.round_score), row.rank));
        let wanted = self.store.truth.board.rows.iter();
        let wanted = wanted.map(|row| (row.player_id, row.score, row.round_score, row.rank));
        if !shown.eq(wanted) {
            self.fail("6: the board is not the score of the log".to_owned());
        }
    }

    /// At an edge with sockets, everything is as in the log. An edge without a socket may lag, because no client is shown anything there
    /// before it has read the log; but its events are those of the log.
    fn check_edges(&mut self, state: &State) {
        for node in 0..self.nodes.len() {
            let Some(slot) = &self.nodes[node].edge else { continue };
            let seq = usize::try_from(slot.edge.seq()).expect("few events");
            let old = State::replay(&self.store.events[..seq.min(self.store.events.len())]).ok();
            let wanted = if slot.edge.socket_count() > 0 { Some(state) } else { old.as_ref() };
            let same = slot.edge.state().is_none_or(|replica| Some(replica) == wanted);
            // A client that cannot join may be asking again at this moment.
            let asked =
                slot.requests.values().filter(|(.., at)| self.agenda.now < *at + edge_options(false).command_timeout);
            let (waiting, departing) = (slot.edge.waiting().saturating_sub(asked.count()), slot.edge.departing());
            if !same {
                self.fail(format!("7: node {node} is not where the log is"));
            }
            // Where nodes cannot reach each other, no owner takes over the sockets of another node.
            let owed = if self.setting.bus == BusIs::Alive || self.owning_node() == Some(node) { departing } else { 0 };
            if self.is_connected(node) && waiting + owed > 0 {
                self.fail(format!("10: {waiting} commands and {departing} detachments still wait on node {node}"));
            }
        }
    }

    /// Whether the owner can be reached from this node after the last fault.
    fn is_connected(&self, node: usize) -> bool {
        self.setting.bus != BusIs::Dead || self.owning_node() == Some(node)
    }

    /// The owner's connections are exactly the open sockets; without a bus, those of its own node.
    fn check_connections(&mut self) {
        let Some(owner) = self.owning_node() else {
            // All clients have left, and the last owner has ended with its node: a game without sockets gets no new owner.
            let open = self.sockets.iter().any(|socket| socket.server_open);
            let wanted = self.nodes.iter().filter_map(|node| node.edge.as_ref());
            let wanted = wanted.map(|slot| slot.edge.socket_count() + slot.edge.waiting()).sum::<usize>() > 0;
            if open || wanted {
                self.fail("10: no node owns the game".to_owned());
            }
            return;
        };
        let connections = self.nodes[owner].owner.as_ref().map_or(0, |slot| slot.owner.connection_count());
        let near: Vec<_> = (0..self.nodes.len()).filter(|node| self.is_connected(*node)).collect();
        let edges = near.iter().filter_map(|node| Some((node, self.nodes[*node].edge.as_ref()?)));
        // The owner does not know screens.
        let sockets: usize = edges.map(|(node, slot)| slot.edge.socket_count() - self.screens_at(*node)).sum();
        let open = self.sockets.iter().filter(|socket| socket.server_open && near.contains(&socket.node)).count();
        if connections != sockets || sockets != open {
            let of = |socket: &Socket| (socket.node, socket.connection, socket.who);
            let all: Vec<_> = self.sockets.iter().filter(|socket| socket.server_open).map(of).collect();
            self.trace.detail(|| format!("{all:?}"));
            self.fail(format!("11: {connections} connections, {sockets} sockets at edges, {open} open"));
        }
    }

    fn check_clients(&mut self) {
        for client in &self.clients {
            let removed = client.who.player().is_some_and(|player| self.was_removed(player));
            let removed = removed || self.is_removed_phone(client.who);
            if client.gone || removed || !client.joined {
                continue;
            }
            let saw_end = client.socket.is_some_and(|socket| self.sockets[socket].saw_end);
            if !saw_end {
                let who = format!("11: {:?} has not received the end", client.who);
                return self.fail(who);
            }
        }
    }

    pub fn watch(&mut self) {
        let next = self.dice.millis(150, 900);
        self.agenda.after(next, What::Watch);
        self.check_presence();
        self.check_put_back();
        self.check_overdue();
    }

    /// Invariant 2 while the owner of the newest epoch exists: forgotten rows are soon in the database again.
    fn check_put_back(&mut self) {
        let Some(node) = self.owning_node().filter(|node| !self.nodes[*node].paused) else { return };
        let able = self.weather.cut_off_until(node).max(self.store.stalled_until).max(self.nodes[node].resumed_at);
        if self.store.set_back_since().is_some_and(|since| self.agenda.now > since.max(able) + PUT_BACK) {
            self.fail("2: what the database has forgotten is not put back".to_owned());
        }
    }

    /// While there is no fault and nothing waits for the store: a participant who has had a socket for a while counts as connected in the
    /// log, and one who left does not. Once the game is over, presence is no longer stored.
    fn check_presence(&mut self) {
        let settled = self.healed_at.max(self.owner_since);
        let owner = self.owning_node().and_then(|node| self.nodes[node].owner.as_ref());
        // A socket that the last commit closes may be open for a moment.
        let delivered = self.agenda.now > self.store.committed_at() + DELIVERY;
        let calm = self.healed && owner.is_some_and(|slot| slot.owner.is_idle());
        if !calm || self.setting.bus == BusIs::Dead || self.store.truth.phase == Phase::Ended {
            return;
        }
        for client in 0..self.clients.len() {
            let who = self.clients[client].who;
            let here = match who {
                Participant::Host | Participant::CoHost(_) => self.store.truth.host_here,
                _ => match self.store.truth.is_here(who) {
                    Some(here) => here,
                    None => continue,
                },
            };
            let opened = self.sockets.iter().filter(|socket| socket.client == client && socket.server_open);
            let opened = opened.map(|socket| socket.opened_at).max();
            let passed = |since: Time, time: Duration| self.agenda.now >= since.max(settled) + time;
            match (opened, self.clients[client].home_at) {
                (Some(opened), _) if !here && delivered && passed(opened, REPORTING) => {
                    return self.fail(format!("12: {who:?} has a socket and is not here"));
                }
                // A player may have opened two tabs and closed one. A player who joined counts as connected in the lobby until the
                // owner has known a socket of theirs.
                (None, Some(home))
                    if who.as_host().is_none()
                        && self.clients[client].seated
                        && passed(home, self.grace + REPORTING) =>
                {
                    self.coverage.note(Kind::FoundAway);
                    if here {
                        return self.fail(format!("12: {who:?} went home and is here"));
                    }
                }
                _ => {}
            }
        }
    }
}
