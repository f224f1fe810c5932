//! One connection of a [`crate::Participant`]: its unsent messages, whether it is settled, whether it is alive.
//!
//! There is one for each connection; it never outlives the connection and never decides about the next one.

use std::collections::VecDeque;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use quizhall_protocol::FromPlayer;
use quizhall_protocol::from_player::SubmitAnswer;
use tokio::time::{Instant, Sleep, sleep};
use tokio_tungstenite::tungstenite::{Bytes, Message};
use uuid::Uuid;

use crate::answers::{Answer, Answers};
use crate::closed::Closed;
use crate::socket::{Received, Socket, json};

/// A connection that received nothing for this long is dead: the server pings about every 25 s.
const SILENCE: Duration = Duration::from_secs(75);
/// When no message has arrived this long after the pong, there are no sync messages. This happens in a round with
/// nothing open, where no client waits for it.
const QUIET: Duration = Duration::from_millis(500);

/// Whether the sync messages have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    NotYet,
    Yes,
    /// Assumed synchronized, then a message arrived; ping again.
    Doubted,
}

/// The state of one connection.
pub(crate) struct Up {
    pub socket: Socket,
    outgoing: VecDeque<Message>,
    pub since: Instant,
    heard: Instant,
    silence: Pin<Box<Sleep>>,
    quiet: Option<Pin<Box<Sleep>>>,
    /// Something is not completely written yet.
    writing: bool,
    /// The number in the last ping; its pong settles the connection.
    pub pinged: u8,
    pub settled: Settled,
    pub silent: bool,
    pub open: Vec<Uuid>,
}

impl Up {
    pub fn new(socket: Socket) -> Self {
        let now = Instant::now();
        let mut up = Self {
            socket,
            outgoing: VecDeque::new(),
            since: now,
            heard: now,
            silence: Box::pin(sleep(SILENCE)),
            quiet: None,
            writing: false,
            pinged: 0,
            settled: Settled::NotYet,
            silent: true,
            open: Vec::new(),
        };
        up.ping();
        up
    }

    pub fn ping(&mut self) {
        self.quiet = None;
        if self.settled == Settled::Yes {
            self.settled = Settled::Doubted;
        }
        self.pinged = self.pinged.wrapping_add(1);
        let number = Bytes::copy_from_slice(&[self.pinged]);
        self.push(Message::Ping(number));
    }

    /// Whether the pong has come.
    pub fn ponged(&self) -> bool {
        self.quiet.is_some() || self.settled == Settled::Yes
    }

    /// The pong came without any message before it: waits a short time for one.
    pub fn listen(&mut self) {
        self.quiet = Some(Box::pin(sleep(QUIET)));
    }

    pub fn send_answers(&mut self, answers: &mut Answers) {
        if self.settled != Settled::Yes {
            return;
        }
        for Answer { question, text } in answers.send(&self.open) {
            self.push(json(&FromPlayer::SubmitAnswer(SubmitAnswer { question_id: question, answer: text })));
        }
    }

    pub fn push(&mut self, message: Message) {
        self.outgoing.push_back(message);
        self.writing = true;
    }

    /// Writes as much as possible, then reads one thing.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<Received> {
        if self.writing
            && let Poll::Ready(written) = self.socket.poll_send(&mut self.outgoing, context)
        {
            self.writing = false;
            if written.is_err() {
                // The end shows on the reading side, perhaps after a close frame that is still there.
                self.outgoing.clear();
            }
        }
        if let Poll::Ready(received) = self.socket.poll_receive(context) {
            self.heard = Instant::now();
            return Poll::Ready(received);
        }
        if let Some(quiet) = &mut self.quiet
            && quiet.as_mut().poll(context).is_ready()
        {
            self.quiet = None;
            return Poll::Ready(Received::Nothing);
        }
        while self.silence.as_mut().poll(context).is_ready() {
            if self.heard.elapsed() >= SILENCE {
                return Poll::Ready(Received::Closed(Closed::lost("nothing heard")));
            }
            let next = self.heard + SILENCE;
            self.silence.as_mut().reset(next);
        }
        Poll::Pending
    }
}
