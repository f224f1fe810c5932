//! A part of the virtual users in a process of its own: orders come as lines of JSON on its standard input, outcomes go as lines on
//! its standard output. For more virtual users than one process has descriptors for.

use std::io::Write as _;
use std::process::Stdio;

use anyhow::Context as _;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::order::{Order, Outcome};
use super::{Part, VirtualUsers};

/// The command of `quizhall-load` that serves as a worker; not for people.
pub const COMMAND: &str = "users-worker";

/// The other end of a worker. It is ended when this is dropped.
pub(super) struct Worker {
    // Ends the process when dropped.
    _process: Child,
    orders: ChildStdin,
    outcomes: Lines<BufReader<ChildStdout>>,
}

impl Worker {
    pub(super) fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program's file")?;
        let mut process = Command::new(program)
            .arg(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("a worker could not be started")?;
        let orders = process.stdin.take().context("a worker without an input")?;
        let outcomes = BufReader::new(process.stdout.take().context("a worker without an output")?).lines();
        Ok(Self { _process: process, orders, outcomes })
    }

    pub(super) async fn ask(&mut self, order: &Order) -> anyhow::Result<Outcome> {
        let mut line = serde_json::to_string(order)?;
        line.push('\n');
        self.orders.write_all(line.as_bytes()).await.context("a worker has stopped")?;
        let answer = self.outcomes.next_line().await?.context("a worker has stopped")?;
        Ok(serde_json::from_str(&answer)?)
    }
}

/// Serves as a worker until the input ends.
///
/// # Errors
/// When the input holds something else than orders, or the output is closed.
pub async fn serve() -> anyhow::Result<()> {
    crate::descriptors::provide_all()?;
    let VirtualUsers(mut parts) = VirtualUsers::here()?;
    let Some(Part::Here(thread)) = parts.pop() else { return Ok(()) };
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = orders.next_line().await? {
        let outcome = thread.ask(serde_json::from_str(&line)?).await?;
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &outcome)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}
