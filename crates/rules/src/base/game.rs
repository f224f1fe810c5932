//! The parts of every game, whatever features it uses: the quiz, the players, the rounds with their answers, the phase, the
//! scores.
//!
//! It is part of the state, built from the log only. Features read it and write to it; it does not depend on any of them.
//! Looking up or storing an answer never scans the players.

mod players;

use std::sync::Arc;

use quizhall_quiz::{BoardAfter, Pace, Phase, Question, QuestionId, Quiz};

use crate::base::board::Board;
use crate::base::command_id::CommandId;
use crate::base::frozen::{FrozenQuiz, Place};
use crate::base::ids::{GameId, HostId, PlayerId};
use crate::base::marking::MarkingRule;
use crate::base::options::PlayOptions;
use crate::base::played::{self, Section};
use crate::base::roster::Roster;
use crate::base::seal::Seal;
use crate::base::sheet::{Answer, Played, Sheet, SheetPlace};

/// The part of a state that all features share.
#[derive(Clone, PartialEq)]
pub struct Game {
    pub(crate) id: GameId,
    pub(crate) host: HostId,
    pub(crate) code: String,
    pub(crate) frozen: FrozenQuiz,
    pub(crate) join_secret: [u8; 32],
    pub(crate) created_at_ms: i64,
    pub(crate) epoch: u64,
    pub(crate) phase: Phase,
    pub(crate) closed: bool,
    /// The last command of the host's own device.
    pub(crate) last_host_command: Option<CommandId>,
    pub(crate) host_present: bool,
    pub(crate) roster: Roster,
    /// The rounds that have begun; the last is the current one.
    pub(crate) rounds: Vec<Played>,
    pub(crate) board: Arc<Board>,
    /// Whether the host has not yet shown the standings of the latest scores; false outside the leaderboard phase.
    pub(crate) standings_held: bool,
    /// How often the host has given points by hand; undone ones count too.
    pub(crate) adjusted: u32,
    /// How it is played.
    pub(crate) options: PlayOptions,
    /// The rule by which answers are compared.
    pub(crate) rule: MarkingRule,
    /// The seal of the quiz as it was at creation.
    pub(crate) sealed: Option<Arc<Seal>>,
}

impl Game {
    /// The rule by which its answers are compared.
    pub(crate) fn rule(&self) -> MarkingRule {
        self.rule
    }

    /// The seal of the quiz as it was at creation; none of games that are not sealed.
    pub fn sealed(&self) -> Option<&Seal> {
        self.sealed.as_deref()
    }

    /// The game's id.
    pub fn game(&self) -> GameId {
        self.id
    }

    /// The game's owner.
    pub fn host(&self) -> HostId {
        self.host
    }

    /// The code players type.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// How it is played.
    pub fn options(&self) -> &PlayOptions {
        &self.options
    }

    /// What a round of the game is.
    pub fn pace(&self) -> Pace {
        self.options.pace
    }

    /// After which questions the standings are shown, in a game whose rounds are single questions.
    pub fn board_after(&self) -> BoardAfter {
        self.options.board_after
    }

    /// Whether the course of such a game does not wait until the host has marked answers.
    pub fn mark_later(&self) -> bool {
        self.options.mark_later
    }

    /// The section of a round (from 0), in a game whose rounds are single questions.
    pub fn section(&self, round: usize) -> Option<Section<'_>> {
        (self.pace() == Pace::Question).then(|| played::section(self.frozen.written(), round))?
    }

    /// The quiz as it is played: as frozen at creation, with the options of the game applied.
    pub fn quiz(&self) -> &Arc<Quiz> {
        self.frozen.quiz()
    }

    /// Whether a round of the quiz offers a joker, also where the options of the game leave it out.
    pub fn quiz_has_jokers(&self) -> bool {
        self.frozen.written().has_jokers()
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

    /// Whether the host has a socket, or lost it less than the grace period ago; false until the first one.
    pub fn is_host_present(&self) -> bool {
        self.host_present
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

    /// The questions that are closed although the round continues, in order of release.
    pub fn closed_questions(&self) -> impl Iterator<Item = QuestionId> {
        let closed = self.sheets_of(self.round()).filter(|(_, sheet)| self.phase == Phase::Question && sheet.closed);
        closed.map(|(question, _)| question.id)
    }

    /// How many players (not removed) have an answer to a question of the current round.
    pub fn answer_count(&self, question: QuestionId) -> usize {
        self.sheet(question).map_or(0, Sheet::live)
    }

    /// The players (not removed) with an answer to a question of the current round, in order of first arrival.
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

    /// The board as of the last released scores; empty before. Computed again at the end of the game; a removed player leaves it
    /// at once.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Whether the scores are out and the host has not shown the standings yet.
    pub fn are_standings_held(&self) -> bool {
        self.standings_held
    }

    /// Whether each release hides the scores completely from phones until the host shows them.
    pub fn are_phones_after_screen(&self) -> bool {
        self.options.phones_after_screen
    }

    /// Whether the scores of this round are released but not yet shown on phones.
    pub fn are_scores_waiting(&self, round: usize) -> bool {
        self.standings_held && self.options.phones_after_screen && round == self.round()
    }

    /// Whether the names of players who join are checked against a list of words.
    pub fn are_names_checked(&self) -> bool {
        self.options.clean_names
    }

    /// Whether the scores of a round (from 0) are released, so that its points count on the board.
    pub fn is_scored(&self, round: usize) -> bool {
        self.rounds.get(round).is_some_and(|played| played.scored)
    }

    /// Whether a question belongs to the round being played.
    pub(crate) fn is_in_round(&self, question: QuestionId) -> bool {
        self.frozen.place(question).is_some_and(|place| place.round == self.round())
    }

    pub(crate) fn sheet(&self, question: QuestionId) -> Option<&Sheet> {
        let place = self.frozen.place(question).filter(|place| place.round == self.round())?;
        self.rounds.get(place.round)?.sheet(place.question)
    }

    /// Where the sheet of a question of the current round is.
    pub(crate) fn sheet_place(&self, question: QuestionId) -> Option<SheetPlace> {
        let Place { round, question } = self.frozen.place(question).filter(|place| place.round == self.round())?;
        let sheet = self.rounds.get(round)?.sheets.iter().position(|sheet| sheet.question == question)?;
        Some(SheetPlace { round, sheet })
    }

    pub(crate) fn sheet_at(&self, SheetPlace { round, sheet }: SheetPlace) -> Option<&Sheet> {
        self.rounds.get(round)?.sheets.get(sheet)
    }

    /// The same, to write to.
    pub(crate) fn sheet_mut(&mut self, question: QuestionId) -> Option<&mut Sheet> {
        let round = self.round();
        let place = self.frozen.place(question).filter(|place| place.round == round)?;
        self.rounds.get_mut(round)?.sheet_mut(place.question)
    }

    /// The sheet of a question in whichever round it was released.
    pub(crate) fn sheet_of_any_round(&self, question: QuestionId) -> Option<&Sheet> {
        let place = self.frozen.place(question)?;
        self.rounds.get(place.round)?.sheet(place.question)
    }

    /// The same, to write to.
    pub(crate) fn sheet_of_any_round_mut(&mut self, question: QuestionId) -> Option<&mut Sheet> {
        let place = self.frozen.place(question)?;
        self.rounds.get_mut(place.round)?.sheet_mut(place.question)
    }

    /// The released questions of a round with their answers, in order of release.
    pub(crate) fn sheets_of(&self, round: usize) -> impl Iterator<Item = (&Question, &Sheet)> {
        let sheets = self.rounds.get(round).map_or(&[][..], |played| &played.sheets);
        sheets.iter().filter_map(move |sheet| {
            let question = self.frozen.at(Place { round, question: sheet.question })?;
            Some((question, sheet))
        })
    }

    /// Stores an answer of a player who was not removed to a question released in this round.
    pub(crate) fn answer(&mut self, player: PlayerId, question: QuestionId, answer: impl FnOnce(u32) -> Answer) {
        let Some(slot) = self.roster.find_player(player) else { return };
        let is_away = self.phase == Phase::Question && !self.roster.player(slot).connected;
        let Some(sheet) = self.sheet_mut(question) else { return };
        sheet.answered(answer(slot), is_away);
        self.roster.player_mut(slot).answered = true;
    }

    /// The answers to a question of the current round, those of removed players left out.
    pub(crate) fn answers_to(&self, question: QuestionId) -> impl Iterator<Item = &Answer> {
        let answers = self.sheet(question).into_iter().flat_map(Sheet::answers);
        answers.filter(|answer| !self.roster.player(answer.slot).removed)
    }
}
