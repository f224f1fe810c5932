//! Teams of a full game: what their phones know of each other, what each has been sent of the team, and whether that is what is
//! committed.
//!
//! A [`Member`] checks what one phone is sent as it comes, and shows it to the director, who asks at the end of a round whether all
//! phones agree ([`World::phones_astray`]). Sends nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError};

use quizhall_oracle::Fact;
use quizhall_protocol::Dialect;
use quizhall_protocol::http::join::JoinResponse;
use quizhall_protocol::to_player::{SheetAnswer, TeamSheet, TeamUpdate};
use tokio::sync::SetOnce;
use uuid::Uuid;

use super::seating::Seating;
use super::world::World;

/// What the phones of teams know of each other.
#[derive(Debug)]
pub struct Teams {
    /// The code of each team, once it is made.
    codes: Vec<SetOnce<String>>,
    /// The id and the name of each phone, once it has joined.
    phones: Vec<OnceLock<(Uuid, String)>>,
}

/// What a phone has been sent of its team.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TeamView {
    /// The sheet of the round, by question.
    pub sheet: BTreeMap<Uuid, SheetAnswer>,
    /// How many phones are connected.
    pub connected: usize,
}

impl Teams {
    /// No team is made yet.
    pub fn new(seating: Seating) -> Self {
        let of_teams = if seating.has_teams() { seating } else { Seating::of(0, None) };
        Self {
            codes: (0..of_teams.players()).map(|_| SetOnce::new()).collect(),
            phones: (0..of_teams.bots()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// What more phones of a team join with, once it is made.
    pub async fn code(&self, player: usize) -> String {
        self.codes[player].wait().await.clone()
    }

    /// The phone with this id.
    fn bot_of(&self, phone: Uuid) -> Option<usize> {
        self.phones.iter().position(|known| known.get().is_some_and(|(id, _)| *id == phone))
    }
}

impl World {
    /// A bot has joined as a phone of a team: the first one has made the team.
    pub fn joined_team(&self, bot: usize, joined: &JoinResponse) {
        let (Some(code), Some(phone)) = (joined.team_code.clone(), joined.device_id) else {
            return self.violations.note("team_answer", format!("player {}", joined.player_id));
        };
        let _ = self.teams.phones[bot].set((phone, joined.display_name.clone()));
        if self.seating.is_first(bot) {
            self.joined(bot, joined.player_id, joined.display_name.clone());
            self.happened(&Fact::TeamMade(joined.player_id, code.clone()));
            let _ = self.teams.codes[self.seating.player_of(bot)].set(code);
        } else {
            self.happened(&Fact::PhoneAdded(joined.player_id, phone, joined.display_name.clone()));
            self.desks[bot].joined.store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    /// Phones that are here, speak the extension, and do not show what is committed: the answers of the review, each by a phone whose
    /// answer can be the last, the same for all phones of a team; and every phone of the team connected.
    pub fn phones_astray(&self) -> Vec<usize> {
        (0..self.seating.players()).flat_map(|player| self.astray_of(player)).collect()
    }

    /// How many phones show the sheet of their team now.
    pub fn sheets_shown(&self) -> usize {
        self.count(|desk| desk.team.lock().unwrap_or_else(PoisonError::into_inner).is_some())
    }

    fn astray_of(&self, player: usize) -> Vec<usize> {
        let bots = self.seating.bots_of(player);
        let Some(id) = self.players[player].get() else { return Vec::new() };
        let committed = self.committed(*id);
        let joined = bots.clone().filter(|bot| self.teams.phones[*bot].get().is_some()).count();
        let view = |bot: usize| self.desks[bot].team.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let first = bots.clone().find_map(view);
        let is_astray = |bot: &usize| {
            let Some(view) = view(*bot) else { return false };
            let shown = view.sheet.iter().map(|(question, answer)| (*question, answer.answer.as_str()));
            let is_committed = shown.eq(committed.iter().map(|(question, text)| (*question, text.as_str())));
            let may_count = |answer: &SheetAnswer| {
                let by = self.teams.bot_of(answer.by);
                by.is_some_and(|by| self.ledger.may_count(by, answer.question_id, &answer.answer))
            };
            let is_signed = view.sheet.values().all(may_count);
            !(is_committed && is_signed && view.connected == joined && Some(&view) == first.as_ref())
        };
        bots.filter(is_astray).collect()
    }

    /// What the review has of a team.
    fn committed(&self, player: Uuid) -> BTreeMap<Uuid, String> {
        let oracle = self.oracle();
        let answer = |question: &Uuid| Some((*question, oracle.answer(player, *question)?.text.clone()));
        oracle.released.iter().filter_map(answer).collect()
    }
}

/// One phone's memory of its team.
#[derive(Debug)]
pub struct Member {
    world: Arc<World>,
    me: usize,
    view: TeamView,
}

impl Member {
    /// A phone that has been sent nothing.
    pub fn new(world: Arc<World>, me: usize) -> Self {
        Self { world, me, view: TeamView::default() }
    }

    /// A connection is established.
    pub fn connected(&mut self) {
        self.view = TeamView::default();
    }

    /// A round begins with an empty sheet.
    pub fn round_begins(&mut self) {
        self.view.sheet.clear();
    }

    /// Takes `team_update`: the phones are those that joined this team.
    pub fn update(&mut self, update: &TeamUpdate) {
        let world = &self.world;
        let team = self.team();
        let own = world.teams.phones.get(self.me).and_then(OnceLock::get);
        let code = team.and_then(|team| world.teams.codes[team].get());
        let is_own = own.is_some_and(|(id, _)| *id == update.device_id) && code == Some(&update.team_code);
        // The message may name a phone before its bot has the answer to the join.
        let is_known = |(id, name): (Uuid, &String)| match world.teams.bot_of(id) {
            Some(bot) => {
                let same_name = world.teams.phones[bot].get().is_some_and(|(_, known)| known == name);
                Some(world.seating.player_of(bot)) == team && same_name
            }
            None => world.was_asked(name),
        };
        let devices = &update.devices;
        let are_known = devices.iter().all(|device| is_known((device.device_id, &device.display_name)));
        let begins = devices.first().is_some_and(|first| first.device_id == world.player_of(self.me));
        let fits = is_own && are_known && begins && devices.len() <= world.seating.phones() && update.captain.is_none();
        world.violations.check(fits, "team_update_wrong", || format!("phone {}: {} phones", self.me, devices.len()));
        self.view.connected = devices.iter().filter(|device| device.connected).count();
    }

    /// Takes `team_sheet`: each answer was given by the phone that it names, and none goes; behind a whole sheet comes one line at a time.
    /// `questions` are those that this line has shown, in order.
    pub fn sheet(&mut self, sheet: &TeamSheet, questions: &[Uuid]) {
        let world = &self.world;
        let was_given = |answer: &SheetAnswer| {
            let by = world.teams.bot_of(answer.by).filter(|by| Some(world.seating.player_of(*by)) == self.team());
            by.is_some_and(|by| world.ledger.was_given_by(by, answer.question_id, &answer.answer))
        };
        let note = |kind, holds: bool| world.violations.check(holds, kind, || format!("phone {}", self.me));
        note("sheet_answer_never_given", sheet.answers.iter().all(was_given) && sheet.suggestions.is_empty());
        let mut shown = questions.iter();
        let in_order = sheet.answers.iter().all(|answer| shown.any(|question| *question == answer.question_id));
        // A line that came back in a review was shown no question.
        note("sheet_order", in_order || questions.is_empty());
        let is_there = |before: &Uuid| sheet.answers.iter().any(|answer| answer.question_id == *before);
        note("sheet_answer_lost", !sheet.whole || self.view.sheet.keys().all(is_there));
        note("sheet_lines", sheet.whole || sheet.answers.len() == 1);
        let lines = sheet.answers.iter().map(|answer| (answer.question_id, answer.clone()));
        if sheet.whole {
            self.view.sheet.clear();
        }
        self.view.sheet.extend(lines);
    }

    /// How many of these questions, which have an answer, are not on the sheet.
    pub fn lacks(&self, answered: &[Uuid]) -> usize {
        let is_shown = |question: &&Uuid| self.view.sheet.contains_key(question);
        if self.is_shown_sheets() { answered.iter().filter(|question| !is_shown(question)).count() } else { 0 }
    }

    /// Shows the director what this phone has been sent.
    pub fn publish(&self, is_live: bool) {
        let view = (is_live && self.is_shown_sheets()).then(|| self.view.clone());
        *self.world.desks[self.me].team.lock().unwrap_or_else(PoisonError::into_inner) = view;
    }

    fn is_shown_sheets(&self) -> bool {
        self.world.seating.has_teams() && self.world.dialect_of(self.me) == Dialect::QuizhallV1
    }

    fn team(&self) -> Option<usize> {
        self.world.seating.has_teams().then(|| self.world.seating.player_of(self.me))
    }
}
