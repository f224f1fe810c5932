//! Closes the sockets of hosts whose session has ended without this process being told: by the command line, by another
//! node, or in the moment between the check of a token and the opening of its socket.
//!
//! Started by `serve`. Sign-outs over this process's own API close their sockets at once, without waiting for this.

use std::sync::Weak;
use std::time::Duration;

use tokio::time::sleep;

use crate::app::App;

/// A revoked token's sockets are closed within a second (decisions §2).
const EVERY: Duration = Duration::from_millis(800);

/// Looks at the tokens of open host sockets until the service is gone. A database that does not answer changes nothing.
pub(super) async fn watch(app: Weak<App>) {
    loop {
        sleep(EVERY).await;
        let Some(app) = app.upgrade() else { return };
        for token in app.sockets.host_tokens() {
            if matches!(app.hosts.has_ended(token).await, Ok(true)) {
                app.sockets.close_host_token(&token);
            }
        }
    }
}
