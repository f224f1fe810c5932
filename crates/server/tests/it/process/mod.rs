//! The real binary as a child process on loopback, with its data in a temporary folder. Dropping it kills it.

#![allow(clippy::unwrap_used, reason = "a test that cannot start its server has failed")]

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use quizhall_client::{Api, Endpoint, Token};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The host token of every server that tests start.
pub const HOST_TOKEN: &str = "a-token-for-tests-only-0123456789";

/// How long a start may take in a test: the promise is 5 s, a loaded machine gets more before the test gives up.
const START: Duration = Duration::from_secs(20);

/// Log lines kept until a test reads them; a server that logs more waits, which no test comes near.
const LINES: usize = 65_536;

/// A running server.
pub struct Server {
    child: Child,
    address: SocketAddr,
    log: mpsc::Receiver<String>,
    /// Lines received while waiting for the end.
    said: RefCell<Vec<String>>,
    /// How long it took from the start of the process until it listened.
    pub started_in: Duration,
}

/// Raises this process's limit of descriptors to the highest allowed value, for tests with many connections.
pub fn raise_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

/// How to start a server.
pub struct Launch<'a> {
    /// The folder of the database.
    pub folder: &'a Path,
    /// Further environment variables.
    pub environment: &'a [(&'a str, &'a str)],
    /// Words before the binary, such as those of a tracer.
    pub wrapper: &'a [&'a str],
}

impl<'a> Launch<'a> {
    /// With the defaults of tests: limits per address are raised, because all clients have one address here.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, environment: &[], wrapper: &[] }
    }
}

impl Server {
    /// Starts the binary and waits until it listens.
    pub fn start(launch: &Launch<'_>) -> Self {
        let binary = env!("CARGO_BIN_EXE_quizhall");
        let mut words = launch.wrapper.iter().copied().chain([binary, "serve"]);
        let begun = Instant::now();
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("BIND_ADDR", "127.0.0.1:0")
            .env("DATABASE_URL", format!("sqlite://{}/quizhall.db", launch.folder.display()))
            .env("QUIZHALL_HOST_TOKEN", HOST_TOKEN)
            .env("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "1000000")
            .envs(launch.environment.iter().copied())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (lines, log) = mpsc::sync_channel(LINES);
        let (found, listening) = mpsc::sync_channel(LINES);
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(address) = address_of(&line) {
                    let _ = found.send(address);
                }
                let _ = lines.send(line);
            }
        });
        let Ok(address) = listening.recv_timeout(START) else {
            let _ = child.kill();
            panic!("the server did not listen; its log: {:#?}", log.iter().collect::<Vec<_>>());
        };
        Self { child, address, log, said: RefCell::default(), started_in: begun.elapsed() }
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The endpoint for the client library.
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::parse(&self.url()).unwrap()
    }

    /// The API with the host token.
    pub fn api(&self) -> Api {
        Api::new(self.endpoint()).with_token(Token::new(HOST_TOKEN))
    }

    /// The process id of the server, or of its tracer.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGKILL, and waits for the end.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM, and waits for the end.
    pub fn terminate(&mut self, time_limit: Duration) -> ExitStatus {
        signal(self.id(), "TERM");
        self.wait(time_limit)
    }

    /// Waits for the end.
    pub fn wait(&mut self, time_limit: Duration) -> ExitStatus {
        let end = Instant::now() + time_limit;
        // Its standard output ends with it.
        while let Ok(line) = self.log.recv_timeout(end.saturating_duration_since(Instant::now())) {
            self.said.borrow_mut().push(line);
        }
        assert!(Instant::now() < end, "the server has not ended within {time_limit:?}");
        self.child.wait().unwrap()
    }

    /// The log lines since the last call.
    pub fn log(&self) -> Vec<String> {
        let mut lines = self.said.take();
        lines.extend(self.log.try_iter());
        lines
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a process that this test started.
pub fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &process.to_string()]).status().unwrap();
    assert!(sent.success(), "the process has ended");
}

/// Whether a process has ended, even if its parent has not collected it.
pub fn has_ended(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state(&stat).is_none_or(|state| state == "Z")
}

/// Sends SIGSTOP, and waits until every thread of the process is stopped.
pub fn stop(process: u32) {
    signal(process, "STOP");
    let is_stopped = |thread: std::io::Result<std::fs::DirEntry>| {
        let stat = std::fs::read_to_string(thread.unwrap().path().join("stat")).unwrap();
        state(&stat) == Some("T")
    };
    while !std::fs::read_dir(format!("/proc/{process}/task")).unwrap().all(is_stopped) {
        std::thread::yield_now();
    }
}

/// The state in a `stat` file of `/proc`; it follows the name, which may contain any characters.
fn state(stat: &str) -> Option<&str> {
    stat.rsplit_once(')')?.1.split_whitespace().next()
}

fn address_of(line: &str) -> Option<SocketAddr> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    line.get("address")?.as_str()?.parse().ok()
}
