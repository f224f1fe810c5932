//! The name of this process among others, and how long it may be silent.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;

use super::Problems;

/// The longest name, in characters.
const MAX_NAME: usize = 64;

/// This process as one of several.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// Its name for people. It need not be unique: the incarnation distinguishes nodes.
    pub name: String,
    /// How long the others may receive nothing from it before they may take over its games.
    pub lease: Duration,
    /// The place that it shares with other nodes; empty when there is none.
    pub zone: String,
    /// Whether a new game may go to a less busy node than the one that is asked for it.
    pub place_by_load: bool,
    /// Whether this node takes new traffic while the cache store is unavailable.
    pub ready_without_cache: bool,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Many machines")]
pub(super) struct ClusterArgs {
    /// What people know this process by in the list of nodes [default: this machine's name and the port].
    #[arg(long, env = "NODE_NAME", value_name = "NAME", global = true)]
    node_name: Option<String>,
    /// How long a node may be silent before the others take over its games.
    #[arg(long, env = "NODE_LEASE", default_value = "2s", value_name = "DURATION", global = true)]
    node_lease: String,
    /// The place that this node shares with others, such as a data centre. A game stays in the zone of most of its sockets while a node
    /// there can own it.
    #[arg(long, env = "NODE_ZONE", value_name = "ZONE", global = true)]
    node_zone: Option<String>,
    /// Whether a new game goes to another node of the zone when that is clearly less busy than the one that is asked for it. Set false
    /// when the balancer leads all sockets of a game to one node.
    #[arg(long, env = "PLACE_GAMES_BY_LOAD", default_value = "true", value_name = "BOOL", global = true)]
    place_games_by_load: String,
    /// Whether /readyz answers 200 with `degraded` while only the cache store is unavailable. For balancers that lead all sockets of
    /// a game to one node: its games go on there.
    #[arg(long, env = "READY_WITHOUT_CACHE", default_value = "false", value_name = "BOOL", global = true)]
    ready_without_cache: String,
}

impl ClusterArgs {
    pub(super) fn read(&self, address: SocketAddr, problems: &mut Problems) -> Cluster {
        let lease = Duration::from_secs(1)..=Duration::from_secs(60);
        let given = self.node_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        if given.is_some_and(|name| name.chars().count() > MAX_NAME || name.chars().any(char::is_control)) {
            problems.add("NODE_NAME", format!("must have at most {MAX_NAME} characters and no control characters."));
        }
        let zone = self.node_zone.as_deref().map(str::trim).unwrap_or_default();
        if zone.chars().count() > MAX_NAME || zone.chars().any(char::is_control) {
            problems.add("NODE_ZONE", format!("must have at most {MAX_NAME} characters and no control characters."));
        }
        Cluster {
            name: given.map_or_else(|| default_name(address.port()), str::to_owned),
            lease: problems.duration("NODE_LEASE", &self.node_lease, lease),
            zone: zone.to_owned(),
            place_by_load: problems.flag("PLACE_GAMES_BY_LOAD", &self.place_games_by_load),
            ready_without_cache: problems.flag("READY_WITHOUT_CACHE", &self.ready_without_cache),
        }
    }
}

/// The machine's name with the port; without it when a free port is chosen later.
fn default_name(port: u16) -> String {
    let machine = machine_name().unwrap_or_else(|| "quizhall".to_owned());
    if port == 0 { machine } else { format!("{machine}:{port}") }
}

/// The kernel's name for this machine, or the configured one; `None` when neither can be read.
fn machine_name() -> Option<String> {
    ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|path| {
        let text = fs::read_to_string(path).ok()?;
        let name: String = text.trim().chars().filter(|symbol| !symbol.is_control()).take(MAX_NAME - 6).collect();
        (!name.is_empty()).then_some(name)
    })
}
