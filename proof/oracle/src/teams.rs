//! Teams: players with several phones, and the messages that each phone must receive about the others and about their common
//! sheet.

use std::collections::BTreeMap;

use quizhall_protocol::shapes::TeamDevice;
use quizhall_protocol::to_player::{SheetAnswer, TeamSheet, TeamUpdate};
use quizhall_protocol::{ServerMessage, ToPlayer};
use uuid::Uuid;

use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Phase, Player, Viewer};

/// The additional values of a player that is a team.
#[derive(Debug, Clone)]
pub struct Team {
    /// The code with which further phones join.
    pub code: String,
    /// The phones in order of joining; the first has the team's id and name.
    pub phones: Vec<Phone>,
    /// The phone from which the answer to each question came.
    signed: BTreeMap<Uuid, Uuid>,
    /// The suggestions: question, phone and text, in order of arrival.
    suggestions: Vec<(Uuid, Uuid, String)>,
}

/// A phone of a team.
#[derive(Debug, Clone)]
pub struct Phone {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Whether it is connected.
    pub connected: bool,
    /// Whether it was removed.
    pub removed: bool,
    /// How many times another phone has taken its place; for the first phone, the player has the number.
    pub moves: u32,
}

impl Player {
    /// The phones of a team in the form of messages to hosts; none for a player that is no team.
    pub(crate) fn devices(&self) -> Vec<TeamDevice> {
        let shown = |phone: &Phone| TeamDevice {
            device_id: phone.id,
            display_name: phone.name.clone(),
            connected: phone.connected,
            moves: if phone.id == self.id { self.moves } else { phone.moves },
        };
        self.team
            .iter()
            .flat_map(|team| &team.phones)
            .filter(|phone| !phone.removed || phone.id == self.id)
            .map(shown)
            .collect()
    }
}

impl Game {
    /// `team_update` to a phone of a team; nothing after the end of the game.
    pub fn team_update(&self, player: Uuid, phone: Uuid) -> Option<ServerMessage> {
        let player = self.player(player).filter(|_| self.phase != Phase::Ended)?;
        let team = player.team.as_ref()?;
        let captain = self.teams.filter(|teams| teams.captain_only).map(|_| player.id);
        let devices = player.devices().into_iter().map(|device| TeamDevice { moves: 0, ..device }).collect();
        let team_code = team.code.clone();
        Some(ServerMessage::Player(ToPlayer::TeamUpdate(TeamUpdate { team_code, device_id: phone, devices, captain })))
    }

    /// `team_sheet` of a team, whole.
    pub fn team_sheet(&self, player: Uuid) -> Option<ServerMessage> {
        self.sheet(player).map(|sheet| ServerMessage::Player(ToPlayer::TeamSheet(sheet)))
    }

    fn sheet(&self, player: Uuid) -> Option<TeamSheet> {
        let team = self.player(player)?.team.as_ref()?;
        let answer = |question: &Uuid| {
            let answer = self.answer(player, *question).filter(|answer| !answer.text.is_empty())?;
            let by = team.signed.get(question).copied().unwrap_or(player);
            Some(SheetAnswer { question_id: *question, answer: answer.text.clone(), by })
        };
        let answers = self.released.iter().filter_map(answer).collect();
        let suggested = |(question_id, by, text): &(Uuid, Uuid, String)| SheetAnswer {
            question_id: *question_id,
            answer: text.clone(),
            by: *by,
        };
        Some(TeamSheet { whole: true, answers, suggestions: team.suggestions.iter().map(suggested).collect() })
    }

    /// The messages that a phone of a team receives on connecting: the sheet once it has content.
    pub(crate) fn sync_of_team(&self, viewer: Viewer) -> Vec<ServerMessage> {
        let Some((player, phone)) = viewer.phone() else { return Vec::new() };
        let is_shown = matches!(self.phase, Phase::Question | Phase::Review);
        let sheet = self.sheet(player).filter(|_| is_shown);
        let sheet = sheet.filter(|sheet| !sheet.answers.is_empty() || !sheet.suggestions.is_empty());
        let sheet = sheet.map(|sheet| ServerMessage::Player(ToPlayer::TeamSheet(sheet)));
        self.team_update(player, phone).into_iter().chain(sheet).collect()
    }

    pub(crate) fn is_true_for_phone(&self, message: &ServerMessage, viewer: Viewer) -> bool {
        let Some((player, phone)) = viewer.phone() else { return false };
        if matches!(message, ServerMessage::Player(ToPlayer::TeamUpdate(_))) {
            return self.team_update(player, phone).as_ref() == Some(message);
        }
        let ServerMessage::Player(ToPlayer::TeamSheet(said)) = message else { return false };
        let Some(sheet) = self.sheet(player).filter(|_| matches!(self.phase, Phase::Question | Phase::Review)) else {
            return false;
        };
        if said.whole { *said == sheet } else { is_one_line_of(said, &sheet) }
    }

    pub(crate) fn check_team(&self, fact: &Fact) -> Result<(), Illegal> {
        let phones = |team: Uuid| self.player(team).and_then(|player| player.team.as_ref()).map(|team| &team.phones);
        let has = |team: Uuid, phone: Uuid| phones(team).is_some_and(|all| all.iter().any(|one| one.id == phone));
        match fact {
            Fact::TeamMade(player, _) => {
                require(self.teams.is_some(), "the game has no teams")?;
                require(self.player(*player).is_some_and(|player| player.team.is_none()), "not a player, or a team")
            }
            Fact::PhoneAdded(team, phone, name) => {
                let room = self.teams.map_or(0, |teams| usize::from(teams.devices));
                let mut there = phones(*team).into_iter().flatten().filter(|one| !one.removed || one.id == *team);
                let has_room = there.clone().filter(|one| !one.removed).count() < room;
                let is_new = there.all(|one| one.id != *phone && one.name != *name);
                require(phones(*team).is_some() && has_room && is_new, "not a phone that can join")
            }
            Fact::PhoneRemoved(team, phone) => {
                let is_there = |one: &Phone| one.id == *phone && !one.removed;
                require(phones(*team).is_some_and(|all| all.iter().any(is_there)), "not a phone that can be removed")
            }
            Fact::PhoneHere(team, phone, here) => {
                let is_so = |one: &Phone| one.id == *phone && one.connected != *here;
                require(phones(*team).is_some_and(|all| all.iter().any(is_so)), "the phone is so already")
            }
            Fact::Signed(team, _, phone) => {
                let is_captain = phone == team || self.teams.is_some_and(|teams| !teams.captain_only);
                require(has(*team, *phone) && is_captain, "not a phone whose answers count")
            }
            Fact::Suggested(team, phone, question, _) => {
                let has_captain = phone != team && self.teams.is_some_and(|teams| teams.captain_only);
                let is_open = self.phase == Phase::Question && self.is_open_for(*question, *team);
                require(has(*team, *phone) && has_captain && is_open, "not a phone that can suggest this")
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fold_team(&mut self, fact: &Fact) {
        if *fact == Fact::NextRound {
            for team in self.players.iter_mut().filter_map(|player| player.team.as_mut()) {
                team.suggestions.clear();
                team.signed.clear();
            }
        }
        let captain_only = self.teams.is_some_and(|teams| teams.captain_only);
        if let Fact::TeamMade(player, code) = fact
            && let Some(player) = self.player_mut(*player)
        {
            let first = Phone { id: player.id, name: player.name.clone(), connected: true, removed: false, moves: 0 };
            let (signed, suggestions) = (BTreeMap::new(), Vec::new());
            player.team = Some(Team { code: code.clone(), phones: vec![first], signed, suggestions });
        }
        let (Fact::PhoneAdded(team, ..)
        | Fact::PhoneRemoved(team, ..)
        | Fact::PhoneMoved(team, ..)
        | Fact::PhoneHere(team, ..)
        | Fact::Signed(team, ..)
        | Fact::Suggested(team, ..)) = fact
        else {
            return;
        };
        let Some(player) = self.player_mut(*team) else { return };
        let Some(team) = player.team.as_mut() else { return };
        match fact {
            Fact::PhoneAdded(_, phone, name) => {
                team.phones.push(Phone { id: *phone, name: name.clone(), connected: false, removed: false, moves: 0 });
            }
            Fact::PhoneRemoved(_, phone) => {
                team.phones.iter_mut().filter(|known| known.id == *phone).for_each(|known| known.removed = true);
                team.suggestions.retain(|(_, by, _)| by != phone);
                player.moves += u32::from(*phone == player.id);
            }
            Fact::PhoneMoved(_, phone) => {
                team.phones.iter_mut().filter(|known| known.id == *phone).for_each(|known| known.moves += 1);
            }
            Fact::PhoneHere(_, phone, here) => {
                let known = team.phones.iter_mut().filter(|known| known.id == *phone);
                known.for_each(|known| known.connected = *here);
            }
            Fact::Signed(_, question, phone) => {
                team.signed.insert(*question, *phone);
                if captain_only {
                    team.suggestions.retain(|(about, ..)| about != question);
                }
            }
            Fact::Suggested(_, phone, question, text) => {
                let suggestion = (*question, *phone, text.clone());
                if !team.suggestions.contains(&suggestion) {
                    team.suggestions.retain(|(about, by, _)| (about, by) != (question, phone));
                    team.suggestions.push(suggestion);
                }
            }
            _ => {}
        }
    }
}

/// Whether this is one answer or one suggestion, and on the sheet.
fn is_one_line_of(said: &TeamSheet, sheet: &TeamSheet) -> bool {
    match (&said.answers[..], &said.suggestions[..]) {
        ([answer], []) => sheet.answers.contains(answer),
        ([], [suggestion]) => sheet.suggestions.contains(suggestion),
        _ => false,
    }
}
