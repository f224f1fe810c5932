//! The thread of the virtual users: one loop over its connections, its orders and its clock.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use quizhall_client::transport::frame::{Build, TEXT};
use quizhall_protocol::from_player::{FromPlayer, SubmitAnswer};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::answers::{self, Key};
use super::members::{Link, Members};
use super::order::{Counts, Order, Outcome};
use super::scores;
use super::spread::Spread;
use super::tally::{Arrival, Kind, Subject, Tally, subject};
use crate::connections::{Connections, Happening};
use crate::monotonic;

/// Answers sent between two looks at what has come.
const SENT_AT_ONCE: usize = 64;
/// How long the loop sleeps at most.
const NAP: Duration = Duration::from_millis(200);
/// While things happen the loop looks this often instead of being woken: waking a thread that waits would be charged to
/// the sender, to the service as to the baseline, and on a network there is no thread to wake.
const GLANCE: Duration = Duration::from_micros(300);
/// How long things count as happening after the last one, in nanoseconds.
const LIVELY: u64 = 200_000_000;

/// Where an order's outcome goes.
pub(super) type Reply = oneshot::Sender<Outcome>;

pub(super) struct Work {
    connections: Connections,
    members: Members,
    keys: HashMap<Uuid, Key>,
    /// Answers as frames, where many give the same.
    right: HashMap<Uuid, Vec<u8>>,
    /// Questions that all have been ordered to answer.
    answered: HashSet<Uuid>,
    tallies: HashMap<Subject, Tally>,
    /// Answers to be sent, by time: member, question.
    due: BinaryHeap<Reverse<(u64, usize, Uuid)>>,
    think: Option<(u64, u64)>,
    counts: Counts,
    entries: Entries,
    task: Option<(Task, Reply)>,
    fault: Option<String>,
    /// When something was last received.
    received_at: u64,
}

/// How long those who came in took.
#[derive(Default)]
struct Entries {
    since: u64,
    last: u64,
    spread: Spread,
}

/// What an order waits for.
enum Task {
    /// All are in.
    Entry,
    /// All have received it, or the time is up.
    Delivery { subject: Subject, since: u64, until: u64 },
}

impl Work {
    pub(super) fn new(connections: Connections) -> Self {
        Self {
            connections,
            members: Members::new(),
            keys: HashMap::new(),
            right: HashMap::new(),
            answered: HashSet::new(),
            tallies: HashMap::new(),
            due: BinaryHeap::new(),
            think: None,
            counts: Counts::default(),
            entries: Entries::default(),
            task: None,
            fault: None,
            received_at: 0,
        }
    }

    /// Runs until it is ordered to leave or the sender of orders is dropped.
    pub(super) fn run(mut self, orders: &Receiver<(Order, Reply)>) {
        loop {
            match orders.try_recv() {
                Ok((Order::Leave, reply)) => {
                    drop(self);
                    let _ = reply.send(done(&Entries::default()));
                    return;
                }
                Ok((order, reply)) => self.begin(order, reply),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return,
            }
            if let Err(error) = self.turn() {
                self.fault.get_or_insert(error.to_string());
            }
            self.finish();
        }
    }

    fn begin(&mut self, order: Order, reply: Reply) {
        let now = monotonic::now();
        match order {
            Order::Join { tables, at_once, small } => {
                self.members.add(tables, at_once, small);
                self.enter(now, reply);
            }
            Order::Plain { address, players, at_once } => {
                self.members.add_plain(address, players, at_once);
                self.enter(now, reply);
            }
            Order::Return { messages, at_once } => {
                self.tallies.clear();
                self.members.recall(messages, at_once);
                self.enter(now, reply);
            }
            Order::Await { kind, question, since, time_limit } => {
                let task = Task::Delivery { subject: (kind, question), since, until: now + time_limit * 1_000 };
                self.task = Some((task, reply));
            }
            Order::Learn(keys) => {
                for key in keys {
                    self.right.insert(key.question, answer_frame(key.question, &key.right));
                    self.keys.insert(key.question, key);
                }
                let _ = reply.send(done(&Entries::default()));
            }
            Order::Answer { question, over } => {
                let here = self.members.all.iter().enumerate().filter(|(_, member)| !member.stalled);
                self.answered.insert(question);
                let here: Vec<usize> = here.map(|(index, _)| index).collect();
                let step = over * 1_000 / (here.len() as u64).max(1);
                self.due.extend((0..).zip(here).map(|(turn, index)| Reverse((now + turn * step, index, question))));
                let _ = reply.send(done(&Entries::default()));
            }
            Order::Think(think) => {
                self.think = think;
                let _ = reply.send(done(&Entries::default()));
            }
            Order::Stall { every } => {
                for index in (0..self.members.all.len()).step_by(every.max(1)) {
                    self.members.stall(index);
                    self.connections.stall(index);
                }
                let _ = reply.send(done(&Entries::default()));
            }
            Order::Drop => {
                for (index, member) in self.members.all.iter_mut().enumerate() {
                    member.link = Link::Away;
                    self.connections.hang_up(index);
                }
                let _ = reply.send(done(&Entries::default()));
            }
            Order::Count => {
                let _ = reply.send(Outcome::Counted(std::mem::take(&mut self.counts)));
            }
            Order::Leave => {}
        }
    }

    fn enter(&mut self, now: u64, reply: Reply) {
        self.connections.grow(self.members.all.len());
        self.entries = Entries { since: now, ..Entries::default() };
        self.task = Some((Task::Entry, reply));
    }

    fn turn(&mut self) -> std::io::Result<()> {
        self.members.usher(&mut self.connections)?;
        self.send_due();
        let mut happenings = Happenings {
            members: &mut self.members,
            tallies: &mut self.tallies,
            counts: &mut self.counts,
            entries: &mut self.entries,
            fault: &mut self.fault,
            received: Vec::new(),
            thinking: self.think.is_some(),
        };
        let now = monotonic::now();
        let next = [self.due.peek().map(|Reverse((at, ..))| *at), happenings.members.next_at()];
        let nap = next.into_iter().flatten().min().map_or(NAP, |at| Duration::from_nanos(at.saturating_sub(now)));
        let lively = now < self.received_at + LIVELY;
        let time_limit = if lively { Duration::ZERO } else { nap.min(NAP) };
        let mut quiet = true;
        self.connections.turn(Some(time_limit), |line, happening| {
            quiet = false;
            happenings.take(line, &happening);
        })?;
        let received = happenings.received;
        if quiet && lively {
            std::thread::park_timeout(nap.min(GLANCE));
        } else if !quiet {
            self.received_at = monotonic::now();
        }
        if let Some((from, to)) = self.think {
            let now = monotonic::now();
            for (member, question) in received {
                let pause = rand::random_range(from..=to) * 1_000;
                self.due.push(Reverse((now + pause, member, question)));
            }
        }
        Ok(())
    }

    /// Sends what is due, a few at a time, so that what comes back is not left waiting.
    fn send_due(&mut self) {
        for _ in 0..SENT_AT_ONCE {
            let now = monotonic::now();
            if self.due.peek().is_none_or(|Reverse((at, ..))| *at > now) {
                return;
            }
            let Some(Reverse((_, index, question))) = self.due.pop() else { return };
            let (member, key) = (&self.members.all[index], self.keys.get(&question));
            let (Some(key), Link::Here) = (key, member.link) else { continue };
            let players = self.members.all.len();
            let tally = self.tallies.entry((Kind::Accepted, question)).or_insert_with(|| Tally::for_members(players));
            self.counts.answers += 1;
            if answers::knows(member.number, key.number) {
                tally.note_sent(index, monotonic::now());
                self.connections.send(index, &self.right[&question]);
            } else {
                let frame = answer_frame(question, &answers::answer(member.number, key));
                tally.note_sent(index, monotonic::now());
                self.connections.send(index, &frame);
            }
        }
    }

    /// Ends the present task when it is done, or cannot be done.
    fn finish(&mut self) {
        let Some((task, reply)) = self.task.take() else { return };
        if let Some(fault) = self.fault.take() {
            let _ = reply.send(Outcome::Failed(fault));
            return;
        }
        match task {
            Task::Entry if self.members.settled() => {
                let _ = reply.send(done(&self.entries));
            }
            Task::Delivery { subject, since, until } => {
                let wanted = self.members.reading();
                let received = self.tallies.get(&subject).map_or(0, |tally| tally.count);
                // Those who are stalled may have received it too, before they were.
                if received < wanted && monotonic::now() < until {
                    self.task = Some((Task::Delivery { subject, since, until }, reply));
                    return;
                }
                let tally = self.tallies.remove(&subject).unwrap_or_default();
                let stalled = |index: usize| self.members.all.get(index).is_some_and(|member| member.stalled);
                let mut outcome = tally.outcome(since, stalled);
                outcome.wanted = wanted;
                if subject.0 == Kind::Scores {
                    let members = self.members.all.iter().map(|member| member.number);
                    outcome.wrong = scores::wrong(members, &tally.payloads, &self.keys, &self.answered);
                }
                let _ = reply.send(Outcome::Delivered(Box::new(outcome)));
            }
            Task::Entry => self.task = Some((Task::Entry, reply)),
        }
    }
}

/// What a turn of the connections changes.
struct Happenings<'a> {
    members: &'a mut Members,
    tallies: &'a mut HashMap<Subject, Tally>,
    counts: &'a mut Counts,
    entries: &'a mut Entries,
    fault: &'a mut Option<String>,
    /// Questions received by members who think about them.
    received: Vec<(usize, Uuid)>,
    thinking: bool,
}

impl Happenings<'_> {
    fn take(&mut self, index: usize, happening: &Happening<'_>) {
        match happening {
            Happening::Message(message) => self.message(index, message),
            Happening::Answered { status, body } => match self.members.joined(index, (*status, body)) {
                Ok(true) => {}
                Ok(false) => self.counts.refused += 1,
                Err(fault) => *self.fault = Some(fault),
            },
            Happening::Refused(429 | 503) => {
                self.counts.refused += 1;
                self.members.turned_away(index);
            }
            Happening::Refused(status) => *self.fault = Some(format!("a socket was refused with {status}")),
            Happening::Closed(code) => {
                match self.members.ended(index) {
                    Ok(lost) => self.counts.lost += u64::from(lost),
                    Err(fault) => *self.fault = Some(fault),
                }
                if let Some(code) = code {
                    self.counts.add(Counts { closes: vec![(*code, 1)], ..Counts::default() });
                }
            }
            Happening::Opened => {}
        }
    }

    fn message(&mut self, index: usize, message: &[u8]) {
        let at = monotonic::now();
        self.counts.messages += 1;
        let subject = subject(message);
        if let Some(took) = self.members.receives(index, at) {
            self.entries.spread.record(took / 1_000);
            self.entries.last = at;
        }
        let players = self.members.all.len();
        let tally = self.tallies.entry(subject).or_insert_with(|| Tally::for_members(players));
        match subject.0 {
            // No order waits for them by name.
            Kind::Other | Kind::Lobby => return,
            Kind::Accepted => {
                self.counts.acknowledged += 1;
                if let Some(sent) = tally.sent.get(index).copied().filter(|sent| *sent > 0) {
                    self.counts.acknowledgement.record(at.saturating_sub(sent) / 1_000);
                }
            }
            Kind::Question if self.thinking => self.received.push((index, subject.1)),
            _ => {}
        }
        tally.note(&Arrival { member: index, message, at }, subject.0);
    }
}

fn done(entries: &Entries) -> Outcome {
    Outcome::Done { since: entries.since, last: entries.last, spread: entries.spread.clone() }
}

/// An answer as it is sent.
fn answer_frame(question: Uuid, answer: &str) -> Vec<u8> {
    let message = FromPlayer::SubmitAnswer(SubmitAnswer { question_id: question, answer: answer.to_owned() });
    let text = serde_json::to_vec(&message).expect("wire types have string keys and cannot fail to serialize");
    Build::new(TEXT, text).bytes()
}
