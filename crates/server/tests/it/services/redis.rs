//! A separate Redis for a test, on loopback, without persistence. It ends when it is dropped, and also when the test process is
//! killed.
//!
//! A shell starts it, and kills it as soon as the shell's standard input ends, which happens in either case.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

use crate::process::signal;

/// Starts the server, prints its process id, and ends it when its own standard input ends.
const SUPERVISOR: &str = r#""$@" </dev/null 2>&1 & pid=$!; echo "$pid"; exec >&-; read _; kill -9 "$pid"; wait "$pid""#;

/// Tries of a start: another process may take a port before the server starts.
const TRIES: usize = 5;

/// A running server, or one that was killed and may be started again.
pub struct Redis {
    port: u16,
    folder: TempDir,
    kind: Kind,
    run: Option<Run>,
}

/// The kind of server to start.
#[derive(Debug, Clone, Default)]
pub struct Kind {
    /// Additional arguments.
    pub arguments: Vec<String>,
    /// The whole configuration of a sentinel, in place of arguments.
    pub sentinel: Option<String>,
    /// Whether the server accepts only TLS.
    pub tls: bool,
}

struct Run {
    shell: Child,
    input: Option<ChildStdin>,
    pid: u32,
}

impl Redis {
    /// A server that keeps everything in memory.
    pub fn start() -> Self {
        Self::start_as(Kind::default())
    }

    /// A server of this kind.
    pub fn start_as(kind: Kind) -> Self {
        let mut redis = Self { port: 0, folder: tempfile::tempdir().unwrap(), kind, run: None };
        for _ in 0..TRIES {
            redis.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if redis.try_start() {
                return redis;
            }
            redis.folder = tempfile::tempdir().unwrap();
        }
        panic!("redis-server does not start on any port");
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}", if self.kind.tls { "rediss" } else { "redis" }, self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The kind of this server.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The process id while the server runs.
    pub fn pid(&self) -> u32 {
        self.run.as_ref().expect("it was killed").pid
    }

    /// Sends SIGKILL, and waits for the end. All data is lost.
    pub fn kill(&mut self) {
        if let Some(mut run) = self.run.take() {
            drop(run.input.take());
            run.shell.wait().unwrap();
        }
    }

    /// Starts it again after [`Self::kill`], on the same port.
    pub fn start_again(&mut self) {
        assert!(self.run.is_none(), "it runs");
        assert!(self.try_start(), "its port was taken by another");
    }

    /// SIGSTOP.
    pub fn stop(&self) {
        signal(self.pid(), "STOP");
    }

    /// SIGCONT.
    pub fn cont(&self) {
        signal(self.pid(), "CONT");
    }

    /// Removes all data.
    pub fn flush_all(&self) {
        self.run_command(&["FLUSHALL"]);
    }

    /// Closes all connections.
    pub fn kill_clients(&self) {
        self.run_command(&["CLIENT", "KILL", "TYPE", "normal"]);
    }

    /// Runs any command of a client.
    pub fn run_command(&self, words: &[&str]) -> redis::Value {
        self.try_command(words).unwrap()
    }

    /// The same for a server that may close the connection.
    pub fn try_command(&self, words: &[&str]) -> redis::RedisResult<redis::Value> {
        let mut connection = redis::Client::open(self.url())?.get_connection()?;
        redis::cmd(words[0]).arg(&words[1..]).query(&mut connection)
    }

    fn try_start(&mut self) -> bool {
        let mut shell = Command::new("sh")
            .args(["-c", SUPERVISOR, "supervisor", "redis-server"])
            .args(self.arguments())
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
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
        drop(run.input.take());
        run.shell.wait().unwrap();
        false
    }

    fn arguments(&self) -> Vec<String> {
        if let Some(configuration) = &self.kind.sentinel {
            let file = self.folder.path().join("sentinel.conf");
            // The file is kept between starts: the server stores there which server is the master.
            if !file.exists() {
                std::fs::write(&file, format!("bind 127.0.0.1\nport {}\n{configuration}", self.port)).unwrap();
            }
            return vec![file.display().to_string(), "--sentinel".into()];
        }
        let port = self.port.to_string();
        let ports = if self.kind.tls { ["--port", "0", "--tls-port", &port].to_vec() } else { vec!["--port", &port] };
        let fixed = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0"];
        ports.into_iter().chain(fixed).map(str::to_owned).chain(self.kind.arguments.iter().cloned()).collect()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_ready(said: &mut BufReader<ChildStdout>) -> bool {
    for line in said.lines().map_while(Result::ok) {
        if line.contains("Ready to accept connections") || line.contains("Sentinel ID is") {
            return true;
        }
        if line.contains("Failed listening") || line.contains("FATAL") {
            println!("{line}");
            return false;
        }
    }
    false
}

/// Makes an authority and a certificate for 127.0.0.1 signed by it, with `openssl`, in the folder.
pub fn make_certificates(folder: &Path) {
    let openssl = |words: &[&str]| {
        let made = Command::new("openssl").args(words).current_dir(folder).stderr(Stdio::null()).status().unwrap();
        assert!(made.success(), "openssl {words:?}");
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    let authority =
        ["req", "-x509", "-subj", "/CN=authority of a test", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem"];
    openssl(&[&authority[..], &key].concat());
    openssl(
        &[&["req", "-subj", "/CN=a server of a test", "-keyout", "key.pem", "-out", "request.pem"], &key[..]].concat(),
    );
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n").unwrap();
    openssl(&[
        "x509",
        "-req",
        "-in",
        "request.pem",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        "names",
        "-out",
        "cert.pem",
    ]);
}
