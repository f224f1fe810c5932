//! A whole deployment in one thread: nodes with owner and edge, a database, a bus, sockets, a host and players, on simulated
//! time, with every fault drawn from one seed. The same seed gives the same evening, to the last byte.

mod additions;
mod agenda;
mod bus;
mod client;
mod coverage;
mod dice;
mod faults;
mod host;
mod ledger;
mod mutation;
mod node;
mod player;
mod quiz;
mod reference;
mod socket;
mod store;
mod takeover;
mod trace;
mod truth;
mod verdict;
mod witness;

use std::collections::BTreeSet;
use std::time::Duration;

use quizhall_engine::{EdgeId, EdgeOptions, Time};
use quizhall_rules::Phase;

use agenda::{Agenda, What};
use bus::Bus;
use client::Client;
pub use coverage::{Coverage, Kind};
use dice::Dice;
use ledger::Ledger;
pub use mutation::Mutation;
use node::Node;
use socket::Socket;
use store::Store;
use trace::Trace;

/// Simulated time after the last fault within which the game must be over.
const TO_THE_END: Duration = Duration::from_secs(90);
/// How long everything may settle after the game has ended.
const SETTLE: Duration = Duration::from_secs(8);
/// Things that may happen in one world before it counts as running in circles.
const MOST_NOTES: u64 = 400_000;

const OPTIONS: EdgeOptions = EdgeOptions { command_timeout: Duration::from_secs(5), linger: Duration::from_secs(60) };

/// How an evening went.
#[derive(Debug)]
pub struct Outcome {
    /// The first broken invariant, by its number in the list of the issue.
    pub failure: Option<String>,
    /// The same for every run of the seed.
    pub hash: u64,
    pub coverage: Coverage,
}

/// Plays one seed.
pub fn play(seed: u64, mutation: Option<Mutation>, print: bool) -> Outcome {
    let mut world = World::new(seed, mutation, print);
    world.run();
    Outcome { failure: world.failure, hash: world.trace.hash(), coverage: world.coverage }
}

struct World {
    agenda: Agenda,
    dice: Dice,
    trace: Trace,
    coverage: Coverage,
    mutation: Option<Mutation>,
    store: Store,
    bus: Bus,
    nodes: Vec<Node>,
    sockets: Vec<Socket>,
    /// The host is the first.
    clients: Vec<Client>,
    ledger: Ledger,
    grace: Time,
    healed: bool,
    healed_at: Time,
    ended_at: Option<Time>,
    owner_since: Time,
    failure: Option<String>,
    /// Edges that are known to be dead.
    buried: BTreeSet<EdgeId>,
    /// Numbers given so far to claims and to edges.
    runs: u64,
    edges: u64,
}

impl World {
    fn new(seed: u64, mutation: Option<Mutation>, print: bool) -> Self {
        let mut dice = Dice::new(seed);
        let mut store = Store::default();
        store.begin(quiz::first_row(&mut dice));
        let nodes = if dice.chance(500) { 1 } else { 2 };
        let players = dice.range(2, 9);
        let grace = dice.millis(500, 4_000);
        let mut world = Self {
            agenda: Agenda::default(),
            trace: Trace::new(print),
            coverage: Coverage::default(),
            mutation,
            store,
            bus: Bus::default(),
            nodes: (0..nodes).map(|_| Node::default()).collect(),
            sockets: Vec::new(),
            clients: Vec::new(),
            ledger: Ledger::default(),
            grace,
            healed: false,
            healed_at: Time::ZERO,
            ended_at: None,
            owner_since: Time::ZERO,
            failure: None,
            buried: BTreeSet::new(),
            runs: 0,
            edges: 0,
            dice,
        };
        world.invite(players);
        for node in 0..nodes {
            world.restart(node);
        }
        world.agenda.at(Time::ZERO, What::Watch);
        let first_fault = world.dice.millis(100, 1_500);
        world.agenda.at(first_fault, What::Fault);
        let heal = world.dice.millis(8_000, 24_000);
        world.agenda.at(heal, What::Heal);
        world
    }

    fn run(&mut self) {
        while let Some(what) = self.agenda.next() {
            self.happen(what);
            if self.failure.is_some() {
                return;
            }
            if self.is_over() {
                return self.judge();
            }
            if self.healed && self.agenda.now > self.healed_at + TO_THE_END {
                return self.fail("10: the game did not come to its end".to_owned());
            }
            if self.trace.notes() > MOST_NOTES {
                return self.fail("10: running in circles".to_owned());
            }
        }
    }

    fn is_over(&mut self) -> bool {
        if self.ended_at.is_none() && self.store.truth.phase == Some(Phase::Ended) {
            self.ended_at = Some(self.agenda.now);
        }
        let settled = self.ended_at.map(|ended| ended.max(self.healed_at).max(self.owner_since) + SETTLE);
        self.healed && settled.is_some_and(|settled| self.agenda.now > settled)
    }

    fn fail(&mut self, what: String) {
        self.trace.detail(|| format!("FAILED {what}"));
        self.failure.get_or_insert(what);
    }

    fn happen(&mut self, what: What) {
        let Some(what) = self.hold(what) else { return };
        match what {
            What::ToOwner(node, edge, frame) => self.owner_hears(node, edge, frame),
            What::ToEdge(edge, frame) => self.edge_hears(edge, frame),
            What::Execute(write) => self.execute(&write),
            What::Appended(node, run, outcome) => self.appended(node, run, outcome),
            What::ReadHead(node, run) => self.read_head(node, run),
            What::HeadRead(node, run, head) => self.head_read(node, run, head),
            What::ClaimReads(node, run) => self.claim_reads(node, run),
            What::OwnerTick(node, run) => self.owner_tick(node, run),
            What::EdgeTick(edge) => self.edge_tick(edge),
            What::Attach(socket) => self.attach(socket),
            What::Up(socket, message) => self.up(socket, message),
            What::Gone(socket, clean) => self.gone(socket, clean),
            What::Write(socket) => self.write(socket),
            What::Down(socket, down) => self.down(socket, down),
            What::Lost(socket) => self.lost(socket),
            What::Request(client, node, wish) => self.request(client, node, wish),
            What::Answered(client, wish, result) => self.answered(client, wish, result),
            What::Act(client) => self.act(client),
            What::Fault => self.fault(),
            What::Watch => self.watch(),
            What::Resume(node) => self.resume(node),
            What::Restart(node) => self.restart(node),
            What::Routed(node, owner) => self.routed(node, owner),
            What::EdgeGone(node, edge) => self.edge_gone(node, edge),
            What::Heal => self.heal(),
        }
    }
}
