//! Sections about the course of the game: the host's presence, the title, the seal, the options, the round, held standings, and the pictures and sounds that clients
//! load ahead.

use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::to_all::{GameInfo, HostStatus, RoundStarted, SealStatus, StandingsStatus};
use quizhall_protocol::{ServerMessage, ToAll, ToHost};
use quizhall_rules::{Phase, Seal};

use super::{Fact, Section, View, Viewers, is_host};
use crate::wire::options::{options_body, section};
use crate::wire::{count, media_preload};

const LIVE: &[Phase] = &[Phase::Lobby, Phase::Question, Phase::RoundReview, Phase::Leaderboard];
const ROUNDS: &[Phase] = &[Phase::Question, Phase::RoundReview, Phase::Leaderboard];

/// Whether the host is connected. A host with a socket here does not receive their own absence.
pub const HOST_STATUS: Section = Section {
    message: "host_status",
    opens: true,
    render: |view| stated(Some(ToAll::HostStatus(HostStatus { connected: view.state.is_host_present() }))),
    is_kept_from: |state, viewer| !state.is_host_present() && is_host(state, viewer),
    ..Section::PLAIN
};

/// The title of the quiz.
pub const GAME_INFO: Section = Section {
    message: "game_info",
    opens: true,
    phases: &[Phase::Lobby],
    render: |view| stated(Some(ToAll::GameInfo(GameInfo { title: view.state.quiz().title.clone() }))),
    ..Section::PLAIN
};

/// The seal of a sealed quiz, which never changes.
pub const SEAL: Section = Section {
    message: "seal_status",
    opens: true,
    exists: |state| state.sealed().is_some(),
    render: |view| {
        let status = |sealed: &Seal| ToAll::SealStatus(SealStatus { seal: sealed.seal.to_string() });
        stated(view.state.sealed().map(status))
    },
    ..Section::PLAIN
};

/// The options of the game; hosts assume that it has none.
pub const GAME_OPTIONS: Section = Section {
    message: "game_options",
    viewers: Viewers::Hosts,
    opens: true,
    phases: LIVE,
    render: |view| vec![Fact::of_game(ServerMessage::Host(ToHost::GameOptions(options_body(view.state.options()))))],
    is_assumed: |message| *message == ServerMessage::Host(ToHost::GameOptions(GameOptions::default())),
    ..Section::PLAIN
};

/// The round that began.
pub const ROUND_STARTED: Section = Section {
    message: "round_started",
    opens: true,
    phases: ROUNDS,
    is_of_round: true,
    render: |view| stated(round_started(view)),
    ..Section::PLAIN
};

/// Whether the standings are held.
pub const STANDINGS_STATUS: Section = Section {
    message: "standings_status",
    opens: true,
    phases: &[Phase::Leaderboard],
    is_of_round: true,
    render: |view| stated(Some(ToAll::StandingsStatus(StandingsStatus { held: view.state.are_standings_held() }))),
    is_assumed: |message| *message == ServerMessage::All(ToAll::StandingsStatus(StandingsStatus { held: false })),
    ..Section::PLAIN
};

/// The pictures and sounds that clients load ahead.
pub const MEDIA_PRELOAD: Section = Section {
    message: "media_preload",
    opens: true,
    render: |view| stated(media_preload(view.state).map(ToAll::MediaPreload)),
    ..Section::PLAIN
};

fn round_started(view: &View<'_>) -> Option<ToAll> {
    let (quiz, number) = (view.state.quiz(), view.state.round());
    let round = quiz.rounds.get(number)?;
    Some(ToAll::RoundStarted(RoundStarted {
        round: count(number + 1),
        rounds: count(quiz.rounds.len()),
        title: round.title.clone(),
        question_count: count(round.questions.len()),
        section: view.state.section(number).as_ref().map(section),
        wrong_points: (round.wrong_points != 0).then_some(round.wrong_points),
    }))
}

/// The fact of a section that states one about the game.
pub(super) fn stated(message: Option<ToAll>) -> Vec<Fact> {
    message.map(|message| Fact::of_game(ServerMessage::All(message))).into_iter().collect()
}
