//! Closes the sockets of hosts whose session has ended without a notice to this process: by the command line, by
//! another node, or between the check of a token and the opening of its socket. It also removes the co-hosts whose
//! invitations ended with the sessions.
//!
//! Started by `serve`. Sign-outs over this process's own API close their sockets at once, without waiting for this.

use std::sync::Weak;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::app::App;
use crate::auth::HostTokenHash;
use crate::cluster::bus::Notice;

/// A revoked token's sockets are closed within a second (promise 31).
const EVERY: Duration = Duration::from_millis(800);

/// Checks the tokens of open host sockets until the service is dropped. A database that does not answer changes
/// nothing.
pub(super) async fn watch(app: Weak<App>) {
    loop {
        sleep(EVERY).await;
        let Some(app) = app.upgrade() else { return };
        let tokens: Vec<_> = app.sockets.host_tokens().into_iter().collect();
        for token in app.hosts.ended(&tokens).await.unwrap_or_default() {
            app.sockets.close_host_token(&token);
        }
    }
}

/// Removes the co-hosts of games whose account has ended its invitations, until the service is dropped. A failed
/// removal is tried again.
pub(super) async fn watch_invitations(app: Weak<App>) {
    loop {
        sleep(EVERY).await;
        let Some(app) = app.upgrade() else { return };
        if let Err(error) = app.registry.remove_uninvited().await {
            tracing::debug!(%error, "invitations that have ended could not be removed");
        }
    }
}

/// Handles the notices of other nodes at once; [`watch`] makes up for a lost notice.
pub(super) async fn handle_notices(app: Weak<App>, mut notices: mpsc::Receiver<Notice>) {
    while let Some(notice) = notices.recv().await {
        let Some(app) = app.upgrade() else { return };
        match notice {
            Notice::SessionsEnded(hashes) => {
                let tokens: Vec<_> = hashes.into_iter().map(HostTokenHash).collect();
                app.hosts.forget(&tokens).await;
                for token in &tokens {
                    app.sockets.close_host_token(token);
                }
            }
        }
    }
}
