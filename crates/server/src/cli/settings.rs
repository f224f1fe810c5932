//! `quizhall config show` and `quizhall check-config`: the settings, and whether they work. Both change nothing.

use anyhow::bail;
use clap::{Args, Subcommand};

use super::print;
use crate::config::{Config, Shown};
use crate::health;
use crate::serve;

/// What can be asked about settings.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print every setting: its variable, its effective value and where that comes from. Secrets are not shown.
    Show,
}

/// How to check the settings.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Connect to the database and to the cache store as well: their versions, their tables, and whether they take writes.
    #[arg(long)]
    online: bool,
}

/// One line per setting, in columns.
pub(super) fn show(settings: &[Shown]) -> anyhow::Result<()> {
    let width =
        |of: fn(&Shown) -> &str| settings.iter().map(|shown| of(shown).chars().count()).max().unwrap_or_default();
    let (variable, value) = (width(|shown| &shown.variable), width(value_of));
    settings.iter().try_for_each(|shown| {
        print(format_args!("{:variable$}  {:value$}  {}", shown.variable, value_of(shown), shown.source))
    })
}

fn value_of(shown: &Shown) -> &str {
    shown.value.as_deref().unwrap_or("-")
}

/// All settings have been read, so they are valid; with `--online` the stores are checked too.
pub(super) async fn check(args: CheckArgs, config: Config) -> anyhow::Result<()> {
    for warning in config.warnings(serve::sockets(&config)) {
        print(format_args!("Warning: {warning}"))?;
    }
    print("The configuration is valid.")?;
    if !args.online {
        return Ok(());
    }
    let mut failed = false;
    for (store, outcome) in health::ask_stores(&config.storage).await {
        failed |= outcome.is_err();
        match outcome {
            Ok(()) => print(format_args!("{store}: ok"))?,
            Err(reason) => print(format_args!("{store}: {reason}"))?,
        }
    }
    if failed {
        bail!("a store cannot be used");
    }
    Ok(())
}
