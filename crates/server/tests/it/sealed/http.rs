//! A sealed game over HTTP: the seal before it, who gets the proof after it, and that salts and keys leave the server only with it.

use quizhall_rules::{Actor, AnswerText, Command, GameId, PlayerId, QuestionId};
use serde_json::{Value, json};

use super::{found, said_by_python};
use crate::http_join::host;
use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

/// The key and the text of a question that no one may see before the game ends.
const CANARY: &str = "xylophone-canary";

struct Sealed<'a> {
    stage: &'a Stage,
    id: String,
    code: String,
    sessions: Vec<String>,
    /// Everything that the server has answered before the end.
    seen: Vec<String>,
}

impl<'a> Sealed<'a> {
    async fn begin(stage: &'a Stage) -> Self {
        let quiz = stage
            .quiz(json!([
                {"text": "Is water wet?", "type": "true_false", "correctAnswers": ["True"]},
                {"text": "Which instrument?", "type": "text", "correctAnswers": [CANARY], "points": 500},
            ]))
            .await;
        let body = json!({"quizId": quiz, "sealed": true});
        let game = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
        assert_eq!((game.status, &game.json()["sealed"]), (201, &json!(true)), "{}", game.text());
        let game = game.json();
        let [id, code] = ["id", "gameCode"].map(|field| game[field].as_str().unwrap().to_owned());
        let mut sealed = Self { stage, id, code, sessions: Vec::new(), seen: Vec::new() };
        for name in ["Ann", "Ben"] {
            let joined = stage.join(&sealed.code, name).await.json();
            sealed.sessions.push(joined["sessionToken"].as_str().unwrap().to_owned());
        }
        sealed
    }

    async fn get(&mut self, path: &str, token: Option<&str>) -> Reply {
        let ask = Ask::get(path);
        let reply = self.stage.send(if let Some(token) = token { ask.bearer(token) } else { ask }).await;
        self.seen.push(reply.text());
        reply
    }

    async fn seal(&mut self) -> Value {
        let reply = self.get(&format!("/api/v1/seals/{}", self.code.to_lowercase()), None).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    }

    async fn proof(&mut self, query: &str, token: &str) -> Reply {
        self.get(&format!("/api/v1/games/{}/proof{query}", self.id), Some(token)).await
    }

    async fn commands(&self, commands: &[Command]) {
        host(self.stage, &self.id, commands).await;
    }

    async fn question(&self, number: usize) -> QuestionId {
        let game = self.stage.send(Ask::get(&format!("/api/v1/games/{}", self.id)).bearer(SCRIPT)).await.json();
        game["rounds"][0]["questions"][number]["id"].as_str().unwrap().parse::<uuid::Uuid>().unwrap().into()
    }

    async fn answers(&self, name: &str, question: QuestionId, text: &str) {
        let players =
            self.stage.send(Ask::get(&format!("/api/v1/games/{}/players", self.id)).bearer(SCRIPT)).await.json();
        let players = players["players"].as_array().unwrap().clone();
        let player = players.iter().find(|player| player["displayName"] == name).unwrap();
        let player = PlayerId::from(player["id"].as_str().unwrap().parse::<uuid::Uuid>().unwrap());
        let id = GameId::from(self.id.parse::<uuid::Uuid>().unwrap());
        let game = self.stage.app.registry.by_id(id).await.unwrap().unwrap();
        let answer = AnswerText::parse(text).unwrap();
        let command = Command::SubmitAnswer { question, answer, elapsed: None };
        game.command(Actor::Player(player), command).await.unwrap();
    }

    async fn play(&self) {
        let (first, second) = (self.question(0).await, self.question(1).await);
        self.commands(&[Command::StartGame, Command::ReleaseQuestion { question: first }]).await;
        self.answers("Ann", first, "True").await;
        self.answers("Ben", first, "False").await;
        self.commands(&[Command::ReleaseQuestion { question: second }]).await;
        self.answers("Ben", second, "a xylofone").await;
        self.commands(&[Command::EndRound]).await;
        let texts = ["a xylofone".to_owned()].into_iter().collect();
        self.commands(&[Command::MarkAnswers { question: second, texts, correct: true, half: false, alike: false }])
            .await;
    }
}

#[tokio::test]
async fn salts_and_keys_leave_the_server_only_with_the_proof() {
    let stage = Stage::new().await;
    let mut sealed = Sealed::begin(&stage).await;
    let [first, second] = [0, 1].map(|number| sealed.sessions[number].clone());
    let before = sealed.seal().await;
    assert_eq!(before["leaves"].as_array().unwrap().len(), 2);
    sealed.play().await;
    sealed.get(&format!("/api/v1/join/{}", sealed.code), Some(&first)).await;
    for token in [&first, &second, "junk"] {
        assert_eq!(sealed.proof("", token).await.status, 401);
    }
    let early = (409, "wrong-phase".to_owned());
    assert_eq!(sealed.proof("", SCRIPT).await.kind(), early);
    assert_eq!(sealed.get("/api/v1/seats/ref", Some(&first)).await.kind(), early);
    let seen = std::mem::take(&mut sealed.seen);
    sealed.commands(&[Command::ReleaseScores, Command::EndGame]).await;
    assert_eq!(sealed.seal().await, before);

    let file = sealed.proof("", SCRIPT).await;
    assert_eq!((file.status, file.header("content-type")), (200, "application/json"));
    let proof = file.json();
    assert_eq!(proof["seal"], before["seal"]);
    assert_eq!(found(&file.body).unwrap(), ["1 mark was changed by the host: 1 of question 2."]);
    assert!(said_by_python(&file.body).0, "{}", said_by_python(&file.body).1);
    assert!(!file.text().contains("Ann"), "a name that no one asked for");
    assert_eq!(sealed.proof("?names=true", SCRIPT).await.json()["players"][0]["displayName"], json!("Ann"));
    let salts = proof["questions"].as_array().unwrap().iter().map(|question| question["salt"].as_str().unwrap());
    let refs = proof["players"].as_array().unwrap().iter().map(|player| player["ref"].as_str().unwrap());
    for secret in salts.clone().chain(refs).chain([CANARY]) {
        assert!(seen.iter().all(|text| !text.contains(secret)), "{secret} was seen before the end");
    }
    let salts: std::collections::HashSet<_> = salts.collect();
    assert!(salts.len() == 2 && salts.iter().all(|salt| salt.len() == 32), "{salts:?}");
    a_link_gives_the_proof_only_when_the_host_says_so(&mut sealed).await;
}

async fn a_link_gives_the_proof_only_when_the_host_says_so(sealed: &mut Sealed<'_>) {
    let stage = sealed.stage;
    let path = format!("/api/v1/games/{}/results-link", sealed.id);
    let link = stage.send(Ask::new("POST", &path).bearer(SCRIPT)).await.json();
    assert_eq!(link.get("proof"), None);
    let token = link["url"].as_str().unwrap().rsplit_once('#').unwrap().1.to_owned();
    assert_eq!(sealed.proof("", &token).await.status, 404);
    let link = stage.send(Ask::post(&path, &json!({"proof": true})).bearer(SCRIPT)).await.json();
    assert_eq!(link["proof"], json!(true));
    let shown = sealed.get(&format!("/api/v1/results/{token}"), None).await.json();
    assert_eq!(shown["proof"], json!(true));
    let file = sealed.proof("?names=true", &token).await;
    assert_eq!(file.status, 200);
    assert!(found(&file.body).is_ok() && !file.text().contains("Ann"), "names over a link");
    let other = stage.game().await.0;
    assert_eq!(sealed.get(&format!("/api/v1/games/{other}/proof"), Some(&token)).await.status, 404);
    stage.send(Ask::post(&path, &json!({"proof": false})).bearer(SCRIPT)).await;
    assert_eq!(sealed.proof("", &token).await.status, 404);
}

#[tokio::test]
async fn a_game_that_is_not_sealed_has_no_seal_and_no_proof() {
    let stage = Stage::new().await;
    let (id, code) = stage.game().await;
    assert_eq!(stage.send(Ask::get(&format!("/api/v1/seals/{code}"))).await.kind(), (404, "not-found".to_owned()));
    assert_eq!(stage.send(Ask::get("/api/v1/seals/ZZZZZZ")).await.kind(), (404, "no-such-game".to_owned()));
    host(&stage, &id, &[Command::StartGame, Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    let proof = stage.send(Ask::get(&format!("/api/v1/games/{id}/proof")).bearer(SCRIPT)).await;
    assert_eq!(proof.kind(), (404, "not-found".to_owned()));
}
