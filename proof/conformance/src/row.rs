//! A row of the tables: its words (for the reference) and its check (for the run).

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use quizhall_protocol::{Close, CloseCode, Role};

use crate::seat::Ending;
use crate::stage::cast::Cast;
use crate::stage::command::Actor;
use crate::stage::substate::SubState;
use crate::tables::auth::AuthCase;
use crate::tables::coverage::Coverage;
use crate::tables::http::HttpCase;
use crate::wire::Build;
use crate::world::World;

/// One judgement.
pub struct Row {
    /// The unique id, `group/…`, which `--filter` examines.
    pub id: String,
    /// The situation, in words.
    pub given: String,
    /// The text to send.
    pub send: String,
    /// The expected effect.
    pub expect: String,
    /// The check.
    pub check: Check,
}

/// The check of a row.
pub enum Check {
    /// A message on a socket of a stage.
    Message(MessageCase),
    /// Reconnecting to a stage.
    Resync(ResyncCase),
    /// A handshake.
    Auth(AuthCase),
    /// One HTTP exchange.
    Http(HttpCase),
    /// A story of its own.
    Story(Story),
    /// A question at the end: was this seen?
    Coverage(Coverage),
}

/// A message sent in a sub-state by a role.
#[derive(Debug, Clone)]
pub struct MessageCase {
    /// The sub-state of the game.
    pub state: SubState,
    /// The participants who speak the extension.
    pub cast: Cast,
    /// The sender; `Player` is the first player.
    pub role: Role,
    /// The text, with placeholders that the stage fills in.
    pub text: String,
    /// The framing of the text.
    pub framing: Framing,
    /// The expected effect.
    pub verdict: Verdict,
}

/// A text that is sent, and what must follow.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The text, with placeholders that the stage fills in.
    pub text: String,
    /// The expected effect.
    pub verdict: Verdict,
}

impl Sent {
    /// In one text frame, by this role in this sub-state.
    pub fn by(self, role: Role, state: SubState, cast: Cast) -> MessageCase {
        let Self { text, verdict } = self;
        MessageCase { state, cast, role, text, framing: Framing::Plain, verdict }
    }
}

/// A participant who connects again in a sub-state.
#[derive(Debug, Clone, Copy)]
pub struct ResyncCase {
    /// The sub-state of the game.
    pub state: SubState,
    /// The participants who speak the extension.
    pub cast: Cast,
    /// The participant who connects.
    pub actor: Actor,
}

/// The way in which a message is sent.
#[derive(Debug, Clone, Copy)]
pub enum Framing {
    /// One text frame.
    Plain,
    /// The frames that this function makes.
    By(fn(&str) -> Vec<u8>),
}

impl Framing {
    /// The text as it is sent.
    pub fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Self::Plain => Build::text(text).bytes(),
            Self::By(frames) => frames(text),
        }
    }
}

/// The expected effect of a message.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// It is carried out: all sockets receive the messages of the oracle, and nothing else.
    Accepted,
    /// The socket is closed in one of these ways, nothing changes and no other socket receives a byte.
    Closed(Vec<Wanted>),
}

/// A close that a row accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The code.
    pub code: CloseCode,
    /// The part of the reason after the code's word.
    pub detail: Detail,
}

/// The part of a reason after the code's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    None,
    /// This.
    Is(&'static str),
    /// Anything, or nothing.
    Any,
}

impl Wanted {
    /// A code whose reason is only its word.
    pub const fn bare(code: CloseCode) -> Self {
        Self { code, detail: Detail::None }
    }

    /// A code whose reason has this detail.
    pub const fn with(code: CloseCode, detail: &'static str) -> Self {
        Self { code, detail: Detail::Is(detail) }
    }

    /// A code with any detail.
    pub const fn any(code: CloseCode) -> Self {
        Self { code, detail: Detail::Any }
    }

    /// Whether a close matches.
    pub fn fits(&self, ending: &Ending) -> bool {
        let reason = match self.detail {
            Detail::None => self.code.reason().to_owned(),
            Detail::Is(detail) => Close::with_detail(self.code, detail).reason(),
            Detail::Any => ending.reason.clone(),
        };
        ending.code == self.code.number() && ending.reason == reason
    }
}

impl From<CloseCode> for Wanted {
    fn from(code: CloseCode) -> Self {
        Self::bare(code)
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let detail = match self.detail {
            Detail::None => String::new(),
            Detail::Is(detail) => format!(": {detail}"),
            Detail::Any => "…".to_owned(),
        };
        write!(formatter, "{} `{}{detail}`", self.code.number(), self.code.reason())
    }
}

impl Verdict {
    /// Expects exactly this close.
    pub fn closed(wanted: Wanted) -> Self {
        Self::Closed(vec![wanted])
    }

    /// The words of the reference.
    pub fn words(&self) -> String {
        match self {
            Self::Accepted => "accepted".to_owned(),
            Self::Closed(wanted) => alternatives(wanted),
        }
    }
}

/// The words for several acceptable closes.
pub fn alternatives(wanted: &[Wanted]) -> String {
    wanted.iter().map(Wanted::to_string).collect::<Vec<_>>().join(" or ")
}

/// A future of a row.
pub type Playing = Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>>;

/// A row that is a small program.
#[derive(Clone, Copy)]
pub struct Story {
    /// The end of its id.
    pub name: &'static str,
    /// The situation.
    pub given: &'static str,
    /// The action.
    pub act: &'static str,
    /// The expected effect.
    pub expect: &'static str,
    /// The time at which it is played.
    pub pace: Pace,
    /// Plays it.
    pub play: fn(Arc<World>) -> Playing,
}

/// The time at which a story is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// With the others.
    Swift,
    /// From the start, in parallel with the others, because most of it is waiting.
    Waits,
    /// By itself, after all others, because it uses up a shared limit.
    Last,
}

/// Defines a story: name, given, act, expect, pace, and an `async fn(Arc<World>) -> anyhow::Result<()>`.
macro_rules! story {
    ($name:literal, $given:literal, $act:literal, $expect:literal, $pace:ident, $play:path) => {
        $crate::row::Story {
            name: $name,
            given: $given,
            act: $act,
            expect: $expect,
            pace: $crate::row::Pace::$pace,
            play: |world| Box::pin($play(world)),
        }
    };
}
pub(crate) use story;
