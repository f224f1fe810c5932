//! The league of a series of games: its lines, the points, the ranks, and the file.

use quizhall_rules::{AnswerText, Command, EnteredAnswer, NewSeat, PlayerId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_stage::{Ask, Evening, Reply, SCRIPT, Stage};

/// A game of the series, with one question.
async fn open<'a>(stage: &'a Stage, follows: Option<&Evening<'_>>) -> Evening<'a> {
    let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["yes"], "points": 10}])).await;
    stage.evening(&json!({"quizId": quiz, "follows": follows.map(|before| &before.id)}), &[]).await
}

fn player_of(seat: &Value) -> PlayerId {
    serde_json::from_value(seat["playerId"].clone()).unwrap()
}

impl Evening<'_> {
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

    async fn renames(&self, seat: &Value, name: &str) {
        self.host(&[Command::RenamePlayer { player: player_of(seat), name: name.to_owned() }]).await;
    }

    /// Starts the game and releases its question.
    async fn begins(&self) {
        self.host(&[Command::StartGame, Command::ReleaseQuestion { question: self.questions[0] }]).await;
    }

    async fn ends(&self) {
        self.host(&[Command::EndRound, Command::ReleaseScores, Command::EndGame]).await;
    }

    /// Plays the round and ends the game; the first players answer right, the others wrong.
    async fn plays(&self, right: &[&Value], wrong: &[&Value]) {
        self.begins().await;
        for (seats, text) in [(right, "yes"), (wrong, "no")] {
            for seat in seats {
                let (question, answer) = (self.questions[0], AnswerText::parse(text).unwrap());
                self.player(player_of(seat), Command::SubmitAnswer { question, answer, elapsed: None }).await;
            }
        }
        self.ends().await;
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
    let first = open(&stage, None).await;
    let (larks, owls) = (first.joins("The Larks").await, first.joins("The Owls").await);
    let once = first.joins("=Once").await;
    first.plays(&[&larks, &once], &[&owls]).await;
    let alone = first.league().await.json();
    assert_eq!(alone["games"].as_array().unwrap().len(), 1);

    let second = open(&stage, Some(&first)).await;
    let larks = second.goes_on(&larks).await;
    second.renames(&larks, "Larks & Sons").await;
    // The phones of the owls have forgotten the game before, and a guest joins under the name that the larks had.
    let (owls, guest) = (second.joins("the owls").await, second.joins("The Larks").await);
    second.plays(&[&larks, &owls], &[&guest]).await;
    let third = open(&stage, Some(&second)).await;
    let larks = third.goes_on(&larks).await;
    let new = third.joins("New").await;
    third.plays(&[&new], &[&larks]).await;

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
    let with = |follows: Option<&String>| json!({"quizId": quiz, "teams": {"devices": 3}, "follows": follows});
    let first = stage.evening(&with(None), &[]).await;
    let team = json!({"gameCode": first.code, "displayName": "The Larks", "team": true});
    let team = stage.send(Ask::post("/join", &team)).await.json();
    let phone = json!({"gameCode": first.code, "displayName": "Ben", "teamCode": team["teamCode"]});
    let phone = stage.send(Ask::post("/join", &phone)).await.json();
    first.plays(&[&team], &[]).await;
    let second = stage.evening(&with(Some(&first.id)), &[]).await;
    let seat = second.goes_on(&phone).await;
    second.goes_on(&team).await;
    second.renames(&seat, "Larks").await;
    second.plays(&[&seat], &[]).await;
    let league = first.league().await.json();
    assert_eq!(lines(&league), [(1, "Larks".to_owned(), json!([10, 10]), 20)]);
}

#[tokio::test]
async fn a_player_on_paper_is_found_again_by_the_name() {
    let stage = Stage::new().await;
    let first = open(&stage, None).await;
    let second = open(&stage, Some(&first)).await;
    for evening in [&first, &second] {
        let seat = Command::AddSeat(NewSeat { name: "The Wrens".to_owned(), player_limit: 10 }.into());
        evening.host(&[seat]).await;
        evening.begins().await;
        let question = evening.questions[0];
        let player = PlayerId::on_paper(evening.id.parse::<Uuid>().unwrap().into(), 0);
        let answer = AnswerText::parse("yes").unwrap();
        evening.host(&[Command::EnterAnswer(EnteredAnswer { player, question, answer }.into())]).await;
        evening.ends().await;
    }
    assert_eq!(lines(&first.league().await.json()), [(1, "The Wrens".to_owned(), json!([10, 10]), 20)]);
}

#[tokio::test]
async fn an_erased_player_is_found_again_by_no_name() {
    let stage = Stage::new().await;
    let first = open(&stage, None).await;
    let ann = first.joins("Ann").await;
    first.plays(&[&ann], &[]).await;
    assert_eq!(first.delete(&format!("/players/{}/data", ann["playerId"].as_str().unwrap())).await, 204);
    let second = open(&stage, Some(&first)).await;
    let namesake = second.joins("Player 1").await;
    second.plays(&[&namesake], &[]).await;
    let expected =
        [(1, "Player 1".to_owned(), json!([10, null]), 10), (1, "Player 1".to_owned(), json!([null, 10]), 10)];
    assert_eq!(lines(&first.league().await.json()), expected);
}

#[tokio::test]
async fn a_league_is_of_its_host_and_ends_where_a_game_was_deleted() {
    let stage = Stage::new().await;
    let first = open(&stage, None).await;
    let ann = first.joins("Ann").await;
    first.plays(&[&ann], &[]).await;
    let second = open(&stage, Some(&first)).await;
    let third = open(&stage, Some(&second)).await;
    let other = stage.host("other").await;
    assert_eq!(league(&stage, &first.id, &other).await.status, 404);
    let invite = Ask::post(&format!("/api/v1/games/{}/co-hosts", third.id), &json!({"role": "host", "label": "Ruth"}));
    let invited = stage.send(invite.bearer(SCRIPT)).await.json();
    let co_host = invited["url"].as_str().unwrap().split_once('#').unwrap().1;
    assert_eq!(league(&stage, &third.id, co_host).await.status, 403, "it is for the account");
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
