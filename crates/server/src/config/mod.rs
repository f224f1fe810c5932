//! Settings: flag > environment > settings file > default, read once at start; every mistake is reported together.
//!
//! Called by `cli`; everything else receives the finished [`Config`]. One file per concern. Reading changes nothing on
//! disk and never repeats a secret: an error does not contain the value of a variable that may hold one.

mod cluster;
mod drain;
mod game;
mod identity;
mod listen;
mod oidc;
pub mod parse;
mod problems;
mod retention;
mod sockets;
mod sources;
mod storage;
mod telemetry;
mod warnings;
mod webhooks;

use clap::builder::Resettable;
use clap::{Args, Command, FromArgMatches};
use quizhall_engine::Liveness;

pub use cluster::Cluster;
pub use drain::Drain;
pub use game::Game;
pub use identity::{Identity, MIN_HOST_TOKEN};
pub use listen::Listen;
pub use oidc::{Oidc, is_trusted};
pub use problems::{Problem, Problems};
pub use retention::Retention;
pub use sockets::{SocketLimits, SocketRates};
pub use sources::{FILE_VARIABLE, Shown, Sources};
pub use storage::Storage;
pub use telemetry::{Environment, Telemetry};
pub use webhooks::Webhooks;

/// Every setting of the service, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen, and the proxies in front.
    pub listen: Listen,
    /// Database and cache.
    pub storage: Storage,
    /// Tokens and the limits of joining and signing in.
    pub identity: Identity,
    /// The provider with which hosts may sign in, if there is one.
    pub oidc: Option<Oidc>,
    /// Which hosts webhooks may call.
    pub webhooks: Webhooks,
    /// Limits and pauses of a game.
    pub game: Game,
    /// Limits and timeouts of sockets.
    pub sockets: SocketLimits,
    /// Logs and metrics.
    pub telemetry: Telemetry,
    /// How the service stops.
    pub drain: Drain,
    /// How long games and sessions are kept.
    pub retention: Retention,
    /// This process as one of several.
    pub cluster: Cluster,
}

/// Every setting as text, from the command line and the environment.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    #[command(flatten)]
    listen: listen::ListenArgs,
    #[command(flatten)]
    storage: storage::StorageArgs,
    #[command(flatten)]
    identity: identity::IdentityArgs,
    #[command(flatten)]
    oidc: oidc::OidcArgs,
    #[command(flatten)]
    webhooks: webhooks::WebhookArgs,
    #[command(flatten)]
    game: game::GameArgs,
    #[command(flatten)]
    sockets: sockets::SocketArgs,
    #[command(flatten)]
    telemetry: telemetry::TelemetryArgs,
    #[command(flatten)]
    drain: drain::DrainArgs,
    #[command(flatten)]
    retention: retention::RetentionArgs,
    #[command(flatten)]
    cluster: cluster::ClusterArgs,
}

impl Config {
    /// Checks every setting.
    ///
    /// # Errors
    /// All mistakes, one sentence each, naming the variable.
    pub fn read(args: &ConfigArgs) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        let listen = args.listen.read(&mut problems);
        let config = Self {
            cluster: args.cluster.read(listen.bind_addr, &mut problems),
            oidc: args.oidc.read(listen.public_url.as_deref(), &mut problems),
            listen,
            storage: args.storage.read(&mut problems),
            identity: args.identity.read(&mut problems),
            webhooks: args.webhooks.read(&mut problems),
            game: args.game.read(&mut problems),
            sockets: args.sockets.read(&mut problems),
            telemetry: args.telemetry.read(&mut problems),
            drain: args.drain.read(&mut problems),
            retention: args.retention.read(&mut problems),
        };
        problems.into_result(config)
    }

    /// A configuration from pairs of variable and value, with defaults for the rest; the environment is not read. For
    /// tests and for embedding the service.
    ///
    /// # Errors
    /// As [`Config::read`]; also for an unknown variable.
    pub fn from_pairs(pairs: &[(&str, &str)]) -> Result<Self, Vec<Problem>> {
        let command = ConfigArgs::augment_args(Command::new("quizhall").no_binary_name(true));
        let mut flags = Vec::new();
        for (variable, value) in pairs {
            let Some(flag) = flag_of(&command, variable) else {
                return Err(vec![Problem::new(variable, "does not exist.")]);
            };
            flags.push(format!("--{flag}={value}"));
        }
        let command = command.mut_args(|arg| arg.env(Resettable::Reset));
        let matches = command.try_get_matches_from(flags).map_err(|error| vec![Problem::new("", error.to_string())])?;
        let args = ConfigArgs::from_arg_matches(&matches).map_err(|error| vec![Problem::new("", error.to_string())])?;
        Self::read(&args)
    }

    /// Whether other processes may serve together with this one: PostgreSQL stores the logs, and a cache store carries
    /// the messages between nodes.
    pub fn is_cluster(&self) -> bool {
        self.storage.is_postgres() && self.storage.redis_url.is_some()
    }

    /// How soon a silent owner is noticed: before others may take over the games of a node with this lease.
    pub fn liveness(&self) -> Liveness {
        if self.is_cluster() { Liveness::of_lease(self.cluster.lease) } else { Liveness::ALONE }
    }

    /// The address that people type, see [`Listen::people_type`].
    pub fn public_url(&self) -> String {
        self.listen.people_type()
    }
}

fn flag_of(command: &Command, variable: &str) -> Option<String> {
    let arg = command.get_arguments().find(|arg| arg.get_env().is_some_and(|name| name == variable))?;
    arg.get_long().map(str::to_owned)
}
