//! The league of a series of games: its lines, the points, the ranks, and the file.

use quizhall_rules::{Actor, AnswerText, Command, EnteredAnswer, GameId, NewSeat, PlayerId, QuestionId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_join::host;
use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

/// One game of the series, with its players.
struct Evening<'a> {
    stage: &'a Stage,
    id: String,
    code: String,
}

impl<'a> Evening<'a> {
    async fn open(stage: &'a Stage, follows: Option<&Self>) -> Self {
        let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["yes"], "points": 10}])).await;
        let body = json!({"quizId": quiz, "follows": follows.map(|before| &before.id)});
        let reply = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let text = |field: &str| reply.json()[field].as_str().unwrap().to_owned();
        Self { stage, id: text("id"), code: text("gameCode") }
    }

    async fn joins(&self, name: &str) -> Value {
        let reply = self.stage.join(&self.code, name).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()
    }

    /// The seat of the same player in this game.
    async fn goes_on(&self, seat: &Value) -> Value {
        let token = seat["sessionToken"].as_str().unwrap();
        let reply = self.stage.send(Ask::new("POST", "/api/v1/seats/next").bearer(token)).await;
        assert_eq!((reply.status, &reply.json()["gameCode"]), (201, &json!(self.code)), "{}", reply.text());
        reply.json()
    }

    /// Starts the game and releases its question.
    async fn start(&self) -> QuestionId {
        let game = self.stage.send(Ask::get(&format!("/api/v1/games/{}", self.id)).bearer(SCRIPT)).await.json();
        let question: Uuid = serde_json::from_value(game["rounds"][0]["questions"][0]["id"].clone()).unwrap();
        let question = QuestionId::from(question);
        host(self.stage, &self.id, &[Command::StartGame, Command::ReleaseQuestion { question }]).await;
        question
    }

    async fn end(&self) {
        host(self.stage, &self.id, &[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    }

    /// Plays the round and ends the game; the first players answer right, the others wrong.
    async fn play(&self, right: &[&Value], wrong: &[&Value]) {
        let question = self.start().await;
        let id: GameId = self.id.parse::<Uuid>().unwrap().into();
        let live = self.stage.app.registry.by_id(id).await.unwrap().unwrap();
        for (seats, text) in [(right, "yes"), (wrong, "no")] {
            for seat in seats {
                let player: Uuid = serde_json::from_value(seat["playerId"].clone()).unwrap();
                let answer = AnswerText::parse(text).unwrap();
                let answered = Command::SubmitAnswer { question, answer, elapsed: None };
                live.command(Actor::Player(PlayerId::from(player)), answered).await.unwrap();
            }
        }
        self.end().await;
    }

    async fn league(&self) -> Reply {
        league(self.stage, &self.id, SCRIPT).await
    }
}

async fn league(stage: &Stage, game: &str, token: &str) -> Reply {
    stage.send(Ask::get(&format!("/api/v1/games/{game}/league")).bearer(token)).await
}

/// Rank, name, points and total of each line.
fn lines(league: &Value) -> Vec<(u64, String, Value, i64)> {
    let line = |line: &Value| {
        let name = line["displayName"].as_str().unwrap().to_owned();
        (line["rank"].as_u64().unwrap(), name, line["points"].clone(), line["total"].as_i64().unwrap())
    };
    league["lines"].as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn seats_that_went_on_and_names_that_came_again_have_one_line() {
    let stage = Stage::new().await;
    let first = Evening::open(&stage, None).await;
    let (larks, owls) = (first.joins("The Larks").await, first.joins("The Owls").await);
    let once = first.joins("=Once").await;
    first.play(&[&larks, &once], &[&owls]).await;
    let alone = first.league().await.json();
    assert_eq!(alone["games"].as_array().unwrap().len(), 1);

    let second = Evening::open(&stage, Some(&first)).await;
    let larks = second.goes_on(&larks).await;
    let renamed = Command::RenamePlayer {
        player: serde_json::from_value::<Uuid>(larks["playerId"].clone()).unwrap().into(),
        name: "Larks & Sons".to_owned(),
    };
    host(&stage, &second.id, &[renamed]).await;
    // The phones of the owls have forgotten the game before, and a guest joins under the name that the larks had.
    let (owls, guest) = (second.joins("the owls").await, second.joins("The Larks").await);
    second.play(&[&larks, &owls], &[&guest]).await;
    let third = Evening::open(&stage, Some(&second)).await;
    let larks = third.goes_on(&larks).await;
    let new = third.joins("New").await;
    third.play(&[&new], &[&larks]).await;

    let league = third.league().await.json();
    for other in [&first, &second] {
        assert_eq!(other.league().await.json(), league, "the league is the same from each of the games");
    }
    let games: Vec<&Value> = league["games"].as_array().unwrap().iter().map(|game| &game["gameId"]).collect();
    assert_eq!(games, [&first.id, &second.id, &third.id]);
    assert_eq!((&league["games"][0]["title"], &league["games"][2]["phase"]), (&json!("A quiz"), &json!("ended")));
    let expected = [
        (1, "Larks & Sons", json!([10, 10, 0]), 20),
        (2, "=Once", json!([10, null, null]), 10),
        (2, "New", json!([null, null, 10]), 10),
        (2, "the owls", json!([0, 10, null]), 10),
        (5, "The Larks", json!([null, 0, null]), 0),
    ];
    assert_eq!(lines(&league), expected.map(|(rank, name, points, total)| (rank, name.to_owned(), points, total)));

    let path = format!("/api/v1/games/{}/league", second.id);
    let csv = stage.send(Ask::get(&path).header("accept", "text/csv").bearer(SCRIPT)).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    let rows: Vec<String> = csv.text().lines().map(str::to_owned).collect();
    assert_eq!(rows[0], "\u{feff}rank,displayName,total,1: A quiz,2: A quiz,3: A quiz");
    assert_eq!(rows[1..3], ["1,Larks & Sons,20,10,10,0", "2,'=Once,10,10,,"], "promise 36");
}

#[tokio::test]
async fn a_team_has_one_line_also_when_another_phone_goes_on_first() {
    let stage = Stage::new().await;
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["yes"], "points": 10}])).await;
    let open = async |follows: Option<&String>| {
        let body = json!({"quizId": quiz, "teams": {"devices": 3}, "follows": follows});
        let game = stage.send(Ask::post("/api/v1/games", &body).bearer(SCRIPT)).await.json();
        let text = |field: &str| game[field].as_str().unwrap().to_owned();
        Evening { stage: &stage, id: text("id"), code: text("gameCode") }
    };
    let first = open(None).await;
    let team = json!({"gameCode": first.code, "displayName": "The Larks", "team": true});
    let team = stage.send(Ask::post("/join", &team)).await.json();
    let phone = json!({"gameCode": first.code, "displayName": "Ben", "teamCode": team["teamCode"]});
    let phone = stage.send(Ask::post("/join", &phone)).await.json();
    first.play(&[&team], &[]).await;
    let second = open(Some(&first.id)).await;
    let seat = second.goes_on(&phone).await;
    second.goes_on(&team).await;
    host(
        &stage,
        &second.id,
        &[Command::RenamePlayer {
            player: serde_json::from_value::<Uuid>(seat["playerId"].clone()).unwrap().into(),
            name: "Larks".to_owned(),
        }],
    )
    .await;
    second.play(&[&seat], &[]).await;
    let league = first.league().await.json();
    assert_eq!(lines(&league), [(1, "Larks".to_owned(), json!([10, 10]), 20)]);
}

#[tokio::test]
async fn a_player_on_paper_is_found_again_by_the_name() {
    let stage = Stage::new().await;
    let first = Evening::open(&stage, None).await;
    let second = Evening::open(&stage, Some(&first)).await;
    for evening in [&first, &second] {
        let seat = Command::AddSeat(NewSeat { name: "The Wrens".to_owned(), player_limit: 10 }.into());
        host(&stage, &evening.id, &[seat]).await;
        let question = evening.start().await;
        let player = PlayerId::on_paper(evening.id.parse::<Uuid>().unwrap().into(), 0);
        let answer = AnswerText::parse("yes").unwrap();
        host(&stage, &evening.id, &[Command::EnterAnswer(EnteredAnswer { player, question, answer }.into())]).await;
        evening.end().await;
    }
    assert_eq!(lines(&first.league().await.json()), [(1, "The Wrens".to_owned(), json!([10, 10]), 20)]);
}

#[tokio::test]
async fn a_league_is_of_its_host_and_ends_where_a_game_was_deleted() {
    let stage = Stage::new().await;
    let first = Evening::open(&stage, None).await;
    let ann = first.joins("Ann").await;
    first.play(&[&ann], &[]).await;
    let second = Evening::open(&stage, Some(&first)).await;
    let third = Evening::open(&stage, Some(&second)).await;
    let other = stage.host("other").await;
    assert_eq!(league(&stage, &first.id, &other).await.status, 404);
    assert_eq!(league(&stage, &first.id, "").await.status, 401);
    assert_eq!(league(&stage, &Uuid::nil().to_string(), SCRIPT).await.status, 404);
    let count = async || first.league().await.json()["games"].as_array().unwrap().len();
    assert_eq!(count().await, 3, "a game in its lobby is a game of the league");
    assert_eq!(lines(&third.league().await.json()), [(1, "Ann".to_owned(), json!([10, null, null]), 10)]);
    let deleted = Ask::new("DELETE", &format!("/api/v1/games/{}", second.id)).bearer(SCRIPT);
    assert_eq!(stage.send(deleted).await.status, 204);
    assert_eq!(count().await, 1);
    assert_eq!(second.league().await.status, 404);
    assert_eq!(lines(&third.league().await.json()), []);
}

#[tokio::test]
async fn an_erased_player_is_found_again_by_no_name() {
    let stage = Stage::new().await;
    let first = Evening::open(&stage, None).await;
    let ann = first.joins("Ann").await;
    first.play(&[&ann], &[]).await;
    let path = format!("/api/v1/games/{}/players/{}/data", first.id, ann["playerId"].as_str().unwrap());
    let erased = stage.send(Ask::new("DELETE", &path).bearer(SCRIPT)).await;
    assert_eq!(erased.status, 204, "{}", erased.text());
    let second = Evening::open(&stage, Some(&first)).await;
    let namesake = second.joins("Player 1").await;
    second.play(&[&namesake], &[]).await;
    let expected =
        [(1, "Player 1".to_owned(), json!([10, null]), 10), (1, "Player 1".to_owned(), json!([null, 10]), 10)];
    assert_eq!(lines(&first.league().await.json()), expected);
}
