//! What a row about one HTTP exchange is made of: who asks what, and what the answer must be like.

use serde_json::Value;

use crate::row::{Check, Row};

/// One exchange.
#[derive(Debug, Clone)]
pub struct HttpCase {
    /// The request.
    pub ask: Ask,
    /// The statuses that are right.
    pub statuses: Vec<u16>,
    /// What the answer must be like.
    pub answer: Answer,
}

/// The request.
#[derive(Debug, Clone)]
pub enum Ask {
    /// A request; path and body have placeholders.
    Request(Asked),
    /// Bytes as they are, given the host's authority.
    Raw(&'static str, fn(&str) -> String),
}

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: String,
    /// Who asks.
    pub who: Who,
    /// `Content-Type`.
    pub content_type: Option<&'static str>,
    /// `Accept`.
    pub accept: Option<&'static str>,
    /// The body.
    pub body: Option<String>,
}

/// Whose token a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// None.
    NoOne,
    /// The host's.
    Host,
    /// Another host's.
    Other,
    /// A player's.
    Player,
    /// One that was never given out.
    Junk,
}

/// What an answer must be like.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A problem body; with this `field`, if given.
    Problem(Option<&'static str>),
    /// The answer of a join; with this name, if given.
    Joined(Option<String>),
    /// JSON with exactly these fields.
    Fields(&'static [&'static str]),
    /// This JSON.
    Exactly(Value),
    /// Metrics in the text exposition format.
    Metrics,
    /// CSV as a download.
    Csv,
    /// No body.
    Nothing,
    /// Anything that lets no foreign page read it.
    NoSharing,
}

impl Ask {
    /// A JSON POST without a token.
    pub fn post(path: &str, body: &str) -> Self {
        Self::typed("POST", path, Some("application/json"), body)
    }

    /// A request without a token or a body.
    pub fn bare(method: &'static str, path: &str) -> Self {
        let (who, path) = (Who::NoOne, path.to_owned());
        Self::Request(Asked { method, path, who, content_type: None, accept: None, body: None })
    }

    /// A request without a token, with a body of this type.
    pub fn typed(method: &'static str, path: &str, content_type: Option<&'static str>, body: &str) -> Self {
        let (who, path, body) = (Who::NoOne, path.to_owned(), Some(body.to_owned()));
        Self::Request(Asked { method, path, who, content_type, accept: None, body })
    }

    /// With a token of this kind.
    #[must_use]
    pub fn by(mut self, who: Who) -> Self {
        if let Self::Request(asked) = &mut self {
            asked.who = who;
        }
        self
    }

    /// With an `Accept` header.
    #[must_use]
    pub fn accepting(mut self, media_type: &'static str) -> Self {
        if let Self::Request(asked) = &mut self {
            asked.accept = Some(media_type);
        }
        self
    }

    fn words(&self) -> String {
        match self {
            Self::Raw(what, _) => (*what).to_owned(),
            Self::Request(asked) => {
                let kind = asked.content_type.map(|kind| format!(", {kind}")).unwrap_or_default();
                format!("`{} {}`{kind}", asked.method, asked.path)
            }
        }
    }

    fn asker(&self) -> &'static str {
        let Self::Request(asked) = self else { return "" };
        match asked.who {
            Who::NoOne => "no token",
            Who::Host => "the host's token",
            Who::Other => "another host's token",
            Who::Player => "a player's token",
            Who::Junk => "a token never given out",
        }
    }
}

/// A row about an exchange.
pub fn row(id: String, case: HttpCase) -> Row {
    let statuses: Vec<_> = case.statuses.iter().map(u16::to_string).collect();
    Row {
        id,
        given: case.ask.asker().to_owned(),
        send: case.ask.words(),
        expect: format!("{}{}", statuses.join(" or "), case.answer.words()),
        check: Check::Http(case),
    }
}

impl Answer {
    fn words(&self) -> String {
        match self {
            Self::Problem(None) => ", a problem".to_owned(),
            Self::Problem(Some(field)) => format!(", a problem about `{field}`"),
            Self::Joined(None) => ", a player".to_owned(),
            Self::Joined(Some(name)) => format!(", a player named `{}`", super::messages::shown(name)),
            Self::Fields(fields) => format!(", exactly {}", fields.join(", ")),
            Self::Exactly(value) => format!(", `{value}`"),
            Self::Metrics => ", metrics".to_owned(),
            Self::Csv => ", CSV as a download".to_owned(),
            Self::Nothing => ", no body".to_owned(),
            Self::NoSharing => ", no CORS headers".to_owned(),
        }
    }
}
