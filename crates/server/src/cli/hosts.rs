//! `quizhall host …`: accounts, for operators with a shell on the machine.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use quizhall_rules::HostId;
use uuid::Uuid;

use super::purge::NOT_CLEARED;
use super::{Desk, audit, host_export, password, print};
use crate::auth::{AccountError, name_key};
use crate::clock;
use crate::store::AccountLine;

/// The words before the reason of a refused change.
const UNCHANGED: &str = "nothing was changed";

const REMOVED: &str = "The account is removed.";
const UNFINISHED: &str = "the account is disabled, but not all of its games are purged; run the command again";

#[derive(Debug, Subcommand)]
pub(super) enum HostCommand {
    /// Create an account; the password is asked for, or read from standard input.
    Add {
        /// Its name.
        name: String,
        /// What it may do [default: the first account is an owner, every other one a host].
        #[arg(long, value_enum)]
        role: Option<Role>,
    },
    /// Make an account an owner of the service, which manages all accounts, or a host again.
    Role {
        /// Its name, or its id.
        name: String,
        /// What it may do from now on.
        role: Role,
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
    /// List the accounts: id, creation, state, role, quizzes, games, name.
    List,
    /// Give an account another name; its sessions stay valid.
    Rename {
        /// Its name, or its id.
        name: String,
        /// Its new name.
        new_name: String,
    },
    /// Prevent signing in to an account, and end its sessions; its games and quizzes stay.
    Disable {
        /// Its name, or its id.
        name: String,
    },
    /// Allow signing in to an account again.
    Enable {
        /// Its name, or its id.
        name: String,
    },
    /// Remove an account. What it owns must be handed over or purged.
    Remove {
        /// Its name, or its id.
        name: String,
        /// The account that gets its games and quizzes.
        #[arg(long, value_name = "NAME", conflicts_with = "purge_games")]
        games_to: Option<String>,
        /// Delete its games and quizzes for good; all of its games must have ended.
        #[arg(long)]
        purge_games: bool,
    },
    /// Write everything an account owns into a new JSON file: quizzes, and games with their results.
    Export {
        /// Its name, or its id.
        name: String,
        /// The file, which must not exist yet.
        file: PathBuf,
    },
}

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Role {
    /// Everything about its own quizzes and games.
    Host,
    /// The same, and managing all accounts.
    Owner,
}

pub(super) async fn run(command: HostCommand, desk: Desk) -> anyhow::Result<()> {
    match command {
        HostCommand::Add { name, role } => add(&desk, &name, role).await,
        HostCommand::Role { name, role } => {
            let account = find(&desk, &name).await?;
            desk.hosts.set_owner(account.id, role == Role::Owner).await.context(UNCHANGED)?;
            audit::write("change_account", account.id);
            print(if role == Role::Owner { "The account is an owner now." } else { "The account is a host now." })
        }
        HostCommand::ResetPassword { name } => {
            let account = desk.hosts.find(&name).await?;
            let ended = desk.hosts.reset_password(&name, password::read()?).await.context(UNCHANGED)?;
            audit::write("change_password", account);
            print(format!("The password is changed; {} sessions have ended.", ended.len()))
        }
        HostCommand::Token { name } => {
            let session = desk.hosts.issue_token(&name).await?;
            audit::write("make_token", session.host);
            eprintln!("Valid until {}.", clock::rfc3339(session.expires_at_ms));
            print(session.token.expose())
        }
        HostCommand::List => list(&desk).await,
        HostCommand::Rename { name, new_name } => {
            let account = find(&desk, &name).await?;
            let name = desk.hosts.rename(account.id, &new_name).await.context(UNCHANGED)?;
            audit::write("change_account", account.id);
            print(format!("The account is called {} now.", printable(&name)))
        }
        HostCommand::Disable { name } => disable(&desk, &name, true).await,
        HostCommand::Enable { name } => disable(&desk, &name, false).await,
        HostCommand::Remove { name, games_to, purge_games } => {
            let account = find(&desk, &name).await?;
            if purge_games {
                return purge(&desk, &account).await;
            }
            let heir = match games_to {
                Some(heir) => Some(find(&desk, &heir).await.context("--games-to")?.id),
                None => None,
            };
            desk.hosts.remove(account.id, heir).await.context(UNCHANGED)?;
            audit::write("remove_account", account.id);
            print(REMOVED)
        }
        HostCommand::Export { name, file } => {
            let account = find(&desk, &name).await?;
            let (quizzes, games) = host_export::run(&desk, &account, &file).await?;
            print(format!("Wrote {quizzes} quizzes and {games} games."))
        }
    }
}

async fn add(desk: &Desk, name: &str, role: Option<Role>) -> anyhow::Result<()> {
    let password = password::read()?;
    let is_first = !desk.hosts.list().await?.iter().any(|account| account.is_person);
    let role = role.unwrap_or(if is_first { Role::Owner } else { Role::Host });
    let created = desk.hosts.create(name, password, role == Role::Owner).await;
    audit::write("create_account", created.context("the account was not created")?);
    print("The account exists now.")?;
    match (is_first, role) {
        (true, Role::Owner) => print("It is the first, and an owner of the service: it looks after all accounts."),
        (true, Role::Host) => {
            print("No account looks after the others yet; `quizhall host role NAME owner` makes one an owner.")
        }
        (false, _) => Ok(()),
    }
}

async fn list(desk: &Desk) -> anyhow::Result<()> {
    for account in desk.hosts.list().await? {
        let state = match account {
            AccountLine { is_person: false, .. } => "service",
            AccountLine { disabled_at_ms: Some(_), .. } => "disabled",
            _ => "enabled",
        };
        let created = clock::rfc3339(account.created_at_ms);
        let (quizzes, games, name) = (account.quizzes, account.games, printable(&account.name));
        let role = if account.is_owner { "owner" } else { "host" };
        print(format!("{}  {created}  {state:<8}  {role:<5}  {quizzes:>4}  {games:>6}  {name}", account.id.uuid()))?;
    }
    Ok(())
}

async fn disable(desk: &Desk, name: &str, disabled: bool) -> anyhow::Result<()> {
    let account = find(desk, name).await?;
    let ended = desk.hosts.disable(account.id, disabled).await.context(UNCHANGED)?.len();
    audit::write("change_account", account.id);
    let state = if disabled { "disabled" } else { "enabled" };
    print(format!("The account is {state} now; {ended} sessions have ended."))
}

async fn purge(desk: &Desk, account: &AccountLine) -> anyhow::Result<()> {
    desk.hosts.close(account.id).await.context(UNCHANGED)?;
    let purged = desk.retention.purge_host(account.id).await.context(UNFINISHED)?;
    desk.hosts.remove(account.id, None).await.context(UNFINISHED)?;
    audit::write("remove_account", account.id);
    print(format!("{REMOVED} Purged {} games: {} rows.", purged.games, purged.logs.rows))?;
    if !desk.retention.clear().await? {
        bail!(NOT_CLEARED);
    }
    Ok(())
}

/// The account with this id or, failing that, this name. A person's account is preferred to one of the service.
async fn find(desk: &Desk, name: &str) -> anyhow::Result<AccountLine> {
    let id = Uuid::try_parse(name).ok().map(HostId::from);
    let key = name_key(name);
    let fits = |account: &AccountLine| Some(account.id) == id || name_key(&account.name) == key;
    let mut accounts: Vec<_> = desk.hosts.list().await?.into_iter().filter(fits).collect();
    accounts.sort_by_key(|account| (Some(account.id) != id, !account.is_person));
    Ok(accounts.into_iter().next().ok_or(AccountError::NotFound)?)
}

/// A name is free text; its control characters must not reach the terminal.
fn printable(name: &str) -> String {
    name.chars().map(|symbol| if symbol.is_control() { '?' } else { symbol }).collect()
}
