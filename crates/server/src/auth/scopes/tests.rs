//! Unit tests of `auth::scopes`.

#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn a_scope_allows_its_area_and_nothing_of_accounts() {
    let allowed = |scope, route, reads| Scopes::of(&[scope]).allow(route, reads);
    for (scope, route, reads, expected) in [
        (TokenScope::Read, "/api/v1/games/{id}/results", true, true),
        (TokenScope::Read, "/api/v1/games", false, false),
        (TokenScope::Games, "/api/v1/games", false, true),
        (TokenScope::Games, "/api/v1/games/{id}", true, true),
        (TokenScope::Games, "/api/v1/quizzes/{id}", true, false),
        (TokenScope::Quizzes, "/api/v1/media/{id}", false, true),
        (TokenScope::Quizzes, "/api/v1/games/{id}", true, false),
        (TokenScope::Read, "/api/v1/me", true, true),
        (TokenScope::Read, "/api/v1/sessions/current", false, false),
    ] {
        assert_eq!(allowed(scope, route, reads), expected, "{scope:?} {route} {reads}");
    }
    let all = Scopes::of(&[TokenScope::Read, TokenScope::Quizzes, TokenScope::Games]);
    for route in
        ["/api/v1/hosts", "/api/v1/me/tokens", "/api/v1/me/sessions", "/api/v1/me/password", "/api/v1/webhooks"]
    {
        assert!(!all.allow(route, true) && !all.allow(route, false), "{route}");
    }
    assert_eq!(Scopes::stored(all.bits()).list(), all.list());
    assert!(Scopes::stored(1 << 40).list().is_empty());
}
