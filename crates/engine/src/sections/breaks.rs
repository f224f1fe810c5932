//! The section about a break: `break_update`. Only the owner decides when a break ends.

use quizhall_protocol::to_all::BreakUpdate;
use quizhall_protocol::{ServerMessage, ToAll};
use quizhall_rules::{Phase, State};

use super::{Fact, Pace, Section, View};
use crate::wire::{BREAK_KEY, FrameKind};

/// Time left that differs by more than this from what a client counts is stated at once, milliseconds.
const NOTICEABLE: u32 = 500;

/// The time that the break has left at this moment, or that there is no break. The end of the game needs no statement that its break is
/// over.
pub const BREAK: Section = Section {
    message: "break_update",
    phases: &[Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard],
    render: |view| vec![Fact::of_game(ServerMessage::All(ToAll::BreakUpdate(update(view))))],
    is_assumed: |message| left(message).is_none(),
    is_same,
    pace: Pace::Clock,
    kind: |_| FrameKind::Replace(BREAK_KEY),
    ..Section::PLAIN
};

fn update(view: &View<'_>) -> BreakUpdate {
    let (left, text) = view.state.break_left(view.at).unzip();
    BreakUpdate {
        remaining_ms: left.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX)),
        text: text.flatten().map(str::to_owned),
    }
}

fn left(message: &ServerMessage) -> Option<(u32, &Option<String>)> {
    let ServerMessage::All(ToAll::BreakUpdate(update)) = message else { return None };
    Some((update.remaining_ms?, &update.text))
}

fn is_same(_: &State, one: &ServerMessage, other: &ServerMessage) -> bool {
    match (left(one), left(other)) {
        (Some((one, text)), Some((other, other_text))) => text == other_text && one.abs_diff(other) <= NOTICEABLE,
        (one, other) => one.is_none() && other.is_none(),
    }
}
