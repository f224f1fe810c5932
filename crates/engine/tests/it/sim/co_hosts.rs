//! The co-host of a world: a second device of the host, which marks while the host does, on a node of its own choice.
//!
//! It is added over HTTP like a player who joins, and sometimes removed; after that, nothing of it is stored and its socket is
//! closed: invariant 13.

use quizhall_engine::Message;
use quizhall_engine::wire::FromHost;
use quizhall_engine::{Dialect, Participant};
use quizhall_protocol::from_host::OverrideAnswer;
use quizhall_rules::{Change, CoHost, CoHostId, Command, Device, DisplayName, HostRole, Phase, TokenHash};
use uuid::Uuid;

use super::World;
use super::coverage::Kind;

/// The only co-host.
const DEVICE: Device = Device(1);

impl World {
    /// The version before this one has no co-hosts.
    pub fn invite_co_host(&mut self) {
        let has_one = self.dice.chance(400) || self.mutation.is_some_and(super::Mutation::is_of_co_hosts);
        if has_one && !self.setting.mixed {
            let start_at = self.dice.millis(5, 3_000);
            self.bring(Participant::CoHost(DEVICE), None, start_at);
            let client = self.clients.len() - 1;
            self.clients[client].dialect = Dialect::QuizhallV1;
        }
    }

    pub fn co_host_join() -> Command {
        let (role, label) = (HostRole::Host, DisplayName::parse("Second device").expect("a name"));
        Command::AddCoHost(CoHost { id: id(), role, label, token: TokenHash([0xc0; 32]), at_ms: 0 }.into())
    }

    pub fn co_host_removal() -> Command {
        Command::RemoveCoHost { co_host: id() }
    }

    pub fn co_host_acts(&mut self, socket: usize) {
        let Some(view) = self.view(socket) else { return };
        if self.dice.chance(40) && self.host_presses(socket) {
            return;
        }
        match view.place.0 {
            Phase::Question if self.dice.chance(80) => {
                self.host_changes_key(socket, &view);
            }
            Phase::RoundReview if self.dice.chance(300) => {
                if self.dice.chance(600) {
                    self.host_marks(socket, &view);
                } else {
                    self.co_host_overrides(socket, &view.released);
                }
            }
            _ => {}
        }
    }

    fn co_host_overrides(&mut self, socket: usize, released: &[quizhall_rules::QuestionId]) {
        let marked: Vec<_> = released.iter().filter(|question| self.is_marked(**question)).copied().collect();
        let players: Vec<_> = self.store.truth.players.iter().map(|player| player.id).collect();
        if marked.is_empty() || players.is_empty() {
            return;
        }
        let question_id = marked[self.dice.index(marked.len())].uuid();
        let player_id = players[self.dice.index(players.len())];
        let correct = self.dice.chance(500);
        self.send(socket, Message::Host(FromHost::OverrideAnswer(OverrideAnswer { player_id, question_id, correct })));
    }

    /// Whether the host has removed the co-host of a socket.
    pub fn is_removed_co_host(&self, who: Participant) -> bool {
        who == Participant::CoHost(DEVICE)
            && self.store.events.iter().any(|event| matches!(event.change, Change::CoHostRemoved { .. }))
    }

    /// After its removal nothing of a co-host is stored, and at the end it has no socket. Records whether both hosts marked.
    pub fn check_co_hosts(&mut self) {
        let removed = self.store.events.iter().position(|event| matches!(event.change, Change::CoHostRemoved { .. }));
        let mut late = self.store.events.iter().enumerate().skip(removed.unwrap_or(usize::MAX));
        if let Some((place, _)) = late.find(|(_, event)| event.host == DEVICE) {
            self.fail(format!("13: event {place} is of a co-host who was removed"));
        }
        if self.sockets.iter().any(|socket| socket.server_open && self.is_removed_co_host(socket.who)) {
            self.fail("13: the socket of a co-host who was removed is open".to_owned());
        }
        if self.store.events.iter().any(|event| event.host == DEVICE) {
            self.coverage.note(Kind::CoHostMarked);
        }
        if removed.is_some() {
            self.coverage.note(Kind::CoHostRemoved);
        }
    }
}

fn id() -> CoHostId {
    Uuid::from_u128(0xc0).into()
}
