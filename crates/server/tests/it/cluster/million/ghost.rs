//! A ghost: an edge of a node without sockets and without a replica. To the owner it looks like a node with thousands of players: it
//! is in the list of nodes, attaches each player, and bundles their answers as an edge does (`engine/src/edge/bundles.rs`). It reads
//! every frame of the owner, and keeps books.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quizhall::cluster::bus::{BusMessage, Received};
use quizhall_engine::{
    Attaching, ConnectionId, EdgeId, FromOwner, GivenAnswers, Outcome, Participant, ToEdge, ToOwner,
};
use quizhall_rules::{AnswerText, Bundle, Change, CommandId, QuestionId, Rows, SentRow};
use tokio::sync::watch;
use tokio::time::{Instant, interval, sleep_until, timeout};

use super::books::Books;
use super::roster::{Roster, player};
use crate::bus_stage::Node;

/// As in the engine: how long answers wait for others, and the most in a frame.
const WAIT: Duration = Duration::from_millis(4);
const MOST_ROWS: usize = 1_024;
/// As in the engine: the pause between two looks for answers to retransmit, and the most looks between two retransmissions of one.
const RETRANSMIT_AFTER: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: u32 = 4;
/// Attachments that are under way at once, and the pause before those without an answer are sent again.
const ATTACHING: usize = 512;
const ATTACH_AGAIN: Duration = Duration::from_secs(5);
/// Messages that are taken at once.
const BATCH: usize = 64;
/// Each player sends one answer.
const NUMBER: u32 = 1;

/// What all ghosts of a run share.
pub struct Play {
    pub roster: Roster,
    pub owner: EdgeId,
    /// The time over which the answers to a question are spread.
    pub over: Duration,
    pub begun: Instant,
    pub attached: AtomicU64,
    pub acknowledged: AtomicU64,
}

impl Play {
    /// Microseconds since the run began.
    pub fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap()
    }

    /// When the player at a place among this many answers a question that came at `asked`.
    pub fn due(&self, asked: u64, (place, players): (usize, usize)) -> u64 {
        let over = u64::try_from(self.over.as_micros()).unwrap();
        asked + over * place as u64 / players.max(1) as u64
    }
}

/// A player of a ghost.
#[derive(Debug, Clone, Copy, Default)]
struct Seat {
    /// The number of its session; 0 before it has one.
    given: u32,
    is_acknowledged: bool,
    /// At how many looks its answer was unanswered.
    checks: u32,
}

pub struct Ghost {
    node: Node,
    play: Arc<Play>,
    /// The slot of its first player.
    first: u32,
    seats: Vec<Seat>,
    epoch: u64,
    attached: usize,
    /// The question, when it came, and how many players have answered.
    open: Option<(QuestionId, u64)>,
    answered: usize,
    /// The players from here to `answered` wait for others since this moment.
    unsent: usize,
    unsent_since: u64,
    owner_answers: bool,
    /// The number of the next event.
    next: Option<u64>,
    counts_bytes: bool,
    books: Books,
}

impl Ghost {
    /// A ghost with players from this slot on.
    pub fn new(node: Node, play: Arc<Play>, slots: std::ops::Range<u32>) -> Self {
        let (first, counts_bytes) = (slots.start, slots.start == 0);
        Self {
            node,
            play,
            first,
            seats: vec![Seat::default(); slots.len()],
            epoch: 0,
            attached: 0,
            open: None,
            answered: 0,
            unsent: 0,
            unsent_since: 0,
            owner_answers: false,
            next: None,
            counts_bytes,
            books: Books::default(),
        }
    }

    /// Attaches all players, then answers every question until it is stopped.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Books {
        self.attach().await;
        let mut messages = Vec::with_capacity(BATCH);
        let mut look = Instant::now() + RETRANSMIT_AFTER;
        while !*stop.borrow_and_update() {
            let wake = self.next_wake().map_or(look, |at| look.min(self.play.begun + Duration::from_micros(at)));
            tokio::select! {
                _ = self.node.inbox.recv_many(&mut messages, BATCH) => self.take(&mut messages),
                () = sleep_until(wake) => {}
                _ = stop.changed() => {}
            }
            self.answer();
            if Instant::now() >= look {
                look = Instant::now() + RETRANSMIT_AFTER;
                self.retransmit();
            }
        }
        self.close_books()
    }

    async fn attach(&mut self) {
        let (mut asked, mut again) = (0, interval(ATTACH_AGAIN));
        let mut messages = Vec::with_capacity(BATCH);
        while self.attached < self.seats.len() {
            while asked < self.seats.len() && asked - self.attached < ATTACHING {
                self.send_attach(asked);
                asked += 1;
            }
            tokio::select! {
                _ = self.node.inbox.recv_many(&mut messages, BATCH) => self.take(&mut messages),
                _ = again.tick() => {
                    let missing = (0..asked).filter(|place| self.seats[*place].given == 0);
                    missing.for_each(|place| self.send_attach(place));
                }
            }
        }
    }

    fn send_attach(&self, place: usize) {
        let participant = Participant::Player(player(self.slot(place)));
        let frame = ToOwner::Attach(Attaching { connection: connection_of(place), participant, prior: None, moves: 0 });
        self.send(frame);
    }

    fn send(&self, frame: ToOwner) -> BusMessage {
        let message = BusMessage::ToOwner { game: self.play.roster.game, from: self.node.id, frame };
        self.node.remote.send(self.play.owner, message.clone());
        message
    }

    fn slot(&self, place: usize) -> u32 {
        self.first + u32::try_from(place).unwrap()
    }

    fn take(&mut self, messages: &mut Vec<Received<BusMessage>>) {
        for Received { what, .. } in messages.drain(..) {
            if self.open.is_some() {
                self.books.frames_in += 1;
                self.books.bytes_in += self.bytes_of(&what);
            }
            if let BusMessage::ToEdge { frame: FromOwner { epoch, message }, .. } = what
                && epoch >= self.epoch
            {
                self.epoch = epoch;
                self.receive(message);
            }
        }
    }

    fn bytes_of(&self, message: &BusMessage) -> u64 {
        if self.counts_bytes { serde_json::to_vec(message).unwrap().len() as u64 + 1 } else { 0 }
    }

    fn receive(&mut self, message: ToEdge) {
        match message {
            ToEdge::Attached { connection, session, .. } => {
                let given = CommandId { session, number: 0 }.given_by(self.epoch);
                let seat = &mut self.seats[place_of(connection)];
                if let Some((given, _)) = given.filter(|_| seat.given == 0) {
                    seat.given = given;
                    self.attached += 1;
                    self.play.attached.fetch_add(1, Ordering::Relaxed);
                }
            }
            ToEdge::Committed { first, events, .. } => {
                self.books.gaps += u64::from(self.next.is_some_and(|next| next < first));
                self.next = Some(first + events.len() as u64);
                for event in events.iter() {
                    match &event.change {
                        Change::QuestionReleased { question } => self.ask(*question),
                        Change::Answers(bundle) => self.acknowledge_rows(bundle),
                        _ => {}
                    }
                }
            }
            ToEdge::Done { connection, .. } => {
                self.acknowledge(place_of(connection));
                self.owner_answers = true;
            }
            ToEdge::Outcomes { rows, .. } => {
                for (connection, _, outcome) in rows {
                    match outcome {
                        Outcome::Done => self.acknowledge(place_of(connection)),
                        Outcome::Refused(_) | Outcome::Outdated => self.books.refused += 1,
                    }
                }
                self.owner_answers = true;
            }
            ToEdge::Refused { .. } | ToEdge::Outdated { .. } | ToEdge::Replaced { .. } => self.books.refused += 1,
            _ => {}
        }
    }

    fn ask(&mut self, question: QuestionId) {
        if self.open.is_none() {
            let now = self.play.now();
            self.open = Some((question, now));
            self.books.asked = now;
        }
    }

    fn acknowledge_rows(&mut self, bundle: &Bundle) {
        self.owner_answers = true;
        for row in &bundle.rows.0 {
            let Some(place) = row.slot.checked_sub(self.first) else { continue };
            let seat = self.seats.get(place as usize);
            if seat.is_some_and(|seat| seat.given == row.sent.session && row.sent.number == NUMBER) {
                self.acknowledge(place as usize);
            }
        }
    }

    fn acknowledge(&mut self, place: usize) {
        let Some((_, asked)) = self.open else { return };
        let players = self.seats.len();
        let seat = &mut self.seats[place];
        if std::mem::replace(&mut seat.is_acknowledged, true) {
            return;
        }
        let now = self.play.now();
        let waited = now.saturating_sub(self.play.due(asked, (place, players)));
        self.books.waits.push(u32::try_from(waited).unwrap_or(u32::MAX));
        self.books.last = now;
        self.play.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    /// When a player answers next, or the waiting answers are sent.
    fn next_wake(&self) -> Option<u64> {
        let (_, asked) = self.open?;
        let wait = u64::try_from(WAIT.as_micros()).unwrap();
        if self.unsent < self.answered {
            return Some(self.unsent_since + wait);
        }
        let due = self.play.due(asked, (self.answered, self.seats.len()));
        let due = if self.are_answered() { due } else { due + wait };
        (self.answered < self.seats.len()).then_some(due)
    }

    /// Whether the answers that were sent last are answered.
    fn are_answered(&self) -> bool {
        self.unsent.checked_sub(1).is_none_or(|last| self.seats[last].is_acknowledged)
    }

    /// Lets players answer, and sends their answers when no earlier ones are unanswered or they have waited for long enough.
    fn answer(&mut self) {
        let Some((question, asked)) = self.open else { return };
        let (now, players) = (self.play.now(), self.seats.len());
        while self.answered < players && self.play.due(asked, (self.answered, players)) <= now {
            if self.unsent == self.answered {
                self.unsent_since = self.play.due(asked, (self.answered, players));
            }
            self.answered += 1;
        }
        let waiting = self.answered - self.unsent;
        let has_waited = now >= self.unsent_since + u64::try_from(WAIT.as_micros()).unwrap();
        if waiting > 0 && (has_waited || waiting >= MOST_ROWS || self.are_answered()) {
            let places: Vec<usize> = (self.unsent..self.answered).collect();
            self.unsent = self.answered;
            self.send_answers(question, &places);
        }
    }

    fn send_answers(&mut self, question: QuestionId, places: &[usize]) {
        for places in places.chunks(MOST_ROWS) {
            let (mut texts, mut known): (Vec<AnswerText>, HashMap<AnswerText, u32>) = Default::default();
            let mut rows = Vec::with_capacity(places.len());
            for place in places {
                let text = self.play.roster.answer(self.slot(*place));
                let text = *known.entry(text).or_insert_with_key(|text| {
                    texts.push(text.clone());
                    u32::try_from(texts.len() - 1).unwrap()
                });
                rows.push(SentRow { session: self.seats[*place].given, number: NUMBER, text, elapsed: None });
            }
            self.books.frames_out += 1;
            self.books.rows_out += rows.len() as u64;
            let answers = GivenAnswers { epoch: self.epoch, given_by: None, question, texts, rows: Rows(rows) };
            let sent = self.send(ToOwner::Answers(answers));
            self.books.bytes_out += self.bytes_of(&sent);
        }
    }

    /// Sends answers again, with the pauses of an edge.
    fn retransmit(&mut self) {
        let Some((question, _)) = self.open else { return };
        let owner_answers = std::mem::take(&mut self.owner_answers);
        let mut due = Vec::new();
        for (place, seat) in self.seats[..self.unsent].iter_mut().enumerate().filter(|(_, seat)| !seat.is_acknowledged)
        {
            seat.checks += 1;
            let pause = LONGEST_PAUSE.min(seat.checks.next_power_of_two());
            if seat.checks > 1 && (!owner_answers || seat.checks.is_multiple_of(pause)) {
                due.push(place);
            }
        }
        self.books.retransmitted += due.len() as u64;
        self.send_answers(question, &due);
    }

    fn close_books(mut self) -> Books {
        let acknowledged = self.seats.iter().enumerate().filter(|(_, seat)| seat.is_acknowledged);
        for (place, _) in acknowledged {
            let slot = self.slot(place);
            let roster = &self.play.roster;
            self.books.acknowledged.add(player(slot), roster.answer(slot).as_str());
        }
        self.books
    }
}

/// Waits until a ghost is ready; its inbox exists then.
pub async fn enter(redis: &str, id: EdgeId) -> Node {
    timeout(Duration::from_secs(60), Node::enter(redis, id.0)).await.expect("the bus answers")
}

fn connection_of(place: usize) -> ConnectionId {
    ConnectionId(place as u64 + 1)
}

fn place_of(connection: ConnectionId) -> usize {
    usize::try_from(connection.0 - 1).unwrap()
}
