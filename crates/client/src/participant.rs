//! A participant who reconnects: one socket after another, answers kept until they are acknowledged.
//!
//! Polled from one task through [`Participant::next`], which is cancel-safe; every other method only records what to
//! do. Never folds messages (that is [`crate::View`]) and never sends a host's command twice: after a loss the host
//! looks at the state and decides again.
//!
//! When have the sync messages arrived? A ping is sent with the connection. Quizhall reads nothing from a socket before
//! its sync messages are queued, so the pong comes after them: then the connection is *settled*. For servers that
//! answer earlier, a connection without any message waits another half a second, and pings again when a message comes
//! after all. Only then are answers without an ack sent; an ack before that belongs to the sync messages and
//! acknowledges an earlier answer.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use quizhall_protocol::{
    Advice, CloseCode, Dialect, FromAny, FromHost, Role, ServerMessage, ToAll, ToPlayer, read_server_message,
};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::time::{Sleep, sleep};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::answers::{Answer, Answers};
use crate::backoff::{Backoff, Schedule};
use crate::closed::Closed;
use crate::line::{Settled, Up};
use crate::socket::{Carrier, ConnectError, Received, Seat, Socket, json};
use crate::transport::Endpoint;

/// The participant, the server, and how to reconnect.
#[derive(Debug, Clone)]
pub struct Options {
    /// The server.
    pub endpoint: Endpoint,
    /// Game, token and role.
    pub seat: Seat,
    /// How the token is presented.
    pub carrier: Carrier,
    /// Whether to request the extension.
    pub dialect: Dialect,
    /// The delays of reconnecting.
    pub schedule: Schedule,
    /// Seed of the jitter; `None` for a random one.
    pub seed: Option<u64>,
}

/// Reads a frame's text. The plain reader parses it; a test's reader may also inspect it.
pub trait Reader {
    /// The message in `text`; `None` for a type this client does not know, which is ignored.
    fn read(&mut self, text: &str, role: Role) -> Result<Option<Arc<ServerMessage>>, serde_json::Error>;
}

/// Only parses.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainReader;

impl Reader for PlainReader {
    fn read(&mut self, text: &str, role: Role) -> Result<Option<Arc<ServerMessage>>, serde_json::Error> {
        Ok(read_server_message(text, role)?.map(Arc::new))
    }
}

/// What happens to a participant, in order.
#[derive(Debug)]
pub enum Event {
    /// A connection is open; the sync messages follow.
    Connected,
    /// The sync messages have arrived; `silent` when there were none.
    Settled {
        /// No message came before.
        silent: bool,
    },
    /// A message of the server.
    Message(Arc<ServerMessage>),
    /// The answer is durably stored. Follows the `answer_accepted` message.
    Acknowledged(Answer),
    /// A message that is not of the interface; it is skipped.
    Unreadable(serde_json::Error),
    /// The round ended, or a question closed by itself, while these answers had no ack; they are not sent again.
    Unacknowledged(Vec<Answer>),
    /// The connection is lost; the next attempt comes after `retry_in`.
    Lost {
        /// How it ended.
        closed: Closed,
        /// When the next attempt starts.
        retry_in: Duration,
    },
    /// An attempt failed; the next one comes after `retry_in`.
    Refused {
        /// The cause.
        error: ConnectError,
        /// When the next attempt starts.
        retry_in: Duration,
    },
    /// The end: nothing comes after it.
    Stopped(Stop),
}

/// Why a participant does not reconnect.
#[derive(Debug)]
pub enum Stop {
    /// The server closed the connection with a code that forbids reconnecting.
    Closed(Closed),
    /// The server refused the connection for good.
    Refused(ConnectError),
    /// [`Participant::leave`] was called.
    Left,
}

/// A host or player with a connection that is replaced when it breaks.
pub struct Participant<R = PlainReader> {
    options: Options,
    reader: R,
    line: Line,
    backoff: Backoff,
    chance: SmallRng,
    answers: Answers,
    events: VecDeque<Event>,
}

enum Line {
    Waiting(Pin<Box<Sleep>>),
    Connecting(Pin<Box<dyn Future<Output = Result<Socket, ConnectError>> + Send>>),
    Up(Box<Up>),
    Over,
}

impl Participant<PlainReader> {
    /// A participant that connects at the first [`Participant::next`].
    pub fn new(options: Options) -> Self {
        Self::with_reader(options, PlainReader)
    }
}

impl<R: Reader> Participant<R> {
    /// The same, with another reader.
    pub fn with_reader(options: Options, reader: R) -> Self {
        let chance = options.seed.map_or_else(rand::make_rng, SmallRng::seed_from_u64);
        let backoff = Backoff::new(options.schedule);
        let line = Line::Waiting(Box::pin(sleep(Duration::ZERO)));
        Self { options, reader, line, backoff, chance, answers: Answers::default(), events: VecDeque::new() }
    }

    /// Answers a question: sent as soon as the connection is settled and the question is open on it, kept until the
    /// ack.
    pub fn answer(&mut self, question: Uuid, text: impl Into<String>) {
        self.answers.keep(Answer { question, text: text.into() });
        if let Line::Up(up) = &mut self.line {
            up.send_answers(&mut self.answers);
        }
    }

    /// Sends a host's command; `false` when there is no connection, or its dialect does not have the command.
    pub fn command(&mut self, command: &FromHost) -> bool {
        self.push(json(command), command.since())
    }

    /// Requests a `pong`, which arrives as a message; `false` when there is no connection with the extension.
    pub fn ping(&mut self) -> bool {
        self.push(json(&FromAny::Ping), FromAny::Ping.since())
    }

    /// Whether a connection is open and its sync messages have arrived.
    pub fn is_settled(&self) -> bool {
        matches!(&self.line, Line::Up(up) if up.settled == Settled::Yes)
    }

    /// How many questions have an answer without an ack.
    pub fn waiting(&self) -> usize {
        self.answers.waiting()
    }

    /// Drops the connection and reconnects after `away`: with a close frame when `clean`, otherwise as if the network
    /// had failed.
    pub fn step_out(&mut self, clean: bool, away: Duration) {
        let line = std::mem::replace(&mut self.line, Line::Waiting(Box::pin(sleep(away))));
        match line {
            Line::Up(up) if clean => drop(tokio::spawn(up.socket.close())),
            Line::Over => self.line = Line::Over,
            _ => {}
        }
        self.answers.line_lost();
    }

    /// Leaves for good; [`Event::Stopped`] follows.
    pub async fn leave(&mut self) {
        if let Line::Up(up) = std::mem::replace(&mut self.line, Line::Over) {
            up.socket.close().await;
        }
        self.answers.line_lost();
        self.events.push_back(Event::Stopped(Stop::Left));
    }

    /// The next event. Cancel-safe. After [`Event::Stopped`] it never returns again.
    pub async fn next(&mut self) -> Event {
        poll_fn(|context| self.poll_event(context)).await
    }

    fn push(&mut self, message: Message, since: Dialect) -> bool {
        let Line::Up(up) = &mut self.line else { return false };
        let speaks = self.options.dialect >= since;
        if speaks {
            up.push(message);
        }
        speaks
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(event);
            }
            match &mut self.line {
                Line::Over => return Poll::Pending,
                Line::Waiting(delay) => {
                    std::task::ready!(delay.as_mut().poll(context));
                    self.dial();
                }
                Line::Connecting(attempt) => match std::task::ready!(attempt.as_mut().poll(context)) {
                    Ok(socket) => {
                        self.line = Line::Up(Box::new(Up::new(socket)));
                        self.events.push_back(Event::Connected);
                    }
                    Err(error) => self.refused(error),
                },
                Line::Up(up) => match std::task::ready!(up.poll(context)) {
                    Received::Text(text) => self.heard_text(&text),
                    Received::Pong(number) => self.heard_pong(&number),
                    Received::Other => {}
                    Received::Nothing => self.settle(),
                    Received::Closed(closed) => self.lost(closed),
                },
            }
        }
    }

    fn dial(&mut self) {
        let Options { endpoint, seat, carrier, dialect, .. } = self.options.clone();
        let attempt = async move { Socket::connect_speaking(&endpoint, &seat, carrier, dialect).await };
        self.line = Line::Connecting(Box::pin(attempt));
    }

    fn refused(&mut self, error: ConnectError) {
        match self.backoff.after_refusal(&error, &mut self.chance) {
            None => self.stop(Stop::Refused(error)),
            Some(retry_in) => {
                self.line = Line::Waiting(Box::pin(sleep(retry_in)));
                self.events.push_back(Event::Refused { error, retry_in });
            }
        }
    }

    fn lost(&mut self, closed: Closed) {
        let Line::Up(up) = std::mem::replace(&mut self.line, Line::Over) else { return };
        let lived = up.since.elapsed();
        if closed.code.is_some() {
            drop(tokio::spawn(up.socket.finish()));
        }
        // 4008 is about the rate, not about the message.
        if closed.advice() == Advice::Reconnect && closed.known() != Some(CloseCode::RateLimited) {
            self.answers.refused();
        }
        self.answers.line_lost();
        match self.backoff.after_close(&closed, lived, &mut self.chance) {
            None => self.stop(Stop::Closed(closed)),
            Some(retry_in) => {
                self.line = Line::Waiting(Box::pin(sleep(retry_in)));
                self.events.push_back(Event::Lost { closed, retry_in });
            }
        }
    }

    fn stop(&mut self, stop: Stop) {
        self.line = Line::Over;
        self.events.push_back(Event::Stopped(stop));
    }

    fn heard_pong(&mut self, number: &[u8]) {
        let Line::Up(up) = &mut self.line else { return };
        if number != [up.pinged] || up.settled == Settled::Yes {
            return;
        }
        if up.silent { up.listen() } else { self.settle() }
    }

    fn settle(&mut self) {
        let Line::Up(up) = &mut self.line else { return };
        if std::mem::replace(&mut up.settled, Settled::Yes) == Settled::NotYet {
            self.events.push_back(Event::Settled { silent: up.silent });
            // A question that was open and is not open now belongs to a finished round.
            let left = if up.silent { Vec::new() } else { self.answers.forget_all_but(&up.open) };
            if !left.is_empty() {
                self.events.push_back(Event::Unacknowledged(left));
            }
        }
        up.send_answers(&mut self.answers);
    }

    fn heard_text(&mut self, text: &str) {
        let Line::Up(up) = &mut self.line else { return };
        if std::mem::take(&mut up.silent) && up.ponged() {
            // Quizhall does not send in this order, but the messages that come now may still be sync messages.
            up.ping();
        }
        let message = match self.reader.read(text, self.options.seat.role) {
            Ok(Some(message)) => message,
            Ok(None) => return,
            Err(error) => return self.events.push_back(Event::Unreadable(error)),
        };
        self.events.push_back(Event::Message(Arc::clone(&message)));
        match message.as_ref() {
            ServerMessage::All(ToAll::QuestionReleased(released)) => {
                up.open.push(released.question.id);
                up.send_answers(&mut self.answers);
            }
            ServerMessage::Player(ToPlayer::AnswerAccepted(accepted)) if up.settled == Settled::Yes => {
                let acknowledged = self.answers.acknowledged(accepted.question_id);
                self.events.extend(acknowledged.map(Event::Acknowledged));
            }
            ServerMessage::All(ToAll::QuestionClosed(closed)) => {
                up.open.retain(|open| *open != closed.question_id);
                let left = self.answers.question_closed(closed.question_id);
                self.events.extend(left.map(|answer| Event::Unacknowledged(vec![answer])));
            }
            ServerMessage::All(ToAll::RoundEnded | ToAll::RoundLeaderboard(_) | ToAll::GameEnded(_)) => {
                up.open.clear();
                let left = self.answers.round_over();
                if !left.is_empty() {
                    self.events.push_back(Event::Unacknowledged(left));
                }
            }
            _ => {}
        }
    }
}
