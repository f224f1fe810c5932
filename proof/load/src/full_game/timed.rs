//! The host's part in a game with timers: holds them, adds time, lets them run, and waits until each question has closed by itself.

use std::collections::HashMap;
use std::time::Duration;

use quizhall_oracle::Fact;
use quizhall_protocol::FromHost;
use quizhall_protocol::from_host::AddTime;
use quizhall_protocol::to_all::TimerUpdate;
use tokio::time::Instant;
use uuid::Uuid;

use super::director::Director;
use super::world::World;

/// How long the timers are held.
const HOLD: Duration = Duration::from_millis(300);
/// Seconds that are added to a question.
const MORE: u32 = 1;
/// The longest time a question can have; waiting for its end takes no longer.
const LONGEST: Duration = Duration::from_mins(10);

/// What the host was sent of timers.
#[derive(Debug, Default)]
pub struct Timers {
    /// Milliseconds left and whether they run, of each question, as stated last.
    pub left: HashMap<Uuid, (u32, bool)>,
    /// The questions that this connection has shown as closed.
    pub closed: Vec<Uuid>,
}

impl Timers {
    /// Takes a `timer_update`.
    pub fn update(&mut self, update: &TimerUpdate) {
        if let Some(question) = update.question_id {
            self.left.insert(question, (update.remaining_ms, update.running));
        }
    }

    /// Takes a `question_closed`.
    pub fn close(&mut self, question: Uuid, world: &World) {
        world
            .violations
            .check(!self.closed.contains(&question), "closed_twice", || format!("host: question {question}"));
        self.left.remove(&question);
        self.closed.push(question);
        world.clocks.close(question);
    }

    /// Whether there are timers and all of them run, or none does.
    fn all(&self, running: bool) -> bool {
        !self.left.is_empty() && self.left.values().all(|(_, runs)| *runs == running)
    }

    /// The time left of all questions, as a fact for the oracle.
    fn stated(&self) -> Vec<(Option<Uuid>, u64)> {
        self.left.iter().map(|(question, (ms, _))| (Some(*question), u64::from(*ms))).collect()
    }
}

impl Director {
    /// Holds all timers, adds time to a question meanwhile, and lets them run again.
    pub(super) async fn hold(&mut self, question: Uuid) -> Result<(), String> {
        let limit = self.time_limit();
        if !self.host.command(FromHost::PauseTimer, limit, |host| host.timers.all(false)).await {
            return Err("the timers were not held".to_owned());
        }
        let held = Instant::now();
        self.world.happened(&Fact::TimersHeld(true, self.host.timers.stated()));
        let before = self.left(question)?;
        self.world.clocks.add(question, Duration::from_secs(MORE.into()));
        let wanted = before + MORE * 1_000;
        let more = FromHost::AddTime(AddTime { question_id: Some(question), seconds: MORE });
        let has_more = |ms: u32| ms >= wanted;
        let added = |host: &super::host::Host| host.timers.left.get(&question).is_some_and(|(ms, _)| has_more(*ms));
        if !self.host.command(more, limit, added).await {
            return Err(format!("question {question} was given no more time"));
        }
        let with_more = self.left(question)?;
        let once = with_more == wanted || self.world.losses_allowed;
        self.world.violations.check(once, "time_added", || format!("{with_more} ms where {wanted} must be"));
        self.world.happened(&Fact::TimerSet(Some(question), with_more.into(), with_more.into()));
        self.host.pause(HOLD).await;
        self.world.clocks.held(held.elapsed());
        if !self.host.command(FromHost::ResumeTimer, limit, |host| host.timers.all(true)).await {
            return Err("the timers did not run again".to_owned());
        }
        let after = self.left(question)?;
        self.world
            .violations
            .check(after == with_more, "time_ran_while_held", || format!("{with_more}, then {after} ms"));
        self.world.happened(&Fact::TimersHeld(false, self.host.timers.stated()));
        Ok(())
    }

    /// Runs until the host has seen all these questions close.
    pub(super) async fn wait_for_closings(&mut self, questions: &[Uuid]) -> Result<(), String> {
        let world = std::sync::Arc::clone(&self.world);
        let open = || {
            let closed = world.clocks.closed();
            questions.iter().filter(|question| !closed.contains(question)).count()
        };
        if self.host.until(LONGEST + self.time_limit(), |_| open() == 0).await {
            self.wait_for_counts(questions).await;
            return Ok(());
        }
        Err(format!("{} questions did not close by themselves", open()))
    }

    fn left(&self, question: Uuid) -> Result<u32, String> {
        let left = self.host.timers.left.get(&question);
        left.map(|(ms, _)| *ms).ok_or_else(|| format!("question {question} has no timer"))
    }
}
