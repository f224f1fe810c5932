//! The command line: the commands of the binary and their output. Only this module writes to standard output.
//!
//! Called by `main`. Exit codes: 0 done, 1 failed, 2 the command line or a setting is wrong (then nothing was touched),
//! 3 a stop of the service was cut short.

mod audit;
mod backup;
mod backup_folder;
mod games;
mod host_export;
mod hosts;
mod init;
pub mod nodes;
mod password;
mod players;
mod probe;
mod progress;
mod purge;
mod quizzes;
mod settings;
mod stopping;
mod streams;
mod verify;
pub mod verify_game;

use std::env;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::{ArgMatches, Command as ClapCommand, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use secrecy::ExposeSecret as _;
use tokio::runtime::{Builder, Runtime};

use crate::auth::{Hosts, Shared};
use crate::config::{Config, ConfigArgs, FILE_VARIABLE, Problem, Sources};
use crate::library::sample_quiz;
use crate::retention::Retention;
use crate::store::{self, Store};
use crate::{serve, telemetry, tls};

/// The exit code for a wrong command line or setting, the same as clap's.
const WRONG_USE: u8 = 2;

/// An argument names something that does not exist or is unsuitable: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct WrongUse(String);

/// Live quiz evenings: one host, many phones.
///
/// Every setting is a flag, an environment variable (also with QUIZHALL_ in front) or a line of the settings file; the first
/// of these that is given wins.
#[derive(Debug, Parser)]
#[command(name = "quizhall", version = telemetry::build::long_version(), after_help = "Without a command, the service is started.")]
struct Cli {
    /// The settings file, in TOML [default: /etc/quizhall/quizhall.toml, if it is there].
    #[arg(long, env = FILE_VARIABLE, value_name = "FILE", global = true)]
    config: Option<String>,
    #[command(flatten)]
    settings: ConfigArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the service (the default).
    Serve,
    /// Create the database, or bring its tables up to this version, and say what was done.
    Init,
    /// Copy the database into a file or to standard output, also while the service runs.
    Backup(backup::BackupArgs),
    /// Replace the database with a backup, while no service runs. The previous database is kept next to it.
    Restore(backup::RestoreArgs),
    /// Check every setting, report likely mistakes, and do nothing else.
    CheckConfig(settings::CheckArgs),
    /// The settings of this machine.
    #[command(subcommand)]
    Config(settings::ConfigCommand),
    /// Games, for operators.
    #[command(subcommand)]
    Game(games::GameCommand),
    /// Accounts of hosts.
    #[command(subcommand)]
    Host(hosts::HostCommand),
    /// The serving nodes according to the database, and which of them owns which games. The list works even when no node answers.
    Nodes(nodes::NodesArgs),
    /// Quizzes as JSON files.
    #[command(subcommand)]
    Quiz(quizzes::QuizCommand),
    /// Read everything that is stored and report damage. Changes nothing; works while a service runs.
    ///
    /// Exit code 0: no damage; 1: damage, a line for each on standard output; 2: there is no such database.
    Verify(verify::VerifyArgs),
    /// Check the proof of a sealed game: recompute seal, marks, points, ranks and boards, and name what the host decided otherwise.
    ///
    /// Needs no database. Exit code 0: the file agrees with its seal and its boards; 1: it does not, with the first disagreement;
    /// 2: the file cannot be read.
    VerifyGame(verify_game::VerifyGameArgs),
    /// Players of games.
    #[command(subcommand)]
    Player(players::PlayerCommand),
    /// Delete for good what is due: deleted games after the grace period, and ended games older than the settings allow.
    Purge(purge::PurgeArgs),
    /// Ask the service on this machine whether it lives: exit code 0 if so. For health checks of containers.
    Probe,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Does what the command line requests.
pub fn main() -> ExitCode {
    tls::choose_provider();
    let first = command().get_matches();
    if let Some(Command::Completions { shell }) = parsed(&first).command {
        clap_complete::generate(shell, &mut command(), "quizhall", &mut io::stdout());
        return ExitCode::SUCCESS;
    }
    let environment =
        env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let sources = match Sources::read(&command(), &first, environment, Path::new("/")) {
        Ok(sources) => sources,
        Err(problems) => return refuse(&problems),
    };
    let matches = sources.put_under(command()).get_matches();
    let cli = parsed(&matches);
    if let Some(Command::Config(settings::ConfigCommand::Show)) = cli.command {
        // Shown before the check, so that wrong settings are shown too.
        return done(settings::show(&sources.show(&command(), &matches)));
    }
    match Config::read(&cli.settings) {
        Ok(config) => done(run(cli.command.unwrap_or(Command::Serve), config)),
        Err(problems) => refuse(&problems),
    }
}

fn parsed(matches: &ArgMatches) -> Cli {
    Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

fn refuse(problems: &[Problem]) -> ExitCode {
    problems.iter().for_each(complain);
    ExitCode::from(WRONG_USE)
}

fn done(outcome: anyhow::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format!("{error:#}"));
            if error.is::<WrongUse>() {
                ExitCode::from(WRONG_USE)
            } else if error.is::<serve::Forced>() {
                ExitCode::from(serve::Forced::EXIT_CODE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// The command line for clap; the values of variables are never shown, because some are secrets.
pub fn command() -> ClapCommand {
    Cli::command().mut_args(|arg| arg.hide_env_values(true))
}

fn run(command: Command, config: Config) -> anyhow::Result<()> {
    match command {
        Command::Serve => run_service(config),
        Command::Init => runtime()?.block_on(init::run(&config.storage)),
        Command::Backup(args) => stopping::run(backup::back_up(args, &config.storage)),
        Command::Restore(args) => stopping::run(backup::restore(args, &config.storage)),
        Command::CheckConfig(args) => runtime()?.block_on(settings::check(args, config)),
        Command::Game(command) => with_store(config, |desk| games::run(command, desk)),
        Command::Host(command) => with_store(config, |desk| hosts::run(command, desk)),
        Command::Nodes(args) => nodes::run(args, config),
        Command::Quiz(command) => with_store(config, |desk| quizzes::run(command, desk)),
        Command::Verify(arguments) => stopping::run(verify::run(arguments, &config.storage)),
        Command::VerifyGame(arguments) => verify_game::run(&arguments),
        Command::Player(command) => with_store(config, |desk| players::run(command, desk)),
        Command::Purge(args) => with_store(config, |desk| purge::run(args, desk)),
        Command::Probe => probe::run(&config.listen),
        // Handled before the settings were checked.
        Command::Completions { .. } | Command::Config(settings::ConfigCommand::Show) => Ok(()),
    }
}

fn run_service(config: Config) -> anyhow::Result<()> {
    let log = telemetry::log::start(config.telemetry.log_level);
    telemetry::panic::install_hook();
    let runtime = Builder::new_multi_thread().enable_all().build().context("the runtime cannot start")?;
    let outcome = runtime.block_on(serve::serve(config, None));
    // Nothing that still runs is waited for: the drain had its time.
    runtime.shutdown_timeout(Duration::from_millis(100));
    drop(log);
    outcome
}

/// The tools of commands that manage data.
struct Desk {
    store: Arc<Store>,
    hosts: Hosts,
    retention: Retention,
}

fn with_store<F>(config: Config, work: impl FnOnce(Desk) -> F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    telemetry::log::start_for_command(config.telemetry.log_level);
    runtime()?.block_on(async move {
        let url = config.storage.database_url.expose_secret();
        let store = store::connect_existing(url, config.storage.options).await?;
        let hosts = Hosts::new(Arc::clone(&store), &config.identity, sample_quiz, Shared::default()).await?;
        let retention = Retention::of_command(Arc::clone(&store), config.retention);
        let outcome = work(Desk { store: Arc::clone(&store), hosts, retention }).await;
        store.close().await;
        outcome
    })
}

fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread().enable_all().build().context("the runtime cannot start")
}

/// One line on standard output.
fn print(line: impl Display) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{line}").context("standard output is closed")
}

fn complain(line: impl Display) {
    // When standard error is closed too, only the exit code reports the failure.
    let _ = writeln!(io::stderr(), "quizhall: {line}");
}
