//! Seats of a world that move to another phone: the host issues a code, another phone takes the seat with it and asks until it has
//! an answer. Messages of the previous phone are then no longer accepted: invariant 13.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::ToOwner;
use quizhall_engine::edge::RequestError;
use quizhall_rules::{Change, Command, Device, Event, PlayerId, Refusal, SeatCode, SeatMove, TokenHash};

use super::World;
use super::agenda::HttpCommand;
use super::coverage::Kind;
use super::node::EdgeSlot;

/// A player's device.
type Seat = (PlayerId, Device);

impl World {
    pub fn code_of(&self, client: usize, number: u64) -> Command {
        let Some((player, device)) = self.clients[client].who.as_player() else { return Command::Close };
        let (code, at_ms) = (hash((player, device), number, 1), self.wall_ms());
        Command::IssueSeatCode(SeatCode { player, device, code, at_ms }.into())
    }

    pub fn move_of(&self, client: usize, number: u64) -> Command {
        let Some(seat) = self.clients[client].who.as_player() else { return Command::Close };
        let (code, token) = (hash(seat, number, 1), hash(seat, number, 2));
        Command::MoveSeat(SeatMove { code, token, at_ms: self.wall_ms() }.into())
    }

    /// The host has issued the code.
    pub fn begin_move(&mut self, client: usize, number: u64) {
        if self.clients[client].moving.is_none() {
            self.clients[client].moving = Some((number, self.agenda.now));
            self.ask(client, HttpCommand::Move(number));
        }
    }

    pub fn repeat_move(&mut self, client: usize) {
        let Some((number, asked)) = self.clients[client].moving else { return };
        if self.agenda.now >= asked + Duration::from_secs(7) {
            self.clients[client].moving = Some((number, self.agenda.now));
            self.ask(client, HttpCommand::Move(number));
        }
    }

    pub fn move_answered(&mut self, client: usize, number: u64, result: Result<(), RequestError>) {
        let Some(seat) = self.clients[client].who.as_player() else { return };
        if self.clients[client].moving.is_none_or(|(moving, _)| moving != number) {
            return;
        }
        let place = self.moves_of(seat).position(|token| token == hash(seat, number, 2));
        match result {
            Ok(()) => {
                let Some(place) = place else {
                    return self.fail("13: a move was answered before it was durable".to_owned());
                };
                self.coverage.note(Kind::SeatMoved);
                let retry_at = self.agenda.now + self.dice.millis(5, 900);
                let client = &mut self.clients[client];
                client.moves = u32::try_from(place + 1).expect("few moves");
                // The sockets of the previous phone are left to the service to close.
                (client.moving, client.socket, client.retry_at) = (None, None, retry_at);
            }
            Err(RequestError::Unavailable) => {
                let asked = self.agenda.now.saturating_sub(Duration::from_secs(6));
                self.clients[client].moving = Some((number, asked));
            }
            Err(RequestError::Refused(Refusal::UnknownSeatCode)) => {
                let has_it = place.is_some_and(|place| place + 1 == self.moves_of(seat).count());
                // The answer was lost, and the player has been removed since: the earlier token opens nothing, and no other is known.
                self.clients[client].gone |= has_it && self.was_removed(seat.0);
                if has_it && !self.was_removed(seat.0) {
                    self.fail("13: the phone that has the seat is refused its token".to_owned());
                }
                self.clients[client].moving = None;
            }
            Err(RequestError::Refused(other)) => self.fail(format!("13: a move was refused: {other}")),
            Err(RequestError::OlderNode) => self.fail("13: all nodes are of one version".to_owned()),
        }
    }

    /// Records which token the socket of a session has.
    pub fn note_session(&mut self, slot: &EdgeSlot, frame: &ToOwner) {
        if let ToOwner::Command { connection, participant, command_id, .. } = frame
            && participant.as_host().is_none()
            && let Some(socket) = self.socket_of(slot, *connection)
        {
            self.ledger.moves.insert(command_id.session, self.sockets[socket].moves);
        }
    }

    /// Whether the seat of a socket has moved since its token was given.
    pub fn has_moved_on(&self, socket: usize) -> bool {
        let at = &self.sockets[socket];
        at.who.as_player().is_some_and(|seat| (at.moves as usize) < self.moves_of(seat).count())
    }

    /// After a move nothing is stored of a phone that had the seat before, and at the end it has no socket.
    pub fn check_seats(&mut self) {
        let mut moves: BTreeMap<Seat, u32> = BTreeMap::new();
        let mut late = None;
        for (place, event) in self.store.singles.iter().map(|(place, event)| (*place, event)) {
            match (&event.change, event.change.sender()) {
                (Change::SeatMoved { player, device, token }, _) => {
                    *moves.entry((*player, *device)).or_default() += 1;
                    if token.is_nobodys() {
                        self.coverage.note(Kind::PhoneRemoved);
                    }
                }
                (_, Some(seat)) => {
                    let session = event.command_id.map(|command_id| command_id.session);
                    let of_token = session.and_then(|session| self.ledger.moves.get(&session));
                    let now = moves.get(&seat).copied().unwrap_or_default();
                    late = late.or((of_token.is_some_and(|of_token| *of_token < now)).then_some(place));
                }
                _ => {}
            }
        }
        if let Some(place) = late {
            self.fail(format!("13: event {place} is of a phone that had lost the seat"));
        }
        for socket in 0..self.sockets.len() {
            if self.sockets[socket].server_open && self.has_moved_on(socket) {
                return self.fail(format!("13: socket {socket} of a phone that has lost the seat is open"));
            }
        }
    }

    /// The tokens that a seat got by moving, in order; the unusable token of a removed phone is one of them.
    pub fn moves_of(&self, (player, of): Seat) -> impl Iterator<Item = TokenHash> {
        self.store.events.iter().filter_map(move |event: &Event| match event.change {
            Change::SeatMoved { player: moved, device, token } if (moved, device) == (player, of) => Some(token),
            _ => None,
        })
    }

    fn wall_ms(&self) -> i64 {
        i64::try_from(self.agenda.now.as_millis()).expect("a short game")
    }
}

fn hash((player, device): Seat, number: u64, what: u8) -> TokenHash {
    let mut bytes = [what; 32];
    bytes[24] = device.0;
    bytes[..16].copy_from_slice(player.uuid().as_bytes());
    bytes[16..24].copy_from_slice(&number.to_be_bytes());
    TokenHash(bytes)
}
