//! One bot among people: thinks, guesses, has second thoughts, wanders off and comes back, looks at the final board.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, bail};
use quizhall_client::api::RetryPolicy;
use quizhall_client::{Api, Carrier, Event, Options, Participant, Phase, Schedule, Seat, Stop, Token, View};
use quizhall_protocol::http::join::{JoinRequest, JoinResponse};
use quizhall_protocol::shapes::Question;
use quizhall_protocol::{CloseCode, Role};
use rand::rngs::SmallRng;
use rand::{Rng, RngExt as _};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::guess::guess;
use super::{Common, Scene};
use crate::names::another;
use crate::pace::Think;

/// Names tried before a bot gives up.
const NAMES: usize = 5;

/// What a bot is like.
#[derive(Debug, Clone, Copy)]
pub struct Nature {
    think: Think,
    /// Chance to change an answer.
    fickle: f64,
    /// Chance per question to wander off.
    restless: f64,
    /// Chance to leave a question unanswered.
    shy: f64,
}

impl Nature {
    /// The habits of one more bot, drawn by chance.
    pub fn draw(think: Think, chance: &mut impl Rng) -> Self {
        let pace = chance.random_range(0.6..1.4);
        Self {
            think: Think { from: think.from.mul_f64(pace), to: think.to.mul_f64(pace) },
            fickle: chance.random_range(0.0..0.3),
            restless: chance.random_range(0.0..0.08),
            shy: chance.random_range(0.0..0.1),
        }
    }
}

/// A bot on its way to a game.
pub struct Bot {
    /// The nickname it asks for.
    pub name: String,
    /// The game's code.
    pub code: String,
    /// The server.
    pub api: Api,
    /// What it is like.
    pub nature: Nature,
    /// Its luck.
    pub chance: SmallRng,
    /// Where it counts.
    pub common: Arc<Common>,
    /// Open once a bot has joined.
    pub joined: CancellationToken,
    /// Where it shows what it sees, if it is the one to do so.
    pub scene: Option<watch::Sender<Scene>>,
}

enum Act {
    Answer(Uuid, String),
    Wander,
}

/// What a bot has on its mind.
#[derive(Default)]
struct Mind {
    view: View,
    acts: Vec<(Instant, Act)>,
    considered: HashSet<Uuid>,
    online: bool,
    lines: u32,
}

impl Bot {
    /// Joins and plays. An error means that the join was refused, or that the player was removed.
    pub async fn play(mut self, stop: CancellationToken) -> anyhow::Result<()> {
        let joined = self.join().await?;
        self.common.joined.fetch_add(1, Ordering::Relaxed);
        self.joined.cancel();
        let mut participant = Participant::new(Options {
            endpoint: self.api.endpoint().clone(),
            seat: Seat { code: joined.game_code, token: Token::new(joined.session_token), role: Role::Player },
            carrier: Carrier::Bearer,
            dialect: quizhall_protocol::Dialect::Interface,
            schedule: Schedule::default(),
            seed: Some(self.chance.random()),
        });
        let mut mind = Mind::default();
        let outcome = loop {
            let due = mind.acts.iter().map(|(at, _)| *at).min();
            tokio::select! {
                event = participant.next() => match self.take(event, &mut mind) {
                    Some(outcome) => break outcome,
                    None if mind.view.phase == Phase::Ended => break self.watch_the_end(&stop).await,
                    None => {}
                },
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.act(&mut mind, &mut participant);
                }
                () = stop.cancelled() => break Ok(()),
            }
        };
        participant.leave().await;
        self.set_online(&mut mind, false);
        outcome
    }

    async fn join(&mut self) -> anyhow::Result<JoinResponse> {
        for _ in 0..NAMES {
            let request = JoinRequest::new(self.code.clone(), self.name.clone());
            match self.api.join_with_retries(&request, RetryPolicy::default(), &mut self.chance).await {
                Err(error) if error.status() == Some(409) => self.name = another(&self.name, &mut self.chance),
                joined => return joined.context("joining"),
            }
        }
        bail!("every name is taken")
    }

    /// `Some` at the end.
    fn take(&mut self, event: Event, mind: &mut Mind) -> Option<anyhow::Result<()>> {
        match event {
            Event::Connected => {
                mind.lines += 1;
                mind.view.connected();
                if mind.lines > 1 {
                    self.common.came_back.fetch_add(1, Ordering::Relaxed);
                }
            }
            Event::Settled { silent } => {
                mind.view.settled(silent);
                self.set_online(mind, true);
            }
            Event::Message(message) => {
                mind.view.apply(&message);
                self.consider(mind);
            }
            Event::Acknowledged(_) => {
                self.common.acknowledged.fetch_add(1, Ordering::Relaxed);
            }
            Event::Lost { .. } => self.set_online(mind, false),
            Event::Unreadable(_) | Event::Unacknowledged(_) | Event::Refused { .. } => {}
            Event::Stopped(stop) => return Some(farewell(&stop)),
        }
        self.show(mind);
        None
    }

    /// Thinks about questions it has not seen before, and forgets those that are closed.
    fn consider(&mut self, mind: &mut Mind) {
        if mind.view.phase != Phase::Question {
            mind.acts.retain(|(_, act)| matches!(act, Act::Wander));
            return;
        }
        let fresh: Vec<Question> =
            mind.view.questions.iter().filter(|question| !mind.considered.contains(&question.id)).cloned().collect();
        for question in fresh {
            mind.considered.insert(question.id);
            let now = Instant::now();
            if self.chance.random_bool(self.nature.restless) {
                mind.acts.push((now + self.nature.think.draw(&mut self.chance), Act::Wander));
            }
            if self.chance.random_bool(self.nature.shy) {
                continue;
            }
            let first = now + self.nature.think.draw(&mut self.chance);
            mind.acts.push((first, Act::Answer(question.id, guess(&question, &mut self.chance))));
            if self.chance.random_bool(self.nature.fickle) {
                let later = first + self.nature.think.draw(&mut self.chance) / 2;
                mind.acts.push((later, Act::Answer(question.id, guess(&question, &mut self.chance))));
            }
        }
    }

    fn act(&mut self, mind: &mut Mind, participant: &mut Participant) {
        let now = Instant::now();
        while let Some(place) = mind.acts.iter().position(|(at, _)| *at <= now) {
            match mind.acts.swap_remove(place).1 {
                Act::Answer(question, text) => participant.answer(question, text),
                Act::Wander => {
                    self.set_online(mind, false);
                    let clean = self.chance.random_bool(0.5);
                    participant.step_out(clean, Duration::from_millis(self.chance.random_range(1_000..9_000)));
                }
            }
        }
    }

    /// Stays for a look at the final board.
    async fn watch_the_end(&mut self, stop: &CancellationToken) -> anyhow::Result<()> {
        self.common.ended.store(true, Ordering::Relaxed);
        let look = Duration::from_millis(self.chance.random_range(500..3_000));
        tokio::select! {
            () = sleep(look) => {}
            () = stop.cancelled() => {}
        }
        Ok(())
    }

    fn show(&self, mind: &Mind) {
        let Some(scene) = &self.scene else { return };
        let View { phase, questions, player_count, board, .. } = &mind.view;
        let now = Scene { phase: *phase, questions: questions.len(), players: *player_count, board: board.clone() };
        scene.send_if_modified(|shown| {
            let changed = *shown != now;
            *shown = now;
            changed
        });
    }

    fn set_online(&self, mind: &mut Mind, online: bool) {
        match (std::mem::replace(&mut mind.online, online), online) {
            (false, true) => self.common.online.fetch_add(1, Ordering::Relaxed),
            (true, false) => self.common.online.fetch_sub(1, Ordering::Relaxed),
            _ => 0,
        };
    }
}

/// Whether an end is a good one.
fn farewell(stop: &Stop) -> anyhow::Result<()> {
    match stop {
        Stop::Left => Ok(()),
        Stop::Closed(closed) if closed.known() == Some(CloseCode::GameOver) => Ok(()),
        Stop::Closed(closed) => bail!("closed: {}", closed.reason),
        Stop::Refused(error) => bail!("{error}"),
    }
}
