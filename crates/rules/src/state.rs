//! The whole state of a game, built from its log only. The engine keeps one per game, reads it, and applies events.
//!
//! The parts have their own files: players (`base/roster`), answers (`base/sheet`), the board (`base/board`), the frozen quiz
//! (`base/frozen`). Changes are in `apply`, views of the answers in `answering/review`. Looking up or storing an answer never
//! scans the players.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::answering::markings::Markings;
use crate::base::frozen::FrozenQuiz;
use crate::base::roster::Roster;
use crate::base::sheet::{Played, Sheet};
use crate::clock::extra_time::ExtraTime;
use crate::clock::timers::Timers;
use crate::people::co_hosts;
use crate::people::seats::Seats;
use crate::showing::settings::Settings;
use crate::showing::tally::ShownTally;
use crate::{
    Answer, Board, Change, CommandId, Created, Event, GameId, HostId, MarkingRule, Phase, Player, PlayerId, Question,
    QuestionId, Quiz, Screen, ScreenId, Teams, TieBreak, TokenHash,
};

/// The state of one game. It is serialized whole into snapshots, whose format changes with it (the engine's `SNAPSHOT_FORMAT`).
/// `Debug` shows no name, answer or secret.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(crate) game: GameId,
    pub(crate) host: HostId,
    pub(crate) code: String,
    #[serde(rename = "quiz")]
    pub(crate) frozen: FrozenQuiz,
    #[serde(with = "crate::base::hex")]
    pub(crate) join_secret: [u8; 32],
    pub(crate) created_at_ms: i64,
    pub(crate) epoch: u64,
    pub(crate) phase: Phase,
    #[serde(flatten)]
    pub(crate) settings: Settings,
    pub(crate) closed: bool,
    #[serde(rename = "host_stamp")]
    pub(crate) last_host_command: Option<CommandId>,
    #[serde(default)]
    pub(crate) host_present: bool,
    #[serde(rename = "players")]
    pub(crate) roster: Roster,
    /// The rounds that have begun; the last is the current one.
    pub(crate) rounds: Vec<Played>,
    /// The host's markings of the current round, for undoing them.
    #[serde(default)]
    pub(crate) markings: Markings,
    pub(crate) board: Arc<Board>,
    /// Whether the host has not yet shown the standings of the latest scores; false outside the leaderboard phase.
    #[serde(default)]
    pub(crate) standings_held: bool,
    /// The tally that the host shows; none once another round begins or the game ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shown_tally: Option<ShownTally>,
    #[serde(default, skip_serializing_if = "Timers::were_never_used")]
    pub(crate) timers: Timers,
    #[serde(default, skip_serializing_if = "ExtraTime::is_unused")]
    pub(crate) extra: ExtraTime,
    /// The questions of this round whose right answers the host has revealed, in that order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) revealed: Vec<QuestionId>,
    /// Whether held scores are hidden on phones until the host shows them.
    #[serde(default, skip_serializing_if = "crate::event::is_false")]
    pub(crate) phones_after_screen: bool,
    /// Whether the names of players who join are checked.
    #[serde(default, skip_serializing_if = "crate::event::is_false")]
    pub(crate) clean_names: bool,
    /// The screens that have a token, in order of adding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) screens: Vec<Screen>,
    /// The screens that the host has removed, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) removed_screens: Vec<ScreenId>,
    /// The co-hosts in order of adding; the first is the host's second device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) co_hosts: Vec<co_hosts::Place>,
    /// The tie-breaks in order; the last can be open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tie_breaks: Vec<TieBreak>,
    #[serde(default, skip_serializing_if = "Seats::are_unused")]
    pub(crate) seats: Seats,
    /// How several phones play as a team; none without teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) teams: Option<Teams>,
    /// The rule by which answers are compared.
    #[serde(default, skip_serializing_if = "MarkingRule::is_first")]
    pub(crate) rule: MarkingRule,
}

/// Why a log cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The log has no entry.
    #[error("the log of the game is empty")]
    Empty,
    /// The first entry is not the creation.
    #[error("the log of the game does not begin with its creation")]
    NotCreated,
}

impl State {
    /// A new game in the lobby.
    pub fn created(created: &Created) -> Self {
        Self {
            game: created.game,
            host: created.host,
            code: created.code.clone(),
            frozen: Arc::new(created.quiz.clone()).into(),
            join_secret: created.join_secret,
            created_at_ms: created.created_at_ms,
            epoch: 0,
            phase: Phase::Lobby,
            settings: Settings::default(),
            closed: false,
            last_host_command: None,
            host_present: false,
            roster: Roster::default(),
            rounds: Vec::new(),
            markings: Markings::default(),
            board: Arc::default(),
            standings_held: false,
            shown_tally: None,
            timers: Timers::default(),
            extra: ExtraTime::default(),
            revealed: Vec::new(),
            phones_after_screen: created.phones_after_screen,
            clean_names: created.clean_names,
            screens: Vec::new(),
            removed_screens: Vec::new(),
            co_hosts: Vec::new(),
            tie_breaks: Vec::new(),
            seats: Seats::default(),
            teams: created.teams,
            rule: created.rule,
        }
    }

    /// The state after a whole log, which begins with the creation.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let mut state = match &events.next().ok_or(ReplayError::Empty)?.change {
            Change::Created(created) => Self::created(created),
            _ => return Err(ReplayError::NotCreated),
        };
        for event in events {
            state.apply(event);
        }
        Ok(state)
    }

    /// The rule by which its answers are compared.
    pub(crate) fn rule(&self) -> MarkingRule {
        self.rule
    }

    /// The game's id.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// The game's owner.
    pub fn host(&self) -> HostId {
        self.host
    }

    /// The code players type.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The quiz, as frozen at creation.
    pub fn quiz(&self) -> &Arc<Quiz> {
        self.frozen.quiz()
    }

    /// The key from which tokens of idempotent joins are derived.
    pub fn join_secret(&self) -> &[u8; 32] {
        &self.join_secret
    }

    /// Wall-clock time of creation in milliseconds since 1970, for display only.
    pub fn created_at_ms(&self) -> i64 {
        self.created_at_ms
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The current round, from 0; 0 in the lobby too.
    pub fn round(&self) -> usize {
        self.rounds.len().saturating_sub(1)
    }

    /// Whether the quiz has a round after the current one.
    pub fn has_next_round(&self) -> bool {
        self.round() + 1 < self.quiz().rounds.len()
    }

    /// Whether the game was deleted or abandoned.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The last claim's epoch; 0 before any.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Every player who ever joined, removed players included, in order of joining.
    pub fn all_players(&self) -> impl Iterator<Item = &Player> {
        self.roster.all()
    }

    /// The players who were not removed, in order of joining.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.roster.players()
    }

    /// The players of the lobby: those who are present, in order of joining (`lobby_update`).
    pub fn lobby(&self) -> impl Iterator<Item = &Player> {
        self.players().filter(|player| player.present)
    }

    /// How many players were not removed.
    pub fn player_count(&self) -> usize {
        self.roster.count()
    }

    /// How many players are present.
    pub fn present_count(&self) -> usize {
        self.roster.present()
    }

    /// How many players are connected.
    pub fn connected_count(&self) -> usize {
        self.roster.connected()
    }

    /// Whether the host has a socket, or lost it less than the grace period ago; false until the first one.
    pub fn is_host_present(&self) -> bool {
        self.host_present
    }

    /// A player who was not removed.
    pub fn player(&self, player: PlayerId) -> Option<&Player> {
        self.roster.find_player(player).map(|slot| self.roster.player(slot))
    }

    /// Whether the player joined and was removed.
    pub fn is_removed(&self, player: PlayerId) -> bool {
        self.roster.find(player).is_some_and(|slot| self.roster.player(slot).removed)
    }

    /// The player (not removed) whose session token has this hash.
    pub fn player_by_token(&self, token: &TokenHash) -> Option<&Player> {
        self.roster.find_token(token).map(|slot| self.roster.player(slot)).filter(|player| !player.removed)
    }

    /// Whether the token belonged to a player who was removed.
    pub fn is_removed_token(&self, token: &TokenHash) -> bool {
        self.roster.find_token(token).is_some_and(|slot| self.roster.player(slot).removed)
    }

    /// Whether the token belonged to a banned player or to a phone of a banned team.
    pub fn is_banned_token(&self, token: &TokenHash) -> bool {
        self.roster.find_token(token).is_some_and(|slot| self.roster.player(slot).banned)
    }

    /// The player (not removed) who joined with this idempotency key.
    pub fn player_by_idempotency(&self, key: &TokenHash) -> Option<&Player> {
        self.roster.find_idempotency(key).map(|slot| self.roster.player(slot)).filter(|player| !player.removed)
    }

    /// A question of the quiz, released or not.
    pub fn question(&self, question: QuestionId) -> Option<&Question> {
        self.frozen.at(self.frozen.place(question)?)
    }

    /// The open and closed questions of the current round, in order of release.
    pub fn released(&self) -> impl Iterator<Item = &Question> {
        self.sheets_of(self.round()).map(|(question, _)| question)
    }

    /// Whether a question was released in the current round.
    pub fn is_released(&self, question: QuestionId) -> bool {
        self.sheet(question).is_some()
    }

    /// Whether a question of the current round takes answers from any player, if the phase allows answers: it was released and
    /// has not been closed.
    pub fn is_open(&self, question: QuestionId) -> bool {
        self.sheet(question).is_some_and(|sheet| !sheet.closed)
    }

    /// The questions that were closed individually while the round continues, in order of release.
    pub fn closed_questions(&self) -> impl Iterator<Item = QuestionId> {
        let closed = self.sheets_of(self.round()).filter(|(_, sheet)| self.phase == Phase::Question && sheet.closed);
        closed.map(|(question, _)| question.id)
    }

    /// Whether the game has had a timer or will have one. Versions without timers cannot continue it.
    pub fn is_timed(&self) -> bool {
        !self.timers.were_never_used() || self.quiz().has_time_limits()
    }

    /// How many players (not removed) have an answer to a question of the current round.
    pub fn answer_count(&self, question: QuestionId) -> usize {
        self.sheet(question).map_or(0, Sheet::live)
    }

    /// The players (not removed) who have an answer to a question of the current round, in order of first arrival.
    pub fn answerers(&self, question: QuestionId) -> impl Iterator<Item = PlayerId> {
        let answers = self.sheet(question).into_iter().flat_map(Sheet::answers);
        answers.map(|answer| self.roster.player(answer.slot)).filter(|player| !player.removed).map(|player| player.id)
    }

    /// A player's answer to a question of the current round.
    pub fn answer_of(&self, player: PlayerId, question: QuestionId) -> Option<&Answer> {
        self.sheet(question)?.answer(self.roster.find_player(player)?)
    }

    /// The questions of the current round that a player has answered, in order of release.
    pub fn answered_by(&self, player: PlayerId) -> Vec<QuestionId> {
        let Some(slot) = self.roster.find_player(player) else { return Vec::new() };
        let answered = self.sheets_of(self.round()).filter(|(_, sheet)| sheet.answer(slot).is_some());
        answered.map(|(question, _)| question.id).collect()
    }

    /// The board of the last released scores; empty before. It is calculated again at the end of the game. A removed player is
    /// taken off it at once.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Whether the scores are out and the host has not shown the standings yet.
    pub fn are_standings_held(&self) -> bool {
        self.standings_held
    }

    /// Whether each release hides the scores completely from phones until the host shows them.
    pub fn are_phones_after_screen(&self) -> bool {
        self.phones_after_screen
    }

    /// Whether the scores of this round are released but not yet shown on phones.
    pub fn are_scores_waiting(&self, round: usize) -> bool {
        self.standings_held && self.phones_after_screen && round == self.round()
    }

    /// Whether the names of players who join are checked against a list of words.
    pub fn are_names_checked(&self) -> bool {
        self.clean_names
    }

    /// Touches the memory that an answer of this player needs. It is called for several players before the first command is
    /// decided or applied, so that the processor fetches their memory in parallel instead of waiting for each in turn. Changes
    /// nothing.
    pub fn read_ahead(&self, player: PlayerId) {
        black_box(self.last_command_of(player));
    }

    /// The id of the last stored command of a player.
    pub fn last_command_of(&self, player: PlayerId) -> Option<CommandId> {
        self.player(player)?.command_id
    }

    /// The approximate number of events that the state replaces: players, answers, and answers touched by markings. A log can
    /// have any number more. The cost is one step per released question.
    pub fn weight(&self) -> usize {
        let sheets = self.rounds.iter().flat_map(|played| &played.sheets);
        self.roster.all().len() + sheets.map(|sheet| sheet.answers().len()).sum::<usize>() + self.markings.touched()
    }

    /// Whether a question belongs to the round being played.
    pub(crate) fn is_in_round(&self, question: QuestionId) -> bool {
        self.frozen.place(question).is_some_and(|place| place.round == self.round())
    }

    pub(crate) fn sheet(&self, question: QuestionId) -> Option<&Sheet> {
        let place = self.frozen.place(question).filter(|place| place.round == self.round())?;
        self.rounds.get(place.round)?.sheet(place.question)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("State")
            .field("game", &self.game)
            .field("phase", &self.phase)
            .field("round", &self.round())
            .field("players", &self.player_count())
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
