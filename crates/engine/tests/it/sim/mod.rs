//! A whole deployment in one thread: one to five nodes with owner and edge, a database, a bus, sockets, a host and players, on
//! simulated time, with every fault drawn from one seed. The same seed always gives exactly the same game.

mod adjustments;
mod agenda;
mod bundles;
mod bus;
mod client;
mod cluster;
mod co_hosts;
mod coverage;
mod database;
mod dice;
mod edge_input;
mod faults;
mod host;
mod judge;
mod ledger;
mod mending;
mod mutation;
mod node;
mod overdue;
mod owning;
mod paper;
mod player;
mod probe;
mod quiz;
mod reference;
mod screens;
mod seats;
mod snapshots;
mod socket;
mod speed;
mod store;
mod takeover;
mod teams;
mod timing;
mod trace;
mod v1;
mod verdict;
mod welcome;

use std::time::Duration;

use quizhall_engine::{EdgeOptions, Head, Liveness, Time};
use quizhall_oracle::Phase;
use quizhall_rules::{Event, Teams};

use agenda::{Agenda, What};
use bundles::SessionsGiven;
use bus::Bus;
use client::Client;
pub use coverage::{Coverage, Kind};
use dice::Dice;
use faults::Weather;
use ledger::Ledger;
pub use mutation::Mutation;
use node::Node;
use overdue::Followed;
use probe::Probe;
use screens::ScreenClient;
use snapshots::Snapshots;
use socket::Socket;
use speed::Arrivals;
use store::Store;
use timing::Timing;
use trace::Trace;

/// The game must be over within this simulated time after the last fault.
const TO_THE_END: Duration = Duration::from_secs(90);
/// How long the world may settle after the game has ended.
const SETTLE: Duration = Duration::from_secs(8);
/// How long reports of closed sockets are under way.
const DETACHING: Duration = Duration::from_secs(3);
/// The most events of one world; with more, it counts as running in circles.
const MOST_NOTES: u64 = 400_000;

/// The result of a game.
#[derive(Debug)]
pub struct Outcome {
    /// The first broken invariant, with its number.
    pub failure: Option<String>,
    /// Equal for every run of the seed.
    pub hash: u64,
    pub coverage: Coverage,
    /// Everything that was stored in the log, in order, each answer of a bundle by itself.
    pub singles: Vec<Event>,
}

/// Plays one seed.
pub fn play(seed: u64, mutation: Option<Mutation>, print: bool) -> Outcome {
    let mut world = World::new(seed, mutation, print);
    world.run();
    let World { failure, trace, coverage, store, .. } = world;
    let singles = store.singles.into_iter().map(|(_, event)| event).collect();
    Outcome { failure, hash: trace.hash(), coverage, singles }
}

/// The state of the bus in a full game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusIs {
    Alive,
    /// Cut, and all clients play on the owner's node.
    DeadAndNear,
    /// Cut, and only the host plays on the owner's node.
    Dead,
}

/// What stays the same in a full game.
#[derive(Debug, Clone, Copy)]
struct Setting {
    bus: BusIs,
    /// Whether some nodes run the version before this one.
    mixed: bool,
    /// Questions and rounds have time limits, and the host uses timers.
    timed: bool,
    /// How several phones play as a team, if they do.
    teams: Option<Teams>,
    /// Whether answers travel together.
    bundles: bool,
}

/// Players from whom on answers travel together, in games in which they do.
const BUNDLE_FROM: usize = 3;

fn edge_options(bundles: bool) -> EdgeOptions {
    let liveness = Liveness::of_lease(database::LEASE);
    let (command_timeout, linger) = (Duration::from_secs(5), Duration::from_secs(60));
    let bundle_from = if bundles { BUNDLE_FROM } else { usize::MAX };
    EdgeOptions { command_timeout, linger, player_limit: 100, bundle_from, most_spectators: 0, liveness }
}

struct World {
    agenda: Agenda,
    dice: Dice,
    trace: Trace,
    coverage: Coverage,
    mutation: Option<Mutation>,
    setting: Setting,
    weather: Weather,
    store: Store,
    snapshots: Snapshots,
    /// The least number of events between two snapshots.
    snapshot_every: u64,
    /// The number of rows that the store returns at once.
    page: usize,
    /// For a mutant: the place of the snapshot that was read last.
    trusted: Option<(Head, u64)>,
    /// For a mutant: the sessions that owners gave.
    sessions: SessionsGiven,
    bus: Bus,
    nodes: Vec<Node>,
    sockets: Vec<Socket>,
    /// The host is the first.
    clients: Vec<Client>,
    screens: Vec<ScreenClient>,
    ledger: Ledger,
    timing: Timing,
    followed: Followed,
    /// How many events the clients of any node have been shown.
    shown: u64,
    arrivals: Arrivals,
    probe: Option<Probe>,
    grace: Time,
    healed: bool,
    healed_at: Time,
    ended_at: Option<Time>,
    owner_since: Time,
    /// When the service last closed a socket.
    closed_at: Time,
    failure: Option<String>,
    /// Numbers given so far to claims, edges and processes.
    runs: u64,
    edges: u64,
    incarnations: u64,
}

impl World {
    fn new(seed: u64, mutation: Option<Mutation>, print: bool) -> Self {
        let mut dice = Dice::new(seed);
        let mut store = Store::default();
        let nodes = [1, 1, 2, 2, 3, 3, 3, 4, 5][dice.index(9)];
        let setting = Setting { bundles: seed.is_multiple_of(2), ..Setting::draw(&mut dice, nodes, mutation) };
        store.begin(quiz::first_row(&mut dice, setting));
        let players = dice.range(2, 9);
        let grace = dice.millis(500, 4_000);
        let (snapshot_every, page) = (dice.range(5, 60), 2 + dice.index(40));
        let mut world = Self {
            agenda: Agenda::default(),
            trace: Trace::new(print),
            coverage: Coverage::default(),
            mutation,
            setting,
            weather: Weather::new(setting.bus),
            store,
            snapshots: Snapshots::default(),
            snapshot_every,
            page,
            trusted: None,
            sessions: SessionsGiven::default(),
            bus: Bus::default(),
            nodes: (0..nodes).map(|_| Node::default()).collect(),
            sockets: Vec::new(),
            clients: Vec::new(),
            screens: Vec::new(),
            ledger: Ledger::default(),
            timing: Timing::default(),
            followed: Followed::default(),
            shown: 0,
            arrivals: Arrivals::default(),
            probe: None,
            grace,
            healed: false,
            healed_at: Time::ZERO,
            ended_at: None,
            owner_since: Time::ZERO,
            closed_at: Time::ZERO,
            failure: None,
            runs: 0,
            edges: 0,
            incarnations: 0,
            dice,
        };
        world.coverage.note_setting(setting.bus, setting.mixed);
        world.invite(players);
        world.bring_screens();
        world.plan();
        world
    }

    fn plan(&mut self) {
        for node in 0..self.nodes.len() {
            self.restart(node);
            self.agenda.after(Duration::from_secs(2), What::Idle(node));
        }
        self.agenda.at(Time::ZERO, What::Watch);
        if self.nodes.len() > 1 && self.setting.bus == BusIs::Alive && self.dice.chance(450) {
            self.plan_probe();
        }
        let first_fault = self.dice.millis(100, 1_500);
        self.agenda.at(first_fault, What::Fault);
        let long = self.dice.chance(100) || self.mutation.is_some_and(Mutation::sleeps);
        let heal = if long { self.dice.millis(24_000, 75_000) } else { self.dice.millis(8_000, 24_000) };
        self.agenda.at(heal, What::Heal);
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
        if self.ended_at.is_none() && self.store.truth.phase == Phase::Ended {
            self.ended_at = Some(self.agenda.now);
        }
        let settled = self.ended_at.map(|ended| ended.max(self.healed_at).max(self.owner_since) + SETTLE);
        // A recently closed socket is still being reported to the owner, and an edge that no frame reaches reads the last row within two
        // seconds.
        let quiet = self.agenda.now > self.closed_at.max(self.store.committed_at()) + DETACHING;
        // Nor may a node be stopping during the check.
        let quiet = quiet && !self.nodes.iter().any(|node| node.draining);
        self.healed && quiet && settled.is_some_and(|settled| self.agenda.now > settled)
    }

    fn fail(&mut self, what: String) {
        self.trace.detail(|| format!("FAILED {what}"));
        self.failure.get_or_insert(what);
    }

    fn happen(&mut self, what: What) {
        let Some(what) = self.hold(what) else { return };
        match what {
            What::ToOwner { to, from, frame } => self.owner_receives((to, from), frame),
            What::ToEdge { to, from, frame, sent } => self.edge_receives((to, from), (frame, sent)),
            What::Execute(write) => self.execute(&write),
            What::Appended(node, run, outcome, epoch) => self.appended(node, run, outcome, epoch),
            What::ReadHead(node, run) => self.read_head(node, run),
            What::HeadRead(node, run, head, epoch) => self.head_read(node, run, head, epoch),
            What::SnapshotWritten(node, id, number) => self.snapshot_written(node, id, number),
            What::Query(node, id, query, awaited) => self.answer(node, id, query, awaited),
            What::Received(node, id, answer) => self.receive(node, id, answer),
            What::Enter(node, id) => self.enter(node, id),
            What::Renew(node, id) => self.renew(node, id),
            What::RouteTick(node, id) => self.route_tick(node, id),
            What::OwnerTick(node, run) => self.owner_tick(node, run),
            What::Expired(node, run, expiry) => self.expired(node, run, expiry),
            What::EdgeTick(id, serial) => self.edge_tick(id, serial),
            What::Idle(node) => self.idle(node),
            What::Attach(socket) => self.attach(socket),
            What::Up(socket, message) => self.up(socket, message),
            What::Gone(socket, clean) => self.notice_close(socket, clean),
            What::Write(socket) => self.write(socket),
            What::Down(socket, down) => self.down(socket, down),
            What::Lost(socket) => self.lost(socket),
            What::GiveUp(socket) => self.give_up_on(socket),
            What::SendAway(socket) => self.send_away(socket),
            What::Request(client, node, command) => self.request(client, node, command),
            What::Answered(client, command, result) => self.answered(client, command, result),
            What::Act(client) => self.act(client),
            What::Screen(screen) => self.screen_acts(screen),
            What::Fault => self.fault(),
            What::Mend(mend) => self.mend(mend),
            What::Watch => self.watch(),
            What::Resume(node) => self.resume(node),
            What::Restart(node) => self.restart(node),
            What::Exit(node) => self.exit(node),
            What::Heal => self.heal(),
            What::Probe => self.probe(),
            What::ProbeOver => self.probe_over(),
        }
    }
}

impl Setting {
    fn draw(dice: &mut Dice, nodes: usize, mutation: Option<Mutation>) -> Self {
        let bus = match dice.range(0, 100) {
            _ if nodes == 1 => BusIs::Alive,
            _ if mutation.is_some_and(Mutation::in_silence) => BusIs::Dead,
            0..16 => BusIs::DeadAndNear,
            16..32 => BusIs::Dead,
            _ => BusIs::Alive,
        };
        let mixed = nodes > 1 && dice.chance(200);
        // The version before this one has no timers.
        let timed = !mixed && (dice.chance(400) || mutation.is_some_and(Mutation::is_of_timers));
        // Nor has it teams.
        let has_teams = !mixed && (dice.chance(400) || mutation.is_some_and(Mutation::is_of_teams));
        let captain_only = has_teams && dice.chance(400) && !mutation.is_some_and(Mutation::is_of_teams);
        let teams = has_teams.then_some(Teams { devices: 6, captain_only });
        Self { bus, mixed, timed, teams, bundles: false }
    }
}
