//! Players on paper: seats without a phone, the answers that the host enters, and the phone that takes such a seat.

use std::sync::Arc;

use anyhow::{Context, ensure};
use quizhall_oracle::Fact;
use quizhall_protocol::from_host::{AddSeat, EnterAnswer};
use quizhall_protocol::{CloseCode, FromHost};
use uuid::Uuid;

use crate::api;
use crate::row::{Story, Wanted, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::{Actor, Command};
use crate::stories::results;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "seated",
        "a lobby of two; the host and the first player speak v1",
        "add a player on paper in the lobby, twice, and more in each phase of a locked game; add a name that is taken, and none; connect \
         again each time",
        "the lobby's list to all, and `room_update` to the host; 4002 `displayName`, and nothing changes",
        Swift,
        seated
    ),
    story!(
        "entered",
        "the first round of the quiz of all types; a player on paper and two with phones",
        "enter an answer to each question, a near miss first, then the right one, twice; mark one answer in the review, and enter another; \
         release the scores; read the results; connect again each time",
        "`answers_entered`, and the count for a first answer; a marking of an answer that was replaced is none that can be taken back; the \
         player is on the board",
        Swift,
        entered
    ),
    story!(
        "refused",
        "a question is open",
        "enter an answer of a player with a phone, of a stranger, to a question that is not open, to one that was withdrawn",
        "4006, 4006, 4005, 4005; nothing changes",
        Swift,
        refused
    ),
    story!(
        "phone",
        "a question is open, and answered on paper",
        "the host issues a code, and a phone takes the seat with it; it answers otherwise; enter an answer once more",
        "the phone is sent `answer_accepted` for what was entered, and its own answer counts; 4006 for the entry",
        Swift,
        phone
    ),
];

fn add(name: &str) -> Command {
    Command::Host(FromHost::AddSeat(AddSeat { display_name: name.to_owned() }))
}

fn enter(player_id: Uuid, question_id: Uuid, answer: &str) -> Command {
    Command::Host(FromHost::EnterAnswer(EnterAnswer { player_id, question_id, answer: answer.to_owned() }))
}

async fn host_plays_and_connects(stage: &mut Stage, command: Command) -> anyhow::Result<()> {
    let text = command.text();
    stage.host_plays(command).await?;
    stage.replace(Actor::Host).await.with_context(|| format!("after {text}"))
}

async fn seated(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    for _ in 0..2 {
        host_plays_and_connects(&mut stage, add("Zoe")).await?;
    }
    stage.replace(Actor::Player(1)).await?;
    stage.lock(true).await?;
    stage.start().await?;
    host_plays_and_connects(&mut stage, add("Yara")).await?;
    let taken = || Wanted::with(CloseCode::InvalidPayload, "displayName");
    for name in ["ADA", "Z0e", " ", "\u{202e}eoX"] {
        stage.refuses(Actor::Host, add(name), taken()).await?;
    }
    stage.release(0).await?;
    stage.end_round().await?;
    host_plays_and_connects(&mut stage, add("Xenia")).await?;
    stage.release_scores().await?;
    host_plays_and_connects(&mut stage, add("Wanda")).await?;
    ensure!(stage.oracle.players.iter().filter(|player| player.on_paper).count() == 4, "not four on paper");
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.settled().await.map(drop)
}

async fn entered(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.kinds, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.play(Actor::Host, &add("Zoe")).await?;
    stage.start().await?;
    let zoe = stage.oracle.players[2].id;
    let count = stage.oracle.quiz.rounds[0].questions.len();
    for number in 0..count {
        stage.release(number).await?;
        let asked = stage.oracle.question(number);
        // Of a question without marks no answer is right.
        let key = if asked.is_marked() { asked.key() } else { "another thought".to_owned() };
        let id = asked.id;
        for answer in ["a first thought", &key, &key] {
            host_plays_and_connects(&mut stage, enter(zoe, id, answer)).await?;
        }
        stage.answer(1, number, "a first thought").await?;
    }
    stage.end_round().await?;
    stage.overrule(2, 0, false).await?;
    let marked = stage.oracle.question(0);
    let (id, key) = (marked.id, marked.key());
    host_plays_and_connects(&mut stage, enter(zoe, id, "another thought")).await?;
    ensure!(stage.oracle.undoable() == 0, "a marking of an answer that is not there any more");
    host_plays_and_connects(&mut stage, enter(zoe, id, &key)).await?;
    stage.release_scores().await?;
    ensure!(stage.oracle.board.rows[0].score > 0, "{:?}", stage.oracle.board.rows);
    let board = results::board(&stage);
    results::check(&stage, &board, &results::answers(&stage)).await.context("results")?;
    stage.settled().await.map(drop)
}

async fn refused(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.play(Actor::Host, &add("Zoe")).await?;
    stage.start().await?;
    stage.release(0).await?;
    let [ada, zoe] = [0, 2].map(|number| stage.oracle.players[number].id);
    let [first, second] = [0, 1].map(|number| stage.oracle.question(number).id);
    for stranger in [ada, Uuid::new_v4()] {
        stage.refuses(Actor::Host, enter(stranger, first, "Bern"), CloseCode::UnknownPlayer).await?;
    }
    stage.refuses(Actor::Host, enter(zoe, second, "Bern"), CloseCode::UnknownQuestion).await?;
    let withdrawn = quizhall_protocol::from_host::WithdrawQuestion { question_id: first };
    stage.host_plays(FromHost::WithdrawQuestion(withdrawn)).await?;
    stage.refuses(Actor::Host, enter(zoe, first, "Bern"), CloseCode::UnknownQuestion).await?;
    stage.settled().await.map(drop)
}

async fn phone(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::open_as(&world, world.long, &["Ada", "Bela"], Cast::Mixed).await?;
    stage.play(Actor::Host, &add("Zoe")).await?;
    stage.start().await?;
    stage.release(0).await?;
    let (zoe, question) = (stage.oracle.players[2].id, stage.oracle.question(0).id);
    stage.play(Actor::Host, &enter(zoe, question, "a first thought")).await?;
    let code = stage.world.host.issue_seat_code(stage.id, zoe).await?;
    let request = (stage.code.as_str(), code.as_str());
    let taken = api::taken(&api::take_seat(&stage.world.target, request, &Uuid::new_v4().to_string()).await?)?;
    ensure!((taken.player_id, taken.display_name.as_str()) == (zoe, "Zoe"), "the seat of another player");
    stage.happened(&Fact::SeatTaken(zoe))?;
    stage.expect_room(2).await.context("the seat has a phone")?;
    stage.happened(&Fact::Connected(zoe))?;
    stage.connect_player(taken).await?;
    stage.expect_room(2).await.context("the phone is connected")?;
    stage.answer_rightly(2, 0).await?;
    stage.refuses(Actor::Host, enter(zoe, question, "Bern"), CloseCode::UnknownPlayer).await?;
    stage.end_round().await?;
    stage.release_scores().await?;
    stage.settled().await.map(drop)
}
