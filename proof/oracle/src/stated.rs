//! The host's settings, and the state messages: each states one fact of the game on connecting and whenever it changes
//! (messages.md#connecting). A new setting or state message is an entry in this file only.

use quizhall_protocol::http::game_options::GameOptions;
use quizhall_protocol::to_all::{GameInfo, HostStatus, RoundStarted, SealStatus, StandingsStatus};
use quizhall_protocol::{Dialect, FromHost, ServerMessage, ToAll, ToHost};

use crate::effects::{Effects, To};
use crate::fact::{Fact, Illegal};
use crate::game::{Game, Phase};
use crate::messages::count;
use crate::shape::{Field, Of, Shape, may, must, shape};

pub(crate) const TALLIED: &[Field] = &[must("answer", Of::Text), must("count", Of::Number)];

const PLAN: &[Field] = &[
    must("answerFor", Of::Number),
    must("revealFor", Of::Number),
    must("breakFor", Of::Number),
    must("holdWithoutHost", Of::Flag),
    may("standingsFor", Of::Number),
    may("holdForMarking", Of::Flag),
];

pub(crate) const SECTION: &[Field] = &[
    must("index", Of::Number),
    must("title", Of::Text),
    must("questionIndex", Of::Number),
    must("questionCount", Of::Number),
];

const TEAMS: &[Field] = &[must("devices", Of::Number), may("captainOnly", Of::Flag)];
/// The options of a game.
pub(crate) const OPTIONS: &[Field] = &[
    may("pace", Of::Word(&["question"])),
    may("boardAfter", Of::Word(&["third", "section"])),
    may("answerSeconds", Of::Number),
    may("closeWhenAnswered", Of::Flag),
    may("markLater", Of::Flag),
    may("autopilot", Of::Object(PLAN)),
    may("speedPoints", Of::Flag),
    may("streaks", Of::Flag),
    may("phonesAfterScreen", Of::Flag),
    may("cleanNames", Of::Flag),
    may("teams", Of::Object(TEAMS)),
];

const TIE_BREAK: &[Field] = &[must("text", Of::Text), may("number", Of::Signed), must("players", Of::List(TIED))];
pub(crate) const TIED: &[Field] = &[
    must("playerId", Of::Uuid),
    must("displayName", Of::Text),
    must("answered", Of::Flag),
    may("number", Of::Signed),
    may("place", Of::Number),
];

/// The fields of the state messages.
pub(crate) const STATED: &[Shape] = &[
    shape("host_status", None, &[must("connected", Of::Flag)]),
    shape("game_info", None, &[must("title", Of::Text)]),
    shape("seal_status", None, &[must("seal", Of::Text)]),
    shape(
        "round_started",
        None,
        &[
            must("round", Of::Number),
            must("rounds", Of::Number),
            must("title", Of::Text),
            must("questionCount", Of::Number),
            may("section", Of::Object(SECTION)),
            may("wrongPoints", Of::Signed),
        ],
    ),
    shape("joker_round", None, &[may("round", Of::Number)]),
    shape("standings_status", None, &[must("held", Of::Flag)]),
    shape("tally", None, &[must("questionId", Of::Uuid), must("entries", Of::List(TALLIED))]),
    shape("autopilot_status", None, &[may("plan", Of::Object(PLAN))]),
    shape("tie_breaks", None, &[must("tieBreaks", Of::List(TIE_BREAK))]),
];

/// A new value of a setting of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// Whether joining is refused.
    Locked(bool),
}

/// The settings of the host.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Whether joining is refused.
    pub locked: bool,
}

impl Settings {
    pub(crate) fn set(&mut self, setting: &Setting) {
        match setting {
            Setting::Locked(locked) => self.locked = *locked,
        }
    }
}

impl Game {
    /// Carries out a command that sets or shows something.
    pub(crate) fn set_by(&mut self, command: &FromHost) -> Result<Effects, Illegal> {
        match command {
            FromHost::LockGame(command) => {
                self.apply(&Fact::Set(Setting::Locked(command.locked)))?;
                Ok(Effects::default().and(To::Host, self.room_change(&[])))
            }
            FromHost::SetCloseWhenAnswered(command) => {
                let options = GameOptions { close_when_answered: command.on, ..self.options.clone() };
                if options != self.options {
                    self.apply(&Fact::OptionsSet(options.into()))?;
                }
                Ok(Effects::default().and(To::Host, self.game_options()))
            }
            FromHost::ShowStandings => self.show_standings(),
            FromHost::ShowTally(command) => {
                let before = self.shown_tally();
                self.apply(&Fact::TallyShown(command.question_id, command.hide.clone().unwrap_or_default()))?;
                let again = before == self.shown_tally();
                Ok(Effects::default().and_all(if again { To::Host } else { To::All }, self.shown_tally()))
            }
            FromHost::RevealAnswer(command) => self.reveal_answer(command.question_id, false),
            FromHost::StartBreak(command) => self.start_break(command),
            FromHost::EndBreak => self.end_break(),
            FromHost::TieBreak(_) | FromHost::EndTieBreak => self.tie_break(command),
            _ => self.mend(command),
        }
    }

    fn show_standings(&mut self) -> Result<Effects, Illegal> {
        if !self.standings_held && self.phase == Phase::Leaderboard {
            return Ok(Effects::default().and(To::Host, self.standings_status()));
        }
        self.apply(&Fact::StandingsShown)?;
        Ok(self.standings_shown())
    }

    /// The messages when held standings are shown.
    pub(crate) fn standings_shown(&self) -> Effects {
        let v1 = Some(Dialect::QuizhallV1);
        let shown = Effects::default().and(To::All, self.standings_status());
        let shown = shown.and(To::Players(v1), self.round_leaderboard());
        self.players.iter().map(|player| player.id).fold(shown, |effects, player| {
            let own = self.phones_after_screen.then(|| self.round_scores(player));
            effects.and_all(To::Player(player, v1), own).and(To::Player(player, v1), self.scoreboard_update(player))
        })
    }

    /// The state messages that are true here, and whether each is sent on connecting; in the order of connecting, after
    /// `host_status`.
    pub(crate) fn stated(&self) -> impl Iterator<Item = (ServerMessage, bool)> {
        let during = |phases: &[Phase]| phases.contains(&self.phase);
        let lobby = during(&[Phase::Lobby]).then(|| (self.game_info(), true));
        let sealed = |seal: &String| ServerMessage::All(ToAll::SealStatus(SealStatus { seal: seal.clone() }));
        let seal = self.seal.as_ref().map(|seal| (sealed(seal), true));
        let round = during(&[Phase::Question, Phase::Review, Phase::Leaderboard]);
        let round = round.then(|| (self.round_started(), true));
        let standings = during(&[Phase::Leaderboard]).then(|| (self.standings_status(), self.standings_held));
        let tally = self.shown_tally().map(|tally| (tally, true));
        let is_of_autopilot = during(&[Phase::Question, Phase::Review, Phase::Leaderboard]);
        let autopilot = is_of_autopilot.then(|| (self.autopilot_status(), self.autopilot.plan.is_some()));
        let has_jokers = self.quiz.rounds.iter().any(|round| round.joker) && self.phase != Phase::Ended;
        let joker = has_jokers.then(|| (self.joker_round_message(), self.joker_round().is_some()));
        let ties = self.tie_breaks_message().map(|ties| (ties, !self.tie_breaks.is_empty()));
        [lobby, seal, round, joker, standings, tally, autopilot, ties].into_iter().flatten()
    }

    /// `game_options`
    pub fn game_options(&self) -> ServerMessage {
        ServerMessage::Host(ToHost::GameOptions(self.options.clone()))
    }

    /// `game_info`
    pub fn game_info(&self) -> ServerMessage {
        ServerMessage::All(ToAll::GameInfo(GameInfo { title: self.quiz.title.clone() }))
    }

    /// `round_started`
    ///
    /// # Panics
    /// When the quiz has no rounds.
    pub fn round_started(&self) -> ServerMessage {
        let round = &self.quiz.rounds[self.round];
        ServerMessage::All(ToAll::RoundStarted(RoundStarted {
            round: count(self.round + 1),
            rounds: count(self.quiz.rounds.len()),
            title: round.title.clone(),
            question_count: count(round.questions.len()),
            section: round.section.clone(),
            wrong_points: (round.wrong_points != 0).then_some(round.wrong_points),
        }))
    }

    /// `standings_status`
    pub fn standings_status(&self) -> ServerMessage {
        ServerMessage::All(ToAll::StandingsStatus(StandingsStatus { held: self.standings_held }))
    }

    /// `tally`, while the host shows one.
    pub fn shown_tally(&self) -> Option<ServerMessage> {
        self.tally.as_ref().map(|(tally, _)| ServerMessage::All(ToAll::Tally(tally.clone())))
    }
}

/// `host_status`
pub fn host_status(connected: bool) -> ServerMessage {
    ServerMessage::All(ToAll::HostStatus(HostStatus { connected }))
}
