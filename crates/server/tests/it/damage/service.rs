//! The real service with a database in which three games are damaged and one is not.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use quizhall_rules::GameId;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::faults::company::address;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::store_stage::RawSql;
use crate::ws_wire::{Handshake, Wire};

/// The mark is stored after the request has been answered, within this time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A game with one player.
struct Game {
    id: String,
    code: String,
    player: &'static str,
    token: String,
}

struct Service {
    folder: TempDir,
    server: Server,
    http: reqwest::Client,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_games_are_named_reported_and_deleted_while_others_play_on() {
    let (mut service, games) = Service::with_games(["Adelheid", "Balduin", "Cunigunde", "Dietmar"]).await;
    let [changed, cut, gap, healthy] = &games;
    service.server.kill();
    damage(service.folder.path(), &games).await;
    service.start();

    // The first socket that finds the damage is closed as the table of codes says; later ones are refused with a reason.
    let mut socket = service.socket(gap).await.unwrap();
    assert_eq!(socket.closed().await, (1011, "internal_error".to_owned()));
    let Err(refused) = service.socket(gap).await else { panic!("it was let in") };
    assert!(refused.contains("503") && refused.contains("/problems/game-damaged"), "{refused}");

    for game in [changed, cut, gap] {
        let (status, read) = service.get(&format!("/api/v1/games/{}", game.id)).await;
        assert_eq!((status, &read["damaged"], &read["gameCode"]), (200, &json!(true), &json!(game.code)), "{read}");
        let join = json!({"gameCode": game.code, "displayName": "Eva"});
        let (status, problem) = service.post("/join", &join).await;
        assert_eq!((status, &problem["type"]), (503, &json!("/problems/game-damaged")));
        for path in ["results", "results.csv", "players"] {
            let (status, problem) = service.get(&format!("/api/v1/games/{}/{path}", game.id)).await;
            assert_eq!((status, &problem["type"]), (503, &json!("/problems/game-damaged")), "{path}");
        }
    }
    service.listed_as_damaged(&[changed, cut, gap]).await;
    service.plays(healthy).await;
    logged(&service.server.log(), &games);

    // The host deletes one game, an operator another.
    assert_eq!(service.delete(changed).await, 204);
    let deleted = service.operator(&["game", "delete", &cut.id]);
    assert_eq!(deleted.status.code(), Some(0), "{deleted:?}");
    for game in [changed, cut] {
        assert_eq!(service.get(&format!("/api/v1/games/{}", game.id)).await.0, 404);
    }
    service.listed_as_damaged(&[gap]).await;
    service.plays(healthy).await;

    // An operator deletes no game that is played, and none twice.
    for (id, code) in [(healthy.id.as_str(), 1), (&Uuid::now_v7().to_string(), 1), ("no-id", 2), (&cut.id, 1)] {
        let refused = service.operator(&["game", "delete", id]);
        let sentence = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{id}: {sentence}");
        assert!(id != healthy.id || sentence.contains("not damaged and has not ended"), "{sentence}");
    }
    service.plays(healthy).await;
}

/// The JSON stays valid: only the checksum no longer matches.
const CHANGED: &str = "UPDATE game_log SET body = replace(body, 'Adelheid', 'Adelhaid') WHERE game_id = $1 AND seq > 0";
/// As a version without checksums wrote it, so that only the text itself shows the damage.
const CUT: &str = "
    UPDATE game_log SET body = substr(body, 1, length(body) - 5), checksum = NULL
    WHERE game_id = $1 AND seq = (SELECT max(seq) FROM game_log WHERE game_id = $1)";
const GAP: &str = "DELETE FROM game_log WHERE game_id = $1 AND seq = 1";

async fn damage(folder: &Path, [changed, cut, gap, _]: &[Game; 4]) {
    let mut raw_sql = RawSql::sqlite(&folder.join("quizhall.db")).await;
    for (statement, game) in [(CHANGED, changed), (CUT, cut), (GAP, gap)] {
        assert!(raw_sql.execute(statement, id(game)).await > 0, "{statement}");
    }
}

fn id(game: &Game) -> GameId {
    GameId::from(Uuid::parse_str(&game.id).unwrap())
}

/// Each damaged game is named once by its id, without any of its contents.
fn logged(lines: &[String], games: &[Game; 4]) {
    let named = |game: &Game| lines.iter().filter(|line| line.contains(&game.id) && line.contains("damaged")).count();
    assert_eq!(games.each_ref().map(named), [1, 1, 1, 0], "{lines:#?}");
    for (game, what) in games.iter().zip(["its checksum does not match", "cannot be read", "gap before event 1"]) {
        let line = lines.iter().find(|line| line.contains(&game.id)).unwrap();
        assert!(line.contains(what), "{line}");
    }
    for game in games {
        for secret in [game.player, &game.code, &game.token] {
            assert!(!lines.iter().any(|line| line.contains(secret)), "{secret} is in the log");
        }
    }
}

impl Service {
    async fn with_games(players: [&'static str; 4]) -> (Self, [Game; 4]) {
        let folder = TempDir::new().unwrap();
        let server = Server::start(&Launch::new(folder.path()));
        let service = Self { folder, server, http: reqwest::Client::new() };
        let mut games = Vec::new();
        for player in players {
            games.push(service.game(player).await);
        }
        let games = games.try_into().unwrap_or_else(|_| panic!("one game for each kind of damage"));
        (service, games)
    }

    async fn game(&self, player: &'static str) -> Game {
        let questions = json!([{"text": "2 + 2?", "type": "numeric", "correctAnswers": ["4"]}]);
        let quiz = json!({"title": "A quiz", "rounds": [{"questions": questions}]});
        let (_, quiz) = self.post("/api/v1/quizzes", &quiz).await;
        let (status, game) = self.post("/api/v1/games", &json!({"quizId": quiz["id"]})).await;
        assert_eq!(status, 201, "{game}");
        let (status, joined) = self.post("/join", &json!({"gameCode": game["gameCode"], "displayName": player})).await;
        assert_eq!(status, 201, "{joined}");
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        Game { id: word(&game["id"]), code: word(&game["gameCode"]), player, token: word(&joined["sessionToken"]) }
    }

    fn start(&mut self) {
        self.server = Server::start(&Launch::new(self.folder.path()));
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        self.send(self.http.get(self.server.url() + path)).await
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.http.post(self.server.url() + path).header("content-type", "application/json");
        self.send(request.body(body.to_string())).await
    }

    async fn delete(&self, game: &Game) -> u16 {
        self.send(self.http.delete(self.server.url() + "/api/v1/games/" + &game.id)).await.0
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = request.bearer_auth(HOST_TOKEN).send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
    }

    /// The host's socket.
    async fn socket(&self, game: &Game) -> Result<Wire, String> {
        Wire::open(address(&self.server), &format!("/ws/{}", game.code), &Handshake::bearer(HOST_TOKEN)).await
    }

    /// The socket of a player and another player are let in, and see each other.
    async fn plays(&self, game: &Game) {
        let wire =
            Wire::open(address(&self.server), &format!("/ws/{}", game.code), &Handshake::bearer(&game.token)).await;
        wire.unwrap().until("lobby_update").await;
        let name = format!("N{}", rand::random::<u32>());
        let (status, joined) = self.post("/join", &json!({"gameCode": game.code, "displayName": name})).await;
        assert_eq!(status, 201, "{joined}");
        let (_, read) = self.get(&format!("/api/v1/games/{}", game.id)).await;
        assert_eq!(read.get("damaged"), None, "{read}");
    }

    /// The list of games, which must mark exactly these games as damaged.
    async fn listed_as_damaged(&self, expected: &[&Game]) {
        let mut expected: Vec<_> = expected.iter().map(|game| game.id.clone()).collect();
        expected.sort_unstable();
        let end = Instant::now() + TIMEOUT;
        loop {
            let (_, list) = self.get("/api/v1/games").await;
            let games = list["games"].as_array().unwrap();
            let damaged = games.iter().filter(|game| game.get("damaged") == Some(&json!(true)));
            let mut damaged: Vec<_> = damaged.map(|game| game["id"].as_str().unwrap().to_owned()).collect();
            damaged.sort_unstable();
            if damaged == expected {
                return;
            }
            assert!(Instant::now() < end, "{list}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Runs a command while the service is running.
    fn operator(&self, words: &[&str]) -> Output {
        let url = format!("sqlite://{}/quizhall.db", self.folder.path().display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_quizhall"));
        command.args(words).env_clear().env("DATABASE_URL", url).output().unwrap()
    }
}
