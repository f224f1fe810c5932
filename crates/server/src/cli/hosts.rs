//! `quizhall host …`: accounts, for whoever has a shell on the machine.

use anyhow::Context as _;
use clap::Subcommand;

use super::{Desk, password, print};
use crate::clock;

#[derive(Debug, Subcommand)]
pub(super) enum HostCommand {
    /// Create an account; the password is asked for, or read from standard input.
    Add {
        /// Its name.
        name: String,
    },
    /// Give an account another password and end its sessions.
    ResetPassword {
        /// Its name.
        name: String,
    },
    /// Print a new token of an account, for scripts.
    Token {
        /// Its name.
        name: String,
    },
}

pub(super) async fn run(command: HostCommand, desk: Desk) -> anyhow::Result<()> {
    match command {
        HostCommand::Add { name } => {
            desk.hosts.create(&name, password::read()?).await.context("the account was not created")?;
            print("The account exists now.")
        }
        HostCommand::ResetPassword { name } => {
            desk.hosts.find(&name).await?;
            let ended = desk.hosts.reset_password(&name, password::read()?).await.context("nothing was changed")?;
            print(format!("The password is changed; {} sessions have ended.", ended.len()))
        }
        HostCommand::Token { name } => {
            let session = desk.hosts.issue_token(&name).await?;
            eprintln!("Valid until {}.", clock::rfc3339(session.expires_at_ms));
            print(session.token.expose())
        }
    }
}
