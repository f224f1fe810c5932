//! What the host and the players of a world have in common: connecting, reconnecting, HTTP requests, closes.

use std::time::Duration;

use quizhall_engine::edge::RequestError;
use quizhall_engine::wire::CloseCode;
use quizhall_engine::{Dialect, EdgeInput, Participant, RequestId, Time};
use quizhall_rules::{Actor, Command, DeviceId, Join, Phase, PlayerId, Refusal, Setting, TokenHash};

use super::agenda::{HttpCommand, What};
use super::coverage::Kind;
use super::judge::Cause;
use super::quiz;
use super::socket::Down;
use super::{BusIs, Socket, World};

#[derive(Debug)]
pub struct Client {
    pub who: Participant,
    /// The id of a phone that joins a team.
    pub phone: Option<DeviceId>,
    /// Whether it asks for the extension.
    pub dialect: Dialect,
    /// The newest socket.
    pub socket: Option<usize>,
    pub retry_at: Time,
    /// Whether the client has joined; always true for the host.
    pub joined: bool,
    /// Whether an owner has attached one of its sockets.
    pub seated: bool,
    /// Whether the client stays away for good.
    pub gone: bool,
    /// How many times the seat had moved when this client got its token.
    pub moves: u32,
    /// The code with which another phone takes the seat, and when that was last requested.
    pub moving: Option<(u64, Time)>,
    /// When the client left in the middle of the game.
    pub home_at: Option<Time>,
    pub asked_at: Option<Time>,
    pub tries: u64,
    /// Host: the phase and round in which the last step was requested, and how long to wait for it.
    pub awaiting: Option<((Phase, usize), Time)>,
}

impl World {
    pub fn invite(&mut self, players: u64) {
        for number in 0..=players {
            let late = number > 1 && self.dice.chance(200);
            let start_at = if late { self.dice.millis(2_000, 9_000) } else { self.dice.millis(5, 900) };
            let who =
                if number == 0 { Participant::Host } else { Participant::Player(PlayerId::from(self.dice.uuid())) };
            self.bring(who, None, start_at);
        }
        self.invite_phones();
        self.invite_co_host();
    }

    pub fn bring(&mut self, who: Participant, phone: Option<DeviceId>, start_at: Time) {
        let extension = self.dice.chance(if who == Participant::Host { 700 } else { 400 });
        self.clients.push(Client {
            who,
            phone,
            dialect: if extension { Dialect::QuizhallV1 } else { Dialect::Interface },
            socket: None,
            retry_at: Time::ZERO,
            joined: who == Participant::Host,
            seated: false,
            gone: false,
            moves: 0,
            moving: None,
            home_at: None,
            asked_at: None,
            tries: 0,
            awaiting: None,
        });
        self.agenda.at(start_at, What::Act(self.clients.len() - 1));
    }

    pub fn act(&mut self, client: usize) {
        let gone = self.clients[client].gone;
        // A player who left may have an open tab. Where nodes cannot reach each other, even that must be on the owner's node: on another
        // node it would wait for its attachment for ever.
        if gone && !self.has_to_be_near(client) {
            return;
        }
        let next = if self.healed { self.dice.millis(20, 250) } else { self.dice.millis(15, 550) };
        self.agenda.after(next, What::Act(client));
        if gone {
            self.comes_near(client);
            return;
        }
        if !self.clients[client].joined {
            return self.ask_to_join(client);
        }
        self.repeat_move(client);
        let Some(socket) = self.clients[client].socket else {
            // Another tab may still be open.
            if !self.comes_near(client) && self.agenda.now >= self.clients[client].retry_at {
                self.connect(client);
            }
            return;
        };
        if !self.healed && self.misbehaves(client, socket) || self.comes_near(client) {
            return;
        }
        match self.clients[client].who {
            Participant::Host => self.host_acts(socket),
            Participant::CoHost(_) => self.co_host_acts(socket),
            who => self.player_acts(socket, who),
        }
    }

    /// A client that must be on the owner's node closes its sockets elsewhere; returns whether there were any.
    fn comes_near(&mut self, client: usize) -> bool {
        let Some(node) = self.owners_node().filter(|_| self.has_to_be_near(client)) else { return false };
        let far = |at: &Socket| at.client == client && at.client_open && at.node != node;
        let far: Vec<_> = (0..self.sockets.len()).filter(|socket| far(&self.sockets[*socket])).collect();
        for socket in &far {
            self.hang_up(*socket, true);
        }
        !far.is_empty()
    }

    /// Phones that sleep, and tabs that are opened twice.
    fn misbehaves(&mut self, client: usize, socket: usize) -> bool {
        match self.dice.range(0, 1_000) {
            0..25 => {
                self.coverage.note(Kind::SocketLost);
                self.hang_up(socket, false);
            }
            25..40 => {
                self.coverage.note(Kind::SocketClosed);
                self.hang_up(socket, true);
            }
            40..55 => {
                self.coverage.note(Kind::SocketDoubled);
                self.connect(client);
            }
            55..58 if client > 0 => {
                self.coverage.note(Kind::WentHome);
                let clean = self.dice.chance(500);
                self.hang_up(socket, clean);
                (self.clients[client].gone, self.clients[client].home_at) = (true, Some(self.agenda.now));
            }
            _ => return false,
        }
        true
    }

    fn ask_to_join(&mut self, client: usize) {
        let now = self.agenda.now;
        if self.clients[client].asked_at.is_some_and(|asked| now < asked + Duration::from_secs(7)) {
            return;
        }
        if self.store.truth.phase != quizhall_oracle::Phase::Lobby {
            self.coverage.note(Kind::JoinedLate);
        }
        self.clients[client].asked_at = Some(now);
        self.clients[client].tries += 1;
        let tries = self.clients[client].tries;
        let copies = if self.dice.chance(100) { 2 } else { 1 };
        if copies > 1 || tries > 1 {
            self.coverage.note(Kind::JoinRepeated);
        }
        for _ in 0..copies {
            self.ask(client, HttpCommand::Join(tries));
        }
    }

    /// Sends an HTTP request to a node. Where nodes cannot reach each other, only the owner's accepts a join, and there may be no
    /// game before a player has joined: after the last fault, the request is therefore sent to the owner's node.
    pub fn ask(&mut self, client: usize, asked: HttpCommand) {
        let sent = if self.healed && self.setting.bus == BusIs::Dead { self.owners_node() } else { None };
        let Some(node) = sent.or_else(|| self.choose_node(client)) else { return };
        let way = self.dice.millis(1, 30);
        self.agenda.after(way, What::Request(client, node, asked));
    }

    /// The node to which the load balancer sends a client: any node that is ready. Where nodes cannot reach each other, clients that
    /// must play on the owner's node are sent there.
    pub fn choose_node(&mut self, client: usize) -> Option<usize> {
        let mut up: Vec<usize> = (0..self.nodes.len()).filter(|node| self.nodes[*node].is_ready()).collect();
        if up.is_empty() {
            up = (0..self.nodes.len()).filter(|node| self.nodes[*node].is_up()).collect();
        }
        if self.has_to_be_near(client) {
            return self.owners_node().filter(|node| up.contains(node)).or_else(|| up.first().copied());
        }
        let chosen = self.dice.index(up.len());
        up.get(chosen).copied()
    }

    fn has_to_be_near(&self, client: usize) -> bool {
        match self.setting.bus {
            BusIs::Alive => false,
            BusIs::DeadAndNear => true,
            BusIs::Dead => client == 0,
        }
    }

    fn owners_node(&self) -> Option<usize> {
        self.store.registry.owner.and_then(|owner| self.node_of(owner)).filter(|node| self.nodes[*node].is_up())
    }

    pub fn request(&mut self, client: usize, node: usize, asked: HttpCommand) {
        let (actor, command) = match asked {
            HttpCommand::Join(_) if self.clients[client].who.as_host().is_some() => (Actor::Host, Self::co_host_join()),
            HttpCommand::Join(_) => (Actor::Service, self.join_of(client)),
            HttpCommand::RemoveCoHost => (Actor::Host, Self::co_host_removal()),
            HttpCommand::Screen(screen, added) => (Actor::Host, self.screen_command(screen, added)),
            HttpCommand::Remove(other) => {
                let Some(player) = self.clients[other].who.player() else { return };
                (Actor::Host, Command::Remove { player })
            }
            HttpCommand::IssueCode(other, number) => (Actor::Host, self.code_of(other, number)),
            HttpCommand::Move(number) => (Actor::Service, self.move_of(client, number)),
            HttpCommand::RemovePhone(other) => (Actor::Host, self.phone_removal_of(other)),
            HttpCommand::Lock(locked) => (Actor::Host, Command::Set(Setting::Locked(locked))),
        };
        if !self.nodes[node].is_up() {
            return;
        }
        self.open_edge(node);
        self.nodes[node].connections += 1;
        let request = self.nodes[node].connections;
        let Some(slot) = &mut self.nodes[node].edge else { return };
        slot.requests.insert(request, (client, asked, self.agenda.now));
        self.trace.note(self.agenda.now, "request", &[client as u64, node as u64]);
        self.edge_step(node, EdgeInput::Request(RequestId(request), actor, command), Cause::Other);
    }

    /// The same player, token and key in every request.
    fn join_of(&self, client: usize) -> Command {
        if self.clients[client].phone.is_some() {
            return self.phone_join_of(client);
        }
        let Participant::Player(player) = self.clients[client].who else { return Command::Close };
        let mut secret = [0; 32];
        secret[..16].copy_from_slice(player.uuid().as_bytes());
        let join = Join {
            player,
            display_name: quiz::name(client),
            token: TokenHash(secret),
            idempotency: Some(TokenHash(secret)),
            player_limit: 100,
            team: self.team_code_of(client),
        };
        Command::Join(join.into())
    }

    pub fn answered(&mut self, client: usize, asked: HttpCommand, result: Result<(), RequestError>) {
        match asked {
            HttpCommand::Join(_) => self.join_answered(client, result),
            HttpCommand::IssueCode(other, number) if result.is_ok() => self.begin_move(other, number),
            HttpCommand::Move(number) => self.move_answered(client, number, result),
            HttpCommand::IssueCode(..)
            | HttpCommand::Remove(_)
            | HttpCommand::RemovePhone(_)
            | HttpCommand::RemoveCoHost
            | HttpCommand::Screen(..)
            | HttpCommand::Lock(_) => {}
        }
    }

    fn join_answered(&mut self, client: usize, result: Result<(), RequestError>) {
        let Some(player) = self.clients[client].who.player() else {
            self.clients[client].joined |= result.is_ok();
            self.clients[client].gone |=
                matches!(result, Err(RequestError::Refused(_))) && !self.clients[client].joined;
            return;
        };
        match result {
            Ok(()) if self.clients[client].phone.is_some() => self.phone_joined(client),
            Ok(()) => {
                self.clients[client].joined = true;
                self.ledger.joined.insert(player);
                if !self.store.truth.was_ever_in(player.uuid()) {
                    self.fail("11: a join was answered before it was durable".to_owned());
                }
            }
            Err(RequestError::Refused(Refusal::Ended)) => self.clients[client].gone = true,
            Err(RequestError::Refused(Refusal::IdempotencyMismatch | Refusal::UnknownTeam))
                if self.was_removed(player) =>
            {
                self.clients[client].gone = true;
            }
            // A duplicate of a join that was answered, after the move of the seat.
            Err(RequestError::Refused(Refusal::IdempotencyMismatch)) if self.clients[client].joined => {}
            // The team's first phone has not joined, or this node does not know it yet.
            Err(RequestError::Refused(Refusal::UnknownTeam)) if self.clients[client].phone.is_some() => {
                self.clients[client].asked_at = Some(self.agenda.now.saturating_sub(Duration::from_secs(6)));
            }
            Err(RequestError::Refused(Refusal::Locked) | RequestError::Unavailable) => {
                self.clients[client].asked_at = Some(self.agenda.now.saturating_sub(Duration::from_secs(6)));
            }
            Err(RequestError::Refused(other)) => self.fail(format!("9: a good join was refused: {other}")),
            Err(RequestError::OlderNode) => self.fail("9: all nodes are of one version".to_owned()),
        }
    }

    pub fn down(&mut self, socket: usize, down: Down) {
        if !self.sockets[socket].client_open {
            return;
        }
        match down {
            Down::Message { message, during_sync } => {
                self.sockets[socket].seen.apply(&message);
                self.fold(socket, &message, during_sync);
            }
            Down::Closed(code) => {
                let client = self.sockets[socket].client;
                // Both ask the client not to reconnect; the second is sent a minute after the end.
                self.clients[client].gone |= matches!(code, CloseCode::Removed | CloseCode::GameOver);
                self.clients[client].gone |= self.is_removed_co_host(self.clients[client].who);
                self.clients[client].gone |= self.is_removed_phone(self.clients[client].who);
                if code == CloseCode::GameOver && !self.sockets[socket].saw_end {
                    self.fail("11: the game is over, and its end was not shown".to_owned());
                }
                self.lost(socket);
            }
        }
    }

    /// The client notices that its socket is closed.
    pub fn lost(&mut self, socket: usize) {
        self.sockets[socket].client_open = false;
        let client = self.sockets[socket].client;
        if self.clients[client].socket == Some(socket) {
            self.clients[client].socket = None;
            self.clients[client].retry_at = self.agenda.now + self.dice.millis(5, 900);
        }
    }
}
