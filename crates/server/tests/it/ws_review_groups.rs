//! A round of 5,120 answers over the whole service: the host reviews groups, marks a group, reads its answers in pages, and finds the same groups
//! after a reconnect.

use futures_util::StreamExt as _;
use quizhall_rules::{Actor, AnswerText, Command, DisplayName, GameId, Join, PlayerId, QuestionId, TokenHash};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::ws_stage::{Game, HOST, Stage};
use crate::ws_wire::{Handshake, Wire};

const PLAYERS: usize = 256;
const QUESTIONS: usize = 20;
/// Players who answer at the same time.
const AT_ONCE: usize = 32;

async fn host_of(stage: &Stage, game: &Game) -> Wire {
    let asking = Handshake::bearer(HOST).with("Sec-WebSocket-Protocol", "quizhall.v1");
    stage.knock(&format!("/ws/{}", game.code), &asking).await.unwrap()
}

/// Every player answers every question: one in three "Tuba", one "tuba!", one "no". Phones would only cost time: the players' commands are
/// given to the game.
async fn answered(stage: &Stage) -> (Game, Vec<String>, Wire) {
    let asked = |number| json!({"text": format!("{number}?"), "type": "text", "correctAnswers": ["horn"], "points": 2});
    let game = stage.game_of((HOST, (0..QUESTIONS).map(asked).collect())).await;
    let questions = stage.questions(&game).await;
    let id = GameId::from(game.id.parse::<Uuid>().unwrap());
    let live = stage.running.app().registry.by_id(id).await.unwrap().unwrap();
    let players: Vec<PlayerId> = (0..PLAYERS).map(|_| PlayerId::from(Uuid::now_v7())).collect();
    for (number, player) in players.iter().enumerate() {
        let display_name = DisplayName::parse(&format!("Player {number}")).unwrap();
        let token = TokenHash([u8::try_from(number).unwrap(); 32]);
        let (player, player_limit) = (*player, u32::MAX);
        let join = Join { player, display_name, token, idempotency: None, player_limit, team: None };
        live.command(Actor::Service, Command::Join(join.into())).await.unwrap();
    }
    let mut host = host_of(stage, &game).await;
    host.send(&json!({"type": "start_game"})).await;
    for question in &questions {
        host.send(&json!({"type": "release_question", "payload": {"questionId": question}})).await;
        host.until("question_released").await;
    }
    let ids: Vec<_> = questions.iter().map(|id| QuestionId::from(id.parse::<Uuid>().unwrap())).collect();
    let answers = players.iter().enumerate().map(async |(number, player)| {
        let answer = AnswerText::parse(["Tuba", "tuba!", "no"][number % 3]).unwrap();
        for question in &ids {
            let submit = Command::SubmitAnswer { question: *question, answer: answer.clone(), elapsed: None };
            live.command(Actor::Player(*player), submit).await.unwrap();
        }
    });
    futures_util::stream::iter(answers).buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
    (game, questions, host)
}

/// The groups of each question of a closed round, from what a host is sent.
async fn review_of(host: &mut Wire) -> Vec<Value> {
    let mut groups = Vec::new();
    loop {
        let message = host.text().await;
        match message["type"].as_str().unwrap() {
            "review_groups" => groups.push(message["payload"].clone()),
            kind => assert_ne!(kind, "round_review"),
        }
        if groups.last().is_some_and(|last: &Value| last["part"] == last["parts"]) {
            return groups;
        }
    }
}

fn counts(groups: &Value) -> Vec<(&str, u64, u64)> {
    let count = |group: &Value, name: &str| group.get(name).and_then(Value::as_u64).unwrap_or(0);
    let groups = groups["grouped"]["groups"].as_array().unwrap().iter();
    groups.map(|group| (group["key"].as_str().unwrap(), count(group, "count"), count(group, "right"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_of_a_large_round_reviews_groups_and_pages() {
    let stage = Stage::new().await;
    let (game, questions, mut host) = answered(&stage).await;
    let path = format!("/api/v1/games/{}/answers", game.id);
    let asked = json!({"questionId": questions[0], "text": "TUBA"});
    assert_eq!(stage.post(&path, (HOST, asked.clone())).await.0, 409, "no round is under review");

    host.send(&json!({"type": "end_round"})).await;
    host.until("round_ended").await;
    let review = review_of(&mut host).await;
    assert_eq!(review.len(), QUESTIONS);
    assert_eq!((&review[0]["part"], &review[0]["parts"]), (&json!(1), &json!(QUESTIONS)));
    assert_eq!(counts(&review[0]), [("tuba", 171, 0), ("no", 85, 0)]);

    let marks = json!({"questionId": questions[0], "answers": ["TUBA"], "correct": true, "alike": true});
    host.send(&json!({"type": "mark_answers", "payload": marks})).await;
    let changed = host.until("review_groups").await;
    assert_eq!(counts(&changed["payload"]), [("tuba", 171, 171)]);
    assert_eq!(host.until("answers_marked").await["payload"]["marks"], json!([]));

    let (status, page) = stage.post(&path, (HOST, asked)).await;
    let answers = page["answers"].as_array().unwrap();
    assert_eq!((status, &page["total"], answers.len()), (200, &json!(171), 171));
    assert!(answers.iter().all(|answer| answer["correct"] == true && answer["ruled"] == true));

    let mut again = host_of(&stage, &game).await;
    again.until("round_ended").await;
    let review = review_of(&mut again).await;
    assert_eq!(counts(&review[0]), [("tuba", 171, 171), ("no", 85, 0)]);
    assert_eq!(counts(&review[19]), [("tuba", 171, 0), ("no", 85, 0)]);
    refuses_what_is_not_there(&stage, (&path, &questions[0])).await;
}

async fn refuses_what_is_not_there(stage: &Stage, (path, question): (&str, &str)) {
    let other = "00000000-0000-4000-8000-000000000000";
    for (asked, field) in [
        (json!({"questionId": other}), "questionId"),
        (json!({"questionId": question, "text": "oboe"}), "text"),
        (json!({"questionId": question, "text": "x".repeat(1_001)}), "text"),
        (json!({"questionId": question, "skip": 256}), "skip"),
    ] {
        let (status, problem) = stage.post(path, (HOST, asked)).await;
        assert_eq!((status, &problem["field"]), (422, &json!(field)), "{problem}");
    }
    assert_eq!(stage.post(path, ("another token", json!({"questionId": question}))).await.0, 401);
    let (status, last) = stage.post(path, (HOST, json!({"questionId": question, "skip": 255}))).await;
    assert_eq!((status, last["answers"].as_array().unwrap().len()), (200, 1));
    for _ in 0..30 {
        if stage.post(path, (HOST, json!({"questionId": question}))).await.0 == 429 {
            return;
        }
    }
    panic!("pages are not limited");
}
