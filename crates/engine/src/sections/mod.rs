//! The view of a game for sockets that speak `quizhall.v1`, in addition to the messages of the interface: sections, each of which
//! states facts.
//!
//! A section states its facts on connecting, when an event changes one, when an edge skips events, and to confirm a command that
//! changed nothing. All four render the same function, so a client that reconnects sees the same as a client that stayed.
//! [`shows`] lists the sections that each change may change, and a test compares the list with the changes made by the events of
//! random games.

mod adjustments;
mod appeals;
mod autopilot;
mod breaks;
mod course;
mod jokers;
mod paper;
mod room;
mod showing;
mod shows;
mod step;
mod sync;
mod teams;
mod tie_breaks;
mod wording;

use std::collections::BTreeMap;

use bytes::Bytes;
use quizhall_protocol::{ServerMessage, frame};
use quizhall_rules::{Change, HostRole, Moment, Phase, Player, PlayerId, QuestionId, State};

use crate::ids::Participant;
use crate::wire::FrameKind;

pub use adjustments::ADJUSTMENTS;
pub use appeals::{APPEAL_STATUS, APPEALS};
pub use autopilot::AUTOPILOT_STATUS;
pub use breaks::BREAK;
pub use course::{GAME_INFO, GAME_OPTIONS, HOST_STATUS, MEDIA_PRELOAD, ROUND_STARTED, SEAL, STANDINGS_STATUS};
pub use jokers::{JOKER_ROUND, JOKER_UPDATE};
pub use paper::ENTERED;
pub use room::ROOM;
pub use showing::{ANSWER_REVEALED, TALLY};
pub use shows::{Shows, shows};
pub use step::STEP;
pub use sync::{around, catch_up, clocks, sync};
pub use teams::{TEAM_SHEET, TEAM_UPDATE};
pub use tie_breaks::{TIE_BREAK_ANSWER, TIE_BREAKS};
pub use wording::{QUESTION_EDITED, QUESTION_WITHDRAWN};

/// Every section, in the order on the wire.
pub static SECTIONS: &[&Section] = &[
    &HOST_STATUS,
    &ROOM,
    &GAME_OPTIONS,
    &GAME_INFO,
    &SEAL,
    &ROUND_STARTED,
    &JOKER_ROUND,
    &STANDINGS_STATUS,
    &TALLY,
    &MEDIA_PRELOAD,
    &AUTOPILOT_STATUS,
    &TIE_BREAKS,
    &ANSWER_REVEALED,
    &QUESTION_EDITED,
    &QUESTION_WITHDRAWN,
    // After the messages of the phase.
    &JOKER_UPDATE,
    &TIE_BREAK_ANSWER,
    &APPEALS,
    &APPEAL_STATUS,
    &ADJUSTMENTS,
    &ENTERED,
    &TEAM_UPDATE,
    &TEAM_SHEET,
    &STEP,
    &BREAK,
];

/// A message that states facts of the game, to all viewers who may know them.
#[derive(Debug)]
pub struct Section {
    /// Its `type` on the wire.
    pub message: &'static str,
    /// The sockets that receive it.
    pub viewers: Viewers,
    /// Whether it comes before the messages of the phase.
    pub opens: bool,
    /// The games in which it states anything. Checked before anything is rendered, so it costs almost nothing.
    pub exists: fn(&State) -> bool,
    /// The phases in which it states anything.
    phases: &'static [Phase],
    /// Its facts, in the order on the wire; at most one about the same thing.
    render: fn(&View<'_>) -> Vec<Fact>,
    /// Whether viewers assume this until they receive the section.
    is_assumed: fn(&ServerMessage) -> bool,
    /// Whether a viewer who knows the first does not need the second, in this state.
    is_same: fn(&State, &ServerMessage, &ServerMessage) -> bool,
    /// A number that is another one whenever an event changes what viewers need. Then nothing is rendered to be compared: with the next
    /// step, whose hint reads every answer, that saved 2 of 100 instructions of the fixed game.
    number: Option<fn(&State) -> u32>,
    /// Whether a participant does not receive it when an event changes it.
    pub is_kept_from: fn(&State, Participant) -> bool,
    /// Whether viewers forget it when a round begins.
    is_of_round: bool,
    /// Whether the messages of the phase already contain it.
    is_in_phase: fn(&State) -> bool,
    /// When its changes are sent.
    pub pace: Pace,
    /// For changes that are stated by a line instead: nothing else is rendered for them, before or after.
    pub line_of: fn(&Change) -> Option<Line>,
    /// How a socket's queue treats a fact about this.
    kind: fn(About) -> FrameKind,
    /// Combines the messages of facts that belong into one message; each fact has its own without it.
    join: Option<fn(Vec<ServerMessage>) -> Vec<ServerMessage>>,
}

/// The recipients of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewers {
    /// Every socket. Rendered once.
    All,
    /// The sockets of the host and of co-hosts. Rendered once.
    Hosts,
    /// The sockets of the host, and of co-hosts of the role `host`. Rendered once.
    Devices,
    /// The phones of a player, each player their own. Rendered once for each player.
    Player,
    /// Each phone of a player its own.
    Phone,
}

/// When the changes of a section are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// After the event.
    AtOnce,
    /// When the edge's pacing sends them; on connecting at once.
    Paced,
    /// After the event and the timers. Time changes it, so it is stated again while it is not assumed.
    Clock,
}

/// States what a change has changed, read from the state after it.
pub type Line = fn(&Change, &State) -> Option<Fact>;

/// One fact that a section states.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its subject. A viewer drops the earlier fact about the same subject.
    pub about: About,
    /// The message that states only this fact.
    pub message: ServerMessage,
}

/// The subject of a fact: the game when both are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct About {
    /// This player.
    pub player: Option<PlayerId>,
    /// This question.
    pub question: Option<QuestionId>,
}

/// A state in a viewer's view, at a moment of this process.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The state.
    pub state: &'a State,
    /// The participant who sees it.
    pub viewer: Participant,
    /// The players whose facts are rendered.
    pub players: Named<'a>,
    /// The moment.
    pub at: Moment,
}

/// Players that an event or a command names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'a> {
    /// Every player.
    All,
    /// Only these.
    Only(&'a [PlayerId]),
}

/// A viewer's knowledge of a section.
#[derive(Debug, Default)]
pub struct Known {
    round: usize,
    facts: Vec<Fact>,
    /// The number of a section that has one.
    number: Option<u32>,
}

impl Section {
    /// The defaults of a section: one fact about the game, for every socket, in every phase.
    const PLAIN: Self = Self {
        message: "",
        viewers: Viewers::All,
        opens: false,
        exists: |_| true,
        phases: &Phase::ALL,
        render: |_| Vec::new(),
        is_assumed: |_| false,
        is_same: |_, one, other| one == other,
        number: None,
        is_kept_from: |_, _| false,
        is_of_round: false,
        is_in_phase: |_| false,
        pace: Pace::AtOnce,
        line_of: |_| None,
        kind: |_| FrameKind::Queued,
        join: None,
    };

    /// The knowledge of a viewer after seeing all of this.
    pub fn known(&self, view: &View<'_>) -> Known {
        let number = self.number.map(|number| number(view.state));
        let facts = if number.is_none() { self.facts(view) } else { Vec::new() };
        Known { round: view.state.round(), facts, number }
    }

    /// The facts that a viewer with this knowledge lacks.
    pub fn changes(&self, known: &Known, view: &View<'_>) -> Vec<Fact> {
        if self.number.is_some_and(|number| known.number == Some(number(view.state))) {
            return Vec::new();
        }
        let mut facts = self.facts(view);
        // After the end no message states that a round began, so viewers have forgotten nothing.
        let is_other_round = known.round != view.state.round() && view.state.phase() != Phase::Ended;
        let known = known.facts.iter().filter(|_| !(self.is_of_round && is_other_round));
        let known: BTreeMap<_, _> = known.map(|fact| (fact.about, &fact.message)).collect();
        facts.retain(|fact| match known.get(&fact.about) {
            Some(known) => !(self.is_same)(view.state, known, &fact.message),
            None => !(self.is_assumed)(&fact.message),
        });
        facts
    }

    /// The frames of some facts, each with how the socket's queue treats it.
    pub fn frames(&self, facts: Vec<Fact>) -> Vec<(Bytes, FrameKind)> {
        let single = |fact: Fact| (frame::text(&fact.message), (self.kind)(fact.about));
        match self.join {
            _ if facts.is_empty() => Vec::new(),
            None => facts.into_iter().map(single).collect(),
            Some(join) => {
                let joined = join(facts.into_iter().map(|fact| fact.message).collect());
                joined.iter().map(|message| (frame::text(message), FrameKind::Queued)).collect()
            }
        }
    }

    /// The frames that confirm a command about this that changed nothing. Where the message has a list, an empty list says that there is
    /// no such thing.
    pub fn confirmation(&self, view: &View<'_>, about: About) -> Vec<(Bytes, FrameKind)> {
        let named = about.player.as_slice();
        let players = if named.is_empty() { Named::All } else { Named::Only(named) };
        let mut facts = self.facts(&View { players, ..*view });
        facts.retain(|fact| fact.about == about);
        match self.join.filter(|_| self.states(view.state)) {
            Some(join) if facts.is_empty() => {
                join(Vec::new()).iter().map(|message| (frame::text(message), FrameKind::Queued)).collect()
            }
            _ => self.frames(facts),
        }
    }

    /// Whether a participant's sockets receive it.
    pub fn is_for(&self, state: &State, viewer: Participant) -> bool {
        match self.viewers {
            Viewers::All => true,
            Viewers::Hosts => viewer.as_host().is_some(),
            Viewers::Devices => is_host(state, viewer),
            Viewers::Player | Viewers::Phone => viewer.player().is_some(),
        }
    }

    fn states(&self, state: &State) -> bool {
        (self.exists)(state) && self.phases.contains(&state.phase())
    }

    fn facts(&self, view: &View<'_>) -> Vec<Fact> {
        if self.states(view.state) { (self.render)(view) } else { Vec::new() }
    }
}

/// Whether a participant may do everything that the host may do while the game runs.
pub fn is_host(state: &State, viewer: Participant) -> bool {
    viewer.as_host().and_then(|device| state.co_hosts().role(device)) == Some(HostRole::Host)
}

impl About {
    /// A question.
    pub fn question(question: QuestionId) -> Self {
        Self { player: None, question: Some(question) }
    }

    /// A player's answer to a question.
    pub fn answer(player: PlayerId, question: QuestionId) -> Self {
        Self { player: Some(player), question: Some(question) }
    }
}

impl Fact {
    fn of_game(message: ServerMessage) -> Self {
        Self { about: About::default(), message }
    }
}

impl<'a> View<'a> {
    /// Everything that this viewer may see.
    pub fn whole(state: &'a State, viewer: Participant, at: impl Into<Moment>) -> Self {
        Self { state, viewer, players: Named::All, at: at.into() }
    }

    /// The player to whom it is shown, unless they were removed.
    fn player(&self) -> Option<&'a Player> {
        self.viewer.player().and_then(|player| self.state.player(player))
    }

    /// The players (not removed) whose facts are rendered.
    fn players(&self) -> impl Iterator<Item = &'a Player> + use<'a> {
        let state = self.state;
        let (all, named) = match self.players {
            Named::All => (Some(state.players()), &[][..]),
            Named::Only(named) => (None, named),
        };
        all.into_iter().flatten().chain(named.iter().filter_map(move |player| state.player(*player)))
    }
}

impl Named<'_> {
    /// Whether a player is among them.
    pub fn includes(self, player: PlayerId) -> bool {
        match self {
            Named::All => true,
            Named::Only(named) => named.contains(&player),
        }
    }
}
