//! The baseline: the least that any server could do for the same work. One thread over epoll that writes frames made in
//! advance to every connection, and for each answer's worth of bytes that comes in writes an acknowledgement made in
//! advance, without looking at what came. No protocol, no rules, no store; accepts plain TCP connections. On request it
//! holds acknowledgements back until so many answers have come: what a group commit costs though nothing is committed.
//!
//! Orders come as lines on standard input: `frames ANSWER-BYTES ACK-JSON`, `hold ANSWERS`, `say JSON`, and the end of
//! the input. Each is answered with the line `done` on standard output once it is carried out, or with `not
//! understood`: whatever is sent after that line meets a baseline that has carried the order out.

use std::fmt::Display;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::Context as _;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use quizhall_client::transport::frame::Build;

mod process;

pub use self::process::Baseline;

const LISTENER: Token = Token(usize::MAX);
const WAKE: Token = Token(usize::MAX - 1);
/// Silence after which those who are held back are too few to wait for more.
const SILENCE: Duration = Duration::from_millis(5);

/// An order to a baseline.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// An answer has so many bytes on the wire; this acknowledges it.
    Frames { answer: usize, ack: Vec<u8> },
    /// Acknowledgements wait until so many answers have come.
    Hold(usize),
    /// To be written to all.
    Say(Vec<u8>),
}

struct Peer {
    stream: TcpStream,
    /// Bytes of answers that are not acknowledged yet.
    come: usize,
    unsent: Vec<u8>,
}

/// Serves on this address until standard input ends; the address it has is the first line of standard output.
///
/// # Errors
/// When the address cannot be had or epoll fails.
pub fn serve(address: SocketAddr) -> anyhow::Result<()> {
    crate::descriptors::provide_all()?;
    let mut listener = TcpListener::bind(address).context("the baseline's address")?;
    let mut poll = Poll::new()?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    let waker = Arc::new(Waker::new(poll.registry(), WAKE)?);
    reply(&listener.local_addr()?)?;
    // Kept here as well: a waker that is dropped loses its last wake-up.
    let words = listen_to_input(Arc::clone(&waker));
    let mut baseline = Serving { peers: Vec::new(), answer: usize::MAX, ack: Vec::new(), hold: 1, held: Vec::new() };
    let mut events = Events::with_capacity(1_024);
    let mut scratch = vec![0; 64 << 10];
    loop {
        match poll.poll(&mut events, (!baseline.held.is_empty()).then_some(SILENCE)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        }
        if events.is_empty() {
            baseline.release();
        }
        for event in &events {
            match event.token() {
                LISTENER => baseline.accept(&listener, &poll)?,
                WAKE => loop {
                    match words.try_recv() {
                        Ok(Some(word)) => {
                            baseline.take(word);
                            reply(&"done")?;
                        }
                        Ok(None) => reply(&"not understood")?,
                        Err(mpsc::TryRecvError::Empty) => break,
                        Err(mpsc::TryRecvError::Disconnected) => return Ok(()),
                    }
                },
                Token(peer) => baseline.serve(peer, &mut scratch),
            }
        }
    }
}

/// Writes one line to the process that started this one.
fn reply(line: &dyn Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

struct Serving {
    peers: Vec<Option<Peer>>,
    answer: usize,
    ack: Vec<u8>,
    /// So many are acknowledged together; with one, each at once.
    hold: usize,
    /// Who waits for that.
    held: Vec<usize>,
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
            // A player is in when it has received a first message.
            let mut peer = Peer { stream, come: 0, unsent: Vec::new() };
            peer.write(&text(r#"{"type":"lobby_update","payload":{}}"#));
            self.peers.push(Some(peer));
        }
    }

    fn take(&mut self, word: Word) {
        match word {
            Word::Frames { answer, ack } => (self.answer, self.ack) = (answer, ack),
            Word::Hold(answers) => self.hold = answers,
            Word::Say(frame) => self.peers.iter_mut().flatten().for_each(|peer| peer.write(&frame)),
        }
    }

    fn serve(&mut self, index: usize, scratch: &mut [u8]) {
        let Some(Some(peer)) = self.peers.get_mut(index) else { return };
        loop {
            match peer.stream.read(scratch) {
                Ok(0) => break self.peers[index] = None,
                Ok(count) => {
                    peer.come += count;
                    while peer.come >= self.answer {
                        peer.come -= self.answer;
                        if self.hold > 1 {
                            self.held.push(index);
                        } else {
                            peer.write(&self.ack);
                        }
                    }
                    if count < scratch.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => break self.peers[index] = None,
            }
        }
        if self.held.len() >= self.hold {
            self.release();
        }
    }

    /// Acknowledges what was held back.
    fn release(&mut self) {
        for index in self.held.drain(..) {
            if let Some(Some(peer)) = self.peers.get_mut(index) {
                peer.write(&self.ack);
            }
        }
    }
}

impl Peer {
    /// Writes at once; what the kernel does not take goes out with the next write. Frames are small and users read.
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
            // A baseline that has stopped needs no orders.
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
        "say" => Some(Word::Say(text(rest))),
        "frames" => {
            let (answer, ack) = rest.split_once(' ')?;
            Some(Word::Frames { answer: answer.parse().ok()?, ack: text(ack) })
        }
        "hold" => Some(Word::Hold(rest.parse().ok()?)),
        _ => None,
    }
}

/// A message as a server sends it.
fn text(json: &str) -> Vec<u8> {
    Build::text(json).unmasked().bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        assert_eq!(read("say {}"), Some(Word::Say(vec![0x81, 2, b'{', b'}'])));
        assert_eq!(read("frames 119 {}"), Some(Word::Frames { answer: 119, ack: vec![0x81, 2, b'{', b'}'] }));
        assert_eq!(read("hold 500"), Some(Word::Hold(500)));
        assert_eq!(read("hold fast"), None);
        assert_eq!(read("frames many {}"), None);
        assert_eq!(read("sing"), None);
    }
}
