//! The binary `quizhall-conformance`: judges a server, or prints the rows by which it would be judged.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use quizhall_conformance::{Options, list, run};

/// The notes for a run that makes every mistake many times from one address.
const LIMITS: &str = "All rows come from one address and make every mistake many times. Raise REFUSED_UPGRADES_PER_SECOND and \
    RECONNECTS_PER_SEAT of the server (1000000), otherwise some rows fail with HTTP 503 or close code 4008; or give --default-limits, which takes longer. \
    The row limits/failed_joins uses up the address's failed joins for a minute; --failed-joins-per-minute 0 leaves it out.";

/// Judge any server of the quiz interface from outside, by tables.
#[derive(Parser)]
#[command(version, about, after_help = LIMITS)]
struct Arguments {
    /// The server: `http://host:port` or `https://host`
    #[arg(long, required_unless_present = "list")]
    url: Option<String>,
    /// Another node of the same service, for the host's sockets and API
    #[arg(long)]
    host_url: Option<String>,
    /// A PEM file of certificate authorities to trust besides the system's, for a server behind https
    #[arg(long, env = "QUIZHALL_CA_FILE", value_name = "FILE")]
    ca: Option<PathBuf>,
    /// A host's bearer token
    #[arg(
        long = "token",
        alias = "host-token",
        value_name = "TOKEN",
        env = "QUIZHALL_HOST_TOKEN",
        hide_env_values = true,
        required_unless_present = "list"
    )]
    host_token: Option<String>,
    /// Another host's bearer token; without it the suite creates an account
    #[arg(long = "second-token", alias = "second-host-token", value_name = "TOKEN")]
    second_host_token: Option<String>,
    /// Only rows whose id contains this
    #[arg(long)]
    filter: Option<String>,
    /// Groups of rows played at the same time
    #[arg(long, default_value_t = 6)]
    jobs: usize,
    /// Seconds to wait for one thing
    #[arg(long, default_value_t = 10)]
    time_limit: u64,
    /// Seconds to wait for closes that take the server's own time
    #[arg(long, default_value_t = 75)]
    longest_wait: u64,
    /// The server's limit of failed joins per minute and address; 0 leaves its row out
    #[arg(long, default_value_t = 10)]
    failed_joins_per_minute: u32,
    /// Stay below the default limits of a server: sockets are opened more slowly, and a refusal for their number is waited out
    #[arg(long)]
    default_limits: bool,
    /// Print the rows, or those that --filter selects, and stop: id, given, sent, expected, with tabs between them
    #[arg(long)]
    list: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.list {
        return print(&list(arguments.filter.as_deref().unwrap_or_default()));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let keeps_below = arguments.default_limits;
    let report = runtime.block_on(run(options(arguments)));
    print(&format!("{report}\n"))?;
    if !report.is_green() && !keeps_below {
        eprintln!("{LIMITS}");
    }
    Ok(if report.is_green() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options(arguments: Arguments) -> Options {
    let url = arguments.url.unwrap_or_default();
    Options {
        ca: arguments.ca,
        host_url: arguments.host_url,
        second_host_token: arguments.second_host_token,
        filter: arguments.filter,
        jobs: arguments.jobs,
        time_limit: Duration::from_secs(arguments.time_limit),
        longest_wait: Duration::from_secs(arguments.longest_wait),
        failed_joins_per_minute: arguments.failed_joins_per_minute,
        default_limits: arguments.default_limits,
        ..Options::new(&url, &arguments.host_token.unwrap_or_default())
    }
}

/// Writes to standard output; a closed pipe is not a failure.
fn print(text: &str) -> anyhow::Result<ExitCode> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}
