//! The baseline: the least that a server with the same promise does for the same work. One thread over epoll writes frames
//! made in advance to connections, reads the answers that come in and acknowledges each. With a file ([`storing`]) an
//! answer is acknowledged once a transaction that holds it is synced. Accepts plain TCP connections that speak WebSocket
//! frames at once. No handshake, no rules, no results.
//!
//! Orders come as lines on standard input: `games COUNT` (connection number n belongs to game n modulo COUNT; 1 at first),
//! `say JSON` to all connections, `send GAME JSON` to those of one game. The end of the input ends the process. Each order
//! is answered with the line `done` on standard output once it is carried out, or with `not understood`.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, mpsc};

use anyhow::Context as _;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use quizhall_client::transport::frame::Build;
use uuid::Uuid;

use self::answer::Answer;
use self::storing::Storing;

mod answer;
mod process;
mod storing;

pub use self::process::Baseline;

const LISTENER: Token = Token(usize::MAX);
const WAKE: Token = Token(usize::MAX - 1);

/// An order to a baseline.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// The connections belong to this many games.
    Games(usize),
    /// A message for all connections.
    Say(Vec<u8>),
    /// A message for the connections of one game.
    Send(usize, Vec<u8>),
}

struct Peer {
    stream: TcpStream,
    /// The beginning of an incomplete frame.
    partial: Vec<u8>,
    unsent: Vec<u8>,
}

/// A received answer.
struct Received {
    peer: usize,
    game: u32,
    answer: Answer,
}

/// Serves on this address until standard input ends; the address it has is the first line of standard output. Answers are
/// stored in a new database at `file`, if there is one.
///
/// # Errors
/// When the address or the file cannot be had, epoll fails, or an answer cannot be stored.
pub fn serve(address: SocketAddr, file: Option<&Path>) -> anyhow::Result<()> {
    crate::descriptors::provide_all()?;
    let mut listener = TcpListener::bind(address).context("the baseline's address")?;
    let mut poll = Poll::new()?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    let waker = Arc::new(Waker::new(poll.registry(), WAKE)?);
    let storing = file.map(|file| Storing::start(file, Arc::clone(&waker))).transpose()?;
    reply(&listener.local_addr()?)?;
    // Also kept here, because a waker that is dropped loses its last wake-up.
    let words = listen_to_input(Arc::clone(&waker));
    let mut serving = Serving { peers: Vec::new(), games: 1, acks: HashMap::new(), received: Vec::new(), storing };
    let mut events = Events::with_capacity(1_024);
    let mut scratch = vec![0; 64 << 10];
    loop {
        match poll.poll(&mut events, None) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        }
        for event in &events {
            match event.token() {
                LISTENER => serving.accept(&listener, &poll)?,
                WAKE => {
                    let stored = serving.storing.as_mut().map_or_else(Vec::new, Storing::stored);
                    serving.acknowledge(&stored);
                    if !serving.obey(&words)? {
                        return Ok(());
                    }
                }
                Token(peer) => serving.read(peer, &mut scratch),
            }
        }
        serving.hand_on()?;
    }
}

/// Writes one line to the process that started this one.
fn reply(line: &dyn Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

struct Serving {
    /// Every connection, including closed ones, in order of arrival.
    peers: Vec<Option<Peer>>,
    games: usize,
    /// The acknowledgement of each question, made with its first answer.
    acks: HashMap<Uuid, Vec<u8>>,
    /// Answers that have not been passed to the writer.
    received: Vec<Received>,
    storing: Option<Storing>,
}

impl Serving {
    fn accept(&mut self, listener: &TcpListener, poll: &Poll) -> io::Result<()> {
        loop {
            let mut stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            };
            stream.set_nodelay(true)?;
            let token = Token(self.peers.len());
            poll.registry().register(&mut stream, token, Interest::READABLE)?;
            // A player has joined when it has received a first message.
            let mut peer = Peer { stream, partial: Vec::new(), unsent: Vec::new() };
            peer.write(&text(r#"{"type":"lobby_update","payload":{}}"#));
            self.peers.push(Some(peer));
        }
    }

    /// Carries out the received orders; false when no more will follow.
    fn obey(&mut self, words: &mpsc::Receiver<Option<Word>>) -> io::Result<bool> {
        loop {
            match words.try_recv() {
                Ok(Some(word)) => {
                    self.take(word);
                    reply(&"done")?;
                }
                Ok(None) => reply(&"not understood")?,
                Err(mpsc::TryRecvError::Empty) => return Ok(true),
                Err(mpsc::TryRecvError::Disconnected) => return Ok(false),
            }
        }
    }

    fn take(&mut self, word: Word) {
        match word {
            Word::Games(games) => self.games = games.max(1),
            Word::Say(frame) => self.peers.iter_mut().flatten().for_each(|peer| peer.write(&frame)),
            Word::Send(game, frame) => {
                let peers = self.peers.iter_mut().skip(game).step_by(self.games);
                peers.flatten().for_each(|peer| peer.write(&frame));
            }
        }
    }

    /// Receives the answers of a connection.
    fn read(&mut self, index: usize, scratch: &mut [u8]) {
        let Some(Some(peer)) = self.peers.get_mut(index) else { return };
        loop {
            match peer.stream.read(scratch) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(count) if count > 0 => {
                    let game = u32::try_from(index % self.games).unwrap_or(u32::MAX);
                    let add = |answer| self.received.push(Received { peer: index, game, answer });
                    if !answer::take(&mut peer.partial, &mut scratch[..count], add) {
                        return self.peers[index] = None;
                    }
                    if count < scratch.len() {
                        return;
                    }
                }
                _ => return self.peers[index] = None,
            }
        }
    }

    /// Passes received answers to the writer when it is idle; otherwise they form the next transaction.
    fn hand_on(&mut self) -> anyhow::Result<()> {
        if let Some(storing) = &mut self.storing {
            return storing.store(&mut self.received);
        }
        let received = std::mem::take(&mut self.received);
        self.acknowledge(&received);
        Ok(())
    }

    fn acknowledge(&mut self, answers: &[Received]) {
        for Received { peer, answer, .. } in answers {
            let ack = self.acks.entry(answer.question).or_insert_with(|| {
                let question = answer.question;
                text(&format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{question}"}}}}"#))
            });
            if let Some(Some(peer)) = self.peers.get_mut(*peer) {
                peer.write(ack);
            }
        }
    }
}

impl Peer {
    /// Writes at once. Bytes that the kernel does not accept go out with the next write. Frames are small and users read.
    fn write(&mut self, bytes: &[u8]) {
        if self.unsent.is_empty() {
            let written = self.stream.write(bytes).unwrap_or(0);
            self.unsent.extend_from_slice(&bytes[written..]);
        } else {
            self.unsent.extend_from_slice(bytes);
            let written = self.stream.write(&self.unsent).unwrap_or(0);
            self.unsent.drain(..written);
        }
    }
}

/// Reads the orders in a thread of its own, nothing for a line that is none; the receiver is disconnected when the input ends.
fn listen_to_input(waker: Arc<Waker>) -> mpsc::Receiver<Option<Word>> {
    let (sender, words) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        for word in io::stdin().lock().lines().map_while(Result::ok).map(|line| read(&line)) {
            // A stopped baseline needs no orders.
            let _ = sender.send(word);
            let _ = waker.wake();
        }
        drop(sender);
        let _ = waker.wake();
    });
    words
}

fn read(line: &str) -> Option<Word> {
    let (word, rest) = line.split_once(' ')?;
    match word {
        "games" => Some(Word::Games(rest.parse().ok()?)),
        "say" => Some(Word::Say(text(rest))),
        "send" => {
            let (game, message) = rest.split_once(' ')?;
            Some(Word::Send(game.parse().ok()?, text(message)))
        }
        _ => None,
    }
}

/// A message as a server sends it.
fn text(json: &str) -> Vec<u8> {
    Build::text(json).unmasked().bytes()
}
