//! The state of a game as plain values, with its most common queries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::games::Teams;
use quizhall_protocol::to_all::Tally;
use uuid::Uuid;

use crate::adjustments::Adjustment;
use crate::answers::{Answers, Marking, Worth};
use crate::appeals::Appeal;
use crate::autopilot::Autopilot;
use crate::board::Board;
use crate::extra::Percents;
use crate::quiz::{Question, Quiz};
use crate::rounds::Break;
use crate::stated::Settings;
use crate::steps::Stage;
use crate::teams::Team;
use crate::ties::TieBreak;
use crate::timers::Timers;

/// The phases of a game (messages.md#phases).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// `lobby`
    Lobby,
    /// `question`
    Question,
    /// `round_review`
    Review,
    /// `leaderboard`
    Leaderboard,
    /// `ended`
    Ended,
}

impl Phase {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::Lobby, Self::Question, Self::Review, Self::Leaderboard, Self::Ended];

    /// Its name in the interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lobby => "lobby",
            Self::Question => "question",
            Self::Review => "round_review",
            Self::Leaderboard => "leaderboard",
            Self::Ended => "ended",
        }
    }
}

/// The participant who receives a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// The host.
    Host,
    /// The player with this id; for a team, its first phone.
    Player(Uuid),
    /// A phone of the team with the first id.
    Phone(Uuid, Uuid),
}

impl Viewer {
    /// The player's id.
    pub fn player(self) -> Option<Uuid> {
        match self {
            Self::Host => None,
            Self::Player(player) | Self::Phone(player, _) => Some(player),
        }
    }

    /// The id of the phone; a first phone has the id of the player.
    pub(crate) fn phone(self) -> Option<(Uuid, Uuid)> {
        match self {
            Self::Host => None,
            Self::Player(player) => Some((player, player)),
            Self::Phone(player, phone) => Some((player, phone)),
        }
    }
}

/// A player of a game.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Player {
    /// The id that joining returned.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// Whether the player has not left the lobby.
    pub present: bool,
    /// Whether the player has a socket, or lost it less than the grace period ago.
    pub connected: bool,
    /// Whether the player joined after the current round was closed.
    pub late: bool,
    /// Whether the player has had no phone so far.
    pub on_paper: bool,
    /// How many times a phone has taken the seat of another, or that of a player on paper.
    pub moves: u32,
    /// Points of all released rounds.
    pub score: i64,
    /// Points of the last released round.
    pub round_score: i64,
    /// The round, from 0, for which the joker was played.
    pub joker: Option<usize>,
    /// Whether the host renamed the player.
    pub renamed: bool,
    /// The additional values of a team.
    pub team: Option<Team>,
}

/// A game at one place in the order of its facts.
#[derive(Debug, Clone)]
pub struct Game {
    /// The quiz it plays.
    pub quiz: Arc<Quiz>,
    /// The seal of the quiz, which the server states before the game; none where it is not sealed.
    pub seal: Option<String>,
    /// The phase.
    pub phase: Phase,
    /// The current round, from 0.
    pub round: usize,
    /// The players in order of joining, without removed ones.
    pub players: Vec<Player>,
    /// The players the host removed.
    pub removed: Vec<Player>,
    /// Questions released in this round, in order.
    pub released: Vec<Uuid>,
    /// The answers of this round.
    pub(crate) answers: Answers,
    /// The rounds before this one: the released questions, and the answers.
    pub(crate) past: Vec<(Vec<Uuid>, Answers)>,
    /// The appeals in order of arrival, without those of removed players.
    pub(crate) appeals: Vec<Appeal>,
    /// The points that the host gave by hand, in order, without those of removed players.
    pub(crate) adjustments: Vec<Adjustment>,
    /// Players with an answer in an earlier round.
    pub(crate) answered_before: BTreeSet<Uuid>,
    /// The host's changes to the keys of this round's questions, by question and text.
    pub(crate) rulings: BTreeMap<(Uuid, String), Worth>,
    /// The markings that `undo_marking` can undo, the latest last.
    pub(crate) markings: Vec<Marking>,
    /// The board as of the last release of scores.
    pub board: Board,
    /// The settings of the host.
    pub settings: Settings,
    /// Whether the host has a socket, or lost it a moment ago.
    pub host_here: bool,
    /// Whether scores are released but the standings are not shown to players of the extension.
    pub standings_held: bool,
    /// The tally that is shown, and the entries left out of it.
    pub(crate) tally: Option<(Tally, Vec<String>)>,
    /// The timers of the current round.
    pub timers: Timers,
    /// The autopilot of the current round.
    pub autopilot: Autopilot,
    /// The players with extra time.
    pub(crate) extra: Percents,
    /// The questions of this round whose right answers are revealed, in that order.
    pub revealed: Vec<Uuid>,
    /// The break, while there is one.
    pub pause: Option<Break>,
    /// How it is played, as hosts see it.
    pub options: GameOptions,
    /// Whether players of the extension receive nothing of held scores.
    pub phones_after_screen: bool,
    /// How several phones play as a team; none without teams.
    pub teams: Option<Teams>,
    /// The tie-breaks after this round, in order; the last can be open.
    pub(crate) tie_breaks: Vec<TieBreak>,
    /// The questions whose text was edited after their release.
    pub(crate) corrected: BTreeSet<Uuid>,
    /// The questions that were withdrawn.
    pub(crate) withdrawn: BTreeSet<Uuid>,
    /// The screens, and the number of the next step.
    pub(crate) stage: Stage,
}

impl Game {
    /// A game just created: in the lobby, without a host or a player.
    pub fn new(quiz: impl Into<Arc<Quiz>>) -> Self {
        Self {
            quiz: quiz.into(),
            seal: None,
            phase: Phase::Lobby,
            round: 0,
            players: Vec::new(),
            removed: Vec::new(),
            released: Vec::new(),
            answers: Answers::default(),
            past: Vec::new(),
            appeals: Vec::new(),
            adjustments: Vec::new(),
            answered_before: BTreeSet::new(),
            rulings: BTreeMap::new(),
            markings: Vec::new(),
            board: Board::default(),
            settings: Settings::default(),
            host_here: false,
            standings_held: false,
            tally: None,
            timers: Timers::default(),
            autopilot: Autopilot::default(),
            extra: Percents::default(),
            revealed: Vec::new(),
            pause: None,
            options: GameOptions::default(),
            phones_after_screen: false,
            teams: None,
            tie_breaks: Vec::new(),
            corrected: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            stage: Stage::default(),
        }
    }

    /// The question of the current round with this number, from 0.
    ///
    /// # Panics
    /// When the round has no such question.
    pub fn question(&self, number: usize) -> &Question {
        &self.quiz.rounds[self.round].questions[number]
    }

    /// The player with this id, unless removed.
    pub fn player(&self, id: Uuid) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    pub(crate) fn player_mut(&mut self, id: Uuid) -> Option<&mut Player> {
        self.players.iter_mut().find(|player| player.id == id)
    }

    /// Whether the host removed the player with this id.
    pub fn was_removed(&self, id: Uuid) -> bool {
        self.removed.iter().any(|player| player.id == id)
    }

    /// Whether a player with this id ever joined.
    pub fn was_ever_in(&self, id: Uuid) -> bool {
        self.player(id).is_some() || self.was_removed(id)
    }

    /// The players who have not left the lobby, in order of joining.
    pub fn lobby(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| player.present)
    }

    /// How many times `undo_marking` would have an effect now.
    pub fn undoable(&self) -> usize {
        self.markings.len()
    }
}
