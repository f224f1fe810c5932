//! The client side of a baseline that runs in a process of its own.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A baseline in a process of its own, which ends when this is dropped.
pub struct Baseline {
    process: Child,
    words: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    /// The address on which it listens.
    pub address: SocketAddr,
}

impl Baseline {
    /// Starts one on a free port of this machine. It stores answers in a new database at `file`.
    pub async fn start(file: &Path) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program's file")?;
        let mut process = Command::new(program)
            .args(["baseline", "--listen", "127.0.0.1:0", "--durable"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("the baseline could not be started")?;
        let words = process.stdin.take().context("a baseline without an input")?;
        let mut said = BufReader::new(process.stdout.take().context("a baseline without an output")?).lines();
        let address = said.next_line().await?.context("the baseline did not start")?.parse()?;
        Ok(Self { process, words, said, address })
    }

    /// Its process.
    pub fn pid(&self) -> Option<u32> {
        self.process.id()
    }

    /// Distributes the connections over this many games, in turn.
    pub async fn games(&mut self, games: usize) -> anyhow::Result<()> {
        self.order(&format!("games {games}\n")).await
    }

    /// Makes it write a message to the players of one game, counted from 0.
    pub async fn send(&mut self, game: usize, message: &str) -> anyhow::Result<()> {
        self.order(&format!("send {game} {message}\n")).await
    }

    /// Makes it write a message to all.
    pub async fn say(&mut self, message: &str) -> anyhow::Result<()> {
        self.order(&format!("say {message}\n")).await
    }

    /// Returns when the baseline has done it.
    async fn order(&mut self, line: &str) -> anyhow::Result<()> {
        self.words.write_all(line.as_bytes()).await.context("the baseline has stopped")?;
        self.words.flush().await.context("the baseline has stopped")?;
        let said = self.said.next_line().await?.context("the baseline has stopped")?;
        ensure!(said == "done", "the baseline: {said}");
        Ok(())
    }
}
