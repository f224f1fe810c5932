//! Who runs a game, as an extractor: its host, or a co-host with the token of an invitation.
//!
//! For requests about one game. Commands carry their actor, and the rules decide what the role of a co-host may do.
//! Handlers that send no command call [`OwnGame::needs_host`].

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use quizhall_rules::{Actor, Device, GameId, HostRole, State};
use uuid::Uuid;

use super::address::Address;
use super::game_access::{self, OwnGame};
use super::problem::Refused;
use super::session::Host;
use super::token_search::{Asking, of_token};
use crate::app::App;
use crate::auth::{Carrier, HostSession, Presented};
use crate::games::GameHandle;

/// The actor of a request about a game.
pub(super) enum InCharge {
    /// A host; [`InCharge::game`] checks that the game is this host's.
    Host(HostSession),
    /// A co-host of a game.
    CoHost { game: GameId, device: Device, role: HostRole },
}

impl InCharge {
    /// The game with this id, if this actor runs it.
    pub(super) async fn game(&self, app: &App, id: Uuid) -> Result<OwnGame, Refused> {
        match self {
            Self::Host(session) => game_access::own(app, session.host, id).await,
            Self::CoHost { game, .. } if game.uuid() != id => Err(Refused::not_found()),
            Self::CoHost { game, device, role } => {
                let row = app.store.game_by_id(*game).await?.filter(|row| !row.closed);
                Ok(OwnGame::run_by(row.ok_or_else(Refused::not_found)?, (Actor::CoHost(*device), *role)))
            }
        }
    }
}

impl FromRequestParts<Arc<App>> for InCharge {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let carrier = Carrier::read(&parts.headers, None);
        if !matches!(&carrier, Carrier::Token(presented) if presented.as_co_host().is_some()) {
            return Host::from_request_parts(parts, app).await.map(|Host(session)| Self::Host(session));
        }
        let CoHostSession { game, device, role } = CoHostSession::from_request_parts(parts, app).await?;
        Ok(Self::CoHost { game: game.id(), device, role })
    }
}

/// A co-host with a valid token.
pub(super) struct CoHostSession {
    /// The game.
    pub game: GameHandle,
    /// Which of the host's devices.
    pub device: Device,
    /// What the co-host may do.
    pub role: HostRole,
}

impl FromRequestParts<Arc<App>> for CoHostSession {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let Ok(Address(address)) = Address::from_request_parts(parts, app).await;
        let find = |state: &State, token: &_| state.co_hosts().by_token(token);
        let (game, device) =
            of_token(app, Asking { address, headers: &parts.headers }, Presented::as_co_host, find).await?;
        // The host may have removed the co-host through another node. This node receives that change only while it has
        // sockets of the game, so the log is read.
        let role =
            game.fresh_view(move |state| state.co_hosts().role(device)).await?.ok_or_else(Refused::unauthorized)?;
        // The command line may have disabled the account without notifying this node.
        let account = app.store.account_by_id(game.host()).await?;
        if account.is_some_and(|account| account.disabled_at_ms.is_some()) {
            return Err(Refused::unauthorized());
        }
        Ok(Self { game, device, role })
    }
}
