//! The whole service without its listener: requests are passed directly to the router.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request};
use quizhall::app::App;
use quizhall::auth::{Hosts, Provider, Shared};
use quizhall::cluster::members::Cluster;
use quizhall::config::Config;
use quizhall::games::{GameOptions, GameRegistry};
use quizhall::health::Health;
use quizhall::library::sample_quiz;
use quizhall::limits::JoinLimits;
use quizhall::media::Media;
use quizhall::retention::Retention;
use quizhall::serve;
use quizhall::store::{StoreOptions, connect};
use quizhall::telemetry::Metrics;
use quizhall::webhooks::Webhooks;
use quizhall::ws::Sockets;
use quizhall_protocol::http::problem::Problem;
use quizhall_rules::{Actor, AnswerText, Command, GameId, PlayerId, QuestionId};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;

/// The fixed token of every stage.
pub const SCRIPT: &str = "a-fixed-token-of-tests";

/// A service on a database of its own.
pub struct Stage {
    pub app: Arc<App>,
    pub folder: TempDir,
    router: Router,
}

impl Stage {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A service with these settings in addition to the defaults.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::on(TempDir::new().unwrap(), settings).await
    }

    /// A service on a folder that may contain a database already.
    pub async fn on(folder: TempDir, settings: &[(&str, &str)]) -> Self {
        Self::build(folder, settings, Shared::default()).await
    }

    /// A service as one of several nodes, with what they share.
    pub async fn sharing(settings: &[(&str, &str)], shared: Shared) -> Self {
        Self::build(TempDir::new().unwrap(), settings, shared).await
    }

    async fn build(folder: TempDir, settings: &[(&str, &str)], shared: Shared) -> Self {
        let url = format!("sqlite://{}", folder.path().join("q.db").display());
        let mut pairs = vec![("DATABASE_URL", url.as_str()), ("QUIZHALL_HOST_TOKEN", SCRIPT)];
        pairs.push(("PUBLIC_URL", "https://quiz.example.org"));
        pairs.extend_from_slice(settings);
        let config = Config::from_pairs(&pairs).unwrap();
        let store = connect(config.storage.database_url.expose_secret(), StoreOptions::default()).await.unwrap();
        let options = GameOptions { command_timeout: config.game.command_timeout, ..GameOptions::default() };
        let registry = GameRegistry::new(Arc::clone(&store), options);
        let retention = Retention::of_service(Arc::clone(&store), config.retention, registry.clone(), false);
        let app = Arc::new(App {
            retention,
            cluster: Cluster::solo(registry.clone()),
            registry,
            joins: JoinLimits::new(&config.identity, shared.limits.clone()),
            media: Media::new(shared.limits.clone()),
            webhooks: Webhooks::new(Arc::clone(&store), config.webhooks.clone(), shared.limits.clone()),
            hosts: Hosts::new(Arc::clone(&store), &config.identity, sample_quiz, shared).await.unwrap(),
            provider: config.oidc.clone().map(|oidc| Provider::new(oidc, Arc::clone(&store))),
            health: Health::new(false),
            sockets: Sockets::start(config.sockets.clone(), 100, 1 << 24),
            metrics: Metrics::start(),
            store,
            config,
        });
        Self { router: serve::router(&app), app, folder }
    }

    pub async fn send(&self, ask: Ask) -> Reply {
        let response = self.router.clone().oneshot(ask.request()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// A quiz that belongs to the script, with one round of these questions.
    pub async fn quiz(&self, questions: Value) -> String {
        let body = json!({"title": "A quiz", "rounds": [{"title": "One", "questions": questions}]});
        let reply = self.send(Ask::post("/api/v1/quizzes", &body).bearer(SCRIPT)).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["id"].as_str().unwrap().to_owned()
    }

    /// A game that belongs to the script, with a small quiz: its id and its code.
    pub async fn game(&self) -> (String, String) {
        let quiz = self.quiz(json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}])).await;
        self.game_of(&quiz).await
    }

    pub async fn game_of(&self, quiz: &str) -> (String, String) {
        let reply = self.send(Ask::post("/api/v1/games", &json!({"quizId": quiz})).bearer(SCRIPT)).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let game = reply.json();
        (game["id"].as_str().unwrap().to_owned(), game["gameCode"].as_str().unwrap().to_owned())
    }

    pub async fn join(&self, code: &str, name: &str) -> Reply {
        self.send(Ask::join(code, name)).await
    }

    /// Creates an account with the password "long enough", and a session of it: its token.
    pub async fn host(&self, name: &str) -> String {
        self.app.hosts.create(name, "long enough".into(), false).await.unwrap();
        // Each check of a password takes as long as its hash.
        self.app.hosts.issue_token(name).await.unwrap().token.expose().to_owned()
    }
}

/// A game of the script. Its host and its players send their commands to the game itself.
pub struct Evening<'a> {
    pub stage: &'a Stage,
    pub id: String,
    pub code: String,
    pub questions: Vec<QuestionId>,
    pub players: Vec<PlayerId>,
    /// The players' tokens.
    pub sessions: Vec<String>,
}

impl Stage {
    /// A game in its lobby, created by this request, with these players.
    pub async fn evening(&self, new: &Value, names: &[&str]) -> Evening<'_> {
        let made = self.send(Ask::post("/api/v1/games", new).bearer(SCRIPT)).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let made = made.json();
        let text = |field: &str| made[field].as_str().unwrap().to_owned();
        let asked = made["rounds"].as_array().unwrap().iter().flat_map(|round| round["questions"].as_array().unwrap());
        let questions = asked.map(|question| serde_json::from_value(question["id"].clone()).unwrap()).collect();
        let (id, code) = (text("id"), text("gameCode"));
        let mut evening = Evening { stage: self, id, code, questions, players: Vec::new(), sessions: Vec::new() };
        for name in names {
            let joined = self.join(&evening.code, name).await.json();
            evening.players.push(serde_json::from_value(joined["playerId"].clone()).unwrap());
            evening.sessions.push(joined["sessionToken"].as_str().unwrap().to_owned());
        }
        evening
    }
}

impl Evening<'_> {
    pub fn path(&self, of: &str) -> String {
        format!("/api/v1/games/{}{of}", self.id)
    }

    /// Reads what belongs to the game, as its host.
    pub async fn get(&self, of: &str) -> Reply {
        self.stage.send(Ask::get(&self.path(of)).bearer(SCRIPT)).await
    }

    pub async fn delete(&self, of: &str) -> u16 {
        self.stage.send(Ask::new("DELETE", &self.path(of)).bearer(SCRIPT)).await.status
    }

    pub async fn host(&self, commands: &[Command]) {
        crate::http_join::host(self.stage, &self.id, commands).await;
    }

    /// Carries out a command of this player.
    pub async fn player(&self, player: PlayerId, command: Command) {
        let id: GameId = serde_json::from_value(json!(self.id)).unwrap();
        let game = self.stage.app.registry.by_id(id).await.unwrap().unwrap();
        game.command(Actor::Player(player), command).await.unwrap();
    }

    /// The players, in the order of joining, answer a question of this number.
    pub async fn answers(&self, question: usize, texts: &[&str]) {
        for (player, text) in self.players.iter().zip(texts) {
            let answer = AnswerText::parse(text).unwrap();
            let submit = Command::SubmitAnswer { question: self.questions[question], answer, elapsed: None };
            self.player(*player, submit).await;
        }
    }
}

/// A request that is being put together.
#[derive(Clone)]
pub struct Ask {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    from: IpAddr,
}

impl Ask {
    pub fn new(method: &str, path: &str) -> Self {
        let (method, from) = (method.parse().unwrap(), "192.0.2.1".parse().unwrap());
        Self { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new(), from }
    }

    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    pub fn post(path: &str, body: &Value) -> Self {
        Self::new("POST", path).json(body)
    }

    pub fn join(code: &str, name: &str) -> Self {
        Self::post("/join", &json!({"gameCode": code, "displayName": name}))
    }

    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn from(self, address: &str) -> Self {
        Self { from: address.parse().unwrap(), ..self }
    }

    fn request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method).uri(self.path);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request = request.extension(ConnectInfo(SocketAddr::new(self.from, 40_000)));
        request.body(Body::from(self.body)).unwrap()
    }
}

/// Status, headers and body.
type Bytes = (u16, Vec<(String, Vec<u8>)>, Vec<u8>);

/// A complete answer.
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The problem, after checking that it is a proper one.
    pub fn problem(&self) -> Problem {
        assert_eq!(self.header("content-type"), "application/problem+json", "{} {}", self.status, self.text());
        let problem: Problem = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(problem.status, self.status);
        assert!(problem.kind.starts_with("/problems/") && !problem.title.is_empty() && !problem.detail.is_empty());
        problem
    }

    /// Status and the name of the kind of problem.
    pub fn kind(&self) -> (u16, String) {
        (self.status, self.problem().kind.trim_start_matches("/problems/").to_owned())
    }

    /// Status and the field at fault.
    pub fn field(&self) -> (u16, Option<String>) {
        (self.status, self.problem().field)
    }

    /// Everything by which a client can distinguish two answers.
    pub fn bytes(&self) -> Bytes {
        let headers = self.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
        (self.status, headers.collect(), self.body.clone())
    }
}
