//! The host of a measured game: a task that reads all the time and stores what the host has received. Commands are sent in
//! parallel.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use quizhall_client::{Carrier, Endpoint, Incoming, Seat, Socket, Token};
use quizhall_protocol::{FromHost, Role, ServerMessage, ToAll, ToHost};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use uuid::Uuid;

/// The messages that the host has received so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// Players in the lobby.
    pub players: usize,
    /// The last count per question.
    pub counts: HashMap<Uuid, u32>,
    /// Whether no count of a question was followed by a lower one.
    pub counts_fell: bool,
    /// Rounds that ended.
    pub rounds_ended: usize,
    /// Entries of the present review.
    pub reviewed: usize,
    /// Whether all its parts have arrived.
    pub review_whole: bool,
    /// Boards of rounds.
    pub boards: usize,
    /// Questions opened.
    pub released: usize,
    /// The game is over.
    pub over: bool,
    /// The reason for the end of the connection.
    pub closed: Option<String>,
}

/// A host's line.
pub(super) struct Host {
    commands: mpsc::Sender<FromHost>,
    seen: watch::Receiver<Seen>,
}

impl Host {
    /// Opens the host's socket of a game.
    pub(super) async fn connect(endpoint: &Endpoint, token: &Token, code: &str) -> anyhow::Result<Self> {
        let seat = Seat { code: code.to_owned(), token: token.clone(), role: Role::Host };
        let socket = Socket::connect(endpoint, &seat, Carrier::Bearer).await.context("the host's socket")?;
        let (commands, orders) = mpsc::channel(16);
        let (seen_by, seen) = watch::channel(Seen::default());
        tokio::spawn(keep(socket, orders, seen_by));
        Ok(Self { commands, seen })
    }

    /// Sends a command.
    pub(super) async fn send(&self, command: FromHost) -> anyhow::Result<()> {
        self.commands.send(command).await.map_err(|_| anyhow!("the host's line has ended"))
    }

    /// Waits until the host has seen something.
    pub(super) async fn until(
        &mut self,
        what: &str,
        time_limit: Duration,
        met: impl FnMut(&Seen) -> bool,
    ) -> anyhow::Result<Seen> {
        match timeout(time_limit, self.seen.wait_for(met)).await {
            Ok(Ok(seen)) => return Ok(seen.clone()),
            Ok(Err(_)) => {}
            Err(_) => bail!("the host waited {time_limit:?} for {what}"),
        }
        Err(anyhow!("the host waited for {what}; its line has ended: {:?}", self.seen.borrow().closed))
    }
}

async fn keep(mut socket: Socket, mut orders: mpsc::Receiver<FromHost>, seen: watch::Sender<Seen>) {
    loop {
        tokio::select! {
            order = orders.recv() => {
                let Some(order) = order else { return socket.close().await };
                if let Err(closed) = socket.send_host(&order).await {
                    return seen.send_modify(|seen| seen.closed = Some(format!("{closed:?}")));
                }
            }
            incoming = socket.next() => match incoming {
                Ok(Incoming::Message(message)) => seen.send_modify(|seen| seen.take(&message)),
                Ok(Incoming::Closed(closed)) => {
                    return seen.send_modify(|seen| seen.closed = Some(format!("{closed:?}")));
                }
                Err(error) => return seen.send_modify(|seen| seen.closed = Some(error.to_string())),
            },
        }
    }
}

impl Seen {
    fn take(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::All(ToAll::LobbyUpdate(lobby)) => {
                self.players = lobby.total.map_or(lobby.players.len(), |total| total as usize);
            }
            ServerMessage::All(ToAll::QuestionReleased(_)) => self.released += 1,
            ServerMessage::All(ToAll::RoundEnded) => {
                self.rounds_ended += 1;
                (self.reviewed, self.review_whole) = (0, false);
            }
            ServerMessage::All(ToAll::RoundLeaderboard(_)) => self.boards += 1,
            ServerMessage::All(ToAll::GameEnded(_)) => self.over = true,
            ServerMessage::Host(ToHost::ScoreboardUpdate(count)) => {
                let known = self.counts.entry(count.question_id).or_default();
                self.counts_fell |= count.answer_count < *known;
                *known = count.answer_count;
            }
            ServerMessage::Host(ToHost::RoundReview(review)) => {
                self.reviewed += review.answers.len();
                self.review_whole = review.part == review.parts;
            }
            _ => {}
        }
    }
}
