//! Databases of earlier versions: this version opens a copy of each, and every game in it continues from its state and ends
//! with the results of the earlier version.
//!
//! They are in `tests/golden/VERSION-schemaN/`, each with its expected results. `make golden` writes one with the present code,
//! for later versions to open; this is done once for a version, at its release.

pub mod table;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quizhall_client::Api;
use quizhall_client::transport::Request;
use quizhall_protocol::http::hosts::{HostRole, NewHost, SignIn};
use quizhall_protocol::http::results::Results;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;
use uuid::Uuid;

use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres, program, shared};
use table::{Stage, Table, quiz};

const NAME: &str = "golden";
const PASSWORD: &str = "a password of a test";
/// A player without a socket leaves the lobby after this time; no test takes so long.
const LOBBY: (&str, &str) = ("LOBBY_GRACE", "10m");
/// Databases with old games must open as well as those with new ones.
const A_YEAR_AGO: &str = "UPDATE game SET created_at_ms = created_at_ms - 31536000000,
    ended_at_ms = ended_at_ms - 31536000000, active_at_ms = active_at_ms - 31536000000";
/// The variable that names the folder to be written.
const WRITE: &str = "QUIZHALL_GOLDEN";
/// The largest file that the repository should hold, in bytes.
const LIMIT: u64 = 600 << 10;

/// The results of the version that wrote a database.
#[derive(Serialize, Deserialize)]
struct Expected {
    quiz: Uuid,
    games: Vec<Recorded>,
}

#[derive(Serialize, Deserialize)]
struct Recorded {
    #[serde(flatten)]
    table: Table,
    /// The results when the database was written; `None` for a closed game.
    before: Option<Results>,
    /// The results after the game was continued to its end.
    after: Option<Results>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_databases_of_earlier_versions_are_played_on() {
    for folder in versions() {
        let copy = TempDir::new().unwrap();
        fs::copy(folder.join("sqlite.db"), copy.path().join("quizhall.db")).unwrap();
        let server = Server::start(&Launch { environment: &[LOBBY], ..Launch::new(copy.path()) });
        check(&server, &folder.join("sqlite.json")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_databases_of_earlier_versions_are_played_on() {
    let postgres = shared();
    for folder in versions() {
        let (url, unused) = (postgres.empty_database().await, TempDir::new().unwrap());
        let dump = folder.join("postgres.sql");
        run(Command::new(program("psql")).args(["--quiet", "--set=ON_ERROR_STOP=1", "--file"]).arg(dump).arg(&url));
        let environment = [LOBBY, ("DATABASE_URL", &url), ("UNSAFE_DATABASE", "true")];
        let server = Server::start(&Launch { environment: &environment, ..Launch::new(unused.path()) });
        check(&server, &folder.join("postgres.json")).await;
        drop(server);
        postgres.drop_database(&url).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_for_later_versions_are_made() {
    let folder = TempDir::new().unwrap();
    let made = folder.path().join("made");
    fs::create_dir(&made).unwrap();
    make_sqlite(folder.path(), &made).await;
    if let Some(wanted) = env::var_os(WRITE) {
        make_postgres(folder.path(), &made).await;
        let wanted = root().join(wanted);
        // `create_dir` fails if the folder exists, so none is overwritten.
        fs::create_dir(&wanted).unwrap();
        for file in fs::read_dir(&made).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), wanted.join(file.file_name())).unwrap();
        }
    }
    for file in fs::read_dir(&made).unwrap().map(Result::unwrap) {
        let length = file.metadata().unwrap().len();
        assert!(length < LIMIT, "{}: {length} bytes", file.path().display());
    }
}

/// Compares the service's results with those of the version that wrote the database.
async fn check(server: &Server, expected: &Path) {
    let expected: Expected = serde_json::from_slice(&fs::read(expected).unwrap()).unwrap();
    let api = signed_in(server).await;
    assert_eq!(api.quiz(expected.quiz).await.unwrap().title, quiz().title);
    assert_eq!(expected.games.len(), Stage::ALL.len());
    for Recorded { table, before, after } in expected.games {
        let stage = table.stage;
        let (Some(before), Some(after)) = (before, after) else {
            assert!(stage == Stage::Closed && table.state(&api).await.is_none(), "{stage:?}");
            continue;
        };
        let game = table.state(&api).await.unwrap_or_else(|| panic!("the game in {stage:?} is not found"));
        assert_eq!(Value::String(game.phase), serde_json::to_value(stage).unwrap());
        assert_eq!(game.player_count as usize, table.players.len());
        holds(&before, &table.results(&api).await, stage);
        holds(&after, &table.play_on(&api).await, stage);
    }
}

/// Everything in the earlier version's results must still be there; a later version may add to them.
fn holds(recorded: &Results, now: &Results, stage: Stage) {
    let (recorded, now) = (serde_json::to_value(recorded).unwrap(), serde_json::to_value(now).unwrap());
    assert!(is_in(&recorded, &now), "{stage:?}: {recorded:#}\nis now {now:#}");
}

fn is_in(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| is_in(part, whole)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| is_in(part, whole))
        }
        (part, whole) => part == whole,
    }
}

async fn make_sqlite(folder: &Path, made: &Path) {
    let launch = Launch { environment: &[LOBBY], ..Launch::new(folder) };
    let mut server = Server::start(&launch);
    let mut expected = fill(&server).await;
    server.kill();
    let options = SqliteConnectOptions::new().filename(folder.join("quizhall.db"));
    let mut database = options.connect().await.unwrap();
    sqlx::query(A_YEAR_AGO).execute(&mut database).await.unwrap();
    let copy = made.join("sqlite.db").display().to_string();
    sqlx::query("VACUUM INTO $1").bind(copy).execute(&mut database).await.unwrap();
    drop(database);
    play_on(&Server::start(&launch), &mut expected).await;
    fs::write(made.join("sqlite.json"), serde_json::to_string_pretty(&expected).unwrap()).unwrap();
}

async fn make_postgres(folder: &Path, made: &Path) {
    let postgres = Postgres::start(Durability::Kept);
    let url = postgres.empty_database().await;
    let environment = [LOBBY, ("DATABASE_URL", &url)];
    let launch = Launch { environment: &environment, ..Launch::new(folder) };
    let mut server = Server::start(&launch);
    let mut expected = fill(&server).await;
    server.kill();
    run(Command::new(program("psql")).args(["--quiet", "--command", A_YEAR_AGO, &url]));
    let dump = run(Command::new(program("pg_dump")).args(["--no-owner", "--no-privileges", &url]));
    // Newer versions of `pg_dump` write a first and a last line that older ones do not understand.
    let lines = dump.lines().filter(|line| !line.starts_with("\\restrict") && !line.starts_with("\\unrestrict"));
    fs::write(made.join("postgres.sql"), lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    play_on(&Server::start(&launch), &mut expected).await;
    fs::write(made.join("postgres.json"), serde_json::to_string_pretty(&expected).unwrap()).unwrap();
}

/// An account with a quiz and a game in each stage.
async fn fill(server: &Server) -> Expected {
    let role = Some(HostRole::Owner);
    let account = NewHost { name: NAME.to_owned(), password: PASSWORD.to_owned(), setup_token: None, role };
    server.api().create_host(&account).await.unwrap();
    let api = signed_in(server).await;
    let quiz = api.create_quiz(&quiz()).await.unwrap().id;
    let mut games = Vec::new();
    for stage in Stage::ALL {
        let table = Table::open(&api, quiz, stage).await;
        let before = if stage == Stage::Closed { None } else { Some(table.results(&api).await) };
        games.push(Recorded { table, before, after: None });
    }
    Expected { quiz, games }
}

async fn play_on(server: &Server, expected: &mut Expected) {
    let api = signed_in(server).await;
    for game in expected.games.iter_mut().filter(|game| game.before.is_some()) {
        game.after = Some(game.table.play_on(&api).await);
    }
}

async fn signed_in(server: &Server) -> Api {
    let api = Api::new(server.endpoint());
    let account = SignIn { name: NAME.to_owned(), password: PASSWORD.to_owned() };
    let (token, _) = api.sign_in(&account).await.unwrap();
    let listed = Request::new("GET", "/api/v1/hosts").bearer(token.reveal()).send(&server.endpoint()).await.unwrap();
    assert_eq!(listed.status, 200, "the oldest account is an owner");
    api.with_token(token)
}

fn versions() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("crates/server/tests/golden")).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty());
    folders
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
