//! Reading a password: twice from a terminal, without showing it; otherwise one line.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use secrecy::{ExposeSecret as _, SecretString};

/// Prompts for a password.
///
/// # Errors
/// When none can be read, or the two differ.
pub(super) fn read() -> anyhow::Result<SecretString> {
    if !io::stdin().is_terminal() {
        return line();
    }
    let quiet = Quiet::start();
    eprint!("Password: ");
    let first = line()?;
    eprint!("\nOnce more: ");
    let second = line()?;
    drop(quiet);
    eprintln!();
    if first.expose_secret() != second.expose_secret() {
        bail!("the two passwords differ; nothing was changed");
    }
    Ok(first)
}

fn line() -> anyhow::Result<SecretString> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).context("no password can be read")?;
    if read == 0 {
        bail!("no password was given");
    }
    Ok(line.trim_end_matches(['\r', '\n']).into())
}

/// Until this is dropped, the terminal does not show what is typed.
struct Quiet;

impl Quiet {
    /// `stty` exists on every Unix. If it fails, the password is shown, which is better than no way in.
    fn start() -> Self {
        set_echo("-echo");
        Self
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        set_echo("echo");
    }
}

fn set_echo(mode: &str) {
    let _ = Command::new("stty").arg(mode).stdin(Stdio::inherit()).status();
}
