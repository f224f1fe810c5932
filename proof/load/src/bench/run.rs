//! Plays the scenarios that were asked for, pass by pass, the baseline beside them, and puts the outcome together.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use quizhall_client::{Endpoint, Token};
use quizhall_protocol::http::quizzes::QuizBody;

use super::baseline;
use super::document::Document;
use super::evening::{self, Course};
use super::game;
use super::many::{self, Load};
use super::outcome::Outcome;
use super::phones;
use super::preload::{self, Audience};
use super::process::{Beside, Processes};
use super::quiz;
use super::scenario::{Scenario, Sizes};
use super::server::{Keeping, Recipe, Server};
use super::table::Pass;
use super::takeover;
use super::trial::{Trial, Venue};
use crate::descriptors;
use crate::users::VirtualUsers;

/// Characters of a question that fills buffers.
const LONG: usize = 1_900;
/// One phone in this many stops reading.
const SILENT: usize = 10;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which scenarios, in this order.
    pub scenarios: Vec<Scenario>,
    /// How big.
    pub sizes: Sizes,
    /// How often all of it.
    pub passes: usize,
    /// With the baseline beside it.
    pub baseline: bool,
    /// Nodes that run already; none: a server is started for each scenario.
    pub endpoints: Vec<Endpoint>,
    /// The host's token for them.
    pub token: Option<Token>,
    /// Their processes, where they are on this machine.
    pub processes: Vec<u32>,
    /// Processes that they use, such as a database.
    pub beside: Vec<Beside>,
    /// Processes that the virtual users are spread over; 0: a thread of this one.
    pub workers: usize,
    /// The service's binary, where it is not beside this one.
    pub server: Option<PathBuf>,
    /// Where a started server keeps its database.
    pub keeping: Keeping,
    /// No progress on standard error.
    pub quiet: bool,
}

/// A server that runs already, or one that was started.
enum Place {
    Given(Venue),
    Started(Box<Server>),
}

impl Place {
    fn venue(&self) -> Venue {
        match self {
            Self::Given(venue) => venue.clone(),
            Self::Started(server) => Venue {
                endpoints: vec![server.endpoint.clone()],
                is_first_spare: false,
                token: server.token.clone(),
                processes: server.processes(),
                beside: Vec::new(),
            },
        }
    }
}

/// Measures.
///
/// # Errors
/// When a server cannot be started or reached, or a step does not end in its time. Missed targets are in the document instead.
pub async fn run(options: &Options) -> anyhow::Result<Document> {
    ensure!(options.passes > 0, "--passes must be at least 1");
    ensure!(options.sizes.players > 0 && options.sizes.questions > 0, "--players and --questions must be at least 1");
    let big = options.sizes.players.max(options.sizes.games * (options.sizes.players_per_game + 1));
    descriptors::provide_for(if options.workers > 0 { 0 } else { big })?;
    let progress = progress(options);
    let mut passes = Vec::new();
    for number in 1..=options.passes {
        let mut pass = Pass::default();
        let show = |what: &str| progress.set_message(format!("pass {number} of {}: {what}", options.passes));
        play(options, &mut pass, &show).await.with_context(|| format!("pass {number}"))?;
        passes.push(pass);
    }
    progress.finish_and_clear();
    Ok(Document::of(options, passes))
}

async fn play(options: &Options, pass: &mut Pass, show: &impl Fn(&str)) -> anyhow::Result<()> {
    let rounds: Vec<Scenario> = options.scenarios.iter().copied().filter(|scenario| scenario.is_round()).collect();
    if !rounds.is_empty() || options.scenarios.contains(&Scenario::Lobby) {
        pass.outcomes.extend(big_game(options, &rounds, show).await?);
    }
    if options.baseline && rounds.iter().any(|round| matches!(round, Scenario::Question | Scenario::Burst)) {
        show(baseline::BIG_GAME);
        pass.outcomes.push(baseline::big_game(options.sizes.players, options.sizes.questions).await?);
    }
    for scenario in options.scenarios.iter().filter(|scenario| !scenario.is_round()) {
        let name = format!("{scenario:?}").to_lowercase();
        show(&name);
        if let Some(outcome) = other(options, *scenario).await.with_context(|| name)? {
            pass.outcomes.push(outcome);
        }
        if options.baseline && *scenario == Scenario::ManyGames {
            if !options.endpoints.is_empty() {
                show(many::ON_SQLITE);
                pass.outcomes.push(on_sqlite(options).await?);
            }
            show(baseline::MANY_GAMES);
            pass.outcomes.push(baseline::many_games(load(&options.sizes)).await?);
        }
    }
    Ok(())
}

/// The lobby and the rounds of one game.
async fn big_game(options: &Options, scenarios: &[Scenario], show: &impl Fn(&str)) -> anyhow::Result<Vec<Outcome>> {
    show("lobby");
    let place = start(options, options.keeping).await?;
    let warm = warm_up(options, &place.venue()).await?;
    let rounds: Vec<Vec<usize>> = scenarios.iter().map(|_| quiz::round(options.sizes.questions)).collect();
    let rounds = if rounds.is_empty() { vec![quiz::round(1)] } else { rounds };
    let mut quiz = quiz::of(&rounds);
    if options.sizes.timers {
        let timed = quiz.rounds.iter_mut().zip(scenarios).filter(|(_, scenario)| **scenario != Scenario::Reconnect);
        timed.for_each(|(round, _)| quiz::limit(round));
    }
    let mut trial = open(options, &place.venue(), &quiz).await?;
    let mut outcomes = vec![game::lobby(&mut trial, warm).await?];
    for scenario in scenarios {
        let name = format!("{scenario:?}").to_lowercase();
        show(&name);
        let outcome = match scenario {
            Scenario::Question => game::question(&mut trial).await,
            Scenario::Burst => game::burst(&mut trial).await,
            Scenario::Release => game::release(&mut trial).await,
            Scenario::Takeover => takeover::takeover(&mut trial).await,
            _ => game::reconnect(&mut trial).await,
        };
        outcomes.push(outcome.with_context(|| name)?);
    }
    if let (Some(last), false) = (outcomes.last_mut(), scenarios.is_empty()) {
        trial.end_game(last).await?;
    }
    Ok(outcomes)
}

/// A smaller game before the big one: what a service needs but once counts for no player. How many played; none over several
/// nodes, each with a memory of its own.
async fn warm_up(options: &Options, venue: &Venue) -> anyhow::Result<usize> {
    if venue.endpoints.len() > 1 {
        return Ok(0);
    }
    let players = options.sizes.players.div_ceil(5);
    let course = Course { players, rounds: 1, questions: 1, think: Duration::ZERO };
    evening::full_game(venue, VirtualUsers::here()?, course).await?;
    Ok(players)
}

/// A scenario that has a server of its own.
async fn other(options: &Options, scenario: Scenario) -> anyhow::Result<Option<Outcome>> {
    let sizes = &options.sizes;
    let course =
        Course { players: sizes.players, rounds: 2, questions: sizes.questions.div_ceil(2), think: sizes.think() };
    let mut place = start(options, options.keeping).await?;
    let venue = place.venue();
    let outcome = match scenario {
        Scenario::Stalled => {
            let measured = sizes.questions.min(14);
            let lengths = [quiz::round(measured), vec![LONG; sizes.fillers.min(70)], quiz::round(measured)].concat();
            let mut trial = open(options, &venue, &quiz::of(&[lengths])).await?;
            trial.join(SILENT).await?;
            game::stalled(&mut trial, (measured, SILENT)).await?
        }
        Scenario::Evening => evening::full_game(&venue, users(options)?, course).await?,
        Scenario::Phones => phones::phones(&venue, sizes.players, sizes.questions).await?,
        Scenario::Preload => {
            let audience = Audience { players: sizes.players, spread: sizes.spread() };
            preload::preload(&venue, audience).await?
        }
        Scenario::Soak => evening::soak(&venue, course, sizes.soak()).await?,
        Scenario::ManyGames => many::many_games(&venue, load(sizes)).await?,
        Scenario::Restart => {
            let Place::Started(server) = &mut place else { return Ok(None) };
            let every = Duration::from_millis(400);
            let load = Load { players: sizes.players_per_live_game, questions: 3, every, ..load(sizes) };
            many::restart(&venue, server, load).await?
        }
        _ => return Ok(None),
    };
    Ok(Some(outcome))
}

/// The games of `many-games`.
fn load(sizes: &Sizes) -> Load {
    Load {
        games: sizes.games,
        players: sizes.players_per_game,
        questions: sizes.questions.div_ceil(2),
        every: sizes.pace(),
    }
}

async fn open(options: &Options, venue: &Venue, quiz: &QuizBody) -> anyhow::Result<Trial> {
    Trial::open(venue, users(options)?, options.sizes.players, quiz).await
}

fn users(options: &Options) -> anyhow::Result<VirtualUsers> {
    if options.workers > 0 { VirtualUsers::in_processes(options.workers) } else { VirtualUsers::here() }
}

async fn start(options: &Options, keeping: Keeping) -> anyhow::Result<Place> {
    if options.endpoints.is_empty() {
        let recipe = Recipe { program: options.server.clone(), keeping, settings: Vec::new() };
        return Ok(Place::Started(Box::new(Server::start(&recipe).await?)));
    }
    Ok(Place::Given(Venue {
        endpoints: options.endpoints.clone(),
        is_first_spare: options.scenarios.contains(&Scenario::Takeover),
        token: options.token.clone().context("a running server needs --token")?,
        processes: Processes::new(options.processes.iter().copied()),
        beside: options.beside.clone(),
    }))
}

/// The same games with one process and `SQLite`, when those before were on nodes that run already.
async fn on_sqlite(options: &Options) -> anyhow::Result<Outcome> {
    let alone = Options { endpoints: Vec::new(), ..options.clone() };
    let place = start(&alone, options.keeping).await?;
    let outcome = many::many_games(&place.venue(), load(&options.sizes)).await?;
    Ok(Outcome { scenario: many::ON_SQLITE.to_owned(), ..outcome })
}

fn progress(options: &Options) -> ProgressBar {
    if options.quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
