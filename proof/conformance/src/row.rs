//! A row of the tables: what it says in words (for the reference) and what it checks (for the run).

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
use crate::world::World;

/// One judgement.
pub struct Row {
    /// Unique, `group/…`, what `--filter` looks at.
    pub id: String,
    /// The state of affairs, in words.
    pub given: String,
    /// The text to send.
    pub send: String,
    /// What must follow.
    pub expect: String,
    /// How it is checked.
    pub check: Check,
}

/// How a row is checked.
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
    /// Asked at the end: was it seen?
    Coverage(Coverage),
}

/// A message sent in a sub-state by a role.
#[derive(Debug, Clone)]
pub struct MessageCase {
    /// The sub-state of the game.
    pub state: SubState,
    /// Who speaks the extension.
    pub cast: Cast,
    /// The sender; `Player` is the first player.
    pub role: Role,
    /// The text, with placeholders that the stage fills in.
    pub text: String,
    /// How the text is put into frames.
    pub framing: Framing,
    /// What must follow.
    pub verdict: Verdict,
}

/// A participant who connects again in a sub-state.
#[derive(Debug, Clone, Copy)]
pub struct ResyncCase {
    /// The sub-state of the game.
    pub state: SubState,
    /// Who speaks the extension.
    pub cast: Cast,
    /// Who connects.
    pub actor: Actor,
}

/// How a message is put on the wire.
#[derive(Debug, Clone, Copy)]
pub enum Framing {
    /// One text frame.
    Plain,
    /// As this function says.
    By(fn(&str) -> Vec<u8>),
}

/// What must follow a message.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// It is carried out: all sockets receive what the oracle says, and nothing else.
    Accepted,
    /// The socket is closed in one of these ways, nothing changes and no other socket receives a byte.
    Closed(Vec<Wanted>),
}

/// A close that a row accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The code.
    pub code: CloseCode,
    /// What follows the code's word in the reason.
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

    /// A code with whatever detail.
    pub const fn any(code: CloseCode) -> Self {
        Self { code, detail: Detail::Any }
    }

    /// Whether a close is this one.
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
    /// Closed in exactly this way.
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

/// The words for several closes that are all right.
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
    /// The state of affairs.
    pub given: &'static str,
    /// The action.
    pub act: &'static str,
    /// What must follow.
    pub expect: &'static str,
    /// When it is played.
    pub pace: Pace,
    /// Plays it.
    pub play: fn(Arc<World>) -> Playing,
}

/// When a story is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// With the others.
    Swift,
    /// From the start, beside the others: most of it is waiting.
    Waits,
    /// Alone, after all others: it uses up a limit they share.
    Last,
}

/// Writes a story down: name, given, act, expect, pace, and an `async fn(Arc<World>) -> anyhow::Result<()>`.
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
