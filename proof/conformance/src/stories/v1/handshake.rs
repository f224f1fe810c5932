//! Asking for the extension, and not asking.

use std::sync::Arc;

use anyhow::ensure;
use quizhall_protocol::{Dialect, Role, SUBPROTOCOL};

use crate::row::{Story, story};
use crate::stage::Stage;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::compare::value;
use crate::stage::substate::SubState;
use crate::wire::Knock;
use crate::world::World;

/// The stories, in the order of the reference.
pub const STORIES: &[Story] = &[
    story!(
        "agreed",
        "a lobby",
        "offer `quizhall.v1` alone, in a list, in a second header, and from a page with the token in the query",
        "it is named in the answer, once and alone; `host_status` is the first message",
        Swift,
        agreed
    ),
    story!(
        "not_agreed",
        "a lobby",
        "offer nothing, names that are almost it, and its name in other letters",
        "no subprotocol in the answer; what the interface says and no extension message",
        Swift,
        not_agreed
    ),
    story!(
        "for_one_socket",
        "an open question",
        "host and player connect again without asking, then again asking",
        "each socket is sent the sync messages of its own dialect; the old one is closed with 4409",
        Swift,
        for_one_socket
    ),
];

async fn agreed(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let knock = || Knock::bearer(&stage.code, &stage.tokens[0]);
    let by_page = Knock { code: stage.code.clone(), query: Some(stage.tokens[0].clone()), ..Knock::default() };
    let knocks = [
        knock().offering(SUBPROTOCOL),
        knock().offering(&format!("chat, {SUBPROTOCOL}, superchat")),
        knock().offering(&format!("chat,{SUBPROTOCOL}")),
        knock().offering("chat").offering(SUBPROTOCOL),
        by_page.header("Origin", &world.target.origin()).offering(SUBPROTOCOL),
    ];
    for (number, knock) in knocks.iter().enumerate() {
        let mut connection = world.connect_by(knock, Role::Player).await?;
        ensure!(connection.dialect() == Dialect::QuizhallV1, "offer {number}: not agreed");
        let first = connection.message().await?;
        ensure!(first["type"] == "host_status", "offer {number}: {} comes first", first["type"]);
    }
    Ok(())
}

async fn not_agreed(world: Arc<World>) -> anyhow::Result<()> {
    let stage = Stage::open(&world, world.short, &["Ada"]).await?;
    let upper = SUBPROTOCOL.to_uppercase();
    for offer in [None, Some("quizhall"), Some("quizhall.v"), Some("quizhall.v10"), Some("xquizhall.v1"), Some(&upper)]
    {
        let knock = offer.into_iter().fold(Knock::bearer(&stage.code, &stage.tokens[0]), Knock::offering);
        let mut connection = world.connect_by(&knock, Role::Player).await?;
        ensure!(connection.dialect() == Dialect::Interface, "{offer:?}: agreed");
        let first = connection.message().await?;
        ensure!(first == value(&stage.oracle.lobby_update()), "{offer:?}: another lobby");
        connection.silent().await?;
    }
    Ok(())
}

async fn for_one_socket(world: Arc<World>) -> anyhow::Result<()> {
    let mut stage = Stage::reach_as(&world, SubState::Answered, Role::Player, Cast::Mixed).await?;
    for cast in [Cast::Interface, Cast::Mixed, Cast::FirstPlayerOnly, Cast::HostOnly, Cast::Mixed] {
        stage.recast(cast, &[Actor::Host, Actor::Player(0)]).await?;
    }
    stage.answer_rightly(1, 0).await?;
    stage.end_round().await
}
