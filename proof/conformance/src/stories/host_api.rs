//! The life of a quiz and of a game over HTTP, and what a host downloads afterwards.

use std::sync::Arc;

use anyhow::ensure;
use quizhall_protocol::Role;
use quizhall_protocol::http::quizzes::{Quiz, QuizBody};
use serde_json::{Value, json};

use super::results;
use crate::quiz;
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::compare::value;
use crate::stage::substate::SubState;
use crate::wire::Request;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "quiz_life",
        "a host",
        "create, read, list, replace, read, delete, read, delete again",
        "201 with ids for all questions, what was sent comes back, the replacement replaces, 204, then 404 twice",
        Swift,
        quiz_life
    ),
    story!(
        "quiz_defaults",
        "a host",
        "a true or false question without choices, a question without points",
        "choices True and False, 1,000 points",
        Swift,
        quiz_defaults
    ),
    story!(
        "game_is_frozen",
        "a game of a quiz",
        "replace the quiz, delete it, play",
        "the game is as it was when it was created",
        Swift,
        game_is_frozen
    ),
    story!(
        "game_life",
        "a host with a quiz",
        "create, list, read, lock, delete, read, list, delete again",
        "a code of six symbols, the game in the list while it lives, then 404 or 410",
        Swift,
        game_life
    ),
    story!(
        "players",
        "a lobby of two",
        "list the players, remove one, remove them again, list",
        "both in order of joining; 204; 204 or 404; one",
        Swift,
        players
    ),
    story!(
        "results",
        "a game with right, wrong, changed and overridden answers",
        "read the results in review, on the leaderboard and after the end",
        "every answer exactly once as it counts; the board once its scores are released",
        Swift,
        results::json
    ),
    story!(
        "results_csv",
        "players and answers that a spreadsheet would take for formulas",
        "download the CSV",
        "RFC 4180; no cell begins like a formula; names and answers can still be read",
        Swift,
        results::csv
    ),
    story!(
        "session",
        "a second host",
        "read the current session; read the first host's quiz and game",
        "200 for its own; 404 for the others, the same bytes as for random ids",
        Swift,
        session
    ),
];

async fn quiz_life(world: Arc<World>) -> anyhow::Result<()> {
    let sent = quiz::long(&format!("life{}", world.tag));
    let created = world.host.create_quiz(&sent).await?;
    same_quiz(&sent, &created)?;
    let path = format!("/api/v1/quizzes/{}", created.id);
    let get = || Request::new("GET", &path);
    let read: Quiz = serde_json::from_slice(&world.host.send(get()).await?.body)?;
    ensure!(read == created, "reading differs from creating");
    let list = world.host.send(Request::new("GET", "/api/v1/quizzes")).await?.json()?;
    ensure!(listed(&list["quizzes"], &created.id.to_string()), "the quiz is not in the list");
    let replacement = quiz::short(&format!("life{}", world.tag));
    let put = Request::new("PUT", &path).json(&serde_json::to_value(&replacement)?);
    let status = world.host.send(put).await?.status;
    ensure!(status == 200, "replace: HTTP {status}");
    let read: Quiz = serde_json::from_slice(&world.host.send(get()).await?.body)?;
    same_quiz(&replacement, &read)?;
    ensure!(read.id == created.id, "the replacement has another id");
    world.host.delete_quiz(created.id).await?;
    for request in [get(), Request::new("DELETE", &path)] {
        let status = world.host.send(request).await?.status;
        ensure!(status == 404, "after the deletion: HTTP {status}");
    }
    Ok(())
}

fn same_quiz(sent: &QuizBody, got: &Quiz) -> anyhow::Result<()> {
    let mut rounds = got.rounds.clone();
    let mut ids = Vec::new();
    for question in rounds.iter_mut().flat_map(|round| &mut round.questions) {
        ids.extend(question.id.take());
        question.tolerance = question.tolerance.filter(|tolerance| *tolerance != 0.0);
    }
    let mut wanted = sent.rounds.clone();
    for question in wanted.iter_mut().flat_map(|round| &mut round.questions) {
        question.tolerance = question.tolerance.filter(|tolerance| *tolerance != 0.0);
    }
    ensure!(got.title == sent.title && rounds == wanted, "the quiz came back different");
    let count = ids.len();
    ids.sort();
    ids.dedup();
    let questions = sent.rounds.iter().map(|round| round.questions.len()).sum::<usize>();
    ensure!(count == questions && ids.len() == count, "not every question has an id of its own");
    Ok(())
}

async fn quiz_defaults(world: Arc<World>) -> anyhow::Result<()> {
    let body = json!({ "title": "Defaults", "rounds": [{ "questions": [
        { "text": "Is it?", "type": "true_false", "correctAnswers": ["True"] },
        { "text": "What?", "type": "text", "correctAnswers": ["this"] },
    ] }] });
    let response = world.host.send(Request::new("POST", "/api/v1/quizzes").json(&body)).await?;
    ensure!(response.status == 201, "HTTP {}", response.status);
    let quiz: Quiz = serde_json::from_slice(&response.body)?;
    let game = world.host.create_game(quiz.id).await?;
    world.host.delete_game(game.id).await?;
    world.host.delete_quiz(quiz.id).await?;
    let questions = &game.rounds[0].questions;
    let choices = questions[0].choices.as_deref().unwrap_or_default();
    ensure!(choices == ["True", "False"], "the choices are {choices:?}");
    ensure!(questions[1].points == Some(1_000), "the points are {:?}", questions[1].points);
    Ok(())
}

async fn game_is_frozen(world: Arc<World>) -> anyhow::Result<()> {
    let quiz = world.host.create_quiz(&quiz::short(&world.tag)).await?.id;
    let mut stage = Stage::open(&world, quiz, &["Ada"]).await?;
    let path = format!("/api/v1/quizzes/{quiz}");
    let put = Request::new("PUT", &path).json(&serde_json::to_value(quiz::foreign(&world.tag))?);
    let status = world.host.send(put).await?.status;
    ensure!(status == 200, "replace: HTTP {status}");
    world.host.delete_quiz(quiz).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn game_life(world: Arc<World>) -> anyhow::Result<()> {
    const SYMBOLS: &str = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
    let game = world.host.create_game(world.long).await?;
    let fits = game.game_code.len() == 6 && game.game_code.chars().all(|symbol| SYMBOLS.contains(symbol));
    ensure!(fits, "the code is not six symbols of the alphabet");
    ensure!(game.join_url.contains(&game.game_code), "the link does not hold the code");
    let id = game.id.to_string();
    let list = async || anyhow::Ok(world.host.send(Request::new("GET", "/api/v1/games")).await?.json()?);
    ensure!(listed(&list().await?["games"], &id), "the game is not in the list");
    ensure!(world.host.game(game.id).await? == serde_json::to_value(&game)?, "reading differs from creating");
    world.host.lock(game.id, true).await?;
    ensure!(world.host.game(game.id).await?["locked"] == true, "the lock does not show");
    world.host.delete_game(game.id).await?;
    let path = format!("/api/v1/games/{id}");
    for request in [Request::new("GET", &path), Request::new("DELETE", &path)] {
        let status = world.host.send(request).await?.status;
        ensure!(matches!(status, 404 | 410), "after the deletion: HTTP {status}");
    }
    ensure!(!listed(&list().await?["games"], &id), "the deleted game is in the list");
    Ok(())
}

async fn players(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach(&world, SubState::Lobby, Role::Player).await?;
    let path = format!("/api/v1/games/{}/players", stage.id);
    let list = async || anyhow::Ok(world.host.send(Request::new("GET", &path)).await?.json()?);
    ensure!(list().await? == value(&stage.oracle.lobby_update())["payload"], "the list is not the lobby");
    let removed = stage.remove(0).await?;
    let again = Request::new("DELETE", &format!("{path}/{removed}"));
    let status = world.host.send(again).await?.status;
    ensure!(matches!(status, 204 | 404), "removed again: HTTP {status}");
    ensure!(list().await? == value(&stage.oracle.lobby_update())["payload"], "the list is not the lobby");
    stage.expect_lobby().await
}

async fn session(world: Arc<World>) -> anyhow::Result<()> {
    let other = &world.second_host()?.api;
    let current = other.send(Request::new("GET", "/api/v1/sessions/current")).await?;
    ensure!(current.status == 200, "the current session: HTTP {}", current.status);
    let stranger = uuid::Uuid::new_v4();
    for (real, random) in [
        (format!("/api/v1/quizzes/{}", world.long), format!("/api/v1/quizzes/{stranger}")),
        (format!("/api/v1/games/{}", world.foreign.game), format!("/api/v1/games/{stranger}")),
    ] {
        let real = other.send(Request::new("GET", &real)).await?;
        let random = other.send(Request::new("GET", &random)).await?;
        ensure!(real.status == 404 && random.status == 404, "HTTP {} and {}", real.status, random.status);
        ensure!(real.body == random.body, "a stranger's id answers with other bytes than a random one");
    }
    Ok(())
}

fn listed(list: &Value, id: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|entry| entry["id"] == id))
}
