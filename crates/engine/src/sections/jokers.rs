//! Sections about jokers: the round for which they can be played (`joker_round`), and a player's own (`joker_update`).

use quizhall_protocol::to_all::JokerRound;
use quizhall_protocol::to_player::JokerUpdate;
use quizhall_protocol::{ServerMessage, ToAll, ToPlayer};
use quizhall_rules::Phase;

use super::course::stated;
use super::{Fact, Section, Viewers};

const LIVE: &[Phase] = &[Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard];

/// The round for which a joker can be played now.
pub const JOKER_ROUND: Section = Section {
    message: "joker_round",
    opens: true,
    phases: LIVE,
    exists: |state| state.quiz_has_jokers(),
    render: |view| {
        let round = view.state.joker_round().map(|round| round + 1);
        stated(Some(ToAll::JokerRound(JokerRound { round })))
    },
    is_assumed: |message| *message == ServerMessage::All(ToAll::JokerRound(JokerRound { round: None })),
    ..Section::PLAIN
};

/// The round for which a player has played the joker.
pub const JOKER_UPDATE: Section = Section {
    message: "joker_update",
    viewers: Viewers::Player,
    phases: LIVE,
    render: |view| {
        let update = view.player().map(|player| JokerUpdate { round: player.joker.map(|round| round + 1) });
        update.map(|update| Fact::of_game(ServerMessage::Player(ToPlayer::JokerUpdate(update)))).into_iter().collect()
    },
    is_assumed: |message| *message == ServerMessage::Player(ToPlayer::JokerUpdate(JokerUpdate { round: None })),
    ..Section::PLAIN
};
