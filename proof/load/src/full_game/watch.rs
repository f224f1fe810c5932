//! Looks at every message as it comes off the wire: exact fields, no key, and for what all receive alike the contents.
//!
//! A broadcast is the same text for all players: it is read and checked once and shared, which is what lets one process
//! carry thousands of players.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};

use quizhall_client::Reader;
use quizhall_oracle::shape;
use quizhall_protocol::shapes::{Player, Question};
use quizhall_protocol::to_all::{LobbyUpdate, MediaPreload, RoundStarted};
use quizhall_protocol::{Dialect, Role, ServerMessage, ToAll, ToPlayer, read_server_message};

use super::world::World;

/// How many broadcasts are remembered.
const REMEMBERED: usize = 8;

/// Broadcasts that were checked lately.
#[derive(Debug, Default)]
pub struct Seen(RwLock<VecDeque<(Dialect, String, Arc<ServerMessage>)>>);

impl Seen {
    fn find(&self, dialect: Dialect, text: &str) -> Option<Arc<ServerMessage>> {
        let seen = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let same = |(of, known, _): &&(Dialect, String, Arc<ServerMessage>)| *of == dialect && known == text;
        seen.iter().find(same).map(|(.., message)| Arc::clone(message))
    }

    fn remember(&self, dialect: Dialect, text: &str, message: &Arc<ServerMessage>) {
        let mut seen = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= REMEMBERED {
            seen.pop_front();
        }
        seen.push_back((dialect, text.to_owned(), Arc::clone(message)));
    }
}

/// The reader of every participant of a full game.
#[derive(Debug, Clone)]
pub struct Watch {
    world: Arc<World>,
    dialect: Dialect,
}

impl Watch {
    /// A reader of a socket of this dialect that notes violations in this world.
    pub fn new(world: Arc<World>, dialect: Dialect) -> Self {
        Self { world, dialect }
    }

    fn check_text(&self, text: &str, role: Role) {
        let message = serde_json::from_str(text).map_err(|error| error.to_string());
        if let Err(what) = message.and_then(|message| shape::check(role, self.dialect, &message).map(drop)) {
            self.world.violations.note("message_shape", what);
        }
    }

    /// A key may appear only in a player's own results, in the host's review, and on the sheet of a team, where each
    /// answer is compared with the answers that were given.
    fn check_canaries(&self, text: &str, message: &ServerMessage) {
        let may_hold_keys = match message {
            ServerMessage::Player(ToPlayer::RoundScores(_) | ToPlayer::TeamSheet(_)) | ServerMessage::Host(_) => true,
            ServerMessage::All(_) | ServerMessage::Player(_) | ServerMessage::Screen(_) | ServerMessage::Sender(_) => {
                false
            }
        };
        if !may_hold_keys && self.world.plan.canaries.iter().any(|canary| text.contains(canary)) {
            self.world.violations.note("key_leaked", format!("in {}", text.chars().take(40).collect::<String>()));
        }
    }

    fn check_broadcast(&self, message: &ToAll) {
        match message {
            ToAll::LobbyUpdate(lobby) => self.check_lobby(lobby),
            ToAll::QuestionReleased(released) => {
                let shown = &released.question;
                let text = Question { media: None, ..shown.clone() };
                let planned = self.world.plan.question(shown.id);
                let same = planned.is_some_and(|planned| planned.released(self.dialect) == text);
                self.world.violations.check(same, "question_contents", || format!("question {}", shown.id));
                if self.dialect == Dialect::QuizhallV1 {
                    self.world.pictures.check(shown, &self.world.violations);
                }
            }
            ToAll::RoundStarted(started) => self.check_round(started),
            ToAll::TimerUpdate(update) => {
                let fits = self.world.clocks.may_say(update, self.world.losses_allowed);
                self.world.violations.check(fits, "timer_wrong", || format!("{update:?}"));
            }
            ToAll::QuestionClosed(closed) => {
                let question = closed.question_id;
                let may = self.world.clocks.may_be_closed(question);
                self.world.violations.check(may, "closed_early", || format!("question {question}"));
            }
            ToAll::MediaPreload(preload) => self.check_preload(preload),
            _ => {}
        }
    }

    fn check_round(&self, started: &RoundStarted) {
        let quiz = &self.world.plan.quiz;
        let planned = (started.round as usize).checked_sub(1).and_then(|round| quiz.rounds.get(round));
        let same = planned.is_some_and(|round| {
            round.title == started.title && round.questions.len() == started.question_count as usize
        });
        let same = same && quiz.rounds.len() == started.rounds as usize;
        self.world.violations.check(same, "round_contents", || format!("{started:?}"));
    }

    /// The copies are those of one whole round, each of a name of its own.
    fn check_preload(&self, preload: &MediaPreload) {
        let names: HashSet<&String> = preload.items.iter().map(|item| &item.name).collect();
        let questions = self.world.plan.quiz.rounds.iter().map(|round| round.questions.iter().map(|item| item.id));
        let is_a_round = questions.map(|ids| self.world.pictures.count(ids)).any(|count| count == names.len());
        let fits = is_a_round && names.len() == preload.items.len();
        self.world.violations.check(fits, "preload_contents", || format!("{} copies", preload.items.len()));
    }

    fn check_lobby(&self, lobby: &LobbyUpdate) {
        let violations = &self.world.violations;
        let listed = lobby.players.len();
        let total = lobby.total.map_or(listed, |total| total as usize);
        violations.check(lobby.total.is_none() || total > listed, "lobby_total", || format!("{total} of {listed}"));
        self.check_people(&lobby.players, total);
    }

    fn check_people(&self, people: &[Player], total: usize) {
        let violations = &self.world.violations;
        violations.check(total <= self.world.players.len(), "lobby_too_many", || format!("{total} players"));
        let mut ids = HashSet::with_capacity(people.len());
        let oracle = self.world.oracle();
        for player in people {
            violations.check(ids.insert(player.id), "lobby_player_twice", || format!("player {}", player.id));
            // The lobby may list a player before the bot has its answer to the join: the id may still be unknown.
            let known = oracle
                .player(player.id)
                .map_or_else(|| self.world.was_asked(&player.display_name), |known| known.name == player.display_name);
            violations.check(known, "lobby_stranger", || format!("player {}", player.id));
        }
    }
}

impl Reader for Watch {
    fn read(&mut self, text: &str, role: Role) -> Result<Option<Arc<ServerMessage>>, serde_json::Error> {
        self.world.timing.messages.add();
        if let Some(message) = self.world.seen.find(self.dialect, text) {
            return Ok(Some(message));
        }
        self.check_text(text, role);
        let Some(message) = read_server_message(text, role)?.map(Arc::new) else { return Ok(None) };
        self.check_canaries(text, &message);
        let released = match message.as_ref() {
            ServerMessage::All(ToAll::QuestionReleased(released)) => Some(&released.question),
            _ => None,
        };
        self.world.pictures.message(text, released, &self.world.violations);
        if let ServerMessage::All(broadcast) = message.as_ref() {
            self.check_broadcast(broadcast);
            self.world.seen.remember(self.dialect, text, &message);
        }
        if let ServerMessage::Player(ToPlayer::LobbyChanged(changed)) = message.as_ref() {
            self.check_people(&changed.joined, changed.total as usize);
        }
        Ok(Some(message))
    }
}
