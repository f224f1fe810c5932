//! `quizhall-load evening`: hosts a whole game by itself, with bots for players, and checks every message it sees.
//!
//! Also a library call for tests ([`run`]). Layout: `plan` (the quiz and its keys) · `world` (what all share) · `seating`, `teams` (players
//! with several phones) · `users`, `bot`, `watcher` (players: joining, behaviour, checks) · `director`, `round`, `host` (the host: the game,
//! a round, checks) · `watch` (every frame) · `features`, `clocks`, `timed`, `pictures`, `loader` (timers and pictures, over
//! `quizhall.v1`) · `ledger`, `review`, `results` (what is stored) · `violations`, `timing`, `report` (what comes out). Knows nothing of the server but the interface.

pub mod clocks;
pub mod features;
pub mod ledger;
pub mod pictures;
pub mod plan;
pub mod review;
pub mod seating;
pub mod stages;
pub mod violations;
pub mod watch;
pub mod watcher;
pub mod world;

mod bot;
mod director;
mod host;
mod loader;
mod report;
mod results;
mod round;
mod teams;
mod timed;
mod timing;
mod users;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use quizhall_client::{Api, Carrier, Endpoint, Participant, Schedule, Seat, Token};
use quizhall_oracle::Quiz;
use quizhall_protocol::http::games::{Game, NewGame};
use quizhall_protocol::http::quizzes::QuizBody;
use quizhall_protocol::{Dialect, Role};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::bot::Manner;
use self::director::Director;
use self::host::Host;
use self::pictures::Pictures;
use self::plan::{Extent, Plan, invented};
use self::seating::Seating;
use self::users::VirtualUsers;
use self::watch::Watch;
use self::world::World;
use crate::pace::Think;

pub use self::features::Features;
pub use self::report::{Latencies, Report};
pub use self::timing::Percentiles;
pub use self::violations::Violation;

/// Chance per phone of a team and question to step out for a moment, at least.
const STEPS_OUT: f64 = 0.05;

/// Which quiz is played.
#[derive(Debug, Clone)]
pub enum Source {
    /// One made up for the game, with keys that appear nowhere else.
    Invented,
    /// One to be stored first.
    Body(QuizBody),
    /// One the host has.
    Stored(Uuid),
}

/// A full game to be played.
#[derive(Debug, Clone)]
pub struct Options {
    /// The nodes of the server, at least one: the host is at the first, and bots are spread over all of them one by one.
    pub nodes: Vec<Endpoint>,
    /// The host's token.
    pub token: Token,
    /// Players, or teams.
    pub players: usize,
    /// Phones of each team; `None` for players who are no teams.
    pub devices: Option<u8>,
    /// The quiz.
    pub source: Source,
    /// Rounds at most; of an invented quiz exactly.
    pub rounds: Option<usize>,
    /// Questions per round, likewise.
    pub questions: Option<usize>,
    /// What the questions have besides; a stored quiz is played as it is.
    pub features: Features,
    /// Thinking time.
    pub think: Think,
    /// Chance per player and question to step out for a moment; above zero some rounds are cut short and the host's line
    /// breaks too.
    pub chaos: f64,
    /// Seed of everything that is left to chance here.
    pub seed: u64,
    /// Lost lines are no violations: the server is stopped on purpose.
    pub allow_losses: bool,
    /// No lines on the way.
    pub quiet: bool,
}

/// Plays a full game. An error means that it could not begin; everything later is in the report.
pub async fn run(options: Options) -> anyhow::Result<Report> {
    let started = Instant::now();
    let mut chance = SmallRng::seed_from_u64(options.seed);
    let first = options.nodes.first().context("no server")?;
    let api = Api::new(first.clone()).with_token(options.token.clone());
    let seating = Seating::of(options.players, options.devices);
    let Prepared { game, plan, pictures, temporary } = prepare(&options, &api, &mut chance).await?;
    let world = World::new(plan, seating, options.allow_losses).with(options.features, pictures);
    let world = Arc::new(world);
    let late = if seating.bots() >= 10 { (seating.bots() / 50).max(1) } else { 0 };
    let (admission, stop) = (CancellationToken::new(), CancellationToken::new());
    let dialect = world.host_dialect();
    let host = host_options(&options, first, &game);
    let host =
        Participant::with_reader(quizhall_client::Options { dialect, ..host }, Watch::new(Arc::clone(&world), dialect));
    let mut director = Director {
        world: Arc::clone(&world),
        api: api.clone(),
        game: game.id,
        host: Host::new(Arc::clone(&world), host),
        chance,
        think: options.think,
        chaos: options.chaos,
        gate: admission.clone(),
        late,
        quiet: options.quiet,
    };
    director.report(&format!("game {}: {} players, {} phones", game.game_code, seating.players(), seating.bots()));
    // What a sheet is worth shows on phones that come again.
    let chaos = if seating.has_teams() { options.chaos.max(STEPS_OUT) } else { options.chaos };
    let manner = Manner { think: options.think, chaos, seed: options.seed };
    let users = VirtualUsers {
        world: Arc::clone(&world),
        nodes: options.nodes.iter().cloned().map(Api::new).collect(),
        code: game.game_code.clone(),
        manner,
        late,
        gate: admission,
        stop: stop.clone(),
    };
    let bots = users.start();
    let outcome = director.play().await;
    stop.cancel();
    finish(bots, &world).await;
    if let Err(what) = outcome {
        world.violations.note("evening_stopped", what);
        // It would stay among the host's live games for a day. Best effort: the server may be what failed.
        let _ = api.delete_game(game.id).await;
    }
    if let Some(quiz) = temporary {
        let deleted = api.delete_quiz(quiz).await;
        world.violations.check(deleted.is_ok(), "quiz_not_deleted", || format!("quiz {quiz}"));
    }
    Ok(Report::of(&world, started.elapsed()))
}

/// A game that is open, and what must be known of it.
struct Prepared {
    game: Game,
    plan: Plan,
    pictures: Pictures,
    /// A quiz to be deleted in the end.
    temporary: Option<Uuid>,
}

/// Stores the quiz where it must be and opens a game.
async fn prepare(options: &Options, api: &Api, chance: &mut SmallRng) -> anyhow::Result<Prepared> {
    let extent = match options.source {
        Source::Invented => Extent { rounds: options.rounds.unwrap_or(2), questions: options.questions.unwrap_or(4) },
        Source::Body(_) | Source::Stored(_) => {
            Extent { rounds: options.rounds.unwrap_or(usize::MAX), questions: options.questions.unwrap_or(usize::MAX) }
        }
    };
    let (body, canaries) = match &options.source {
        Source::Invented => {
            let (body, canaries) = invented(extent, chance);
            (Some(body), canaries)
        }
        Source::Body(body) => (Some(body.clone()), Vec::new()),
        Source::Stored(_) => (None, Vec::new()),
    };
    let mut contents = HashMap::new();
    let (quiz, temporary) = match (&options.source, body) {
        (_, Some(mut body)) => {
            if options.features.timers {
                features::add_time_limits(&mut body, options.think);
            }
            if options.features.media {
                contents = features::add_pictures(&mut body, api).await?;
            }
            let quiz = api.create_quiz(&body).await.context("the quiz could not be stored")?;
            (quiz.id, Some(quiz.id))
        }
        (Source::Stored(id), None) => (*id, None),
        (Source::Invented | Source::Body(_), None) => return Err(anyhow!("no quiz to play")),
    };
    let teams = Seating::of(options.players, options.devices).option();
    let game = api.create_game_with(&NewGame { teams, ..NewGame::new(quiz) }).await;
    let game = game.context("the game could not be opened")?;
    let quiz = Quiz::read(&game.title, &game.rounds).context("a question of the game has no id, points or key")?;
    let plan = Plan::of(quiz, extent, canaries).map_err(|what| anyhow!(what))?;
    let pictures = Pictures::of(&game.rounds, &contents);
    Ok(Prepared { game, plan, pictures, temporary })
}

fn host_options(options: &Options, node: &Endpoint, game: &Game) -> quizhall_client::Options {
    quizhall_client::Options {
        endpoint: node.clone(),
        seat: Seat { code: game.game_code.clone(), token: options.token.clone(), role: Role::Host },
        carrier: Carrier::Bearer,
        dialect: Dialect::Interface,
        schedule: Schedule { first: Duration::from_millis(500), ..Schedule::default() },
        seed: Some(options.seed),
    }
}

/// Lets the bots leave; one that panicked is a violation, like one that cannot be stopped.
async fn finish(mut bots: JoinSet<()>, world: &World) {
    let leaving = async {
        while let Some(left) = bots.join_next().await {
            world.violations.check(left.is_ok(), "bot_failed", || "a bot's task panicked".to_owned());
        }
    };
    let left = tokio::time::timeout(Duration::from_secs(30), leaving).await;
    world.violations.check(left.is_ok(), "bot_stuck", || format!("{} bots did not leave", bots.len()));
}
