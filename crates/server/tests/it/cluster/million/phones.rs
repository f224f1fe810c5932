//! Real sockets on the real edge, all of them in one thread.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use quizhall_client::transport::frame::{Build, TEXT};
use quizhall_load::connections::{Connections, Happening, Opening, Target};
use serde_json::json;
use uuid::Uuid;

use super::books::Books;
use super::ghost::Play;
use super::roster::player;
use crate::ws_wire::Handshake;

/// Sockets that are opened at once.
const AT_ONCE: usize = 128;
/// Sockets to one address of the edge: the kernel finds a free port quickly while few are taken.
const PER_ADDRESS: usize = 5_000;
/// After it a phone that was turned away comes again, microseconds.
const PAUSE: u64 = 1_000_000;
const NAP: Duration = Duration::from_millis(2);
/// A message's type is within this many bytes.
const HEAD: usize = 48;

/// The thread of the phones.
pub struct Phones {
    shared: Arc<Shared>,
    thread: JoinHandle<Books>,
}

#[derive(Default)]
struct Shared {
    here: AtomicU64,
    lost: AtomicU64,
    stop: AtomicBool,
}

/// Where the phones are, and what they answer.
pub struct Place {
    pub port: u16,
    pub code: String,
    pub question: Uuid,
    pub slots: std::ops::Range<u32>,
}

/// The sockets, and how far each is.
struct Room {
    play: Arc<Play>,
    shared: Arc<Shared>,
    place: Place,
    connections: Connections,
    opened: usize,
    /// Those that were turned away, each with the moment to come again.
    turned_away: VecDeque<(u64, usize)>,
    is_here: Vec<bool>,
    is_acknowledged: Vec<bool>,
    asked: Option<u64>,
    answered: usize,
    books: Books,
}

impl Phones {
    /// Opens the sockets.
    pub fn start(play: &Arc<Play>, place: Place) -> Self {
        let shared = Arc::<Shared>::default();
        let count = place.slots.len();
        let mut connections = Connections::new(0).unwrap();
        connections.grow(count);
        let room = Room {
            play: Arc::clone(play),
            shared: Arc::clone(&shared),
            place,
            connections,
            opened: 0,
            turned_away: VecDeque::new(),
            is_here: vec![false; count],
            is_acknowledged: vec![false; count],
            asked: None,
            answered: 0,
            books: Books::default(),
        };
        Self { shared, thread: std::thread::spawn(|| room.run()) }
    }

    /// How many have received a message.
    pub fn here(&self) -> u64 {
        self.shared.here.load(Ordering::Relaxed)
    }

    /// How many were closed or refused.
    pub fn lost(&self) -> u64 {
        self.shared.lost.load(Ordering::Relaxed)
    }

    /// Ends the thread.
    pub fn stop(self) -> Books {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

impl Room {
    fn run(mut self) -> Books {
        while !self.shared.stop.load(Ordering::Relaxed) {
            self.open_some();
            self.answer();
            self.turn();
        }
        for (place, slot) in self.place.slots.clone().enumerate().filter(|(place, _)| self.is_acknowledged[*place]) {
            debug_assert!(self.is_here[place]);
            let roster = &self.play.roster;
            self.books.acknowledged.add(player(slot), roster.answer(slot).as_str());
        }
        self.books
    }

    fn open_some(&mut self) {
        let here = usize::try_from(self.shared.here.load(Ordering::Relaxed)).unwrap();
        while self.opened < self.is_here.len() && self.opened < here + AT_ONCE {
            self.open(self.opened);
            self.opened += 1;
        }
        let now = self.play.now();
        while let Some((_, line)) = self.turned_away.pop_front_if(|(at, _)| *at <= now) {
            self.open(line);
        }
    }

    fn open(&mut self, line: usize) {
        let slot = self.place.slots.start + u32::try_from(line).unwrap();
        let last = u8::try_from(1 + line / PER_ADDRESS).unwrap();
        let address = SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), self.place.port));
        let request = Handshake::bearer(&self.play.roster.token(slot)).request(&format!("/ws/{}", self.place.code));
        let target = Target { address, tls: None, small: false };
        self.connections.connect(line, target, Opening::Upgrade(request)).unwrap();
    }

    fn answer(&mut self) {
        let Some(asked) = self.asked else { return };
        let (now, players) = (self.play.now(), self.is_here.len());
        while self.answered < players && self.play.due(asked, (self.answered, players)) <= now {
            let slot = self.place.slots.start + u32::try_from(self.answered).unwrap();
            let payload =
                json!({ "questionId": self.place.question, "answer": self.play.roster.answer(slot).as_str() });
            let text = json!({ "type": "submit_answer", "payload": payload }).to_string();
            self.connections.send(self.answered, &Build::new(TEXT, text).bytes());
            self.answered += 1;
        }
    }

    fn turn(&mut self) {
        let Self { connections, shared, turned_away, is_here, is_acknowledged, asked, books, play, .. } = self;
        let players = is_here.len();
        connections
            .turn(Some(NAP), |line, happening| match happening {
                Happening::Message(message) => {
                    if !std::mem::replace(&mut is_here[line], true) {
                        shared.here.fetch_add(1, Ordering::Relaxed);
                    }
                    if is_of(message, b"question_released") {
                        books.asked = *asked.get_or_insert_with(|| play.now());
                    } else if is_of(message, b"answer_accepted") && !std::mem::replace(&mut is_acknowledged[line], true)
                    {
                        let now = play.now();
                        let due = play.due(asked.unwrap_or(now), (line, players));
                        books.waits.push(u32::try_from(now.saturating_sub(due)).unwrap_or(u32::MAX));
                        books.last = now;
                        play.acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                }
                Happening::Opened => {}
                // The edge is reading the log: a client comes again.
                Happening::Refused(429 | 503) | Happening::Closed(_) if !is_here[line] => {
                    turned_away.push_back((play.now() + PAUSE, line));
                }
                other => {
                    if shared.lost.fetch_add(1, Ordering::Relaxed) < 10 {
                        println!("phone {line}: {other:?}");
                    }
                }
            })
            .unwrap();
    }
}

fn is_of(message: &[u8], kind: &[u8]) -> bool {
    message[..message.len().min(HEAD)].windows(kind.len()).any(|part| part == kind)
}
