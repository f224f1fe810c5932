//! A `PgBouncer` in front of a PostgreSQL of the tests, on loopback. It ends when it is dropped, and also when the test process is
//! killed.
//!
//! A shell starts it, and ends it as soon as the shell's standard input ends. `PgBouncer`, like PostgreSQL, refuses to run as root.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;
use url::Url;

use super::postgres::{as_user, folder, program};

/// Starts the program, and ends it when its own standard input ends.
const SUPERVISOR: &str = r#""$@" </dev/null >/dev/null & pid=$!; read _; kill -9 "$pid"; wait "$pid""#;

/// A running pooler.
pub struct PgBouncer {
    shell: Child,
    port: u16,
    _folder: TempDir,
}

impl PgBouncer {
    /// A pooler in front of the server of this URL, with this mode and these additional lines of settings.
    pub fn start(server: &str, mode: &str, settings: &str) -> Self {
        let server = Url::parse(server).unwrap();
        let folder = folder();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file_text = format!(
            "[databases]\n* = host=127.0.0.1 port={} user={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = any\npool_mode = {mode}\n{settings}\n",
            server.port().unwrap(),
            server.username(),
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, file_text).unwrap();
        let mut command = Command::new("sh");
        let shell = as_user(&mut command).args(["-c", SUPERVISOR, "sh"]).arg(program("pgbouncer")).arg(file);
        let shell = shell.current_dir(folder.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let mut log = BufReader::new(shell.stderr.take().unwrap());
        let is_up = log.by_ref().lines().map_while(Result::ok).any(|line| line.contains("process up"));
        assert!(is_up, "pgbouncer does not start");
        // No test reads the rest, but the pipe must be emptied.
        thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        Self { shell, port, _folder: folder }
    }

    /// The URL of the same database through the pooler.
    pub fn url(&self, server: &str) -> String {
        let mut url = Url::parse(server).unwrap();
        url.set_port(Some(self.port)).unwrap();
        url.into()
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
