//! PostgreSQL for tests: a shared server for tests that need only a database, and separate ones for tests that kill it. On
//! loopback, in a temporary folder. It ends when it is dropped, and also when the test process is killed.
//!
//! A shell starts the server; as soon as the shell's standard input ends, it ends the server and removes the folder. PostgreSQL
//! refuses to run as root, so in that case it runs as `postgres` or `nobody`.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use quizhall::store::{StoreOptions, connect};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, PgConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::process::signal;

mod prepared;
mod standby;

/// Starts the server, prints its process id, and waits. A line of input: the server has been killed, and its folder is kept.
/// The end of the input: ends the server at once (also one that was stopped), and removes the folder.
const SUPERVISOR: &str = r#"
    folder=$1; shift
    "$@" </dev/null 2>&1 & pid=$!; echo "$pid"; exec 2>/dev/null
    if read -r _; then wait "$pid"; exit; fi
    kill -s CONT "$pid" $(cat "/proc/$pid/task/$pid/children")
    kill -s QUIT "$pid"; wait "$pid"
    rm -rf "$folder"
"#;

/// The database from which new ones are copied.
const TEMPLATE: &str = "quizhall_template";

/// Tries of a start: another process may take a port before the server starts.
const TRIES: usize = 5;

/// Enough time for a start after a kill, which has to recover.
const START: Duration = Duration::from_secs(30);

/// Whether the server keeps what it has acknowledged when its machine fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// As the service requires it.
    Kept,
    /// Fast, and refused by the service unless it is configured otherwise.
    Skipped,
}

/// A running server, or one that was killed and may be started again.
pub struct Postgres {
    durability: Durability,
    port: u16,
    folder: TempDir,
    run: Option<Run>,
    /// How a database with all tables is copied.
    template: OnceCell<String>,
}

struct Run {
    shell: Child,
    input: Option<ChildStdin>,
    pid: u32,
}

/// The server shared by tests that do not affect each other: not durable, with a database for each of them.
pub fn shared() -> &'static Postgres {
    static SHARED: OnceLock<Postgres> = OnceLock::new();
    SHARED.get_or_init(|| Postgres::start(Durability::Skipped))
}

impl Postgres {
    /// Starts a server for one test.
    pub fn start(durability: Durability) -> Self {
        let folder = folder();
        prepared::copy_to(&folder.path().join("data"));
        Self::on(folder, durability)
    }

    /// Starts a server with the data in `data` of this folder.
    pub fn on(folder: TempDir, durability: Durability) -> Self {
        let mut postgres = Self { durability, port: 0, folder, run: None, template: OnceCell::new() };
        for _ in 0..TRIES {
            postgres.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if postgres.try_start() {
                return postgres;
            }
        }
        panic!("postgres does not start on any port");
    }

    /// The URL of a database on this server.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://quizhall@127.0.0.1:{}/{database}", self.port)
    }

    /// The options with which a store opens databases on this server.
    pub fn options(&self) -> StoreOptions {
        StoreOptions { unsafe_durability: self.durability == Durability::Skipped, ..StoreOptions::default() }
    }

    /// Creates a database with all tables; returns its URL.
    pub async fn fresh_database(&self) -> String {
        let template = self.template.get_or_init(|| self.make_template()).await;
        self.create_database(template).await
    }

    /// Creates a database without any table; returns its URL.
    pub async fn empty_database(&self) -> String {
        self.create_database("").await
    }

    /// Removes a database, even while it is in use.
    pub async fn drop_database(&self, url: &str) {
        self.say(&format!("DROP DATABASE {} WITH (FORCE)", name_of(url))).await;
    }

    /// Closes all connections to a database from the server's side.
    pub async fn terminate_backends(&self, url: &str) {
        let mut connection = self.admin().await;
        sqlx::query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1")
            .bind(name_of(url))
            .execute(&mut connection)
            .await
            .unwrap();
    }

    /// Runs a statement that needs no database of its own.
    pub async fn say(&self, statement: &str) {
        self.admin().await.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
    }

    /// The folder with the server's data.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The process id while the server runs.
    pub fn pid(&self) -> u32 {
        self.run.as_ref().expect("it was killed").pid
    }

    /// Sends SIGSTOP to the server and all its processes.
    pub fn stop(&self) {
        self.signal_all("STOP");
    }

    /// Sends SIGCONT to the server and all its processes.
    pub fn cont(&self) {
        self.signal_all("CONT");
    }

    /// Sends SIGKILL to the server and all its processes, like a loss of power; waits for their end.
    pub fn kill(&mut self) {
        let Some(mut run) = self.run.take() else { return };
        let family = family(run.pid);
        for process in &family {
            let _ = Command::new("kill").args(["-s", "KILL", &process.to_string()]).stderr(Stdio::null()).status();
        }
        writeln!(run.input.take().unwrap(), "killed").unwrap();
        run.shell.wait().unwrap();
        let begun = Instant::now();
        while family.iter().any(|process| is_alive(*process)) {
            assert!(begun.elapsed() < START, "it does not end");
            std::thread::yield_now();
        }
    }

    /// Starts it again after [`Self::kill`], on the same port.
    pub fn start_again(&mut self) {
        assert!(self.run.is_none(), "it runs");
        assert!(self.try_start(), "its port was taken by another, or it cannot recover");
    }

    async fn make_template(&self) -> String {
        self.say(&format!("CREATE DATABASE {TEMPLATE}")).await;
        connect(&self.url(TEMPLATE), self.options()).await.unwrap().close().await;
        let version = sqlx::query_scalar("SELECT current_setting('server_version_num')::int");
        let version: i32 = version.fetch_one(&mut self.admin().await).await.unwrap();
        // From version 15 on, a copy passes through the log by default, which costs three times as much where nothing is synced.
        let is_by_file = version >= 150_000 && self.durability == Durability::Skipped;
        format!("TEMPLATE {TEMPLATE}{}", if is_by_file { " STRATEGY file_copy" } else { "" })
    }

    async fn create_database(&self, how: &str) -> String {
        let name = format!("test_{}", Uuid::now_v7().simple());
        self.say(&format!("CREATE DATABASE {name} {how}")).await;
        self.url(&name)
    }

    async fn admin(&self) -> PgConnection {
        PgConnectOptions::from_str(&self.url("postgres")).unwrap().connect().await.unwrap()
    }

    fn signal_all(&self, name: &str) {
        // The parent is first, so that it starts no more children.
        for process in family(self.pid()) {
            if is_alive(process) {
                signal(process, name);
            }
        }
    }

    fn try_start(&mut self) -> bool {
        let mut shell = as_user(&mut Command::new("sh"))
            .args(["-c", SUPERVISOR, "supervisor"])
            .arg(self.folder.path())
            .arg(program("postgres"))
            .arg("-D")
            .arg(self.data())
            .args(self.settings())
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = shell.stdin.take();
        let mut said = BufReader::new(shell.stdout.take().unwrap());
        let mut first = String::new();
        said.read_line(&mut first).unwrap();
        let mut run = Run { shell, input, pid: first.trim().parse().unwrap() };
        if is_ready(&mut said) {
            // No test reads the rest, but the pipe must be emptied.
            std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
            self.run = Some(run);
            return true;
        }
        writeln!(run.input.take().unwrap(), "it has ended").unwrap();
        run.shell.wait().unwrap();
        false
    }

    fn settings(&self) -> Vec<String> {
        let port = format!("port={}", self.port);
        let mut settings = vec![
            port.as_str(),
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "dynamic_shared_memory_type=mmap",
            "shared_buffers=32MB",
            "max_connections=400",
            "log_min_messages=log",
        ];
        if self.durability == Durability::Skipped {
            settings.extend(["fsync=off", "full_page_writes=off", "synchronous_commit=off"]);
        }
        settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting.to_owned()]).collect()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut run) = self.run.take() {
            drop(run.input.take());
            let _ = run.shell.wait();
        }
    }
}

/// A folder that belongs to the user that the server runs as.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    if let Some((user, group)) = unprivileged() {
        chown(folder.path(), Some(user), Some(group)).unwrap();
    }
    folder
}

/// Reads the log until the server accepts connections; `false` when it ends instead.
fn is_ready(said: &mut BufReader<ChildStdout>) -> bool {
    said.lines().map_while(Result::ok).any(|line| line.contains("ready to accept"))
}

/// A process and its children.
fn family(process: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    std::iter::once(process).chain(children.split_whitespace().map(|child| child.parse().unwrap())).collect()
}

/// Whether a process is running, and not only waiting for its parent to collect it.
fn is_alive(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

fn name_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

/// The path of a PostgreSQL program, which Debian does not put on the path.
pub fn program(name: &str) -> PathBuf {
    // Daemons are in sbin, which is only on root's path.
    let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().filter_map(Result::ok);
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort_by_key(|folder| version(folder));
    let found = std::env::split_paths(&path).chain(folders.into_iter().rev()).map(|folder| folder.join(name));
    found.into_iter().find(|file| file.is_file()).unwrap_or_else(|| panic!("this test needs {name}: .ci/needs {name}"))
}

fn version(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// The user and group to change to if this process runs as root.
fn unprivileged() -> Option<(u32, u32)> {
    static FOUND: OnceLock<Option<(u32, u32)>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let id = |arguments: &[&str]| {
            let output = Command::new("id").args(arguments).stderr(Stdio::null()).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().parse::<u32>().ok()
        };
        if id(&["-u"]) != Some(0) {
            return None;
        }
        ["postgres", "nobody"].into_iter().find_map(|user| Some((id(&["-u", user])?, id(&["-g", user])?)))
    })
}

/// Lets a command run as the user that the server runs as.
pub fn as_user(command: &mut Command) -> &mut Command {
    match unprivileged() {
        Some((user, group)) => command.uid(user).gid(group),
        None => command,
    }
}
