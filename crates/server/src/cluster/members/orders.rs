//! What operators order through the list of nodes: this node shall own no games, or a game of it shall move.
//!
//! Read with every renewal. Each kind of order is carried out by one task at a time, so that a renewal never waits for it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock;
use crate::games::{HandOver, Heir};
use crate::store::{GameMove, MoveOutcome, NodeRow, StoreError};

use super::{Cluster, Joined};

/// The orders as far as they are read.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Whether this node shall own no games.
    drained: AtomicBool,
    /// Whether a task hands over all games.
    draining: AtomicBool,
    /// Whether a task moves games.
    moving: AtomicBool,
}

impl Orders {
    pub(super) fn is_drained(&self) -> bool {
        self.drained.load(Ordering::Relaxed)
    }
}

impl Cluster {
    /// Begins what this node's own row orders.
    pub(super) fn follow_orders(&self, own: &NodeRow) {
        let Some(joined) = &self.0.joined else { return };
        let (orders, is_stopping) = (&self.0.orders, self.0.draining.load(Ordering::Relaxed));
        if orders.drained.swap(own.drain, Ordering::Relaxed) != own.drain {
            tracing::info!(drain = own.drain, "an operator has ordered whether this node owns games");
            self.0.registry.set_leaving(own.drain || is_stopping);
            joined.renew.notify_one();
        }
        if is_stopping {
            return;
        }
        if own.drain && self.0.registry.owned() > 0 && !orders.draining.swap(true, Ordering::AcqRel) {
            tokio::spawn(self.clone().hand_over_all());
        }
        if own.moves > 0 && !orders.moving.swap(true, Ordering::AcqRel) {
            tokio::spawn(self.clone().move_games());
        }
    }

    /// Hands over what this node owns. Games that come meanwhile are handed over after the next renewal.
    async fn hand_over_all(self) {
        let (begun, owned) = (clock::now(), self.0.registry.owned());
        let moved = self.0.registry.hand_over_all().await;
        tracing::info!(
            owned,
            moved,
            ms = clock::since(begun).as_millis(),
            "games were handed over because this node is drained"
        );
        self.0.orders.draining.store(false, Ordering::Release);
        if let Some(joined) = &self.0.joined {
            joined.renew.notify_one();
        }
    }

    async fn move_games(self) {
        if let Some(joined) = &self.0.joined
            && let Err(error) = self.carry_out(joined).await
        {
            // The command that gave the order waits for it, and withdraws it.
            tracing::warn!(%error, "an order to move a game could not be carried out");
        }
        self.0.orders.moving.store(false, Ordering::Release);
    }

    async fn carry_out(&self, joined: &Joined) -> Result<(), StoreError> {
        for order in joined.store.open_moves(self.id()).await? {
            if !joined.store.take_move(order).await? {
                continue;
            }
            let outcome = self.move_game(order).await;
            tracing::info!(game = %order.game, ?outcome, "an operator has ordered to move a game");
            joined.store.end_move(order, outcome).await?;
        }
        Ok(())
    }

    async fn move_game(&self, order: GameMove) -> MoveOutcome {
        let registry = &self.0.registry;
        let heir = match order.target {
            Some(node) => registry.heir(node),
            None => Some(Heir::Best),
        };
        let Some(heir) = heir else { return MoveOutcome::Alone };
        match registry.hand_over_game(order.game, heir).await {
            HandOver::Moved(to) => registry.node_of(to).map_or(MoveOutcome::Kept, MoveOutcome::Moved),
            HandOver::Kept => MoveOutcome::Kept,
            HandOver::Alone => MoveOutcome::Alone,
        }
    }
}
