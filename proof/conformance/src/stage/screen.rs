//! A screen of a stage. It is no participant: the oracle knows only that it was added and removed.

use anyhow::ensure;
use quizhall_oracle::Fact;
use quizhall_protocol::{Dialect, Role};
use serde_json::Value;
use uuid::Uuid;

use super::Stage;
use crate::seat::Connection;
use crate::wire::Knock;

/// A screen that was added to a game.
pub struct Screen {
    id: Uuid,
    token: String,
}

impl Stage {
    /// Adds a screen, whose token opens no socket without the extension.
    pub async fn add_screen(&mut self) -> anyhow::Result<Screen> {
        let added = self.world.host.add_screen(self.id).await?;
        self.happened(&Fact::ScreenAdded(added.id))?;
        let (code, token) = added.seat()?;
        ensure!(code == self.code, "the link is of another game");
        let plain = self.world.connect(&code, &token, Role::Screen).await;
        ensure!(plain.is_err_and(|error| error.to_string().contains("401")), "a plain socket was not refused");
        Ok(Screen { id: added.id, token })
    }

    /// Connects a screen, which is sent one picture of the game; returns both.
    pub async fn connect_screen(&self, screen: &Screen) -> anyhow::Result<(Connection, Value)> {
        let knock = Knock::bearer(&self.code, &screen.token);
        let mut connection = self.world.connect_as(knock, Role::Screen, Dialect::QuizhallV1).await?;
        let picture = connection.message().await?;
        ensure!(picture["payload"]["phase"] == self.oracle.phase.as_str(), "it shows {}", picture["payload"]["phase"]);
        connection.silent().await?;
        Ok((connection, picture))
    }

    /// Removes a screen.
    pub async fn remove_screen(&mut self, screen: Screen) -> anyhow::Result<()> {
        self.world.host.remove_screen(self.id, screen.id).await?;
        self.happened(&Fact::ScreenRemoved(screen.id))
    }
}
