//! Sections about tie-breaks: all of this round for every viewer (`tie_breaks`), and a player's own answer (`tie_break_answer`).

use quizhall_protocol::to_all::TieBreaks;
use quizhall_protocol::to_player::TieBreakAnswer;
use quizhall_protocol::{ServerMessage, ToAll, ToPlayer};
use quizhall_rules::Phase;

use super::course::stated;
use super::{Fact, Section, View, Viewers};
use crate::wire::{tie_break_status, tie_breaks};

/// The tie-breaks after this round.
pub const TIE_BREAKS: Section = Section {
    message: "tie_breaks",
    opens: true,
    phases: &[Phase::Leaderboard, Phase::Ended],
    is_of_round: true,
    render: |view| {
        let tie_breaks = tie_breaks(view.state).map(|one| tie_break_status(view.state, one)).collect();
        stated(Some(ToAll::TieBreaks(TieBreaks { tie_breaks })))
    },
    is_assumed: |message| *message == ServerMessage::All(ToAll::TieBreaks(TieBreaks { tie_breaks: Vec::new() })),
    ..Section::PLAIN
};

/// A player's answer to the tie-break that is open. `tie_breaks` states that it is over.
pub const TIE_BREAK_ANSWER: Section = Section {
    message: "tie_break_answer",
    viewers: Viewers::Player,
    phases: &[Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    render: |view| answer(view).into_iter().collect(),
    is_assumed: |message| *message == message_of(None),
    is_same: |_, one, other| one == other || *other == message_of(None),
    ..Section::PLAIN
};

fn answer(view: &View<'_>) -> Option<Fact> {
    let player = view.player()?.id;
    let number = view.state.open_tie_break().and_then(|open| open.answers.get(&player).copied());
    Some(Fact::of_game(message_of(number)))
}

fn message_of(number: Option<i64>) -> ServerMessage {
    ServerMessage::Player(ToPlayer::TieBreakAnswer(TieBreakAnswer { number }))
}
