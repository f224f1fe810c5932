//! The facts of a game, one at a time, and the phases in which each may happen (messages.md#phases).

use quizhall_protocol::from_host::AutopilotPlan;
use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::http::screens::Slide;
use uuid::Uuid;

use crate::answers::Worth;
use crate::game::{Game, Phase, Player};
use crate::stated::Setting;
use crate::timers::TimeLeft;

/// How an answer was marked when it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// It is right.
    pub correct: bool,
    /// It is wrong and close to an accepted answer.
    pub near_miss: bool,
    /// The points that it earns although it is not right.
    pub partial: u32,
    /// How long the player took, in milliseconds; none where that earns nothing.
    pub elapsed: Option<u32>,
}

impl Mark {
    /// Right.
    pub const RIGHT: Self = Self { correct: true, near_miss: false, partial: 0, elapsed: None };
    /// Wrong, and far from every accepted answer.
    pub const WRONG: Self = Self { correct: false, near_miss: false, partial: 0, elapsed: None };
}

/// Something that happened to a game and is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// A player joined under a name.
    Joined(Uuid, String),
    /// A player left the lobby.
    Left(Uuid),
    /// A player who left the lobby has a socket again.
    Returned(Uuid),
    /// A player of a running game has been without a socket for the grace period.
    Disconnected(Uuid),
    /// A player of a running game has a socket again.
    Connected(Uuid),
    /// The host has been without a socket for a while.
    HostLeft,
    /// The host has a socket again.
    HostReturned,
    /// The host removed a player.
    Removed(Uuid),
    /// The host set this setting.
    Set(Setting),
    /// The game started.
    Started,
    /// A question was released.
    Released(Uuid),
    /// A player's answer to a question was stored.
    Answered(Uuid, Uuid, String, Mark),
    /// The host closed a question, which still has its grace.
    QuestionClosing(Uuid),
    /// A question closed by itself.
    QuestionClosed(Uuid),
    /// The host changed how the game is played; the quiz stays as it is.
    OptionsSet(Box<GameOptions>),
    /// The host set the time left of the timer of a question or the round, and its whole time, in milliseconds.
    TimerSet(Option<Uuid>, u64, u64),
    /// The host held the timers, or let them run, with the time left of each.
    TimersHeld(bool, Vec<TimeLeft>),
    /// The time left of the running timers, and of the next step of the autopilot, milliseconds.
    TimersMarked(Vec<TimeLeft>, Option<u64>),
    /// The host started the autopilot, gave it other times, or stopped it.
    AutopilotSet(Option<AutopilotPlan>),
    /// A command of the host stopped the autopilot; its other effect is the next fact.
    TookOver,
    /// Another owner continues the game.
    OwnerChanged,
    /// The round was closed.
    RoundEnded,
    /// The host marked a player's answer to a question.
    Overridden(Uuid, Uuid, bool),
    /// The host marked all answers to a question with one of these texts.
    Marked(Uuid, Vec<String>, Worth),
    /// The host ruled on texts, in the form in which the key of a question compares them.
    KeyChanged(Uuid, Vec<String>, Worth),
    /// The host corrected the marks of these players' answers to a question of a round that is out.
    MarksCorrected(Uuid, Vec<Uuid>, Worth),
    /// A player appealed about a question, with a text.
    Appealed(Uuid, Uuid, Option<String>),
    /// The host dismissed a player's appeal about a question.
    AppealDismissed(Uuid, Uuid),
    /// The host gave points by hand, with this id, to a player, with a reason.
    PointsAdjusted(Uuid, Uuid, i32, Option<String>),
    /// The points by hand with this id were undone.
    AdjustmentUndone(Uuid),
    /// The latest marking was undone.
    MarkingUndone,
    /// The host showed the tally of a question without these entries.
    TallyShown(Uuid, Vec<String>),
    /// The scores of the round were released.
    ScoresReleased {
        /// Whether players of the extension wait for the board.
        held: bool,
    },
    /// The standings that were held were shown.
    StandingsShown,
    /// The next round began.
    NextRound,
    /// The game ended.
    Ended,
    /// The host gave a player a percent of every timer.
    ExtraTimeSet(Uuid, u16),
    /// The time of a question, or of the round, is over for players with a percentage; the players with the next
    /// percentage have these milliseconds left.
    TimeOver(Option<Uuid>, u64, u16, u16),
    /// The right answer to a question was revealed; whether as the next step of the game.
    AnswerRevealed(Uuid, bool),
    /// A break of this many milliseconds began, with a text.
    BreakStarted(u64, Option<String>),
    /// The time that the break has left, milliseconds.
    BreakMarked(u64),
    /// The break ended.
    BreakEnded,
    /// A player played the joker for a round, from 0.
    JokerPlayed(Uuid, usize),
    /// The host asked players a question outside the rounds, with this answer.
    TieBreakStarted(Vec<Uuid>, String, i64),
    /// A player answered it.
    TieBreakAnswered(Uuid, i64),
    /// The tie-break is over.
    TieBreakEnded,
    /// The host gave a question these words.
    QuestionEdited(Uuid, Words),
    /// The host withdrew a question from its round.
    QuestionWithdrawn(Uuid),
    /// The host gave a player this name.
    Renamed(Uuid, String),
    /// A player without a phone took a seat under a name.
    SeatAdded(Uuid, String),
    /// A phone took the seat of a player from the phone before, or of a player on paper.
    SeatTaken(Uuid),
    /// The host entered the answer of a player without a phone to a question.
    Entered(Uuid, Uuid, String, Mark),
    /// A joined player is a team with this code.
    TeamMade(Uuid, String),
    /// A phone with an id and a name joined a team.
    PhoneAdded(Uuid, Uuid, String),
    /// A phone of a team was removed: it is no longer listed, and its suggestions are deleted.
    PhoneRemoved(Uuid, Uuid),
    /// Another phone took the place of a phone of a team, which is not the first: that is [`Fact::SeatTaken`].
    PhoneMoved(Uuid, Uuid),
    /// Whether a phone of a team is connected now.
    PhoneHere(Uuid, Uuid, bool),
    /// The answer of a team to a question came from this phone.
    Signed(Uuid, Uuid, Uuid),
    /// A phone of a team suggested an answer to a question.
    Suggested(Uuid, Uuid, Uuid, String),
    /// A screen was given a token.
    ScreenAdded(Uuid),
    /// A screen lost its token.
    ScreenRemoved(Uuid),
    /// Whether spectators may watch.
    Spectators(bool),
    /// The screens turned to a picture, or to none in particular; whether as the next step of the game.
    Turned(Option<Slide>, bool),
}

/// The new words of a question; none of what stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Its text.
    pub text: Option<String>,
    /// Its choices.
    pub choices: Option<Vec<String>>,
    /// Its accepted answers.
    pub accepted: Option<Vec<String>>,
}

/// The reason for which a fact cannot happen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(&'static str);

impl Illegal {
    /// The oracle does not know the command.
    pub(crate) const UNKNOWN: Self = Self("not a command that the oracle has");
}

pub(crate) fn require(holds: bool, otherwise: &'static str) -> Result<(), Illegal> {
    if holds { Ok(()) } else { Err(Illegal(otherwise)) }
}

impl Game {
    /// Applies the next fact.
    ///
    /// # Errors
    /// When the fact cannot happen here; nothing is changed then.
    pub fn apply(&mut self, fact: &Fact) -> Result<(), Illegal> {
        self.check(fact)?;
        self.count_step(|game| game.fold(fact));
        Ok(())
    }

    fn check(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::Joined(player, name) => {
                let taken = self.players.iter().any(|other| other.name == *name);
                require(!self.was_ever_in(*player) && !taken, "the player or the name is there already")
            }
            Fact::Left(player) => self.during(Phase::Lobby).and(self.is(*player, |player| player.present)),
            Fact::Returned(player) => self.is(*player, |player| !player.present),
            Fact::Disconnected(player) => {
                self.running().and(self.is(*player, |player| player.present && player.connected))
            }
            // Only in the lobby can a player whose seat another phone took have no socket.
            Fact::Connected(player) => self.is(*player, |player| player.present && !player.connected),
            Fact::SeatAdded(..) | Fact::SeatTaken(_) | Fact::Entered(..) => self.check_paper(fact),
            Fact::HostLeft | Fact::HostReturned => {
                require(self.host_here == (*fact == Fact::HostLeft), "the host is so already")?;
                require(self.phase != Phase::Ended, "the game has ended")
            }
            Fact::Removed(player) => self.is(*player, |_| true),
            Fact::Set(_)
            | Fact::OwnerChanged
            | Fact::ScreenAdded(_)
            | Fact::ScreenRemoved(_)
            | Fact::Spectators(_)
            | Fact::Turned(..) => Ok(()),
            Fact::Started => self.during(Phase::Lobby),
            Fact::Released(question) => self.during(Phase::Question).and(self.check_release(*question)),
            Fact::Answered(player, question, ..) => {
                self.during(Phase::Question).and(self.concerns(*player, *question))?;
                require(self.is_open_for(*question, *player), "the question is closed for the player")
            }
            Fact::ExtraTimeSet(..) => {
                require(self.phase != Phase::Ended, "the game has ended").and(self.check_extra(fact))
            }
            Fact::TimeOver(..) => self.during(Phase::Question).and(self.check_extra(fact)),
            Fact::OptionsSet(options) => {
                require(self.phase != Phase::Ended && **options != self.options, "no other options, or the end")
            }
            Fact::QuestionClosing(_) | Fact::QuestionClosed(_) | Fact::TimerSet(..) | Fact::TimersHeld(..) => {
                self.during(Phase::Question).and(self.check_timers(fact))
            }
            // The autopilot states the time to its step in every phase of a running game.
            Fact::TimersMarked(..) => self.running().and(self.check_timers(fact)),
            Fact::AutopilotSet(plan) => self.check_autopilot(plan.as_ref()),
            Fact::TookOver => require(self.autopilot.plan.is_some(), "no autopilot runs"),
            Fact::RoundEnded => self.during(Phase::Question),
            Fact::Overridden(..) | Fact::Marked(..) | Fact::KeyChanged(..) | Fact::MarkingUndone => {
                self.check_marking(fact)
            }
            Fact::MarksCorrected(question, players, worth) => {
                self.running().and(self.check_correction(*question, players, *worth))
            }
            Fact::PointsAdjusted(..) | Fact::AdjustmentUndone(_) => self.running().and(self.check_adjustment(fact)),
            Fact::Appealed(..) | Fact::AppealDismissed(..) => self.running().and(self.check_appeal(fact)),
            Fact::TallyShown(question, _) => self.running().and(self.is_marked(*question, false)),
            Fact::ScoresReleased { .. } => self.during(Phase::Review),
            Fact::StandingsShown => {
                self.during(Phase::Leaderboard)?;
                require(self.standings_held, "the standings are shown already")
            }
            Fact::NextRound => {
                self.during(Phase::Leaderboard)?;
                require(self.round + 1 < self.quiz.rounds.len(), "no round left")
            }
            Fact::Ended => self.during(Phase::Leaderboard),
            Fact::JokerPlayed(player, round) => {
                require(self.joker_round() == Some(*round), "no joker can be played for this round now")?;
                self.is(*player, |player| player.joker.is_none())
            }
            Fact::TieBreakStarted(..) | Fact::TieBreakAnswered(..) | Fact::TieBreakEnded => self.check_tie_break(fact),
            Fact::QuestionEdited(..) | Fact::QuestionWithdrawn(_) | Fact::Renamed(..) => self.check_mending(fact),
            Fact::AnswerRevealed(..) | Fact::BreakStarted(..) | Fact::BreakMarked(_) | Fact::BreakEnded => {
                self.check_between(fact)
            }
            _ => self.check_team(fact),
        }
    }

    fn check_release(&self, question: Uuid) -> Result<(), Illegal> {
        let mut asked = self.quiz.rounds[self.round].questions.iter();
        let fresh = asked.any(|asked| asked.id == question) && !self.released.contains(&question);
        require(fresh, "not a question to release")
    }

    fn check_marking(&self, fact: &Fact) -> Result<(), Illegal> {
        match fact {
            Fact::Overridden(player, question, _) => {
                self.during(Phase::Review).and(self.concerns(*player, *question)).and(self.is_marked(*question, true))
            }
            Fact::Marked(question, ..) => self.during(Phase::Review).and(self.is_marked(*question, true)),
            Fact::KeyChanged(question, ..) => {
                self.takes_markings()?;
                let asked = self.quiz.question(*question).filter(|_| self.released.contains(question));
                require(asked.is_some_and(crate::Question::has_key), "not a released question, or one without a key")
            }
            Fact::MarkingUndone => {
                self.takes_markings()?;
                require(!self.markings.is_empty(), "nothing to take back")
            }
            _ => Ok(()),
        }
    }

    fn during(&self, phase: Phase) -> Result<(), Illegal> {
        require(self.phase == phase, "not in this phase")
    }

    pub(crate) fn is_released_or_round(&self, question: Option<Uuid>) -> Result<(), Illegal> {
        self.during(Phase::Question)?;
        require(question.is_none_or(|question| self.released.contains(&question)), "not a released question")
    }

    pub(crate) fn running(&self) -> Result<(), Illegal> {
        require(!matches!(self.phase, Phase::Lobby | Phase::Ended), "not while the game runs")
    }

    fn takes_markings(&self) -> Result<(), Illegal> {
        require(matches!(self.phase, Phase::Question | Phase::Review), "not in this phase")
    }

    fn is(&self, player: Uuid, so: impl Fn(&Player) -> bool) -> Result<(), Illegal> {
        require(self.player(player).is_some_and(so), "not a player of whom this can be true")
    }

    fn is_marked(&self, question: Uuid, marked: bool) -> Result<(), Illegal> {
        let released = self.quiz.question(question).filter(|_| self.released.contains(&question));
        let fits = released.is_some_and(|question| question.is_marked() == marked);
        require(fits, "not a released question, or not one of such a type")
    }

    fn concerns(&self, player: Uuid, question: Uuid) -> Result<(), Illegal> {
        let fits = self.released.contains(&question) && self.player(player).is_some();
        require(fits, "not a released question, or not a player")
    }
}
