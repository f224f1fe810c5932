//! Edited and withdrawn questions and new names: the messages to each participant, and the view of a plain socket.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_protocol::CloseCode;
use quizhall_protocol::from_host::{EditQuestion, RenamePlayer, WithdrawQuestion};
use quizhall_protocol::{FromHost, FromPlayer};
use uuid::Uuid;

use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "edited",
        "a quiz of two rounds; the host and the first player speak v1",
        "edit a question in the lobby, twice; start and release it; edit its text and that of one to come; connect again each time; end the \
         round and edit it once more; read the results",
        "`question_edited` to who speaks v1 once the question is released, before that to the host alone; the plain socket is sent the \
         text when it connects again",
        Swift,
        edited
    ),
    story!(
        "unfit_words",
        "the same quiz, its first question open",
        "edit it to a blank text; give a text question choices; edit a question that is in no quiz",
        "4002 `text`, 4002 `choices`, 4005; nothing changes",
        Swift,
        unfit_words
    ),
    story!(
        "choices",
        "the first round of the quiz of all types",
        "give questions with choices other texts for them, release one and answer rightly; edit its choices",
        "`question_released` has the new choices, and what is right follows them; 4002 `choices` behind the release",
        Swift,
        choices
    ),
    story!(
        "withdrawn",
        "the same quiz, its first questions answered rightly by both players",
        "withdraw one that is open, twice; answer it over the plain socket; withdraw another in the review; release the scores; withdraw the \
         third, then one of a round that is out; connect again each time",
        "`question_withdrawn`, `question_closed` for the open one, and no points; boards made anew once scores are out; the answer of the \
         plain socket is dropped, that of a socket which was sent the closing refused with 4005",
        Swift,
        withdrawn
    ),
    story!(
        "renamed",
        "the same quiz with two players",
        "rename the plain player in the lobby, and the other to the same name, in each phase; to no name; a stranger; connect again each time",
        "`player_renamed` to who speaks v1; the lists and boards that follow have the name; 4002 `displayName` for a name that is taken or none, \
         4006 for the stranger",
        Swift,
        renamed
    ),
];

fn edit(question_id: Uuid, text: &str) -> Command {
    let text = Some(text.to_owned());
    Command::Host(FromHost::EditQuestion(EditQuestion { question_id, text, choices: None, accepted: None }))
}

fn offer(question_id: Uuid, choices: &[String]) -> Command {
    let choices = Some(choices.to_vec());
    Command::Host(FromHost::EditQuestion(EditQuestion { question_id, text: None, choices, accepted: None }))
}

fn withdraw(question_id: Uuid) -> Command {
    Command::Host(FromHost::WithdrawQuestion(WithdrawQuestion { question_id }))
}

fn rename(player_id: Uuid, name: &str) -> Command {
    let display_name = name.to_owned();
    Command::Host(FromHost::RenamePlayer(RenamePlayer { player_id, display_name }))
}

async fn opened(world: &Arc<World>) -> anyhow::Result<Stage> {
    Stage::open_as(world, world.long, &["Ada", "Bela"], Cast::Mixed).await
}

async fn host_plays_and_all_connect(stage: &mut Stage, command: Command) -> anyhow::Result<()> {
    let text = command.text();
    stage.host_plays(command).await?;
    stage.all_connect_again().await.with_context(|| format!("after {text}"))
}

async fn edited(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world).await?;
    let [first, second] = [0, 1].map(|number| stage.oracle.question(number).id);
    for _ in 0..2 {
        host_plays_and_all_connect(&mut stage, edit(first, "In other words?")).await?;
    }
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(1, 0).await?;
    for command in [edit(first, "In better words?"), edit(second, "To come?"), edit(first, "In better words?")] {
        host_plays_and_all_connect(&mut stage, command).await?;
    }
    ensure!(stage.oracle.is_corrected(first) && !stage.oracle.is_corrected(second), "the oracle has it otherwise");
    stage.end_round().await?;
    host_plays_and_all_connect(&mut stage, edit(first, "In the best words?")).await?;
    stage.release_scores().await?;
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.all_connect_again().await?;
    stage.next_round().await?;
    host_plays_and_all_connect(&mut stage, edit(first, "Too late?")).await?;
    stage.settled().await.map(drop)
}

async fn unfit_words(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world).await?;
    stage.start().await?;
    stage.release(0).await?;
    let first = stage.oracle.question(0).id;
    let unfit = |field| Wanted::with(CloseCode::InvalidPayload, field);
    stage.refuses(Actor::Host, edit(first, " "), unfit("text")).await?;
    let offered = ["x", "y"].map(str::to_owned);
    stage.refuses(Actor::Host, offer(first, &offered), unfit("choices")).await?;
    stage.refuses(Actor::Host, edit(Uuid::new_v4(), "What?"), CloseCode::UnknownQuestion).await?;
    let nothing = EditQuestion { question_id: first, text: None, choices: None, accepted: None };
    stage.refuses(Actor::Host, Command::Host(FromHost::EditQuestion(nothing)), unfit("text")).await?;
    stage.settled().await.map(drop)
}

async fn choices(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.kinds, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.start().await?;
    let round = &stage.oracle.quiz.rounds[0].questions;
    let has_choices = |question: &quizhall_oracle::Question| question.choices.is_some() && question.has_key();
    let numbers: Vec<_> = (0..).zip(round).filter(|(_, asked)| has_choices(asked)).map(|(at, _)| at).collect();
    ensure!(!numbers.is_empty(), "the first round has no question with choices");
    for number in numbers {
        let asked = stage.oracle.question(number).clone();
        let mut offered = asked.choices.clone().unwrap_or_default();
        for choice in &mut offered {
            choice.push_str(" indeed");
        }
        host_plays_and_all_connect(&mut stage, offer(asked.id, &offered)).await?;
        stage.release(number).await?;
        stage.answer_rightly(1, number).await?;
        offered.reverse();
        let unfit = Wanted::with(CloseCode::InvalidPayload, "choices");
        stage.refuses(Actor::Host, offer(asked.id, &offered), unfit).await?;
    }
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.settled().await.map(drop)
}

async fn withdrawn(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world).await?;
    stage.start().await?;
    for number in 0..3 {
        stage.release(number).await?;
        stage.answer_rightly(0, number).await?;
        stage.answer_rightly(1, number).await?;
    }
    let [first, second, third] = [0, 1, 2].map(|number| stage.oracle.question(number).id);
    for _ in 0..2 {
        host_plays_and_all_connect(&mut stage, withdraw(first)).await?;
    }
    let late = Command::answer(first, "Late");
    stage.refuses(Actor::Player(0), late.clone(), CloseCode::UnknownQuestion).await?;
    stage.connection(Actor::Player(1)).send(&late.text()).await?;
    stage.silent().await.context("an answer of a socket that cannot know")?;
    stage.end_round().await?;
    host_plays_and_all_connect(&mut stage, withdraw(second)).await?;
    stage.release_scores().await?;
    stage.all_connect_again().await?;
    host_plays_and_all_connect(&mut stage, withdraw(third)).await?;
    ensure!(stage.oracle.board.rows.iter().all(|row| row.score == 0), "{:?}", stage.oracle.board.rows);
    let appeal =
        Command::Player(FromPlayer::Appeal(quizhall_protocol::from_player::Appeal { question_id: first, text: None }));
    stage.play(Actor::Player(0), &appeal).await.context("an appeal for nothing")?;
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.settled().await.map(drop)
}

async fn renamed(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = opened(&world).await?;
    let [ada, bela] = [0, 1].map(|number| stage.oracle.players[number].id);
    for _ in 0..2 {
        host_plays_and_all_connect(&mut stage, rename(bela, "Zoe")).await?;
    }
    stage.start().await?;
    stage.release(0).await?;
    stage.answer_rightly(0, 0).await?;
    stage.answer_rightly(1, 0).await?;
    host_plays_and_all_connect(&mut stage, rename(ada, "Xenia")).await?;
    let taken = || Wanted::with(CloseCode::InvalidPayload, "displayName");
    for name in ["ZOE", " ", "\u{202e}eoZ"] {
        stage.refuses(Actor::Host, rename(ada, name), taken()).await?;
    }
    let stranger = rename(Uuid::new_v4(), "Yara");
    stage.refuses(Actor::Host, stranger, CloseCode::UnknownPlayer).await?;
    stage.end_round().await?;
    host_plays_and_all_connect(&mut stage, rename(bela, "Yara")).await?;
    stage.release_scores().await?;
    for name in ["Abel", "Bela"] {
        host_plays_and_all_connect(&mut stage, rename(bela, name)).await?;
    }
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.settled().await.map(drop)
}
