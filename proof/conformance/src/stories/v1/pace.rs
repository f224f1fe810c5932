//! Games question by question, and questions that close early: what plain sockets and those with the extension receive.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::from_host::{CloseQuestion, SetCloseWhenAnswered};
use quizhall_protocol::http::game_options::{GameOptions, Pace};
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::{CloseCode, FromHost};

use super::timers::until;
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "plain_sockets_play_rounds",
        "a game with pace `question`, all sockets without v1",
        "play two questions; connect again after each step",
        "what a quiz of rounds with one question gives, with the titles of those rounds",
        Swift,
        plain_sockets_play_rounds
    ),
    story!(
        "sections",
        "the same with streaks; the host and the first player speak v1",
        "play two questions of a section",
        "`game_options` to the host, `round_started` with `section`, and streaks that go on",
        Swift,
        sections
    ),
    story!(
        "options_in_the_lobby",
        "a lobby; the host and the first player speak v1",
        "`PUT …/options` with pace `question`",
        "`game_options` to the host; the game of the answer has a round for each question",
        Swift,
        options_in_the_lobby
    ),
    story!(
        "the_host_closes_a_question",
        "an open question",
        "`close_question` twice; wait; answer; close it again; close a question that was not released",
        "`question_closed` once to those who speak v1; 4005 or nothing for the answers; `question_closed` to the host; 4005",
        Swift,
        the_host_closes_a_question
    ),
    story!(
        "a_question_closes_when_all_have_answered",
        "an open question of a game with `closeWhenAnswered`",
        "both players answer",
        "`question_closed` after the last answer",
        Swift,
        a_question_closes_when_all_have_answered
    ),
];

async fn opened(world: &Arc<World>, options: NewGame, cast: Cast) -> anyhow::Result<Stage> {
    Stage::open_game(world, options, &["Ada", "Bela"], cast).await
}

fn by_question(world: &World) -> NewGame {
    NewGame { pace: Pace::Question, ..NewGame::new(world.long) }
}

/// Plays the question of the current round: the first player is right.
async fn plays(stage: &mut Stage) -> anyhow::Result<()> {
    stage.release(0).await?;
    let right = stage.oracle.question(0).accepted.first().cloned().context("a question with a key")?;
    stage.answer(0, 0, &right).await?;
    stage.end_round().await?;
    stage.release_scores().await
}

async fn plain_sockets_play_rounds(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world, by_question(&world), Cast::Interface).await?;
    stage.start().await?;
    for _ in 0..2 {
        plays(&mut stage).await?;
        stage.all_connect_again().await?;
        stage.next_round().await?;
        stage.all_connect_again().await?;
    }
    stage.settled().await.map(drop)
}

async fn sections(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world, NewGame { streaks: true, ..by_question(&world) }, Cast::Mixed).await?;
    stage.start().await?;
    plays(&mut stage).await?;
    stage.next_round().await?;
    plays(&mut stage).await?;
    stage.all_connect_again().await?;
    stage.settled().await.map(drop)
}

async fn options_in_the_lobby(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world, NewGame::new(world.long), Cast::Mixed).await?;
    let options = GameOptions { pace: Pace::Question, ..GameOptions::default() };
    let changed = world.host.set_options(stage.id, &options).await?;
    ensure!(changed.options == options, "the answer has other options");
    ensure!(changed.rounds.iter().all(|round| round.questions.len() == 1), "a round has several questions");
    let stated = until(&mut stage, Actor::Host, (world.options.longest_wait, "game_options")).await?;
    ensure!(stated["payload"]["pace"] == "question", "the host is sent {stated}");
    Ok(())
}

async fn the_host_closes_a_question(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world, NewGame::new(world.long), Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    let question_id = stage.oracle.question(0).id;
    let close = FromHost::CloseQuestion(CloseQuestion { question_id });
    stage.host_plays(close.clone()).await?;
    closes(&mut stage, question_id).await?;
    let late = Command::answer(question_id, "too late").bytes();
    stage.players[1].send_bytes(&late).await?;
    stage.silent().await.context("a plain socket whose answer is dropped")?;
    stage.refused(Actor::Player(0), &late, &[Wanted::bare(CloseCode::UnknownQuestion)]).await?;
    stage.host_plays(close).await.context("closed already")?;
    let unreleased = stage.oracle.question(1).id;
    let refused = Command::from(FromHost::CloseQuestion(CloseQuestion { question_id: unreleased })).bytes();
    stage.refused(Actor::Host, &refused, &[Wanted::bare(CloseCode::UnknownQuestion)]).await
}

async fn a_question_closes_when_all_have_answered(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world, NewGame::new(world.long), Cast::Mixed).await?;
    stage.start().await?;
    stage.release(0).await?;
    stage.host_plays(FromHost::SetCloseWhenAnswered(SetCloseWhenAnswered { on: true })).await?;
    let question = stage.oracle.question(0).id;
    stage.answer(0, 0, "one").await?;
    stage.answer(1, 0, "another").await?;
    closes(&mut stage, question).await
}

/// A question closes for those who speak v1, and nothing else is sent.
async fn closes(stage: &mut Stage, question: uuid::Uuid) -> anyhow::Result<()> {
    let longest = stage.world.options.longest_wait;
    for actor in [Actor::Host, Actor::Player(0)] {
        let closed = until(stage, actor, (longest, "question_closed")).await?;
        ensure!(closed["type"] == "question_closed", "{actor:?} is sent {closed}");
    }
    stage.happened(&Fact::QuestionClosed(question))?;
    stage.silent().await
}
