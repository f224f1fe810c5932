//! Extra time: the percent of every timer for each player, and the players for whom a timer is over before it closes for all.

use std::collections::{BTreeMap, BTreeSet};

use quizhall_protocol::from_host::SetExtraTime;
use quizhall_protocol::to_all::TimerUpdate;
use quizhall_protocol::{ServerMessage, ToAll};
use uuid::Uuid;

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal, require};
use crate::game::{Game, Viewer};
use crate::timers::{Timers, question_closed};

/// The properties of a timer besides its last stated time.
#[derive(Debug, Clone)]
pub(crate) struct Stages {
    /// Its whole time for players without extra time, milliseconds.
    pub length: u64,
    /// The percent of the players whose time is stated: the largest percent that has been the next stage so far.
    pub counts_to: u16,
    /// It is over for players with this percent or less.
    pub over: u16,
    /// Players for whom it was over before they had a larger percent.
    pub over_for: BTreeSet<Uuid>,
}

impl Stages {
    pub fn of(length: u64) -> Self {
        Self { length, counts_to: 100, over: 0, over_for: BTreeSet::new() }
    }

    fn share(&self, percent: u16) -> u64 {
        self.length * u64::from(percent) / 100
    }
}

impl Timers {
    /// The time that a timer had left for players with a percent when it was last stated.
    fn stated_for(&self, question: Option<Uuid>, percent: u16) -> Option<u64> {
        let (ms, stages) = (self.left_of(question)?, self.stages.get(&question)?);
        Some((ms + stages.share(percent)).saturating_sub(stages.share(stages.counts_to)))
    }

    /// How much later a timer's stated end is than the end of its next stage.
    pub(crate) fn later(&self, question: Option<Uuid>, all: &[u16]) -> u64 {
        let Some(stages) = self.stages.get(&question) else { return 0 };
        let next = all.iter().copied().find(|stage| *stage > stages.over).unwrap_or(stages.over);
        stages.share(stages.counts_to).saturating_sub(stages.share(next))
    }

    fn restage(&mut self, all: &[u16]) {
        for place in 0..self.left.len() {
            let question = self.left[place].0;
            let Some(stages) = self.stages.get(&question) else { continue };
            let next = all.iter().copied().find(|stage| *stage > stages.over).unwrap_or(0);
            if next > stages.counts_to {
                self.left[place].1 = self.stated_for(question, next).unwrap_or_default();
                self.stages.entry(question).and_modify(|stages| stages.counts_to = next);
            }
        }
    }
}

impl Game {
    /// The percent of every timer for a player.
    pub fn percent_of(&self, player: Uuid) -> u16 {
        self.extra.get(&player).copied().unwrap_or(100)
    }

    /// Whether viewers may receive different messages about timers.
    fn has_stages(&self) -> bool {
        !self.extra.is_empty() || self.timers.stages.values().any(|stages| stages.over > 0)
    }

    /// The percents of the players who have not left, each once, in order.
    pub(crate) fn stages(&self) -> Vec<u16> {
        let percents: BTreeSet<u16> = self.lobby().map(|player| self.percent_of(player.id)).chain([100]).collect();
        percents.into_iter().collect()
    }

    /// Updates the stages when the set of players who count has changed.
    pub(crate) fn restage(&mut self) {
        let stages = self.stages();
        self.timers.restage(&stages);
    }

    fn is_over_for(&self, timer: Option<Uuid>, player: Uuid) -> bool {
        let is_over = |stages: &Stages| self.percent_of(player) <= stages.over || stages.over_for.contains(&player);
        self.timers.stages.get(&timer).is_some_and(is_over)
    }

    /// Whether a question of the round takes answers of a player.
    pub fn is_open_for(&self, question: Uuid, player: Uuid) -> bool {
        self.is_open(question) && !self.is_over_for(Some(question), player) && !self.is_over_for(None, player)
    }

    /// Whether a question of the round takes no answers of a viewer any more; of any player, for the host.
    pub(crate) fn is_closed_for(&self, question: Uuid, viewer: Viewer) -> bool {
        let is_open = match viewer {
            Viewer::Host => self.is_open(question),
            Viewer::Player(player) | Viewer::Phone(player, _) => self.is_open_for(question, player),
        };
        self.released.contains(&question) && !is_open
    }

    /// `timer_update` of a timer for a viewer, with all the time that was stated; none when it is over for the viewer.
    ///
    /// # Panics
    /// When there is more time than a message can hold.
    pub(crate) fn timer_update_for(&self, question_id: Option<Uuid>, viewer: Viewer) -> Option<ServerMessage> {
        let ms = |ms: u64| u32::try_from(ms).expect("three hours at most");
        let for_all = self.timers.stated_for(question_id, 100)?;
        let (remaining, extra) = match viewer {
            Viewer::Host => {
                let longest = self.stages().last().copied().unwrap_or(100);
                (for_all, self.timers.stated_for(question_id, longest)? - for_all)
            }
            Viewer::Player(player) | Viewer::Phone(player, _) => {
                let is_over = self.is_over_for(question_id, player);
                if is_over || question_id.is_some_and(|question| self.is_closed_for(question, viewer)) {
                    return None;
                }
                (self.timers.stated_for(question_id, self.percent_of(player))?, 0)
            }
        };
        let (remaining_ms, running) = (ms(remaining), !self.timers.held);
        let extra_ms = Some(ms(extra)).filter(|extra| *extra > 0);
        Some(ServerMessage::All(ToAll::TimerUpdate(TimerUpdate { question_id, remaining_ms, running, extra_ms })))
    }

    /// Whether a viewer may receive this here: the stated time, or less.
    pub(crate) fn may_say(&self, update: &TimerUpdate, viewer: Viewer) -> bool {
        let Some(ServerMessage::All(ToAll::TimerUpdate(most))) = self.timer_update_for(update.question_id, viewer)
        else {
            return false;
        };
        let is_counted = update.remaining_ms <= most.remaining_ms && update.extra_ms <= most.extra_ms;
        // While players without extra time have some left, the others have their whole additional time.
        let is_whole = update.remaining_ms == 0 || update.extra_ms == most.extra_ms;
        is_counted && is_whole && update.running == most.running
    }

    /// A timer in the form that each viewer receives.
    pub(crate) fn to_each(&self, effects: Effects, question: Option<Uuid>) -> Effects {
        if !self.has_stages() {
            return effects.and_all(To::All, self.timer_update_for(question, Viewer::Host));
        }
        let host = effects.and_all(To::Host, self.timer_update_for(question, Viewer::Host));
        let players = self.players.iter().map(|player| player.id);
        let each = players.fold(host, |effects, player| {
            effects.and_all(To::Player(player, None), self.timer_update_for(question, Viewer::Player(player)))
        });
        each.reaching_all()
    }

    /// The effect of more time on a timer of this length: the increase of its stated time, and its new length.
    pub(crate) fn longer(&self, question: Option<Uuid>, length: u64, more: u64) -> (u64, u64) {
        let counts_to = self.timers.stages.get(&question).map_or(100, |stages| stages.counts_to);
        let share = |length: u64| length * u64::from(counts_to) / 100;
        (share(length + more) - share(length), length + more)
    }

    pub(crate) fn check_extra(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::ExtraTimeSet(player, percent) => {
                let changes = self.player(*player).is_some() && self.percent_of(*player) != *percent;
                require(changes && (100..=300).contains(percent), "not a player, or not another percent")
            }
            Fact::TimeOver(question, ms, up, next) => {
                require(question.is_none_or(|question| self.is_open(question)), "not an open question")?;
                let ends = self.ending_stages(*question);
                require(ends == [*up, *next] && !self.timers.held, "not the stages that end")?;
                let most = self.timers.stated_for(*question, *next);
                require(most.is_some_and(|most| *ms <= most), "time left has risen")
            }
            _ => Ok(()),
        }
    }

    /// Whether the next end of a timer is its last.
    pub(crate) fn is_at_last_stage(&self, question: Option<Uuid>) -> bool {
        self.ending_stages(question).len() < 2
    }

    /// The percentages for which a timer ends, in order from the next one.
    fn ending_stages(&self, question: Option<Uuid>) -> Vec<u16> {
        let over = self.timers.stages.get(&question).map_or(u16::MAX, |stages| stages.over);
        self.stages().into_iter().filter(|stage| *stage > over).take(2).collect()
    }

    pub(crate) fn fold_extra(&mut self, fact: &Fact) {
        match fact {
            Fact::ExtraTimeSet(player, percent) => {
                let before = self.percent_of(*player);
                for stages in self.timers.stages.values_mut().filter(|stages| before <= stages.over) {
                    stages.over_for.insert(*player);
                }
                self.extra.insert(*player, *percent);
                self.extra.retain(|_, percent| *percent != 100);
            }
            Fact::TimeOver(question, ms, up, next) => {
                self.timers.state_anew(&[(*question, *ms)]);
                if let Some(stages) = self.timers.stages.get_mut(question) {
                    (stages.over, stages.counts_to) = (*up, *next);
                }
            }
            Fact::Removed(player) => _ = self.extra.remove(player),
            _ => {}
        }
        self.restage();
    }

    pub(crate) fn set_extra_time(&mut self, command: &SetExtraTime) -> Result<Effects, Illegal> {
        let SetExtraTime { player_id, percent } = *command;
        require(self.player(player_id).is_some(), "not a player")?;
        let percent = u16::try_from(percent).map_err(|_| Illegal::UNKNOWN)?;
        let viewer = Viewer::Player(player_id);
        let of_host =
            |effects: Effects, game: &Self, players: &[Uuid]| effects.and(To::Host, game.room_change(players));
        if self.percent_of(player_id) == percent {
            return Ok(of_host(Effects::default(), self, &[]));
        }
        let was_closed: Vec<_> = self.released.iter().map(|question| self.is_closed_for(*question, viewer)).collect();
        self.apply(&Fact::ExtraTimeSet(player_id, percent))?;
        let closed = self
            .released
            .iter()
            .zip(was_closed)
            .filter(|(question, was)| !was && self.is_closed_for(**question, viewer));
        let to_player = To::Player(player_id, None);
        let mut effects = Effects::default().and_all(to_player, closed.map(|(question, _)| question_closed(*question)));
        for (question, _) in &self.timers.left {
            effects = effects.and_all(To::Host, self.timer_update_for(*question, Viewer::Host));
            effects = effects.and_all(to_player, self.timer_update_for(*question, viewer));
        }
        Ok(of_host(effects, self, &[player_id]))
    }
}

/// The percents of the players, by their ids; none for those without extra time.
pub(crate) type Percents = BTreeMap<Uuid, u16>;
