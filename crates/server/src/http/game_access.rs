//! Access to one game, live or long over. Together with `in_charge` this is the one place that decides who may use a
//! game.

use quizhall_rules::{Actor, Command, CommandRow, GameId, HostId, HostRole, Phase, Refusal, Sender, State};
use uuid::Uuid;

use super::problem::{Kind, Refused};
use crate::app::App;
use crate::clock;
use crate::store::{CODE_HELD_MS, GameRow};

/// A game, not closed, whose host or co-host makes the request.
pub(super) struct OwnGame {
    row: GameRow,
    run_by: (Actor, HostRole),
}

/// The game with this id, if it belongs to this host. Another host's game is not found, as if it did not exist (promise
/// 18).
pub(super) async fn own(app: &App, host: HostId, id: Uuid) -> Result<OwnGame, Refused> {
    let row = app.store.game_by_id(GameId::from(id)).await?;
    let row = row.filter(|row| row.host == host && !row.closed).ok_or_else(Refused::not_found)?;
    Ok(OwnGame::run_by(row, (Actor::Host, HostRole::Host)))
}

impl OwnGame {
    /// A game that this actor runs with this role.
    pub(super) fn run_by(row: GameRow, run_by: (Actor, HostRole)) -> Self {
        Self { row, run_by }
    }

    /// The actor who makes the request.
    pub(super) fn actor(&self) -> Actor {
        self.run_by.0
    }

    /// Refuses a co-host whose role is not `host`.
    pub(super) fn needs_host(&self) -> Result<(), Refused> {
        if self.run_by.1 == HostRole::Host { Ok(()) } else { Err(Refusal::WrongRole.into()) }
    }

    /// Refuses a co-host whose role may not send the command of this row.
    pub(super) fn needs_role_of(&self, row: &CommandRow) -> Result<(), Refused> {
        let may = match (self.run_by, row.sender) {
            ((Actor::Host, _), Sender::Host(_) | Sender::HostOrService(_)) => true,
            ((_, role), Sender::Host(roles) | Sender::HostOrService(roles)) => roles.contains(&role),
            (_, Sender::Player | Sender::Service) => false,
        };
        if may { Ok(()) } else { Err(Refusal::WrongRole.into()) }
    }

    /// Its row, which exists even when its log is damaged.
    pub(super) fn row(&self) -> &GameRow {
        &self.row
    }

    /// Reads the committed state, as [`view`] does.
    pub(super) async fn view<T: Send + 'static>(
        &self,
        app: &App,
        read: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        view(app, &self.row, read).await
    }

    /// Carries out a command in the owner's name.
    pub(super) async fn command(&self, app: &App, actor: Actor, command: Command) -> Result<(), Refused> {
        let game = app.registry.by_id(self.row.id).await?.ok_or_else(Refused::not_found)?;
        Ok(game.command(actor, command).await?)
    }

    /// Carries out the command as long as the game is found by its code. After that, nothing more is stored of the
    /// game.
    pub(super) async fn command_while_found(&self, app: &App, actor: Actor, command: Command) -> Result<(), Refused> {
        self.refuse_past()?;
        self.command(app, actor, command).await
    }

    /// Refuses a game that is no longer found by its code.
    pub(super) fn refuse_past(&self) -> Result<(), Refused> {
        if self.is_past() {
            return Err(Refused::new(Kind::WRONG_PHASE, "The game is over, and its code has expired."));
        }
        Ok(())
    }

    /// Whether it is no longer found by its code. Then the tokens of its players, screens and co-hosts open nothing.
    pub(super) fn is_past(&self) -> bool {
        is_past(&self.row)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.row.phase == Phase::Ended
    }

    pub(super) fn id(&self) -> GameId {
        self.row.id
    }
}

/// Reads the committed state of a game. A game that ended long ago is read from its log and not loaded, because its
/// code may belong to another game by now.
pub(super) async fn view<T: Send + 'static>(
    app: &App,
    row: &GameRow,
    read: impl FnOnce(&State) -> T + Send + 'static,
) -> Result<T, Refused> {
    if is_past(row) {
        return Ok(app.registry.view_log(row, read).await?);
    }
    let game = app.registry.by_id(row.id).await?.ok_or_else(Refused::not_found)?;
    // Any node may get this request. A node without sockets of the game does not receive its new events.
    Ok(game.fresh_view(read).await?)
}

/// Whether a game has ended and its code has expired.
pub(super) fn is_past(row: &GameRow) -> bool {
    let ended = row.ended_at_ms.filter(|_| row.phase == Phase::Ended);
    ended.is_some_and(|ended| ended + CODE_HELD_MS <= clock::unix_ms())
}
