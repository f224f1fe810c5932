//! `docs/reference/configuration.md`: every setting, from the definitions that the program itself reads.

use std::fmt::Write as _;

use clap::{Arg, Args as _, Command};
use quizhall::config::ConfigArgs;

const HEAD: &str = "\
# Settings

Generated from the program's own definitions by `make generate`; a test compares. `quizhall --help` prints the same.

A flag wins over its environment variable, that over the settings file, and that over the default. Each variable may also be
written with `QUIZHALL_` in front. The settings file is TOML and is named by `--config` or `QUIZHALL_CONFIG`: a line for each
setting, named like its flag with `_` for `-`, such as `max_players = 5000`; lists are texts with commas or lists of texts. Durations are written `200ms`, `25s`, `5m`, `12h`,
`1d`; sizes `64KiB`, `16MiB`. A variable that ends in `_FILE` names a file that holds the secret. Wrong values stop the
start, all of them reported at once, before anything is written.
";

/// The whole page.
pub fn page() -> String {
    let command = ConfigArgs::augment_args(Command::new("quizhall"));
    let mut page = HEAD.to_owned();
    let mut heading = None;
    for argument in command.get_arguments().filter(|argument| argument.get_env().is_some()) {
        if heading != Some(argument.get_help_heading()) {
            heading = Some(argument.get_help_heading());
            let title = argument.get_help_heading().unwrap_or("More");
            let _ = write!(page, "\n## {title}\n\n| Variable | Flag | Default | Meaning |\n|---|---|---|---|\n");
        }
        page.push_str(&row(argument));
    }
    page
}

fn row(argument: &Arg) -> String {
    let variable = argument.get_env().unwrap_or_default().to_string_lossy();
    let flag = argument.get_long().unwrap_or_default();
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = if defaults.is_empty() { String::new() } else { format!("`{}`", defaults.join(",")) };
    let meaning = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    format!("| `{variable}` | `--{flag}` | {default} | {} |\n", meaning.replace('\n', " ").replace('|', "\\|"))
}
