//! What a participant who speaks the extension is sent on connecting, in every sub-state.

use quizhall_protocol::{Dialect, Role};

use crate::row::{Check, ResyncCase, Row};
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::substate::SubState;
use crate::tables::Group;
use quizhall_oracle::Phase;

/// The group.
pub const GROUP: Group = Group {
    name: "v1_standing",
    title: "v1: on connecting, sub-state × participant",
    about: "As in the interface's table, and the extension messages at their places: `host_status` first, a `room_update` that is whole to the host, the \
            quiz in the lobby, the round before the phase later on, and after it that the standings are held and which answers are revealed, if any are: a player who speaks the extension is then sent \
            `round_scores` and no board; at the end, to the host, which players have answered which questions, or how many markings can be taken back. The second player \
            did not ask, and is sent what the interface says.",
    rows,
};

const PARTICIPANTS: [(&str, Actor); 3] =
    [("host", Actor::Host), ("first_player", Actor::Player(0)), ("plain_player", Actor::Player(1))];

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for state in SubState::all(Dialect::QuizhallV1) {
        for (name, actor) in PARTICIPANTS.into_iter().take(if state == SubState::LobbyAlone { 2 } else { 3 }) {
            rows.push(Row {
                id: format!("v1_standing/{}/{name}", state.name()),
                given: state.words().to_owned(),
                send: format!("{} connects again", name.replace('_', " ")),
                expect: words(state, actor),
                check: Check::Resync(ResyncCase { state, cast: Cast::Mixed, actor }),
            });
        }
    }
    rows
}

fn words(state: SubState, actor: Actor) -> String {
    let role = match actor {
        Actor::Host => Role::Host,
        Actor::Player(0) => Role::Player,
        Actor::Player(_) => return "what the interface says, and no extension message".to_owned(),
    };
    let mut parts = vec!["`host_status`"];
    if role == Role::Host {
        parts.push("whole `room_update`");
    }
    if state.phase() == Phase::Lobby {
        parts.push("`game_info`");
    }
    if !matches!(state.phase(), Phase::Lobby | Phase::Ended) {
        parts.push("`round_started`");
    }
    if state == SubState::Held {
        parts.push("`standings_status`");
    }
    if state == SubState::Revealed {
        parts.push("`answer_revealed`");
    }
    parts.push(match (state, role) {
        (SubState::Held, Role::Player) => "`round_scores`",
        _ => "what the interface says",
    });
    match (state.phase(), role) {
        (Phase::Question, Role::Host) => parts.push("`players_answered` for each question that has answers"),
        (Phase::Review, Role::Host) => parts.push("`marking_update`"),
        _ => {}
    }
    parts.join(", ")
}
