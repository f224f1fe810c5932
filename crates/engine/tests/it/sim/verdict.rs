//! What must hold when the evening is over: invariants 2, 6, 7, 10 and 11.

use std::time::Duration;

use quizhall_engine::{Participant, Time};
use quizhall_rules::{Phase, State};

use super::World;
use super::coverage::Kind;

/// How long news of a socket may take to be in the log when nothing is broken.
const NEWS: Duration = Duration::from_secs(5);

impl World {
    pub fn judge(&mut self) {
        self.check_ledger();
        self.check_effects();
        let state = match State::replay(&self.store.events) {
            Ok(state) => state,
            Err(error) => return self.fail(format!("7: {error}")),
        };
        self.check_board(&state);
        self.check_edges(&state);
        self.check_seats();
        self.check_clients();
        self.check_additions();
    }

    fn check_board(&mut self, state: &State) {
        let shown = state.board().standings.iter();
        let shown = shown.map(|line| (line.player, line.score, line.round_score, line.rank));
        let wanted = self.store.truth.board.iter().map(|line| (line.player, line.score, line.round_score, line.rank));
        if !shown.eq(wanted) {
            self.fail("6: the board is not the score of the log".to_owned());
        }
    }

    fn check_edges(&mut self, state: &State) {
        for node in 0..self.nodes.len() {
            let Some(slot) = &self.nodes[node].edge else { continue };
            // An edge nobody uses may know nothing; one that knows something knows all.
            let same = slot.edge.state().is_none_or(|replica| replica == state);
            let (waiting, departing) = (slot.edge.waiting(), slot.edge.departing());
            if !same {
                self.fail(format!("7: node {node} is not where the log is"));
            }
            if waiting > 0 || departing > 0 {
                self.fail(format!("10: {waiting} commands and {departing} goodbyes still wait on node {node}"));
            }
        }
    }

    /// The owner's seats are the open sockets, one each.
    fn check_seats(&mut self) {
        let Some(owner) = self.owning_node() else { return self.fail("10: nobody owns the game".to_owned()) };
        let seats = self.nodes[owner].owner.as_ref().map_or(0, |slot| slot.owner.seat_count());
        let sockets: usize =
            self.nodes.iter().filter_map(|node| node.edge.as_ref()).map(|slot| slot.edge.socket_count()).sum();
        let open = self.sockets.iter().filter(|socket| socket.server_open).count();
        if seats != sockets || sockets != open {
            self.fail(format!("11: {seats} seats, {sockets} sockets at edges, {open} open"));
        }
    }

    fn check_clients(&mut self) {
        for client in &self.clients {
            let removed = matches!(client.who, Participant::Player(player) if self.was_removed(player));
            if client.gone || removed || !client.joined {
                continue;
            }
            let saw_end = client.socket.is_some_and(|socket| self.sockets[socket].saw_end);
            if !saw_end {
                let who = format!("11: {:?} has not heard of the end", client.who);
                return self.fail(who);
            }
        }
    }

    /// While nothing is broken and nothing waits for the store: who has had a socket for a while is here in the log, and
    /// who went home is not. Once the game is over nobody is counted any more.
    pub fn check_presence(&mut self) {
        let settled = self.healed_at.max(self.owner_since);
        let owner = self.owning_node().and_then(|node| self.nodes[node].owner.as_ref());
        let calm = self.healed && owner.is_some_and(|slot| slot.owner.is_idle());
        if !calm || self.store.truth.phase == Some(Phase::Ended) {
            return;
        }
        for client in 0..self.clients.len() {
            let who = self.clients[client].who;
            let here = match who {
                Participant::Host => self.store.truth.host_here,
                Participant::Player(player) => match self.store.truth.player(player) {
                    Some(seat) => seat.connected,
                    None => continue,
                },
            };
            let opened = self.sockets.iter().filter(|socket| socket.client == client && socket.server_open);
            let opened = opened.map(|socket| socket.opened_at).max();
            let passed = |since: Time, time: Duration| self.agenda.now >= since.max(settled) + time;
            match (opened, self.clients[client].home_at) {
                (Some(opened), _) if !here && passed(opened, NEWS) => {
                    return self.fail(format!("12: {who:?} has a socket and is not here"));
                }
                // Somebody may have opened two tabs, and closed one.
                (None, Some(home)) if passed(home, self.grace + NEWS) => {
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
