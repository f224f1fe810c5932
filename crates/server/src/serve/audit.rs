//! The audit log: a line at `info` for each request that signs in, changes permissions, or deletes something.
//!
//! Called by `router` with each answered request. A line has the event, the status, the client's address and the path;
//! the request's span adds its id and the host. Never a name, a token or a game's code: these routes have only ids in
//! their paths.

use std::net::IpAddr;

/// Method, route and event of each request in the audit log. The filter for fail2ban in `deploy/` reads them.
const EVENTS: [(&str, &str, &str); 28] = [
    ("POST", "/api/v1/sessions", "sign_in"),
    ("POST", "/api/v1/oidc/sessions", "sign_in"),
    ("DELETE", "/api/v1/sessions/current", "sign_out"),
    ("DELETE", "/api/v1/me/sessions", "sign_out_everywhere"),
    ("POST", "/api/v1/me/password", "change_password"),
    ("POST", "/api/v1/me/tokens", "create_token"),
    ("DELETE", "/api/v1/me/tokens/{id}", "revoke_token"),
    ("POST", "/api/v1/webhooks", "create_webhook"),
    ("PATCH", "/api/v1/webhooks/{id}", "change_webhook"),
    ("DELETE", "/api/v1/webhooks/{id}", "delete_webhook"),
    ("POST", "/api/v1/webhooks/{id}/test", "test_webhook"),
    ("POST", "/api/v1/webhooks/{id}/deliveries/{deliveryId}/redelivery", "redeliver_webhook"),
    ("POST", "/api/v1/webhooks/{id}/secret", "rotate_webhook_secret"),
    ("POST", "/api/v1/hosts", "create_account"),
    ("PATCH", "/api/v1/hosts/{id}", "change_account"),
    ("DELETE", "/api/v1/hosts/{id}", "remove_account"),
    ("DELETE", "/api/v1/games/{id}", "delete_game"),
    ("DELETE", "/api/v1/games/{id}/players/{playerId}/data", "erase_player"),
    ("POST", "/api/v1/games/{id}/players/{playerId}/seat-code", "issue_seat_code"),
    ("POST", "/api/v1/games/{id}/results-link", "share_results"),
    ("DELETE", "/api/v1/games/{id}/results-link", "revoke_results_link"),
    ("POST", "/api/v1/games/{id}/screens", "add_screen"),
    ("POST", "/api/v1/games/{id}/screens/pair", "pair_screen"),
    ("DELETE", "/api/v1/games/{id}/screens/{screenId}", "remove_screen"),
    ("POST", "/api/v1/games/{id}/co-hosts", "invite_co_host"),
    ("DELETE", "/api/v1/games/{id}/co-hosts/{coHostId}", "remove_co_host"),
    ("PUT", "/api/v1/games/{id}/spectators", "allow_spectators"),
    ("DELETE", "/api/v1/quizzes/{id}", "delete_quiz"),
];

/// The event of a request to this route, if it belongs in the log.
pub(super) fn event_of(method: &str, route: &str) -> Option<&'static str> {
    EVENTS.iter().find(|(known, path, _)| *known == method && *path == route).map(|(_, _, event)| *event)
}

pub(super) fn write(audit: &'static str, status: u16, address: IpAddr, path: &str) {
    tracing::info!(audit, status, %address, path, "audit");
}
