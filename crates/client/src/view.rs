//! The view of a participant: the server's messages folded into one picture of the game.
//!
//! The owner of the connection calls [`View::connected`] for a new one, then passes every message, and calls
//! [`View::settled`] when the sync messages have arrived. Decides nothing and sends nothing.

use std::collections::HashMap;

use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::shapes::{LeaderboardEntry, Player, Question, ReviewAnswer};
use quizhall_protocol::to_all::{AnswerRevealed, AutopilotStep, RoundStarted, Tally, TimerUpdate};
use quizhall_protocol::to_host::{
    Adjusted, AnswerCount, AnswersUpdate, Appealed, GroupedAnswers, OverrideApplied, RoundReview, StepUpdate,
};
use quizhall_protocol::to_player::{AnsweredStatus, OwnAppeal, RoundScores, TeamSheet, TeamUpdate};
use quizhall_protocol::{Phase, ServerMessage, ToAll, ToHost, ToPlayer, ToSender};
use uuid::Uuid;

mod room;
mod round;

pub use room::Room;

/// The game as one participant knows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    /// The phase, as far as the messages show it.
    pub phase: Phase,
    /// The lobby list; for a big game only the newest players.
    pub players: Vec<Player>,
    /// How many players there are.
    pub player_count: usize,
    /// Questions released in the current round, in order; they stay here until the first question of the next round is
    /// released.
    pub questions: Vec<Question>,
    /// Player: questions of the round with an acknowledged answer.
    pub accepted: Vec<Uuid>,
    /// Host: answers so far per question.
    pub counts: HashMap<Uuid, u32>,
    /// Host: the answers of the closed round with all overrides; before that, the answers that were entered.
    pub review: Vec<ReviewAnswer>,
    /// Extension messages, host: the groups of answers to each question of the closed round, in place of its answers when they are very many.
    pub review_groups: HashMap<Uuid, GroupedAnswers>,
    /// The last board: after a round, or the final one.
    pub board: Vec<LeaderboardEntry>,
    /// Player: the running board as sent to this player.
    pub running: Vec<LeaderboardEntry>,
    /// Player: the player's own results of the last released round.
    pub results: Option<RoundScores>,
    /// Extension messages: whether the host is present, once a message has stated it.
    pub host_connected: Option<bool>,
    /// Extension messages: the round being played or last played.
    pub round: Option<RoundStarted>,
    /// Extension messages: whether the host has not shown the standings yet.
    pub standings_held: bool,
    /// Extension messages: the tally that the host shows.
    pub tally: Option<Tally>,
    /// Extension messages: the last message of every other state type, in no order; it holds until the next.
    pub stated: Vec<ToAll>,
    /// Extension messages: each timer of the round, as in its last message.
    pub timers: Vec<TimerUpdate>,
    /// Extension messages: the plan of the round's autopilot, while it runs.
    pub autopilot: Option<AutopilotPlan>,
    /// Extension messages: the next step of the autopilot, as in its last message; `None` while a question is open.
    pub next_step: Option<AutopilotStep>,
    /// Extension messages: the right answers of the round that the host has revealed, in that order.
    pub revealed: Vec<AnswerRevealed>,
    /// Extension messages: questions of the round that no longer take answers.
    pub closed: Vec<Uuid>,
    /// Extension messages: questions of the round whose text was edited after their release.
    pub corrected: Vec<Uuid>,
    /// Extension messages: questions that were withdrawn from the round.
    pub withdrawn: Vec<Uuid>,
    /// Extension messages, player: the round, from 1, for which the joker is played.
    pub joker: Option<u32>,
    /// Extension messages, player: the player's own appeals.
    pub own_appeals: Vec<OwnAppeal>,
    /// Extension messages, host: the undecided appeals.
    pub appeals: Vec<Appealed>,
    /// Extension messages, host: the points given by hand, in order.
    pub adjustments: Vec<Adjusted>,
    /// Extension messages, player: the answer to the open tie-break.
    pub tie_answer: Option<i64>,
    /// Extension messages, player: how many players have answered the newest question, as in its last message.
    pub answered_status: Option<AnsweredStatus>,
    /// Extension messages, phone of a team: the phones of the team.
    pub team: Option<TeamUpdate>,
    /// Extension messages, phone of a team: the team's answers and suggestions in this round.
    pub sheet: TeamSheet,
    /// Extension messages, host: the seats.
    pub room: Room,
    /// Extension messages, host: the players who have answered each open question.
    pub answered: HashMap<Uuid, Vec<Uuid>>,
    /// Extension messages, host: the options of the game.
    pub options: GameOptions,
    /// Extension messages, host: how many markings can be undone.
    pub undoable: u32,
    /// The next step of the game, for a host over `quizhall.v1`.
    pub step: Option<StepUpdate>,
    /// The answers in groups, by question, for a host who has sent `open_desk` while questions are open.
    pub groups: HashMap<Uuid, AnswersUpdate>,
    /// Whether the next message is the first of a connection: it replaces the result of earlier ones.
    fresh: bool,
}

impl View {
    /// An empty lobby.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new connection is open: the sync messages that follow rebuild the view.
    pub fn connected(&mut self) {
        self.fresh = true;
    }

    /// The sync messages have arrived. If there were none, the game is in `question` with nothing open.
    pub fn settled(&mut self, silent: bool) {
        if silent && self.phase != Phase::Question {
            self.open_round();
        }
        if silent {
            self.questions.clear();
        }
        self.fresh = false;
    }

    /// Folds a message into the view.
    pub fn apply(&mut self, message: &ServerMessage) {
        if std::mem::take(&mut self.fresh) {
            self.forget_round();
            self.own_appeals.clear();
            self.appeals.clear();
            self.adjustments.clear();
            self.options = GameOptions::default();
        }
        match message {
            ServerMessage::All(message) => self.apply_to_all(message),
            ServerMessage::Host(message) => self.apply_to_host(message),
            ServerMessage::Player(message) => self.apply_to_player(message),
            // A pong concerns the connection, not the game, and a participant receives no messages of screens.
            ServerMessage::Sender(ToSender::Pong) | ServerMessage::Screen(_) => {}
        }
    }

    /// The question with this id, if it was released in this round.
    pub fn question(&self, id: Uuid) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }

    fn apply_to_all(&mut self, message: &ToAll) {
        match message {
            ToAll::LobbyUpdate(lobby) => {
                self.players.clone_from(&lobby.players);
                self.player_count = lobby.total.map_or(lobby.players.len(), |total| total as usize);
            }
            ToAll::GameStarted => self.open_round(),
            ToAll::QuestionReleased(released) => {
                if self.phase != Phase::Question {
                    self.open_round();
                }
                self.next_step = None;
                match self.questions.iter_mut().find(|question| question.id == released.question.id) {
                    Some(known) => known.clone_from(&released.question),
                    None => self.questions.push(released.question.clone()),
                }
            }
            ToAll::RoundEnded => {
                self.phase = Phase::RoundReview;
                self.timers.clear();
                (self.autopilot, self.next_step) = (None, None);
            }
            ToAll::RoundLeaderboard(board) => {
                self.phase = Phase::Leaderboard;
                self.board.clone_from(&board.leaderboard);
            }
            ToAll::GameEnded(board) => {
                self.phase = Phase::Ended;
                self.standings_held = false;
                self.tally = None;
                self.forget_between();
                self.board.clone_from(&board.leaderboard);
            }
            ToAll::HostStatus(status) => self.host_connected = Some(status.connected),
            ToAll::RoundStarted(round) => self.round_started(round),
            ToAll::StandingsStatus(status) => {
                self.phase = Phase::Leaderboard;
                self.standings_held = status.held;
            }
            ToAll::Tally(tally) => self.tally = Some(tally.clone()),
            ToAll::TimerUpdate(timer) => self.timer_update(timer),
            ToAll::AutopilotStatus(status) => {
                self.autopilot.clone_from(&status.plan);
                self.next_step = None;
            }
            ToAll::AutopilotStep(step) => self.next_step = Some(step.clone()),
            ToAll::QuestionClosed(closed) => self.question_closed(closed.question_id),
            ToAll::AnswerRevealed(answer) => self.answer_revealed(answer),
            stated => self.state(stated),
        }
    }

    fn apply_to_host(&mut self, message: &ToHost) {
        match message {
            ToHost::ScoreboardUpdate(AnswerCount { question_id, answer_count }) => {
                self.counts.insert(*question_id, *answer_count);
            }
            ToHost::RoundReview(RoundReview { answers, part, .. }) => {
                self.phase = Phase::RoundReview;
                if part.is_none_or(|part| part == 1) {
                    self.review.clear();
                    self.review_groups.clear();
                }
                self.review.extend(answers.iter().cloned());
            }
            ToHost::ReviewGroups(groups) => self.reviewed(groups),
            ToHost::OverrideApplied(applied) => self.overruled(applied),
            ToHost::RoomUpdate(update) => self.room_update(update),
            ToHost::PlayersAnswered(answered) => self.players_answered(answered),
            ToHost::AnswersMarked(marked) => self.marked(marked),
            ToHost::AnswersUpdate(update) => _ = self.groups.insert(update.question_id, update.clone()),
            ToHost::AnswersEntered(entered) => self.entered(entered),
            ToHost::AdjustmentsUpdate(update) => self.adjustments.clone_from(&update.adjustments),
            ToHost::AppealsUpdate(update) => self.appeals_changed(update),
            ToHost::BoardUpdate(board) => self.board.clone_from(&board.leaderboard),
            ToHost::GameOptions(options) => self.options.clone_from(options),
            ToHost::MarkingUpdate(update) => self.undoable = update.undoable,
            ToHost::StepUpdate(step) => self.step = Some(step.clone()),
        }
    }

    fn apply_to_player(&mut self, message: &ToPlayer) {
        match message {
            ToPlayer::AnswerAccepted(accepted) => {
                if !self.accepted.contains(&accepted.question_id) {
                    self.accepted.push(accepted.question_id);
                }
            }
            ToPlayer::RoundScores(scores) => self.results = Some(scores.clone()),
            ToPlayer::ScoreboardUpdate(board) => self.running.clone_from(&board.leaderboard),
            ToPlayer::JokerUpdate(update) => self.joker = update.round,
            ToPlayer::AppealStatus(status) => self.own_appeals.clone_from(&status.appeals),
            ToPlayer::LobbyChanged(changed) => {
                let is_changed =
                    |id: &Uuid| changed.left.contains(id) || changed.joined.iter().any(|player| player.id == *id);
                self.players.retain(|player| !is_changed(&player.id));
                self.players.extend(changed.joined.iter().cloned());
                self.player_count = changed.total as usize;
            }
            ToPlayer::TieBreakAnswer(update) => self.tie_answer = update.number,
            ToPlayer::AnsweredStatus(status) => self.answered_status = Some(status.clone()),
            ToPlayer::TeamUpdate(update) => self.team = Some(update.clone()),
            ToPlayer::TeamSheet(sheet) => self.sheet.take(sheet),
        }
    }

    /// An override for a player who had not answered adds an entry.
    fn overruled(&mut self, applied: &OverrideApplied) {
        let same = |entry: &&mut ReviewAnswer| {
            (entry.player_id, entry.question_id) == (applied.player_id, applied.question_id)
        };
        if let Some(entry) = self.review.iter_mut().find(same) {
            (entry.correct, entry.partial_points, entry.ruled) = (applied.correct, 0, true);
            return;
        }
        let name = self.players.iter().find(|player| player.id == applied.player_id);
        self.review.push(ReviewAnswer {
            player_id: applied.player_id,
            display_name: name.map(|player| player.display_name.clone()).unwrap_or_default(),
            question_id: applied.question_id,
            answer: String::new(),
            correct: applied.correct,
            near_miss: false,
            partial_points: 0,
            elapsed_ms: None,
            ruled: true,
        });
    }

    fn open_round(&mut self) {
        self.phase = Phase::Question;
        self.forget_round();
        self.results = None;
    }

    fn forget_round(&mut self) {
        self.questions.clear();
        self.accepted.clear();
        self.counts.clear();
        self.review.clear();
        self.review_groups.clear();
        self.answered.clear();
        self.timers.clear();
        self.next_step = None;
        self.closed.clear();
        self.corrected.clear();
        self.withdrawn.clear();
        self.undoable = 0;
        self.groups.clear();
        self.standings_held = false;
        self.tally = None;
        self.tie_answer = None;
        self.sheet = TeamSheet::default();
        self.stated.retain(|stated| !matches!(stated, ToAll::TieBreaks(_)));
        self.forget_between();
    }

    /// Forgets everything that is shown only between two rounds.
    fn forget_between(&mut self) {
        self.revealed.clear();
        self.stated.retain(|stated| !matches!(stated, ToAll::BreakUpdate(_)));
    }
}
