//! The files of deploy/ for proxies: through each, a whole game is played over https and wss, with the certificate of an
//! authority that the test creates.
//!
//! The files are used unchanged, except for the name, the ports and the paths that their comments ask an operator to change.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use quizhall_client::{Endpoint, Token};
use quizhall_load::Think;
use quizhall_load::full_game::{Features, Options, Source, run};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{ROOT, Running, are_there, free_address, printed, program};
use crate::process::{HOST_TOKEN, Launch, Server};

/// How many unknown codes an address may try.
const GUESSES: u32 = 3;

/// A service as each of the files requires it, a certificate, and addresses for the proxy.
struct Stage {
    folder: TempDir,
    server: Server,
    secure: SocketAddr,
    plain: SocketAddr,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (secure, plain) = (free_address(), free_address());
        let public = format!("https://localhost:{}", secure.port());
        let guesses = GUESSES.to_string();
        let environment = [
            ("PUBLIC_URL", public.as_str()),
            ("TRUSTED_PROXIES", "127.0.0.1"),
            ("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", guesses.as_str()),
        ];
        let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
        make_certificate(folder.path());
        Self { folder, server, secure, plain }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn address_of_the_server(&self) -> String {
        self.server.url().replace("http://", "")
    }

    /// A game over https and wss works; metrics are not exposed; plain http redirects to https; a made-up address is not trusted.
    fn judge(&self) {
        let url = format!("https://localhost:{}", self.secure.port());
        let authority = self.path("ca.crt");
        full_game(Endpoint::parse_with_ca(&url, Some(&authority)).unwrap());
        let ask = |words: &[&str]| {
            let mut curl = Command::new("curl");
            curl.args(["--silent", "--show-error", "--max-time", "10", "--noproxy", "*", "--cacert"]).arg(&authority);
            printed(curl.args(["--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}"]).args(words))
        };
        assert_eq!(ask(&[&format!("{url}/readyz")]), "200 ");
        assert_eq!(ask(&[&format!("{url}/metrics")]), "404 ");
        let plain = ask(&[&format!("http://localhost:{}/host?x=1", self.plain.port())]);
        assert!(plain.starts_with("308 https://localhost"), "{plain}");
        // Unknown codes count against the address of the client that the proxy sees, whatever address the client claims.
        let guess = |from: &str, said: &str| {
            let body = r#"{"gameCode":"AAAAAA","displayName":"x"}"#;
            let said = format!("X-Forwarded-For: {said}");
            ask(&[
                "--interface",
                from,
                "-H",
                &said,
                "-H",
                "Content-Type: application/json",
                "-d",
                body,
                &format!("{url}/join"),
            ])
        };
        for number in 1..=GUESSES {
            assert_eq!(guess("127.0.0.2", &format!("203.0.113.{number}")), "404 ");
        }
        assert_eq!(guess("127.0.0.2", "203.0.113.200"), "429 ");
        assert_eq!(guess("127.0.0.3", "127.0.0.2"), "404 ");
    }
}

/// While the service is away, the proxy's lines about errors do not have the address of the request, which holds a token.
fn keeps_tokens(mut stage: Stage, proxy: &Running) {
    stage.server.kill();
    let url = format!("https://localhost:{}/ws/AAAAAA?token=qp_canary", stage.secure.port());
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--max-time", "20", "--noproxy", "*", "--cacert"]).arg(stage.path("ca.crt"));
    let status = printed(curl.args(["--output", "/dev/null", "--write-out", "%{http_code}", &url]));
    assert!(["502", "503"].contains(&status.as_str()), "{status}");
    let said = proxy.said();
    assert!(!said.contains("qp_canary"), "{said}");
}

/// A game of the load tool, which checks every message.
pub(super) fn full_game(node: Endpoint) {
    let options = Options {
        nodes: vec![node],
        token: Token::new(HOST_TOKEN),
        players: 3,
        devices: None,
        source: Source::Invented,
        rounds: Some(1),
        questions: Some(2),
        features: Features::default(),
        think: Think { from: Duration::from_millis(1), to: Duration::from_millis(20) },
        chaos: 0.0,
        seed: 1,
        quiet: true,
        allow_losses: false,
    };
    let report = Runtime::new().unwrap().block_on(run(options)).unwrap();
    assert!(report.ok, "{report}");
}

/// A file of deploy/ with these replacements; each of them must occur in it.
pub fn deployed(name: &str, replacements: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string(Path::new(ROOT).join("deploy").join(name)).unwrap();
    for (from, to) in replacements {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    text
}

/// An authority, and a certificate from it for `localhost`; the certificate and its key are also in one file.
pub fn make_certificate(folder: &Path) {
    let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=test authority' \
            -keyout ca.key -out ca.crt\n\
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout site.key -out site.csr\n\
        printf 'subjectAltName=DNS:localhost' >extensions\n\
        openssl x509 -req -in site.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out site.crt\n\
        cat site.crt site.key >site.pem\n";
    printed(Command::new("sh").args(["-euc", script]).current_dir(folder));
}

#[test]
fn a_game_is_played_through_caddy() {
    if !are_there("a game through caddy", &["caddy", "openssl", "curl"]) {
        return;
    }
    let stage = Stage::new();
    let (certificate, key) = (stage.path("site.crt"), stage.path("site.key"));
    let tls = format!("tls {} {}", certificate.display(), key.display());
    let ports = format!("admin off\nhttp_port {}\nhttps_port {}\nlog default", stage.plain.port(), stage.secure.port());
    let replacements = [
        ("#tls /etc/ssl/quiz.example.org.crt /etc/ssl/quiz.example.org.key", tls.as_str()),
        ("log default", ports.as_str()),
    ];
    let path = stage.path("Caddyfile");
    fs::write(&path, deployed("Caddyfile", &replacements)).unwrap();
    let mut caddy = program("caddy");
    caddy.args(["run", "--adapter", "caddyfile", "--config"]).arg(&path);
    caddy.env("SITE", format!("localhost:{}", stage.secure.port())).env("UPSTREAM", stage.address_of_the_server());
    caddy.env("HOME", stage.folder.path()).env("XDG_DATA_HOME", stage.folder.path());
    let caddy = Running::start(&mut caddy, stage.secure);
    stage.judge();
    keeps_tokens(stage, &caddy);
}

/// The main file of an nginx that keeps everything in this folder, with these sites.
pub fn main_file(folder: &Path, sites: &str) -> String {
    let folder = folder.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary: Vec<_> = temporary.iter().map(|name| format!("{name}_temp_path {folder}/{name};\n")).collect();
    let temporary = temporary.concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{temporary}{sites}}}\n"
    )
}

#[test]
fn a_game_is_played_through_nginx() {
    if !are_there("a game through nginx", &["nginx", "openssl", "curl"]) {
        return;
    }
    let stage = Stage::new();
    let (secure, plain) = (format!("listen {} ssl http2;", stage.secure), format!("listen {};", stage.plain));
    let (certificate, key) = (stage.path("site.crt"), stage.path("site.key"));
    let server = format!("server {};", stage.address_of_the_server());
    let site = deployed(
        "nginx.conf",
        &[
            ("listen 443 ssl http2;", &secure),
            ("listen 80;", &plain),
            ("/etc/ssl/quiz.example.org.crt", certificate.to_str().unwrap()),
            ("/etc/ssl/quiz.example.org.key", key.to_str().unwrap()),
            ("quiz.example.org", "localhost"),
            ("server 127.0.0.1:8080;", &server),
        ],
    );
    let path = stage.path("nginx.conf");
    fs::write(&path, main_file(stage.folder.path(), &site)).unwrap();
    let nginx = Running::start(program("nginx").args(["-e", "stderr", "-c"]).arg(&path), stage.secure);
    stage.judge();
    keeps_tokens(stage, &nginx);
}

#[test]
fn a_game_is_played_through_haproxy() {
    if !are_there("a game through haproxy", &["haproxy", "openssl", "curl"]) {
        return;
    }
    let stage = Stage::new();
    let (secure, plain) = (format!("bind {} ssl", stage.secure), format!("bind {}\n", stage.plain));
    let (pem, server) = (stage.path("site.pem"), format!("server one {}", stage.address_of_the_server()));
    let text = deployed(
        "haproxy-tls.cfg",
        &[
            ("bind :443 ssl", &secure),
            ("bind :80\n", &plain),
            ("/etc/haproxy/quiz.example.org.pem", pem.to_str().unwrap()),
            ("server one 127.0.0.1:8080", &server),
            ("maxconn 65536", "maxconn 100"),
        ],
    );
    let path = stage.path("haproxy.cfg");
    fs::write(&path, &text).unwrap();
    let haproxy = Running::start(program("haproxy").args(["-db", "-f"]).arg(&path), stage.secure);
    stage.judge();
    drop(haproxy);
    // Three machines, as the comments describe: the servers with health checks replace the one without.
    let text = text.replace(&format!("    {server}\n"), "").replace("    #server", "    server");
    let address = stage.address_of_the_server();
    let three = ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map(|node| format!("{node}:8080"));
    fs::write(&path, three.iter().fold(text, |text, node| text.replace(node, &address))).unwrap();
    let haproxy = Running::start(program("haproxy").args(["-db", "-f"]).arg(&path), stage.secure);
    let url = format!("https://localhost:{}", stage.secure.port());
    full_game(Endpoint::parse_with_ca(&url, Some(&stage.path("ca.crt"))).unwrap());
    keeps_tokens(stage, &haproxy);
}

/// The balancer of the containers, with the nodes that it would find by name.
#[test]
fn a_game_is_played_through_the_balancer_of_the_containers() {
    if !are_there("a game through the balancer of the containers", &["haproxy"]) {
        return;
    }
    let stage = Stage::new();
    let (public, server) =
        (format!("bind {}\n", stage.plain), format!("server one {}\n", stage.address_of_the_server()));
    let replacements = [
        ("maxconn 130000", "maxconn 100"),
        ("bind :8080\n", public.as_str()),
        ("server-template node 10 quizhall:8080\n", &server),
        ("resolvers engine\n    nameserver engine 127.0.0.11:53\n    hold valid 2s\n", ""),
        (" resolvers engine init-addr none", ""),
    ];
    let path = stage.path("haproxy.cfg");
    fs::write(&path, deployed("haproxy.cfg", &replacements)).unwrap();
    let _haproxy = Running::start(program("haproxy").args(["-db", "-f"]).arg(&path), stage.plain);
    full_game(Endpoint::parse(&format!("http://{}", stage.plain)).unwrap());
}
