//! A state as a snapshot holds it: all features side by side, in this order and under these names. The engine's `SNAPSHOT_FORMAT`
//! changes with it.

use std::borrow::Cow;
use std::sync::Arc;

use quizhall_quiz::Quiz;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::answering::markings::Markings;
use crate::base::{
    Board, CommandId, FrozenQuiz, Game, GameId, HostId, MarkingRule, Phase, PlayOptions, Played, Roster, ScreenId,
    Seal, is_zero,
};
use crate::clock::extra_time::ExtraTime;
use crate::clock::game_clock::Clock;
use crate::clock::timers::Timers;
use crate::people::co_hosts::CoHosts;
use crate::people::screens::{Screen, Screens};
use crate::people::seats::Seats;
use crate::showing::reveal::RevealedAnswers;
use crate::showing::settings::Settings;
use crate::showing::tally::ShownTally;
use crate::showing::tie_breaks::TieBreaks;
use crate::state::State;

/// Borrowed to be written, owned when read. What can grow with the players is not cloned.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    game: GameId,
    host: HostId,
    code: Cow<'a, str>,
    quiz: Arc<Quiz>,
    #[serde(with = "crate::base::hex")]
    join_secret: [u8; 32],
    created_at_ms: i64,
    epoch: u64,
    phase: Phase,
    #[serde(flatten)]
    settings: Settings,
    closed: bool,
    #[serde(rename = "host_stamp")]
    last_host_command: Option<CommandId>,
    #[serde(default)]
    host_present: bool,
    #[serde(rename = "players")]
    roster: Cow<'a, Roster>,
    rounds: Cow<'a, [Played]>,
    #[serde(default)]
    markings: Cow<'a, Markings>,
    board: Arc<Board>,
    #[serde(default)]
    standings_held: bool,
    #[serde(default, skip_serializing_if = "is_zero")]
    adjusted: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shown_tally: Option<ShownTally>,
    #[serde(default, skip_serializing_if = "Timers::were_never_used")]
    timers: Timers,
    #[serde(default, skip_serializing_if = "ExtraTime::is_unused")]
    extra: ExtraTime,
    #[serde(default, skip_serializing_if = "RevealedAnswers::are_none")]
    revealed: RevealedAnswers,
    #[serde(flatten)]
    options: PlayOptions,
    // The settings have a field `screens` of their own.
    #[serde(rename = "added_screens", default, skip_serializing_if = "Vec::is_empty")]
    screens: Vec<Screen>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    removed_screens: Vec<ScreenId>,
    #[serde(default, skip_serializing_if = "CoHosts::are_none")]
    co_hosts: CoHosts,
    #[serde(default, skip_serializing_if = "TieBreaks::are_none")]
    tie_breaks: TieBreaks,
    #[serde(default, skip_serializing_if = "Seats::are_unused")]
    seats: Seats,
    #[serde(default, skip_serializing_if = "MarkingRule::is_first")]
    rule: MarkingRule,
    #[serde(default)]
    steps: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed: Option<Arc<Seal>>,
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        Stored::from(self).serialize(out)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Stored::deserialize(input).map(Self::from)
    }
}

impl<'a> From<&'a State> for Stored<'a> {
    fn from(state: &'a State) -> Self {
        let State {
            game,
            settings,
            markings,
            shown_tally,
            clock,
            revealed,
            screens,
            co_hosts,
            tie_breaks,
            seats,
            steps,
        } = state;
        Self {
            game: game.id,
            host: game.host,
            code: Cow::Borrowed(&game.code),
            quiz: Arc::clone(game.frozen.written()),
            join_secret: game.join_secret,
            created_at_ms: game.created_at_ms,
            epoch: game.epoch,
            phase: game.phase,
            settings: settings.clone(),
            closed: game.closed,
            last_host_command: game.last_host_command,
            host_present: game.host_present,
            roster: Cow::Borrowed(&game.roster),
            rounds: Cow::Borrowed(&game.rounds),
            markings: Cow::Borrowed(markings),
            board: Arc::clone(&game.board),
            standings_held: game.standings_held,
            adjusted: game.adjusted,
            shown_tally: shown_tally.clone(),
            timers: clock.timers.clone(),
            extra: clock.extra.clone(),
            revealed: revealed.clone(),
            options: game.options,
            screens: screens.added.clone(),
            removed_screens: screens.removed.clone(),
            co_hosts: co_hosts.clone(),
            tie_breaks: tie_breaks.clone(),
            seats: seats.clone(),
            rule: game.rule,
            steps: *steps,
            sealed: game.sealed.clone(),
        }
    }
}

impl From<Stored<'_>> for State {
    fn from(stored: Stored<'_>) -> Self {
        let mut game = Game {
            id: stored.game,
            host: stored.host,
            code: stored.code.into_owned(),
            frozen: FrozenQuiz::of(stored.quiz, &stored.options),
            join_secret: stored.join_secret,
            created_at_ms: stored.created_at_ms,
            epoch: stored.epoch,
            phase: stored.phase,
            closed: stored.closed,
            last_host_command: stored.last_host_command,
            host_present: stored.host_present,
            roster: stored.roster.into_owned(),
            rounds: stored.rounds.into_owned(),
            board: stored.board,
            standings_held: stored.standings_held,
            adjusted: stored.adjusted,
            options: stored.options,
            rule: stored.rule,
            sealed: stored.sealed,
        };
        game.count_away();
        Self {
            game,
            settings: stored.settings,
            markings: stored.markings.into_owned(),
            shown_tally: stored.shown_tally,
            clock: Clock { timers: stored.timers, extra: stored.extra },
            revealed: stored.revealed,
            screens: Screens { added: stored.screens, removed: stored.removed_screens },
            co_hosts: stored.co_hosts,
            tie_breaks: stored.tie_breaks,
            seats: stored.seats,
            steps: stored.steps,
        }
    }
}
