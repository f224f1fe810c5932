//! The service that a bench starts for itself: the binary beside this one, on a free port of this machine, with a database
//! of its own and without the limits that hold off strangers (all clients come from one address here).

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use quizhall_client::{Api, Endpoint, Token};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use super::process::Processes;

/// How long a start may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Where a database is in memory.
const MEMORY: &str = "/dev/shm";

/// Where the database of a started server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Keeping {
    /// On disk, and synced with every commit.
    Disk,
    /// In a file system in memory: what storing costs without the disk.
    Memory,
}

/// How to start a server.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    pub(super) program: Option<PathBuf>,
    pub(super) keeping: Keeping,
    /// More settings, as environment variables.
    pub(super) settings: Vec<(String, String)>,
}

/// A server that was started here; it is ended when this is dropped.
pub(super) struct Server {
    process: Child,
    folder: TempDir,
    recipe: Recipe,
    pub(super) endpoint: Endpoint,
    pub(super) token: Token,
    port: u16,
}

impl Server {
    /// Starts one and waits until it is ready.
    pub(super) async fn start(recipe: &Recipe) -> anyhow::Result<Self> {
        let folder = match recipe.keeping {
            Keeping::Disk => tempfile::tempdir_in(disk_folder()),
            Keeping::Memory => tempfile::tempdir_in(MEMORY),
        }
        .context("a folder for the database")?;
        let port = free_port()?;
        let token = Token::new(format!("{:032x}", rand::random::<u128>()));
        let process = spawn(recipe, folder.path(), port, &token)?;
        let endpoint = Endpoint::parse(&format!("http://127.0.0.1:{port}"))?;
        let mut server = Self { process, folder, recipe: recipe.clone(), endpoint, token, port };
        server.ready().await?;
        Ok(server)
    }

    /// Ends it without a word, as a power cut does, and starts it again over the same database.
    pub(super) async fn crash_and_start(&mut self) -> anyhow::Result<()> {
        self.process.kill().await.context("ending the server")?;
        self.process = spawn(&self.recipe, self.folder.path(), self.port, &self.token)?;
        self.ready().await
    }

    pub(super) fn processes(&self) -> Processes {
        Processes::new(self.process.id())
    }

    async fn ready(&mut self) -> anyhow::Result<()> {
        let api = Api::new(self.endpoint.clone());
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            if let Some(status) = self.process.try_wait()? {
                bail!("the server stopped at its start: {status}\n{}", self.last_words());
            }
            if let Ok(Ok((200, _))) = timeout(Duration::from_secs(1), api.readiness()).await {
                return Ok(());
            }
            sleep(Duration::from_millis(2)).await;
        }
        bail!("the server was not ready within {TIMEOUT:?}\n{}", self.last_words())
    }

    fn last_words(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

/// The service's binary: the named one, or the one beside this program.
pub(super) fn program(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let own = std::env::current_exe().context("this program's file")?;
    let beside = own.with_file_name("quizhall");
    if !beside.is_file() {
        bail!(
            "there is no `quizhall` beside this program: build it, or name it with --server, or a running one with --url"
        );
    }
    Ok(beside)
}

/// Beside the binary, which is on a real disk; the system's folder for temporary files may be in memory.
pub(super) fn disk_folder() -> PathBuf {
    let own = std::env::current_exe().ok().and_then(|own| own.parent().map(Path::to_owned));
    own.unwrap_or_else(std::env::temp_dir)
}

/// A free port below 32768: from there on the system chooses ports for connections, also between two starts of a server.
pub(super) fn free_port() -> anyhow::Result<u16> {
    let mut ports = (0..100).map(|_| rand::random_range(11_000..32_768));
    ports.find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok()).context("no port is free")
}

fn spawn(recipe: &Recipe, folder: &Path, port: u16, token: &Token) -> anyhow::Result<Child> {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log"))?;
    let mut command = Command::new(program(recipe.program.as_deref())?);
    command
        .env_clear()
        .envs(std::env::vars().filter(|(name, _)| matches!(name.as_str(), "PATH" | "HOME" | "TMPDIR")))
        .env("BIND_ADDR", format!("127.0.0.1:{port}"))
        .env("DATABASE_URL", format!("sqlite://{}", folder.join("quizhall.db").display()))
        .env("QUIZHALL_HOST_TOKEN", token.reveal())
        .envs(RAISED_LIMITS)
        .envs(recipe.settings.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .kill_on_drop(true);
    command.spawn().context("the server could not be started")
}

/// Settings that raise the limits per address and per game: all virtual users come from one address.
pub(super) const RAISED_LIMITS: [(&str, &str); 9] = [
    ("LOG_LEVEL", "warn"),
    ("JOIN_QUEUE", "1000000"),
    ("JOINS_PER_SECOND_PER_GAME", "1000000"),
    ("UPGRADES_PER_SECOND", "1000000"),
    ("UPGRADES_PER_SECOND_PER_GAME", "1000000"),
    ("RECONNECTS_PER_SEAT", "1000000"),
    ("GAMES_PER_HOST", "100000"),
    ("MAX_PLAYERS", "100000"),
    ("FAILED_JOINS_PER_MINUTE", "1000000"),
];
