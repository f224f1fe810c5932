//! The service on a unix socket: a proxy plays a game over it, the probe finds it, and its file exists while the service runs.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use quizhall_client::Endpoint;

use super::proxies::full_game;
use super::{Running, are_there, free_address, program};
use crate::process::{HOST_TOKEN, signal};

/// How long a start or a stop may take on a busy machine.
const EFFECT: Duration = Duration::from_secs(20);

/// A service on a unix socket, killed at the end of the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(folder: &Path, word: &str) -> Command {
    let mut quizhall = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    quizhall.arg(word).env_clear().env("BIND_ADDR", format!("unix:{}", socket(folder)));
    quizhall.env("DATABASE_URL", format!("sqlite://{}/quizhall.db", folder.display()));
    quizhall.env("PUBLIC_URL", "https://quiz.example.org").env("QUIZHALL_HOST_TOKEN", HOST_TOKEN);
    quizhall.env("TRUSTED_PROXIES", "127.0.0.1").stdout(Stdio::null()).stderr(Stdio::null());
    quizhall
}

fn socket(folder: &Path) -> String {
    folder.join("http.sock").display().to_string()
}

/// Starts the service and waits until it answers.
fn start(folder: &Path) -> Service {
    let mut service = Service(command(folder, "serve").spawn().unwrap());
    let end = Instant::now() + EFFECT;
    while !probe(folder).success() {
        assert!(service.0.try_wait().unwrap().is_none() && Instant::now() < end, "it does not answer");
        thread::yield_now();
    }
    service
}

fn probe(folder: &Path) -> ExitStatus {
    command(folder, "probe").status().unwrap()
}

#[test]
fn the_socket_of_a_killed_service_is_replaced_and_that_of_a_stopped_one_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = socket(folder.path());
    let service = start(folder.path());
    assert!(probe(folder.path()).success());
    let second = command(folder.path(), "serve").status().unwrap();
    assert_eq!(second.code(), Some(1), "a socket in use is not replaced");
    assert!(probe(folder.path()).success());
    drop(service);
    assert!(fs::symlink_metadata(&path).unwrap().file_type().is_socket(), "a kill leaves the file behind");
    assert_eq!(probe(folder.path()).code(), Some(1));

    let mut service = start(folder.path());
    signal(service.0.id(), "TERM");
    assert!(service.0.wait().unwrap().success());
    assert!(!Path::new(&path).exists());

    fs::write(&path, "not a socket").unwrap();
    assert_eq!(command(folder.path(), "serve").status().unwrap().code(), Some(1));
    assert_eq!(fs::read_to_string(&path).unwrap(), "not a socket", "other files are not replaced");
}

#[test]
fn a_game_is_played_through_a_proxy_that_reaches_the_service_by_its_socket() {
    if !are_there("a proxy in front of a unix socket", &["caddy"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let _service = start(folder.path());
    let address = free_address();
    let site = format!("{{\n admin off\n}}\nhttp://{address} {{\n reverse_proxy unix/{}\n}}\n", socket(folder.path()));
    let settings = folder.path().join("Caddyfile");
    fs::write(&settings, site).unwrap();
    let mut caddy = program("caddy");
    caddy.args(["run", "--adapter", "caddyfile", "--config"]).arg(settings).env("HOME", folder.path());
    let _proxy = Running::start(&mut caddy, address);
    full_game(Endpoint::parse(&format!("http://{address}")).unwrap());
}
