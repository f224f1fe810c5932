//! Which round it is, and whether the host is here.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::host_status;
use quizhall_protocol::http::games::NewGame;
use quizhall_protocol::http::quizzes::RoundBody;
use quizhall_protocol::{Dialect, Role};

use super::waits;
use crate::api;
use crate::quiz;
use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::compare::value;
use crate::wire::Knock;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "numbers_and_titles",
        "a quiz of four rounds with titles, one of them empty, of different lengths",
        "play all of them; host and player connect again in each phase",
        "`round_started` after `game_started` and with each `start_next_round`: the number from 1, how many, the title, how many questions",
        Swift,
        numbers_and_titles
    ),
    story!(
        "before_the_host",
        "a new game, to which no host has ever connected",
        "a player who speaks v1 connects; then the host, who does not",
        "`host_status` says false first; then true, at once",
        Swift,
        before_the_host
    ),
    story!(
        "host_absent",
        "an open question; the first player speaks v1, the second does not",
        "the host closes their socket; the first player connects again; the host comes back",
        "`host_status` false after 5 s to the first player, also first on connecting; true at once; nothing to the second player",
        Waits,
        waits::host_absent
    ),
    story!(
        "host_reloads",
        "an open question, and the same in another game",
        "the host leaves and is back at once; after that the other game's connection to its host breaks",
        "`host_status` false in the other game; no socket of the first has received a byte by then",
        Waits,
        waits::host_reloads
    ),
];

async fn numbers_and_titles(world: Arc<World>) -> anyhow::Result<()> {
    let mut body = quiz::long(&world.tag);
    let [first, second] = &body.rounds[..] else { anyhow::bail!("the long quiz has two rounds") };
    let (first, second) = (first.clone(), second.clone());
    body.rounds = vec![
        RoundBody { title: "Überall & <nirgends>".to_owned(), ..second.clone() },
        first,
        second,
        RoundBody::new("𝄞 last", body.rounds[1].questions[..1].to_vec()),
    ];
    let quiz = world.host.create_quiz(&body).await?.id;
    let mut stage = Stage::open_as(&world, quiz, &["Ada", "Bela"], Cast::Mixed).await?;
    world.host.delete_quiz(quiz).await?;
    stage.start().await?;
    for round in 0..stage.oracle.quiz.rounds.len() {
        if round > 0 {
            stage.next_round().await?;
        }
        let started = value(&stage.oracle.round_started());
        ensure!(started["payload"]["round"] == round + 1, "the oracle is in another round");
        look_again(&mut stage).await.context("nothing open")?;
        stage.release(0).await?;
        look_again(&mut stage).await.context("a question open")?;
        stage.end_round().await?;
        look_again(&mut stage).await.context("in review")?;
        stage.release_scores().await?;
        look_again(&mut stage).await.context("on the leaderboard")?;
    }
    stage.end_game().await?;
    look_again(&mut stage).await.context("after the end")
}

async fn look_again(stage: &mut Stage) -> anyhow::Result<()> {
    stage.replace(Actor::Host).await?;
    stage.replace(Actor::Player(0)).await
}

async fn before_the_host(world: Arc<World>) -> anyhow::Result<()> {
    let (_lease, game) = world.lease(&NewGame::new(world.short)).await?;
    let joined = api::join(&world.target, &game.game_code, "Ada").await?;
    let knock = Knock::bearer(&game.game_code, &joined.session_token);
    let mut player = world.connect_as(knock, Role::Player, Dialect::QuizhallV1).await?;
    let first = player.message().await?;
    ensure!(first == value(&host_status(false)), "a host who never came is said to be there");
    ensure!(player.message().await?["type"] == "game_info", "what is going to be played is not sent");
    player.message().await.context("the lobby")?;
    player.silent().await?;
    let mut host = world.connect(&game.game_code, world.host.token(), Role::Host).await?;
    host.message().await.context("the host's lobby")?;
    ensure!(player.message().await? == value(&host_status(true)), "the host's connection is not sent");
    player.silent().await?;
    host.silent().await
}
