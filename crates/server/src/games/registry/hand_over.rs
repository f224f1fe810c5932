//! Hands games over to other nodes: all of them when this node stops or is drained, or one that an operator moves.
//!
//! Called by `cluster`. A game has no owner between its release and the claim of its heir, so only some games are on the way at
//! once: thousands that are released together would wait for each other.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use quizhall_engine::EdgeId;
use quizhall_rules::GameId;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::GameRegistry;
use crate::games::live::Live;
use crate::games::live::jobs::{HandOver, Heir, Order};

/// Games that are on the way at once, as many as two nodes load at once.
const ON_THE_WAY: usize = 32;
/// How long the next game waits for the claim of one that was released.
const CLAIMED: Duration = Duration::from_secs(1);

impl GameRegistry {
    /// How many games are owned here.
    pub fn owned(&self) -> usize {
        self.inner.all_live().iter().filter(|live| live.is_owned()).count()
    }

    /// The node with this incarnation, if games can be handed over to it.
    pub fn heir(&self, node: uuid::Uuid) -> Option<Heir> {
        let node = EdgeId::of_node(node);
        self.inner.node.placement.is_fit(node).then_some(Heir::Node(node))
    }

    /// Hands every game owned here to the node that suits it best, and returns how many moved. A game stays when no other node can
    /// own it, or when it cannot be released in time.
    pub async fn hand_over_all(&self) -> usize {
        let owned: Vec<_> = self.inner.all_live().into_iter().filter(|live| live.is_owned()).collect();
        let outcomes = stream::iter(owned).map(hand_over_in_turn).buffer_unordered(ON_THE_WAY);
        outcomes.filter(|outcome| std::future::ready(matches!(outcome, HandOver::Moved(_)))).count().await
    }

    /// The same for all games at once, when there is no time for turns.
    pub async fn hand_over_at_once(&self) {
        let owned = self.inner.all_live().into_iter().filter(|live| live.is_owned());
        let handed = owned.map(|live| async move { release(&live, Heir::Best).await });
        futures_util::future::join_all(handed).await;
    }

    /// Hands over one game.
    pub async fn hand_over_game(&self, game: GameId, heir: Heir) -> HandOver {
        let live = self.inner.all_live().into_iter().find(|live| live.id == game);
        match live {
            Some(live) => release(&live, heir).await,
            None => HandOver::Kept,
        }
    }
}

/// Releases a game, and waits until its heir has claimed it if a client may notice the pause.
async fn hand_over_in_turn(live: Arc<Live>) -> HandOver {
    let (epoch, is_used) = (live.owned_epoch(), live.connections.load(Ordering::Relaxed) > 0);
    let mut elsewhere = live.owner_elsewhere.subscribe();
    let outcome = release(&live, Heir::Best).await;
    if let (HandOver::Moved(_), Some(epoch), true) = (outcome, epoch, is_used) {
        // A game that is not claimed in time holds up no other.
        let _ = timeout(CLAIMED, elsewhere.wait_for(|seen| *seen > epoch)).await;
    }
    outcome
}

async fn release(live: &Live, heir: Heir) -> HandOver {
    let (done, outcome) = oneshot::channel();
    if live.orders.send(Order::HandOver(heir, done)).await.is_err() {
        return HandOver::Kept;
    }
    outcome.await.unwrap_or(HandOver::Kept)
}
