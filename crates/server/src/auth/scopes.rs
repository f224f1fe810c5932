//! The rights of a token for programs: a few areas of the host's own data, and never accounts, sessions, webhooks or
//! tokens.
//!
//! Called by `hosts` and `http`. Stored as bits, so that a later scope changes no table.

use quizhall_protocol::http::me::TokenScope;

const ALL: [(TokenScope, i64); 3] = [(TokenScope::Read, 1), (TokenScope::Quizzes, 2), (TokenScope::Games, 4)];

/// Areas of the host API by the beginning of their routes, with the scope that is needed for changes.
const AREAS: [(&str, TokenScope); 4] = [
    ("/api/v1/quizzes", TokenScope::Quizzes),
    ("/api/v1/questions", TokenScope::Quizzes),
    ("/api/v1/media", TokenScope::Quizzes),
    ("/api/v1/games", TokenScope::Games),
];

/// Routes that every token may use: those about its owner.
const ABOUT_ITSELF: [&str; 2] = ["/api/v1/me", "/api/v1/sessions/current"];

/// The scopes of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(i64);

impl Scopes {
    /// These scopes.
    pub fn of(scopes: &[TokenScope]) -> Self {
        Self(ALL.iter().filter(|(scope, _)| scopes.contains(scope)).map(|(_, bit)| bit).sum())
    }

    /// The stored scopes; bits that this version does not know allow nothing.
    pub fn stored(bits: i64) -> Self {
        Self(bits)
    }

    /// The bits to store.
    pub fn bits(self) -> i64 {
        self.0
    }

    /// Each of them.
    pub fn list(self) -> Vec<TokenScope> {
        ALL.iter().map(|(scope, _)| *scope).filter(|scope| self.has(*scope)).collect()
    }

    /// Whether this one is among them.
    pub fn has(self, scope: TokenScope) -> bool {
        ALL.iter().any(|(known, bit)| *known == scope && self.0 & bit != 0)
    }

    /// Whether they allow a request to this route; `reads` when it changes nothing.
    pub fn allow(self, route: &str, reads: bool) -> bool {
        let area = AREAS.iter().find(|(start, _)| route.strip_prefix(start).is_some_and(ends_a_part));
        match area {
            Some((_, scope)) => self.has(*scope) || (reads && self.has(TokenScope::Read)),
            None => reads && ABOUT_ITSELF.contains(&route),
        }
    }
}

fn ends_a_part(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}
