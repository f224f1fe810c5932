//! Resync: what each participant is sent on connecting, in every sub-state.

use quizhall_protocol::{Dialect, Role};

use super::Group;
use crate::row::{Check, ResyncCase, Row};
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::substate::SubState;
use quizhall_oracle::Phase;

/// The group.
pub const GROUP: Group = Group {
    name: "resync",
    title: "On connecting: sub-state × participant",
    about: "A participant connects while their old socket is open. They are sent exactly what rebuilds their view, the old socket is closed \
            with 4409 `replaced`, no other socket receives a byte and the game is unchanged.",
    rows,
};

const PARTICIPANTS: [(&str, Role, Actor); 3] = [
    ("host", Role::Host, Actor::Host),
    ("first_player", Role::Player, Actor::Player(0)),
    ("second_player", Role::Player, Actor::Player(1)),
];

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for state in SubState::all(Dialect::Interface) {
        for (name, role, actor) in PARTICIPANTS.into_iter().take(if state == SubState::LobbyAlone { 2 } else { 3 }) {
            rows.push(Row {
                id: format!("resync/{}/{name}", state.name()),
                given: state.words().to_owned(),
                send: format!("{} connects again", name.replace('_', " ")),
                expect: words(state, role).to_owned(),
                check: Check::Resync(ResyncCase { state, cast: Cast::Interface, actor }),
            });
        }
    }
    rows
}

const fn words(state: SubState, role: Role) -> &'static str {
    match (state.phase(), role) {
        (Phase::Lobby, _) => "`lobby_update`",
        (Phase::Question, Role::Host) => "`question_released` and then `scoreboard_update` for each open question",
        (Phase::Question, Role::Player) => {
            "`question_released` for each open question, then `answer_accepted` for each one answered"
        }
        (Phase::Review, Role::Host) => "`round_ended`, `round_review`",
        (Phase::Review, Role::Player) => "`round_ended`",
        (Phase::Leaderboard, Role::Host) => "`round_leaderboard`",
        (Phase::Leaderboard, Role::Player) => "`round_leaderboard`, `round_scores`, `scoreboard_update`",
        (Phase::Ended, _) => "`game_ended`",
        (_, Role::Screen) => "`screen_update`",
    }
}
