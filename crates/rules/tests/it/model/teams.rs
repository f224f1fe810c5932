//! Teams in the model: phones that join a player, which of them are connected, and their suggestions to the captain.

use super::Model;
use crate::side_by_side::{Mark, Who};

/// The additional data of a player who is a team.
#[derive(Clone)]
pub struct Team {
    pub code: u8,
    /// Whether the first phone is connected.
    here: bool,
    /// The phones after the first, in order of joining.
    phones: Vec<Phone>,
    /// Question, phone (by its place) and text, in order of arrival.
    pub suggestions: Vec<(u8, u8, String)>,
}

/// A phone after the first.
#[derive(Clone)]
pub struct Phone {
    pub id: u8,
    pub name: &'static str,
    pub here: bool,
    pub last: Option<Mark>,
    pub key: Option<u8>,
}

/// How several phones play as a team.
#[derive(Clone, Copy)]
pub struct Rules {
    pub phones: usize,
    pub captain_only: bool,
}

impl Team {
    pub fn new(code: u8) -> Self {
        Self { code, here: true, phones: Vec::new(), suggestions: Vec::new() }
    }

    /// The phones after the first.
    pub fn phones(&self) -> &[Phone] {
        &self.phones
    }

    /// Whether each phone is connected, the first one first.
    pub fn presence(&self) -> Vec<bool> {
        std::iter::once(self.here).chain(self.phones.iter().map(|phone| phone.here)).collect()
    }
}

impl Model {
    /// A phone is identified by its id, and must use the token of that id.
    pub(super) fn add_phone(
        &mut self,
        code: u8,
        id: u8,
        name: &'static str,
        key: Option<u8>,
    ) -> Result<bool, &'static str> {
        if self.phase == "ended" {
            return Err("Ended");
        }
        let rules = self.teams.ok_or("NoTeams")?;
        let has_it = |team: &Team| team.phones.iter().any(|phone| phone.id == id);
        if let Some(player) = self.all_players.iter().find(|player| player.team.as_ref().is_some_and(has_it)) {
            return if player.removed { Err("IdempotencyMismatch") } else { Ok(false) };
        }
        if self.is_key_known(key) {
            return Err("IdempotencyMismatch");
        }
        let is_meant =
            |player: &&mut super::Player| !player.removed && player.team.as_ref().is_some_and(|team| team.code == code);
        let player = self.all_players.iter_mut().find(is_meant).ok_or("UnknownTeam")?;
        let team_name = player.name;
        let Some(team) = &mut player.team else { return Err("UnknownTeam") };
        let mut names = team.phones.iter().map(|phone| phone.name).chain([team_name]);
        if names.any(|taken| taken.eq_ignore_ascii_case(name)) {
            return Err("NameTaken");
        }
        if team.phones.len() + 1 >= rules.phones {
            return Err("TeamFull");
        }
        team.phones.push(Phone { id, name, here: false, last: None, key });
        Ok(true)
    }

    pub(super) fn is_key_known(&self, key: Option<u8>) -> bool {
        let of_team = |team: &Team| team.phones.iter().any(|phone| phone.key == key);
        let has_it = |player: &super::Player| player.key == key || player.team.as_ref().is_some_and(of_team);
        key.is_some() && self.all_players.iter().any(has_it)
    }

    /// The player and the phone, by its place; 0 is the first.
    pub(super) fn sender(&self, who: Who) -> Result<(u8, u8), &'static str> {
        let (id, place) = match who {
            Who::Player(id) => (id, 0),
            Who::Phone(id, place) => (id, place),
            Who::Host | Who::Service => return Err("WrongRole"),
        };
        self.is_here(id, place).map(|_| (id, place)).ok_or("UnknownPlayer")
    }

    pub fn team_code(&self, id: u8) -> Option<u8> {
        self.there(id)?.team.as_ref().map(|team| team.code)
    }

    /// How many phones a player has after the first.
    pub fn further_phones(&self, id: u8) -> usize {
        self.there(id).and_then(|player| player.team.as_ref()).map_or(0, |team| team.phones.len())
    }

    pub(super) fn last_of(&self, id: u8, place: u8) -> Option<Mark> {
        let player = self.there(id)?;
        if place == 0 { player.last } else { player.team.as_ref()?.phones.get(usize::from(place) - 1)?.last }
    }

    pub(super) fn set_last(&mut self, id: u8, place: u8, mark: Option<Mark>) {
        let player = self.player(id);
        match &mut player.team {
            Some(team) if place > 0 => team.phones[usize::from(place) - 1].last = mark,
            _ => player.last = mark,
        }
    }

    fn is_here(&self, id: u8, place: u8) -> Option<bool> {
        let player = self.there(id)?;
        match &player.team {
            Some(team) => team.presence().get(usize::from(place)).copied(),
            None => (place == 0).then_some(player.connected),
        }
    }

    /// A team is connected while one of its phones is.
    pub(super) fn leave(&mut self, id: u8, place: u8) -> bool {
        let leaves = self.is_here(id, place) == Some(true) && self.phase != "ended";
        if leaves {
            self.set_phone(id, place, false);
            if self.phase == "lobby" {
                self.player(id).here = self.player(id).connected;
                self.restage();
            }
        }
        leaves
    }

    pub(super) fn come_back(&mut self, id: u8, place: u8) -> bool {
        let Some(is_here) = self.is_here(id, place).filter(|_| self.phase != "ended") else { return false };
        let was_gone = !self.player(id).here;
        if was_gone || !is_here {
            self.set_phone(id, place, true);
            self.player(id).here = true;
            self.restage();
        }
        was_gone || !is_here
    }

    fn set_phone(&mut self, id: u8, place: u8, here: bool) {
        let player = self.player(id);
        if let Some(team) = &mut player.team {
            match place.checked_sub(1) {
                None => team.here = here,
                Some(behind) => team.phones[usize::from(behind)].here = here,
            }
        }
        player.connected = player.team.as_ref().map_or(here, |team| team.presence().contains(&true));
    }

    fn is_captain_only(&self, id: u8) -> bool {
        let is_team = self.there(id).is_some_and(|player| player.team.is_some());
        is_team && self.teams.is_some_and(|rules| rules.captain_only)
    }

    pub(super) fn may_answer(&self, id: u8, place: u8) -> bool {
        place == 0 || !self.is_captain_only(id)
    }

    pub(super) fn suggest(&mut self, id: u8, place: u8, (question, text): (u8, &str)) -> Result<bool, &'static str> {
        if place == 0 || !self.is_captain_only(id) {
            return Err("WrongRole");
        }
        if !self.takes_answers_of(question, id) {
            return Err("UnknownQuestion");
        }
        let Some(team) = &mut self.player(id).team else { return Err("WrongRole") };
        let new = (question, place, text.to_owned());
        let is_new = !team.suggestions.contains(&new);
        if is_new {
            team.suggestions.retain(|one| (one.0, one.1) != (question, place));
            team.suggestions.push(new);
        }
        Ok(is_new)
    }

    /// A captain's answer decides about the suggestions.
    pub(super) fn decide_suggestions(&mut self, id: u8, question: u8) {
        if let Some(team) = &mut self.player(id).team {
            team.suggestions.retain(|one| one.0 != question);
        }
    }

    pub(super) fn forget_suggestions(&mut self) {
        self.all_players.iter_mut().filter_map(|player| player.team.as_mut()).for_each(|team| team.suggestions.clear());
    }
}
