//! The rights of tokens for programs.

use quizhall::auth::Scopes;
use quizhall_protocol::http::me::TokenScope::{Games, Quizzes, Read};

#[test]
fn a_scope_allows_its_area_and_nothing_of_accounts() {
    for (scope, route, reads, expected) in [
        (Read, "/api/v1/games/{id}/results", true, true),
        (Read, "/api/v1/games", false, false),
        (Games, "/api/v1/games", false, true),
        (Games, "/api/v1/games/{id}", true, true),
        (Games, "/api/v1/quizzes/{id}", true, false),
        (Quizzes, "/api/v1/media/{id}", false, true),
        (Quizzes, "/api/v1/games/{id}", true, false),
        (Read, "/api/v1/me", true, true),
        (Read, "/api/v1/sessions/current", false, false),
    ] {
        assert_eq!(Scopes::of(&[scope]).allow(route, reads), expected, "{scope:?} {route} {reads}");
    }
    let all = Scopes::of(&[Read, Quizzes, Games]);
    for route in ["hosts", "me/tokens", "me/sessions", "me/password", "webhooks"].map(|end| format!("/api/v1/{end}")) {
        assert!(!all.allow(&route, true) && !all.allow(&route, false), "{route}");
    }
    assert_eq!(Scopes::stored(all.bits()).list(), [Read, Quizzes, Games]);
    assert!(Scopes::stored(1 << 40).list().is_empty());
}
