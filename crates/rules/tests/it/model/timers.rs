//! The timers of the model: each is a number that falls with every step of the clock, below zero for players with extra time.

use super::{Model, Player};

/// The most time that a timer can have left.
const AN_HOUR: i64 = 3_600_000;

#[derive(Clone, Default)]
pub struct Timers {
    pub held: bool,
    /// The timers of questions and of the round; the newest last.
    pub all: Vec<Timer>,
    /// Questions that take no more answers.
    pub closed: Vec<u8>,
}

#[derive(Clone)]
pub struct Timer {
    pub of: Option<u8>,
    /// The time in milliseconds for players without extra time.
    left: i64,
    length: i64,
    /// The largest percentage that was next so far.
    counts_to: u16,
    /// The timer is over for percentages up to this.
    over: u16,
    /// Players for whom it is over, whatever their percentage.
    over_for: Vec<u8>,
    /// How long it has run, in milliseconds.
    ran: i64,
}

impl Timer {
    pub fn new(of: Option<u8>, ms: u64) -> Self {
        let left = i64::try_from(ms).unwrap();
        Self { of, left, length: left, counts_to: 100, over: 0, over_for: Vec::new(), ran: 0 }
    }

    fn run(&mut self, ms: i64) {
        (self.left, self.ran) = (self.left - ms, self.ran + ms);
    }

    /// How long it has run. It runs until it is over for the players whose time the log states.
    pub fn ran(&self) -> u64 {
        u64::try_from(self.ran - self.overrun()).unwrap()
    }

    fn overrun(&self) -> i64 {
        (-self.left - self.extra(self.counts_to)).max(0)
    }

    /// The time for players with a percentage.
    pub fn left(&self, percent: u16) -> u64 {
        u64::try_from(self.left + self.extra(percent)).unwrap_or(0)
    }

    /// The time as the log states it.
    pub fn stated(&self) -> u64 {
        self.left(self.counts_to)
    }

    fn extra(&self, percent: u16) -> i64 {
        self.length * i64::from(percent) / 100 - self.length
    }

    /// The stated time is never below zero.
    pub fn state(&mut self) {
        self.run(-self.overrun());
    }
}

impl Model {
    /// Time passes.
    pub fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.pause = self.pause.map(|left| left.saturating_sub(ms));
        if !self.timers.held {
            self.timers.all.iter_mut().for_each(|timer| timer.run(i64::try_from(ms).unwrap()));
        }
    }

    pub(super) fn set_timer(&mut self, question: Option<u8>, ms: u64) -> Result<bool, &'static str> {
        let can_run = self.can_have_timer(question)?;
        if can_run {
            let left = i64::try_from(ms).unwrap();
            let new = Timer::new(question, ms);
            let place = self.timers.all.iter().position(|timer| timer.of == question);
            let old = place.map_or(new, |place| self.timers.all.remove(place));
            self.timers.all.push(Timer { left, length: left, ..old });
        }
        Ok(can_run)
    }

    pub(super) fn add_time(&mut self, question: Option<u8>, more: u64) -> Result<bool, &'static str> {
        self.can_have_timer(question)?;
        let Some(place) = self.timers.all.iter().position(|timer| timer.of == question) else { return Ok(false) };
        let timer = &mut self.timers.all[place];
        let more = i64::try_from(more).unwrap().min(AN_HOUR - i64::try_from(timer.stated()).unwrap()).max(0);
        if more > 0 {
            timer.state();
            (timer.left, timer.length) = (timer.left + more, timer.length + more);
            let changed = self.timers.all.remove(place);
            self.timers.all.push(changed);
        }
        Ok(more > 0)
    }

    pub(super) fn hold(&mut self, held: bool) -> bool {
        let changes = self.timers.held != held && !self.timers.all.is_empty();
        if changes {
            self.timers.all.iter_mut().for_each(Timer::state);
        }
        self.timers.held ^= changes;
        changes
    }

    /// The service finds that the timer is over.
    pub(super) fn time_over(&mut self, question: Option<u8>) -> bool {
        if question.is_none() && self.pause.take().is_some() {
            return true;
        }
        let stages = self.stages();
        let is_over = !self.timers.held && self.timers.all.iter().any(|timer| timer.of == question);
        if !is_over {
            return false;
        }
        let timer = self.timers.all.iter_mut().find(|timer| timer.of == question).unwrap();
        let mut later = stages.into_iter().filter(|stage| *stage > timer.over);
        if let (Some(up), Some(next)) = (later.next(), later.next()) {
            (timer.over, timer.counts_to) = (up, next);
            timer.state();
            return true;
        }
        match question {
            None => {
                self.phase = "round_review";
                self.end_timers();
            }
            Some(question) => {
                self.timers.closed.push(question);
                self.timers.all.retain(|timer| timer.of != Some(question));
            }
        }
        true
    }

    pub(super) fn set_extra_time(&mut self, id: u8, percent: u16) -> Result<bool, &'static str> {
        let player = self.there(id).ok_or("UnknownPlayer")?;
        let before = player.percent;
        if before == percent {
            return Ok(false);
        }
        for timer in self.timers.all.iter_mut().filter(|timer| before <= timer.over) {
            timer.over_for.push(id);
        }
        self.player(id).percent = percent;
        self.restage();
        Ok(true)
    }

    /// The set of players changed.
    pub(super) fn restage(&mut self) {
        let stages = self.stages();
        for timer in &mut self.timers.all {
            let next = stages.iter().find(|stage| **stage > timer.over).copied().unwrap_or(0);
            timer.counts_to = timer.counts_to.max(next);
        }
    }

    /// The percentages of the players who have not left, each once, in order.
    fn stages(&self) -> Vec<u16> {
        let has = |percent: u16| self.players().any(|player| player.here && player.percent == percent);
        (100..=300).filter(|percent| *percent == 100 || has(*percent)).collect()
    }

    /// The round or the game has ended.
    pub(super) fn end_timers(&mut self) {
        (self.timers.held, self.timers.all) = (false, Vec::new());
    }

    /// Whether a question takes answers.
    pub fn takes_answers(&self, question: u8) -> bool {
        self.is_open(question) && !self.timers.closed.contains(&question)
    }

    /// Whether a question takes answers of a player.
    pub fn takes_answers_of(&self, question: u8, id: u8) -> bool {
        let percent = self.there(id).map_or(100, |player| player.percent);
        let is_over = |timer: &Timer| timer.over >= percent || timer.over_for.contains(&id);
        let mut timers = self.timers.all.iter().filter(|timer| timer.of.is_none() || timer.of == Some(question));
        self.takes_answers(question) && !timers.any(is_over)
    }

    /// How many connected players have not answered a question that takes their answers.
    pub fn waits_for(&self, question: u8) -> usize {
        let has_answered = |id: u8| self.given.iter().any(|given| (given.player, given.question) == (id, question));
        let thinks = |player: &&Player| {
            player.connected && self.takes_answers_of(question, player.id) && !has_answered(player.id)
        };
        self.players().filter(|_| self.phase == "question").filter(thinks).count()
    }

    fn can_have_timer(&self, question: Option<u8>) -> Result<bool, &'static str> {
        match question {
            Some(question) if !self.is_open(question) => Err("UnknownQuestion"),
            question => Ok(question.is_none_or(|question| self.takes_answers(question))),
        }
    }
}
