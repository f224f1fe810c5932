//! Removes the co-hosts of games whose invitations have ended with the sessions of their account; their sockets close on every
//! node.
//!
//! Called by `http` when it ends sessions, and by `serve` all the time, for those that ended without this process.

use futures_util::future::try_join_all;
use quizhall_rules::{Actor, Command};

use super::GameRegistry;
use crate::games::error::{CommandError, GameError};
use crate::store::EndedInvitations;

/// Most games whose co-hosts are removed at the same time.
const AT_ONCE: u32 = 8;

impl GameRegistry {
    /// Removes the co-hosts of all ended invitations.
    ///
    /// # Errors
    /// The first that could not be removed. The next call tries it again.
    pub async fn remove_uninvited(&self) -> Result<(), CommandError> {
        let node = &self.inner.node;
        loop {
            let ended = node.with_timeout(node.store.ended_invitations(AT_ONCE)).await?;
            if ended.is_empty() {
                return Ok(());
            }
            try_join_all(ended.into_iter().map(|ended| self.remove_co_hosts(ended))).await?;
        }
    }

    async fn remove_co_hosts(&self, ended: EndedInvitations) -> Result<(), CommandError> {
        match self.by_id(ended.game).await {
            Ok(Some(game)) => {
                let invited: Vec<_> =
                    game.fresh_view(|state| state.co_hosts().all().map(|(_, co_host)| co_host.id).collect()).await?;
                for co_host in invited {
                    game.command(Actor::Host, Command::RemoveCoHost { co_host }).await?;
                }
            }
            // No client can open a damaged game, co-hosts included.
            Ok(None) | Err(GameError::Damaged) => {}
            Err(error) => return Err(error.into()),
        }
        let node = &self.inner.node;
        Ok(node.with_timeout(node.store.invitations_removed(ended)).await?)
    }
}
