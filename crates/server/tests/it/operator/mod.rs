//! What an operator works with: the package, the service manager, monitoring, proxies in front, settings.
//!
//! Programs of other projects (dpkg, nginx, Prometheus…) are used as in Debian, on loopback and in a temporary folder. When one
//! is missing, the test reports that it was not run; with `CI=true` it fails.

mod audit;
mod chart;
mod handbook;
mod libraries;
mod notify;
mod package;
mod package_extras;
mod prometheus;
pub mod proxies;
mod settings;
mod unix_socket;

use std::env;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use crate::docs::not_run;
use crate::process::HOST_TOKEN;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// How long another project's program may take to listen.
const START: Duration = Duration::from_secs(20);

/// Whether these programs are installed; when one is missing, `what` is listed as not run.
pub fn are_there(what: &str, programs: &[&str]) -> bool {
    let missing: Vec<_> = programs.iter().filter(|name| find(name).is_none()).collect();
    if !missing.is_empty() {
        not_run(&format!("{what} ({missing:?} not installed)"));
    }
    missing.is_empty()
}

/// The path of a program; daemons are not on every user's path.
fn find(name: &str) -> Option<PathBuf> {
    let path = env::var("PATH").unwrap_or_default();
    path.split(':').chain(["/usr/sbin", "/sbin"]).map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}

pub fn program(name: &str) -> Command {
    Command::new(find(name).unwrap())
}

/// The only file in a folder whose name begins like this.
fn one(folder: &Path, begin: &str) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = files.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(begin));
    let (Some(file), None) = (found.next(), found.next()) else { panic!("not one {begin} in {}", folder.display()) };
    file
}

/// The output of a command that has to succeed, errors included.
pub fn printed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = text_of(&output);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A program that is killed at the end of the test.
pub struct Running {
    child: Child,
    output: NamedTempFile,
}

impl Running {
    /// Starts it and waits until it listens.
    pub fn start(command: &mut Command, address: SocketAddr) -> Self {
        let output = NamedTempFile::new().unwrap();
        command.stdin(Stdio::null()).stdout(output.reopen().unwrap()).stderr(output.as_file().try_clone().unwrap());
        let mut running = Self { child: command.spawn().unwrap(), output };
        let end = Instant::now() + START;
        while TcpStream::connect(address).is_err() {
            let ended = running.child.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < end, "{command:?} does not listen on {address}: {ended:?}");
            std::thread::yield_now();
        }
        running
    }

    /// What it has written so far.
    pub fn said(&self) -> String {
        fs::read_to_string(self.output.path()).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address on loopback that was free a moment ago.
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Plays a whole game against this address with the example script.
fn play(url: &str) {
    let mut python = Command::new("timeout");
    python.args(["60", "python3", "docs/examples/play.py"]).current_dir(ROOT).env("no_proxy", "*");
    python.env("QUIZHALL_URL", url).env("QUIZHALL_HOST_TOKEN", HOST_TOKEN);
    let shown = printed(&mut python);
    assert!(shown.ends_with("1. Ann: 1500\n2. Ben: 1000\n"), "{url}: {shown}");
}
