//! The command line: `play`, `evening`, `bench` and `baseline`. Prints the outcome; the work is done elsewhere.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, Parser, Subcommand};
use quizhall_client::{Endpoint, Token};
use quizhall_protocol::http::quizzes::QuizBody;
use uuid::Uuid;

use crate::bench::{Beside, Keeping, Scenario, Sizes};
use crate::pace::Think;
use crate::{baseline, bench, descriptors, full_game, play, users};

/// Bots for Quizhall: players to see a game live, full games that host themselves and check every message, measurements.
#[derive(Debug, Parser)]
#[command(name = "quizhall-load", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// A PEM file of certificate authorities to trust besides the system's, for a server behind https.
    #[arg(long, env = "QUIZHALL_CA_FILE", value_name = "FILE", global = true)]
    ca: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Sends bots into a game that a person hosts.
    Play(Play),
    /// Hosts a whole game with bots and checks every message; exit code 1 when one is not as it must be.
    Evening(FullGame),
    /// Measures a server and checks every answer on the way; exit code 1 when something is not as it must be.
    Bench(Box<Bench>),
    /// Serves as the baseline: what the same work costs without handshake, rules and results. Orders come on standard input.
    Baseline(Baseline),
    /// Serves as a part of the virtual users, for a bench with `--workers`.
    #[command(name = users::worker::COMMAND, hide = true)]
    UsersWorker,
}

#[derive(Debug, Args)]
struct Play {
    /// The server, such as <http://127.0.0.1:8080> or <https://quiz.example.org>.
    #[arg(long, env = "QUIZHALL_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// The game's code.
    #[arg(long)]
    game: String,
    /// How many bots.
    #[arg(long, default_value_t = 20)]
    players: usize,
    /// How long they think.
    #[arg(long, default_value = "2s..12s")]
    think: Think,
    /// Seed of their names and moods; another one every time when absent.
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Debug, Args)]
struct FullGame {
    /// The server, such as <http://127.0.0.1:8080> or <https://quiz.example.org>; several nodes: the bots are spread over them one by one.
    #[arg(long = "url", env = "QUIZHALL_URL", default_value = "http://127.0.0.1:8080", value_name = "URL", num_args = 1..)]
    urls: Vec<String>,
    /// A host's bearer token.
    #[arg(long, env = "QUIZHALL_HOST_TOKEN", hide_env_values = true)]
    token: String,
    /// How many bots.
    #[arg(long, default_value_t = 20)]
    players: usize,
    /// How many teams, in place of players: the phones of a team answer in turn, and some of them leave and come back.
    #[arg(long, conflicts_with = "players")]
    teams: Option<usize>,
    /// How many phones each team has, 2 to 12.
    #[arg(long, default_value_t = 4, requires = "teams", value_parser = clap::value_parser!(u8).range(2..=12))]
    devices: u8,
    /// A quiz as JSON, in the format of `quizhall quiz export`; it is deleted again in the end.
    #[arg(long, conflicts_with = "quiz_id")]
    quiz: Option<PathBuf>,
    /// A quiz the host has.
    #[arg(long)]
    quiz_id: Option<Uuid>,
    #[command(flatten)]
    features: full_game::Features,
    /// Rounds at most [default: all of a given quiz, 2 of an invented one].
    #[arg(long)]
    rounds: Option<usize>,
    /// Questions per round at most [default: all of a given quiz, 4 of an invented one].
    #[arg(long)]
    questions: Option<usize>,
    /// How long players think.
    #[arg(long, default_value = "500ms..3s")]
    think: Think,
    /// Chance per player and question to leave and come back, 0 to 1; above 0 some rounds are cut short too.
    #[arg(long, default_value_t = 0.0)]
    chaos: f64,
    /// Seed of everything left to chance on this side; another one every time when absent.
    #[arg(long)]
    seed: Option<u64>,
    /// Lost connections are no violations: the server is stopped on purpose.
    #[arg(long)]
    allow_losses: bool,
    /// The outcome as JSON, and nothing else on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Bench {
    /// Scenarios, in this order [default: all but phones, preload and soak].
    #[arg(value_enum)]
    scenarios: Vec<Scenario>,
    #[command(flatten)]
    sizes: Sizes,
    /// How often all of it.
    #[arg(long, default_value_t = 1)]
    passes: usize,
    /// With the baseline beside it, on the same work.
    #[arg(long)]
    baseline: bool,
    /// A node that runs already (several: the players are spread over them); a server is started when absent.
    #[arg(long = "url", value_name = "URL")]
    urls: Vec<String>,
    /// A host's bearer token for it.
    #[arg(long, env = "QUIZHALL_HOST_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The process of a node that runs on this machine, to be measured.
    #[arg(long = "pid", value_name = "PID")]
    processes: Vec<u32>,
    /// A process that the nodes use, such as a database, to be measured by this name with its children.
    #[arg(long, value_name = "NAME=PID")]
    beside: Vec<Beside>,
    /// Processes that the players are spread over, for more of them than one may have descriptors.
    #[arg(long, default_value_t = 0)]
    workers: usize,
    /// The service's program, when it is not beside this one.
    #[arg(long, value_name = "FILE")]
    server: Option<PathBuf>,
    /// Where a started server keeps its database.
    #[arg(long, value_enum, default_value = "disk")]
    store: Keeping,
    /// Write everything as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// No progress display.
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Args)]
struct Baseline {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Store each answer in a new database of `SQLite`, and acknowledge it once that is synced.
    #[arg(long, value_name = "FILE")]
    durable: Option<PathBuf>,
}

/// What `bench` plays when nothing is named.
const USUAL: [Scenario; 9] = [
    Scenario::Lobby,
    Scenario::Question,
    Scenario::Burst,
    Scenario::Release,
    Scenario::Reconnect,
    Scenario::Stalled,
    Scenario::Evening,
    Scenario::ManyGames,
    Scenario::Restart,
];

/// Runs a command; `false` when a full game saw violations or a bench found something wrong.
pub async fn run(cli: Cli) -> anyhow::Result<bool> {
    let endpoint = |url: &String| Endpoint::parse_with_ca(url, cli.ca.as_deref()).context("--url");
    match cli.command {
        Command::Play(arguments) => run_play(endpoint(&arguments.url)?, arguments).await,
        Command::Evening(arguments) => {
            let nodes = arguments.urls.iter().map(endpoint).collect::<anyhow::Result<_>>()?;
            run_full_game(nodes, arguments).await
        }
        Command::Bench(arguments) => {
            let endpoints = arguments.urls.iter().map(endpoint).collect::<anyhow::Result<_>>()?;
            run_bench(endpoints, *arguments).await
        }
        Command::Baseline(arguments) => baseline::serve(arguments.listen, arguments.durable.as_deref()).map(|()| true),
        Command::UsersWorker => users::worker::serve().await.map(|()| true),
    }
}

async fn run_bench(endpoints: Vec<Endpoint>, arguments: Bench) -> anyhow::Result<bool> {
    // Opened before ten minutes of measuring, not after them.
    let json = arguments.json.as_deref().map(|path| provide(path).context("--json")).transpose()?;
    let scenarios = if arguments.scenarios.is_empty() { USUAL.to_vec() } else { arguments.scenarios };
    let document = bench::run(&bench::Options {
        scenarios,
        sizes: arguments.sizes,
        passes: arguments.passes,
        baseline: arguments.baseline,
        endpoints,
        token: arguments.token.map(Token::new),
        processes: arguments.processes,
        beside: arguments.beside,
        workers: arguments.workers,
        server: arguments.server,
        keeping: arguments.store,
        quiet: arguments.quiet,
    })
    .await?;
    print(&document.to_string())?;
    if let Some(file) = json {
        fill(file, &serde_json::to_string_pretty(&document)?).context("--json")?;
    }
    Ok(document.holds())
}

/// Opens a file for writing, and makes missing folders. Its content stays until the new one is ready.
pub fn provide(path: &Path) -> anyhow::Result<File> {
    let named = || path.display().to_string();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(named)?;
    }
    File::options().write(true).create(true).truncate(false).open(path).with_context(named)
}

/// Replaces the content of the file with `text`, or appends it to a pipe.
pub fn fill(mut file: File, text: &str) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

async fn run_play(endpoint: Endpoint, arguments: Play) -> anyhow::Result<bool> {
    ensure!(arguments.players > 0, "--players must be at least 1");
    descriptors::provide_for(arguments.players)?;
    let summary = play::run(play::Options {
        endpoint,
        code: arguments.game.trim().to_uppercase(),
        players: arguments.players,
        think: arguments.think,
        seed: arguments.seed.unwrap_or_else(rand::random),
    })
    .await?;
    print(&summary.to_string())?;
    Ok(true)
}

async fn run_full_game(nodes: Vec<Endpoint>, arguments: FullGame) -> anyhow::Result<bool> {
    let (players, devices) = match arguments.teams {
        Some(teams) => (teams, Some(arguments.devices)),
        None => (arguments.players, None),
    };
    ensure!(players > 0, "--players and --teams start at 1");
    ensure!(arguments.rounds != Some(0) && arguments.questions != Some(0), "--rounds and --questions start at 1");
    ensure!((0.0..=1.0).contains(&arguments.chaos), "--chaos is a chance, from 0 to 1");
    descriptors::provide_for(players * devices.map_or(1, usize::from))?;
    let source = match (&arguments.quiz, arguments.quiz_id) {
        (Some(path), _) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("--quiz {}", path.display()))?;
            let body: QuizBody = serde_json::from_str(&text).with_context(|| format!("--quiz {}", path.display()))?;
            full_game::Source::Body(body)
        }
        (None, Some(id)) => full_game::Source::Stored(id),
        (None, None) => full_game::Source::Invented,
    };
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let report = full_game::run(full_game::Options {
        nodes,
        token: Token::new(arguments.token),
        players,
        devices,
        source,
        rounds: arguments.rounds,
        questions: arguments.questions,
        features: arguments.features,
        think: arguments.think,
        chaos: arguments.chaos,
        seed,
        allow_losses: arguments.allow_losses,
        quiet: arguments.json,
    })
    .await?;
    let text = if arguments.json { serde_json::to_string_pretty(&report)? } else { format!("seed {seed}: {report}") };
    print(&text)?;
    Ok(report.ok)
}

fn print(text: &str) -> anyhow::Result<()> {
    // A reader that has closed its end is no reason to fail loudly.
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}
