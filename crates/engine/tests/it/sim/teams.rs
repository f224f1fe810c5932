//! Teams of a world: phones that join a player and play on one sheet through different nodes; all must know it: invariant 14.

use std::collections::BTreeSet;

use quizhall_engine::{Dialect, Message, Participant};
use quizhall_protocol::from_player::SuggestAnswer;
use quizhall_protocol::{FromPlayer, ServerMessage, ToAll, ToPlayer};
use quizhall_rules::{AddDevice, Change, Command, Device, DeviceId, TeamCode, TokenHash};

use super::World;
use super::coverage::Kind;
use super::quiz;
use super::reference::Reference;

/// The numbers of the players who are teams.
const TEAMS: std::ops::RangeInclusive<usize> = 1..=2;

impl World {
    /// Each team gets a few more phones, which join soon or late.
    pub fn invite_phones(&mut self) {
        if self.setting.teams.is_none() {
            return;
        }
        for team in TEAMS {
            let Some(player) = self.clients.get(team).and_then(|client| client.who.player()) else { continue };
            for _ in 0..self.dice.range(1, 4) {
                let phone = DeviceId::from(self.dice.uuid());
                let late = self.dice.chance(200);
                let start_at = if late { self.dice.millis(2_000, 9_000) } else { self.dice.millis(5, 1_500) };
                // The index of the phone in its team is known once it has joined.
                self.bring(Participant::Device(player, Device(u8::MAX)), Some(phone), start_at);
            }
        }
    }

    pub fn team_code_of(&self, client: usize) -> Option<TeamCode> {
        let is_team = self.setting.teams.is_some() && TEAMS.contains(&client);
        is_team.then(|| TeamCode::parse(&format!("TM0{client}")).expect("four symbols"))
    }

    /// The same phone, token and key in every request.
    pub fn phone_join_of(&self, client: usize) -> Command {
        let (Some(device), Some(player)) = (self.clients[client].phone, self.clients[client].who.player()) else {
            return Command::Close;
        };
        let team = TEAMS.into_iter().find(|team| self.clients[*team].who.player() == Some(player));
        let Some(team) = team.and_then(|team| self.team_code_of(team)) else { return Command::Close };
        let token = token_of(device);
        let display_name = quiz::phone_name(client);
        Command::AddDevice(AddDevice { team, device, display_name, token, idempotency: Some(token) }.into())
    }

    pub fn phone_joined(&mut self, client: usize) {
        let (Some(phone), Some(team)) = (self.clients[client].phone, self.clients[client].who.player()) else { return };
        let added = self.store.events.iter().filter_map(|event| match &event.change {
            Change::DeviceAdded(added) if added.player == team => Some(added.device),
            _ => None,
        });
        let Some(place) = added.into_iter().position(|device| device == phone) else {
            return self.fail("14: a phone's join was answered before it was durable".to_owned());
        };
        let number = u8::try_from(place + 1).expect("few phones");
        self.clients[client].who = Participant::player_over(team, Device(number));
        self.clients[client].joined = true;
        self.coverage.note(Kind::PhoneJoined);
    }

    /// Removes an additional phone that has joined; no command for any other client.
    pub fn phone_removal_of(&self, client: usize) -> Command {
        match self.clients[client].who {
            Participant::Device(player, device) if self.clients[client].joined => {
                Command::RemovePhone { player, device }
            }
            _ => Command::OpenDesk { open: false },
        }
    }

    /// Whether the place of a phone has no token any more.
    pub fn is_removed_phone(&self, who: Participant) -> bool {
        let Participant::Device(player, device) = who else { return false };
        self.moves_of((player, device)).last().is_some_and(|token| token.is_nobodys())
    }

    /// Whether a phone's answers are suggestions.
    pub fn has_captain(&self, who: Participant) -> bool {
        matches!(who, Participant::Device(..)) && self.setting.teams.is_some_and(|teams| teams.captain_only)
    }

    pub fn phone_suggests(&mut self, socket: usize) {
        let open = &self.sockets[socket].open;
        if open.is_empty() || self.sockets[socket].dialect == Dialect::Interface || self.dice.chance(600) {
            return;
        }
        let question = open[self.dice.index(open.len())];
        let answer = format!("perhaps {}", self.dice.range(0, 3));
        let suggested = SuggestAnswer { question_id: question.uuid(), answer };
        self.send(socket, Message::Player(FromPlayer::SuggestAnswer(suggested)));
    }

    /// When a round ends the phones of a team know the sheet of the log, whatever node and phone its answers came from.
    pub fn check_sheet(&mut self, reference: &Reference, socket: usize, message: &ServerMessage) {
        let who = self.sockets[socket].who;
        let Some(player) = who.player().filter(|_| matches!(message, ServerMessage::All(ToAll::RoundEnded))) else {
            return;
        };
        let Some(ServerMessage::Player(ToPlayer::TeamSheet(sheet))) = reference.team_sheet(player.uuid()) else {
            return;
        };
        let said = &self.sockets[socket].said;
        if !said.knows_sheet(&sheet) {
            self.fail(format!("14: {who:?} does not know the sheet of the log: {said:?}"));
        }
        let phones: BTreeSet<_> = sheet.answers.iter().map(|answer| answer.by).collect();
        if phones.len() > 1 {
            self.coverage.note(Kind::SheetShared);
        }
    }

    /// At rest every phone of a team knows which phones there are, and which of them are connected.
    pub fn is_wrong_of_team(&self, socket: usize) -> bool {
        let at = &self.sockets[socket];
        let Some((player, phone)) = self.store.truth.phone_of(at.who) else { return false };
        let update = self.store.truth.team_update(player, phone);
        update.is_some() && at.seen.team() != update.as_ref()
    }
}

/// The token with which a phone joins.
pub fn token_of(phone: DeviceId) -> TokenHash {
    let mut secret = [3; 32];
    secret[..16].copy_from_slice(phone.uuid().as_bytes());
    TokenHash(secret)
}
