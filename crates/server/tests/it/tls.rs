//! A service that is reached over TLS by every client: the library, the load tool, the conformance suite and the example script.
//! None of them sends it anything before its certificate is verified.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser as _;
use quizhall_client::{Api, Carrier, Endpoint, Incoming, Phase, Seat, Socket, Token, View};
use quizhall_conformance::Options;
use quizhall_load::cli::{Cli, run};
use quizhall_protocol::from_host::ReleaseQuestion;
use quizhall_protocol::http::games::Game;
use quizhall_protocol::{FromHost, Role};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::timeout;

use crate::docs::{ROOT, not_run};
use crate::golden::table::{Stage, Table, quiz};
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::tls_front::{Forwarding, Front};

/// The longest that a step may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The error of every client for a certificate whose issuer it does not know.
const REFUSAL: &str = "the certificate of localhost is not accepted: its issuer is unknown here";

/// As in a container without ca-certificates.
#[test]
fn a_machine_without_certificate_authorities_runs_the_service_which_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("authorities");
    let missing = missing.to_str().unwrap();
    let environment = [("SSL_CERT_FILE", missing), ("SSL_CERT_DIR", missing)];
    let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
    let log = server.log();
    let named = log.iter().filter(|line| line.contains("this machine has no certificate authorities")).count();
    assert!(named > 0, "{log:?}");
}

/// A server, and a front whose certificate is for `localhost`.
struct Service {
    ca: PathBuf,
    url: String,
    _forwarding: Forwarding,
    _server: Server,
    _folder: TempDir,
}

impl Service {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let front = Front::listen(folder.path(), "localhost").await;
        let (ca, url) = (front.ca.clone(), front.url.clone());
        let environment = [("PUBLIC_URL", url.as_str()), ("SIGN_INS_PER_MINUTE_PER_ADDRESS", "1000")];
        let server = Server::start(&Launch { environment: &environment, ..Launch::new(folder.path()) });
        let forwarding = front.forward(&server.url());
        Self { ca, url, _forwarding: forwarding, _server: server, _folder: folder }
    }

    fn api(&self) -> Api {
        let endpoint = Endpoint::parse_with_ca(&self.url, Some(&self.ca)).unwrap();
        Api::new(endpoint).with_token(Token::new(HOST_TOKEN))
    }

    /// Runs `quizhall-load` with these words and the address; `is_trusted` makes it trust the authority.
    async fn load(&self, words: &str, is_trusted: bool) -> anyhow::Result<bool> {
        let words = format!("quizhall-load {words} --url {}", self.url);
        let ca = is_trusted.then(|| ["--ca", self.ca.to_str().unwrap()]);
        let cli = Cli::try_parse_from(words.split(' ').chain(ca.into_iter().flatten())).unwrap();
        timeout(TIMEOUT, run(cli)).await.unwrap()
    }
}

/// One service for all of them: each step is about another client.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_client_plays_over_tls_and_trusts_no_unknown_certificate() {
    let service = Service::start().await;
    the_client_library_plays(&service).await;
    the_load_tool_plays_checks_and_measures(&service).await;
    the_conformance_suite_judges(&service).await;
    the_example_script_plays(&service).await;
    a_certificate_that_cannot_be_trusted_ends_every_attempt(&service).await;
}

async fn the_client_library_plays(service: &Service) {
    let api = service.api();
    let stored = api.create_quiz(&quiz()).await.unwrap();
    let table = Table::open(&api, stored.id, Stage::Ended).await;
    assert_eq!(table.results(&api).await.phase, "ended");
}

async fn the_load_tool_plays_checks_and_measures(service: &Service) {
    let api = service.api();
    let quiz = api.create_quiz(&quiz()).await.unwrap();
    let game = api.create_game(quiz.id).await.unwrap();
    let bots = format!("play --game {} --players 3 --think 1ms..20ms --seed 4", game.game_code);
    let (played, ()) = tokio::join!(service.load(&bots, true), host(&api, &game));
    assert!(played.unwrap());
    let token = format!("--token {HOST_TOKEN}");
    let full = format!("evening {token} --players 3 --rounds 1 --questions 2 --think 1ms..20ms");
    assert!(service.load(&full, true).await.unwrap());
    let bench = format!("bench question {token} --players 5 --questions 2 --quiet");
    assert!(service.load(&bench, true).await.unwrap());
}

/// Hosts one round of one question for three players.
async fn host(api: &Api, game: &Game) {
    let token = api.token().unwrap().clone();
    let credentials = Seat { code: game.game_code.clone(), token, role: Role::Host };
    let mut socket = Socket::connect(api.endpoint(), &credentials, Carrier::Bearer).await.unwrap();
    let mut view = View::new();
    view.connected();
    until(&mut socket, &mut view, |view| view.player_count == 3).await;
    let question_id = game.rounds[0].questions[0].id.unwrap();
    for order in [FromHost::StartGame, FromHost::ReleaseQuestion(ReleaseQuestion { question_id })] {
        socket.send_host(&order).await.unwrap();
    }
    until(&mut socket, &mut view, |view| view.counts.get(&question_id).is_some_and(|count| *count > 0)).await;
    for order in [FromHost::EndRound, FromHost::ReleaseScores, FromHost::EndGame] {
        socket.send_host(&order).await.unwrap();
    }
    until(&mut socket, &mut view, |view| view.phase == Phase::Ended).await;
}

async fn until(socket: &mut Socket, view: &mut View, so: impl Fn(&View) -> bool) {
    while !so(view) {
        match timeout(TIMEOUT, socket.next()).await.unwrap().unwrap() {
            Incoming::Message(message) => view.apply(&message),
            Incoming::Closed(closed) => panic!("{closed:?}"),
        }
    }
}

async fn the_conformance_suite_judges(service: &Service) {
    let options = Options { filter: Some("sockets/".to_owned()), ..Options::new(&service.url, HOST_TOKEN) };
    let trusting = Options { ca: Some(service.ca.clone()), ..options.clone() };
    let report = quizhall_conformance::run(trusting).await;
    assert!(report.is_green() && report.outcomes.len() >= 10, "{report}");
    let report = quizhall_conformance::run(options).await;
    assert!(!report.is_green() && report.to_string().contains(REFUSAL), "{report}");
}

async fn the_example_script_plays(service: &Service) {
    let script = |is_trusted: bool| {
        let mut command = Command::new("python3");
        command.arg("docs/examples/play.py").current_dir(ROOT).kill_on_drop(true);
        command.env("QUIZHALL_URL", &service.url).env("QUIZHALL_HOST_TOKEN", HOST_TOKEN).env("no_proxy", "localhost");
        command.envs(is_trusted.then_some(("QUIZHALL_CA_FILE", &service.ca)));
        command
    };
    let Ok(played) = timeout(TIMEOUT, script(true).output()).await.unwrap() else {
        return not_run("the example script over TLS (python3 not installed; apt install python3)");
    };
    let shown = String::from_utf8_lossy(&played.stdout);
    assert!(shown.ends_with("1. Ann: 1500\n2. Ben: 1000\n"), "{played:?}");
    let refused = timeout(TIMEOUT, script(false).output()).await.unwrap().unwrap();
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("the certificate of localhost is not accepted: "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

async fn a_certificate_that_cannot_be_trusted_ends_every_attempt(service: &Service) {
    let unknown = Api::new(Endpoint::parse(&service.url).unwrap());
    let error = unknown.readiness().await.unwrap_err().to_string();
    assert!(error.contains(REFUSAL), "{error}");
    let seat = Seat { code: "ABC234".to_owned(), token: Token::new("qp_x"), role: Role::Player };
    let error = Socket::connect(unknown.endpoint(), &seat, Carrier::Bearer).await.unwrap_err();
    assert!(error.is_final() && error.to_string().contains(REFUSAL), "{error}");
    for words in ["play --game ABC234", "evening --token x", "bench lobby --token x --players 2 --quiet"] {
        let error = format!("{:#}", service.load(words, false).await.unwrap_err());
        assert!(error.contains(REFUSAL), "{words}: {error}");
    }

    let folder = tempfile::tempdir().unwrap();
    let other = Front::listen(folder.path(), "quiz.example.org").await;
    let wrong = Api::new(Endpoint::parse_with_ca(&other.url, Some(&other.ca)).unwrap());
    let _forwarding = other.forward("http://127.0.0.1:9");
    let error = wrong.readiness().await.unwrap_err().to_string();
    assert!(error.contains("the certificate of localhost is not accepted: it was issued for another name"), "{error}");
}
