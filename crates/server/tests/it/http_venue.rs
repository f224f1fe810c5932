//! One address that many people share: neither the mistakes of one guest nor foreign web pages opened there lock other people out.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::http_stage::{Ask, Reply, SCRIPT, Stage};

/// The address of all guests.
const VENUE: &str = "198.51.100.7";
/// The address of the host.
const OFFICE: &str = "203.0.113.9";

/// A game with teams, the credentials of the people at the venue, and a game that follows.
struct Evening {
    stage: Stage,
    game: String,
    code: String,
    next: String,
    player: String,
    team: Value,
}

impl Evening {
    /// Three wrong codes a minute are allowed.
    async fn begin() -> Self {
        let stage = Stage::with(&[("FAILED_JOINS_PER_MINUTE_PER_ADDRESS", "3")]).await;
        let quiz = stage.quiz(json!([{"text": "?", "type": "text", "correctAnswers": ["x"]}])).await;
        let teams = json!({"devices": 3, "captainOnly": false});
        let made = at_office(&stage, "/api/v1/games", &json!({"quizId": quiz, "teams": teams})).await.json();
        let [game, code] = [text(&made, "id"), text(&made, "gameCode")];
        let joined = stage.send(Ask::join(&code, "Ann").from(VENUE)).await.json();
        let body = json!({"gameCode": code, "displayName": "Larks", "team": true});
        let team = stage.send(Ask::post("/join", &body).from(VENUE)).await.json();
        let follow = json!({"quizId": quiz, "follows": game});
        let next = text(&at_office(&stage, "/api/v1/games", &follow).await.json(), "gameCode");
        Self { stage, game, code, next, player: text(&joined, "sessionToken"), team }
    }

    async fn at_venue(&self, ask: Ask) -> Reply {
        self.stage.send(ask.from(VENUE)).await
    }

    async fn post(&self, path: &str, (token, body): (&str, Value)) -> Reply {
        let ask = Ask::post(path, &body);
        self.at_venue(if token.is_empty() { ask } else { ask.bearer(token) }).await
    }

    /// The statuses of wrong codes of games, all from the venue.
    async fn wrong_codes(&self) -> Vec<u16> {
        let mut statuses = Vec::new();
        for number in 0..6 {
            statuses.push(self.at_venue(Ask::join(&format!("ZZZZZ{}", number + 2), "Mallory")).await.status);
        }
        statuses
    }

    async fn phone_of_team(&self, team: &str, name: &str) -> Reply {
        self.post("/join", ("", json!({"gameCode": self.code, "displayName": name, "teamCode": team}))).await
    }

    fn path(&self, of: &str) -> String {
        format!("/api/v1/games/{}/{of}", self.game)
    }
}

async fn at_office(stage: &Stage, path: &str, body: &Value) -> Reply {
    let reply = stage.send(Ask::post(path, body).bearer(SCRIPT).from(OFFICE)).await;
    assert!(reply.status < 300, "{path}: {}", reply.text());
    reply
}

fn text(body: &Value, field: &str) -> String {
    body[field].as_str().unwrap_or_default().to_owned()
}

/// The secret of a link: the part after the last of these symbols.
fn secret_of(link: &Value, before: char) -> String {
    link["url"].as_str().unwrap().rsplit_once(before).unwrap().1.to_owned()
}

#[tokio::test]
async fn genuine_tokens_are_not_kept_out_by_the_wrong_codes_of_another_guest() {
    let evening = Evening::begin().await;
    let stage = &evening.stage;
    let invited = at_office(stage, &evening.path("co-hosts"), &json!({"role": "host", "label": "Ruth"})).await.json();
    let screen = at_office(stage, &evening.path("screens"), &json!({})).await.json();
    let shared = at_office(stage, &evening.path("results-link"), &json!({})).await.json();
    assert_eq!(evening.wrong_codes().await, [404, 404, 404, 429, 429, 429]);

    let (co_host, wall, link) = (secret_of(&invited, '#'), secret_of(&screen, '/'), secret_of(&shared, '#'));
    let own = evening.at_venue(Ask::get("/api/v1/co-hosts/current").bearer(&co_host)).await;
    assert_eq!(own.status, 200, "{}", own.text());
    assert_eq!(evening.at_venue(Ask::get(&format!("/api/v1/results/{link}"))).await.status, 200);
    assert_eq!(evening.post("/api/v1/screens/next", (&wall, json!({}))).await.status, 201);
    assert_eq!(evening.post("/api/v1/seats/next", (&evening.player, json!({}))).await.status, 201);
    let pairing = evening.post("/api/v1/screen-pairings", ("", json!({}))).await;
    assert_eq!(pairing.status, 201, "{}", pairing.text());
    let (pairing, own) = (pairing.json(), "/api/v1/screen-pairings/own");
    assert_eq!(evening.at_venue(Ask::get(own).bearer(&text(&pairing, "secret"))).await.status, 200);
    let pair = evening.path("screens/pair");
    assert_eq!(evening.post(&pair, (&co_host, json!({"code": pairing["code"]}))).await.status, 202);
    let issued = evening.post("/api/v1/seat-code", (&evening.player, json!({}))).await;
    assert_eq!(issued.status, 201, "{}", issued.text());
    let take = json!({"gameCode": evening.code, "seatCode": issued.json()["seatCode"]});
    assert_eq!(evening.post("/api/v1/seats", ("", take)).await.status, 201);
}

#[tokio::test]
async fn the_code_of_the_next_game_is_no_secret_where_its_players_are() {
    let evening = Evening::begin().await;
    assert_eq!(evening.wrong_codes().await, [404, 404, 404, 429, 429, 429]);
    let newcomer = Ask::join(&evening.next, "Dora");
    let before = evening.at_venue(newcomer.clone()).await;
    let guessed = evening.at_venue(Ask::join("YYYYYY", "Dora")).await;
    assert_eq!((before.status, before.body), (429, guessed.body), "a client that has guessed too often learns nothing");
    assert_eq!(evening.post("/api/v1/seats/next", (&evening.player, json!({}))).await.status, 201);
    assert_eq!(evening.at_venue(newcomer).await.status, 201);
}

#[tokio::test]
async fn wrong_codes_of_teams_and_seats_are_counted_only_in_their_game() {
    let evening = Evening::begin().await;
    let mut statuses = Vec::new();
    for team in ["AAAA", "BBBB", "CCCC", "DDDD"] {
        statuses.push(evening.phone_of_team(team, "Mallory").await.status);
    }
    assert_eq!(statuses, [404, 404, 404, 429]);
    assert_eq!(evening.phone_of_team(&text(&evening.team, "teamCode"), "Cem").await.status, 201, "known there");
    let seat = json!({"gameCode": evening.code, "seatCode": "ABCDEF"});
    assert_eq!(evening.post("/api/v1/seats", ("", seat)).await.status, 429, "one allowance in one game");
    assert_eq!(
        evening.at_venue(Ask::join("YYYYYY", "Mallory")).await.status,
        404,
        "codes of games have an allowance of their own"
    );
    let other = json!({"gameCode": evening.next, "seatCode": "ABCDEF"});
    assert_eq!(
        evening.post("/api/v1/seats", ("", other)).await.status,
        404,
        "and so have those of seats in another game"
    );
    let elsewhere = json!({"gameCode": evening.code, "displayName": "Eva", "teamCode": "EEEE"});
    assert_eq!(evening.stage.send(Ask::post("/join", &elsewhere).from(OFFICE)).await.status, 404);
}

/// A code known at an address is accepted after some wrong ones, but a known code cannot be found by trying them all: of many
/// tries at once the last are refused, whatever they name. The allowance is refilled over time, so one of them may be accepted.
#[tokio::test]
async fn an_address_does_not_search_for_the_codes_of_its_teams() {
    let evening = Evening::begin().await;
    let known = text(&evening.team, "teamCode");
    let tries = (0..1_020).map(|number| evening.phone_of_team(if number < 1_000 { "ZZZZ" } else { &known }, "Cem"));
    let replies = join_all(tries).await;
    let refused = replies[1_000..].iter().filter(|reply| reply.status == 429).count();
    assert!(refused >= 15, "{refused} of 20");
    let elsewhere = json!({"gameCode": evening.code, "displayName": "Eva", "teamCode": known});
    assert_eq!(evening.stage.send(Ask::post("/join", &elsewhere).from(OFFICE)).await.status, 201, "at another address");
}

#[tokio::test]
async fn tokens_that_are_not_genuine_cost_no_codes_and_are_limited() {
    let evening = Evening::begin().await;
    let mut statuses = Vec::new();
    for number in 0..101 {
        statuses.push(evening.post("/api/v1/seats/next", (&forged(&evening.player, number), json!({}))).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 100 + came_back(&statuses));
    assert_eq!(
        evening.at_venue(Ask::join("YYYYYY", "Mallory")).await.status,
        404,
        "they used none of the allowance for codes"
    );
    assert_eq!(evening.post("/api/v1/seats/next", (&evening.player, json!({}))).await.status, 201);
}

/// The number of refused tokens beyond the first hundred that still got the reason: the allowance is refilled over time.
fn came_back(statuses: &[u16]) -> usize {
    statuses.iter().skip(100).filter(|status| **status == 401).count()
}

/// A token of the same game with another secret.
fn forged(token: &str, number: usize) -> String {
    format!("{}{number:03}", &token[..token.len() - 3])
}

#[tokio::test]
async fn strange_pages_spend_nothing_of_what_their_visitor_is_allowed() {
    let evening = Evening::begin().await;
    let from_strange = |ask: Ask| ask.header("Origin", "https://evil.example");
    let by_picture = |ask: Ask| ask.header("Sec-Fetch-Site", "cross-site");
    for number in 0..6 {
        let code = format!("ZZZZZ{}", number + 2);
        let asks = [
            from_strange(Ask::join(&code, "Mallory")),
            by_picture(Ask::get(&format!("/api/v1/join/{code}"))),
            from_strange(Ask::new("POST", "/api/v1/screen-pairings")),
            by_picture(Ask::get("/api/v1/results/qr_none")),
            from_strange(Ask::post("/api/v1/sessions", &json!({"name": "Ann", "password": "not the one"}))),
            from_strange(Ask::post("/api/v1/spectators", &json!({"gameCode": code}))),
        ];
        for ask in asks {
            assert_eq!(evening.at_venue(ask).await.kind(), (403, "forbidden".to_owned()));
        }
    }
    assert_eq!(evening.wrong_codes().await, [404, 404, 404, 429, 429, 429], "none of the allowance was used");
    let own = Ask::join(&evening.code, "Bob").header("Origin", "https://quiz.example.org");
    assert_eq!(evening.at_venue(own.header("Sec-Fetch-Site", "same-origin")).await.status, 201);
    every_answer_to_strange_pages_is_described(&evening).await;
}

async fn every_answer_to_strange_pages_is_described(evening: &Evening) {
    let openapi = serde_json::to_value(quizhall::http::openapi()).unwrap();
    let mut refused = Vec::new();
    for (path, item) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let ask = Ask::new(&method.to_uppercase(), path).header("Origin", "https://evil.example");
            if evening.at_venue(ask).await.status == 403 {
                let described = operation["responses"]["403"]["description"].as_str().unwrap_or_default();
                assert!(
                    described.contains("a page of another site") || described.contains("A page of another site"),
                    "{path}"
                );
                refused.push(operation["operationId"].as_str().unwrap());
            }
        }
    }
    refused.sort_unstable();
    let charged = [
        "askPairing",
        "beginOidcSignIn",
        "issueOwnSeatCode",
        "join",
        "listSharedMoments",
        "nextScreen",
        "nextSeat",
        "openPairing",
        "readJoinOptions",
        "readOwnRef",
        "readSeal",
        "readSharedMoment",
        "readSharedResults",
        "removeTeamPhone",
        "signIn",
        "takeSeat",
        "watch",
    ];
    assert_eq!(refused, charged);
}
