//! `quizhall-load play`: bots join a game that a person hosts and answer like people do, until the game or Ctrl-C ends it.
//!
//! One task per bot (`bot`), the bots' answers (`guess`), and the display meanwhile (`progress`). It checks nothing;
//! full games do that.

mod bot;
mod guess;
mod progress;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::anyhow;
use quizhall_client::{Api, Endpoint, Phase};
use quizhall_protocol::shapes::LeaderboardEntry;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use self::bot::{Bot, Nature};
use self::progress::Progress;
use crate::names::nicknames;
use crate::pace::Think;

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(250);
/// Bots trickle in: at most this long for all of them.
const ARRIVAL: Duration = Duration::from_secs(6);

/// Virtual users for a game.
#[derive(Debug, Clone)]
pub struct Options {
    /// The server.
    pub endpoint: Endpoint,
    /// The game's code, in upper case.
    pub code: String,
    /// How many bots.
    pub players: usize,
    /// How long they think; some are quicker, some slower.
    pub think: Think,
    /// Seed of names and moods.
    pub seed: u64,
}

/// What the bots count while they play.
#[derive(Debug, Default)]
struct Common {
    joined: AtomicU64,
    online: AtomicU64,
    acknowledged: AtomicU64,
    came_back: AtomicU64,
    ended: AtomicBool,
}

/// The signals that all bots wait for.
#[derive(Clone)]
struct Signals {
    /// One has joined, so that the others may try.
    joined: CancellationToken,
    /// Leave.
    stop: CancellationToken,
}

/// What one bot sees, for the display.
#[derive(Debug, Clone, Default, PartialEq)]
struct Scene {
    phase: Phase,
    questions: usize,
    players: usize,
    board: Vec<LeaderboardEntry>,
}

/// How it went.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Bots that joined.
    pub joined: u64,
    /// Bots that did not, with the first reason.
    pub turned_away: (usize, Option<String>),
    /// Answers acknowledged.
    pub acknowledged: u64,
    /// Times a bot came back after a break.
    pub came_back: u64,
    /// The game ended, rather than a bot's time limit.
    pub ended: bool,
    /// The last board that a bot received.
    pub board: Vec<LeaderboardEntry>,
}

/// Plays until the game ends or Ctrl-C. An error means that no bot joined.
pub async fn run(options: Options) -> anyhow::Result<Summary> {
    let common = Arc::new(Common::default());
    let (joined, stop) = (CancellationToken::new(), CancellationToken::new());
    let (scene, seen) = watch::channel(Scene::default());
    let mut bots = start(&options, &common, &scene, &Signals { joined: joined.clone(), stop: stop.clone() });
    drop(scene);
    let progress = Progress::start(options.players);
    let mut turned_away = (0, None);
    let interrupted = tokio::signal::ctrl_c();
    tokio::pin!(interrupted);
    loop {
        tokio::select! {
            left = bots.join_next() => match left {
                None => break,
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(error))) => {
                    turned_away.0 += 1;
                    turned_away.1.get_or_insert(format!("{error:#}"));
                    if !joined.is_cancelled() {
                        stop.cancel();
                    }
                }
                Some(Err(_)) => turned_away.0 += 1,
            },
            () = sleep(TICK) => progress.show(&common, &seen.borrow()),
            _ = &mut interrupted, if !stop.is_cancelled() => stop.cancel(),
        }
    }
    progress.finish();
    let joined = common.joined.load(Ordering::Relaxed);
    if let (0, Some(reason)) = (joined, &turned_away.1) {
        return Err(anyhow!("no bot got into the game: {reason}"));
    }
    let board = seen.borrow().board.clone();
    Ok(Summary {
        joined,
        turned_away,
        acknowledged: common.acknowledged.load(Ordering::Relaxed),
        came_back: common.came_back.load(Ordering::Relaxed),
        ended: common.ended.load(Ordering::Relaxed),
        board,
    })
}

fn start(
    options: &Options,
    common: &Arc<Common>,
    scene: &watch::Sender<Scene>,
    signals: &Signals,
) -> JoinSet<anyhow::Result<()>> {
    let mut chance = SmallRng::seed_from_u64(options.seed);
    let api = Api::new(options.endpoint.clone());
    let mut bots = JoinSet::new();
    let arrival = ARRIVAL.min(Duration::from_millis(300) * u32::try_from(options.players).unwrap_or(u32::MAX));
    for (number, name) in nicknames(options.players, &mut chance).into_iter().enumerate() {
        let bot = Bot {
            name,
            code: options.code.clone(),
            api: api.clone(),
            nature: Nature::draw(options.think, &mut chance),
            chance: SmallRng::seed_from_u64(options.seed.wrapping_add(1 + number as u64)),
            common: Arc::clone(common),
            joined: signals.joined.clone(),
            // One bot's eyes are enough for the display; if it is turned away the others still play.
            scene: (number == 0).then(|| scene.clone()),
        };
        let arrival = arrival.mul_f64(chance.random::<f64>());
        let Signals { joined, stop } = signals.clone();
        bots.spawn(async move {
            // The first one tries to join, so that a wrong code is asked for once and not by all.
            let waiting = async {
                if number > 0 {
                    joined.cancelled().await;
                    sleep(arrival).await;
                }
            };
            tokio::select! {
                () = waiting => bot.play(stop).await,
                () = stop.cancelled() => Ok(()),
            }
        });
    }
    bots
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.ended { "the game ended" } else { "stopped before the end" };
        write!(
            out,
            "{} bots, {} answers acknowledged, {} times a bot came back; {how}",
            self.joined, self.acknowledged, self.came_back
        )?;
        if let (count @ 1.., Some(reason)) = &self.turned_away {
            write!(out, "\n{count} were turned away: {reason}")?;
        }
        for LeaderboardEntry { rank, display_name, score, .. } in self.board.iter().take(10) {
            write!(out, "\n{rank:>4}  {display_name:<24} {score:>8}")?;
        }
        Ok(())
    }
}
