//! Becoming the owner in a world, as the service does it: the route to the owner, the record, the claim, and retiring.

use std::time::Duration;

use quizhall_engine::claim::{Claim, Start};
use quizhall_engine::{
    Append, AppendOutcome, Claimed, EdgeId, EdgeInput, FromOwner, Head, LOG_PER_SEAT, Liveness, Owner, OwnerInput,
    Place, Reading, Record, Route, RouteEffect, RouteInput, Time, Wanted,
};
use quizhall_rules::{Change, Event, Moment, State};
use uuid::Uuid;

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::database::{Asker, LEASE, Query, Why};
use super::judge::Cause;
use super::mutation::Mutation;
use super::owning::OwnerSlot;
use super::snapshots::Found;

/// How many times a refused claim is tried again while the record still names this node.
const TRIES: u32 = 5;
/// The pause before a request that the database did not answer is repeated.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct RouteSlot {
    pub route: Route,
    wanted: bool,
    tick_at: Option<Time>,
}

/// A claim under way.
#[derive(Debug)]
pub struct Claiming {
    pub run: u64,
    tries: u32,
    reading: Reading,
    /// The log, the row of the claim, and when that was given to the store.
    read: Option<(Claim, Append, Time)>,
}

impl RouteSlot {
    pub fn new(now: Time, me: EdgeId) -> Self {
        Self { route: Route::new(now, me), wanted: true, tick_at: None }
    }
}

impl World {
    /// The node whose owner has the newest epoch of the log.
    pub fn owning_node(&self) -> Option<usize> {
        let newest = self.store.truth.epoch;
        self.nodes.iter().position(|node| node.owner.as_ref().is_some_and(|slot| slot.epoch == newest))
    }

    pub fn route_step(&mut self, node: usize, input: RouteInput) {
        let now = self.agenda.now;
        let Some(slot) = self.nodes[node].route.as_mut() else { return };
        let mut effects = Vec::new();
        slot.route.step(now, input, &mut effects);
        self.trace.note(now, "route", &[node as u64, place_of(slot.route.place()), effects.len() as u64]);
        self.trace.detail(|| format!("{input:?} → {effects:?}"));
        for effect in effects {
            self.route_effect(node, effect);
        }
        self.plan_route(node, matches!(input, RouteInput::Tick));
    }

    /// Sets in the route whether this node needs the owner.
    pub fn want_owner(&mut self, node: usize, wanted: bool) {
        if let Some(slot) = self.nodes[node].route.as_mut().filter(|slot| slot.wanted != wanted) {
            slot.wanted = wanted;
            self.route_step(node, RouteInput::Wanted(wanted));
        }
    }

    fn plan_route(&mut self, node: usize, ticked: bool) {
        let now = self.agenda.now;
        let Some(id) = self.nodes[node].id else { return };
        let Some(slot) = self.nodes[node].route.as_mut() else { return };
        let Some(due) = slot.route.next_deadline() else { return };
        if slot.tick_at.is_none_or(|at| due < at) {
            slot.tick_at = Some(due);
            self.agenda.at(due, What::RouteTick(node, id));
        }
        if ticked && due <= now {
            self.fail("11: the route spins".to_owned());
        }
    }

    pub fn route_tick(&mut self, node: usize, id: EdgeId) {
        if self.nodes[node].id != Some(id) {
            return;
        }
        if let Some(slot) = &mut self.nodes[node].route {
            slot.tick_at = None;
            self.route_step(node, RouteInput::Tick);
        }
    }

    fn route_effect(&mut self, node: usize, effect: RouteEffect) {
        match effect {
            RouteEffect::ReadRecord => self.query(node, Query::Record(Asker::Route)),
            RouteEffect::Claim { from } => self.claim(node, from),
            RouteEffect::Moved => self.edge_step(node, EdgeInput::OwnerMoved, Cause::Other),
            // Very rare: an owner that was overtaken had been evicted for it, and its node usually rejoins before it learns of the new one.
            RouteEffect::Dismiss => self.nodes[node].owner = None,
        }
    }

    fn claim(&mut self, node: usize, from: Option<EdgeId>) {
        let me = self.nodes[node].id;
        self.runs += 1;
        self.trace.note(self.agenda.now, "claim", &[node as u64, self.runs]);
        self.nodes[node].claiming = Some(Claiming { run: self.runs, tries: 0, reading: Reading::new(), read: None });
        self.query(node, Query::Move { from, to: me, why: Why::Claim(self.runs) });
    }

    fn claim_ends(&mut self, node: usize, claimed: Claimed) {
        if claimed == Claimed::Lost {
            self.coverage.note(Kind::ClaimLost);
        }
        self.nodes[node].claiming = None;
        self.route_step(node, RouteInput::Claimed(claimed));
    }

    fn claiming(&mut self, node: usize, run: u64) -> Option<&mut Claiming> {
        self.nodes[node].claiming.as_mut().filter(|claiming| claiming.run == run)
    }

    pub fn claim_moved(&mut self, node: usize, run: u64, moved: Option<bool>) {
        if self.claiming(node, run).is_none() {
            return;
        }
        match moved {
            Some(true) => match self.log_known(node) {
                Some(claim) => self.claim_row(node, run, claim),
                None => self.read_for_claim(node, run),
            },
            Some(false) => self.claim_ends(node, Claimed::Lost),
            None => self.claim_ends(node, Claimed::Unknown),
        }
    }

    /// The log as the edge of this node knows it.
    fn log_known(&mut self, node: usize) -> Option<Claim> {
        let claim = self.nodes[node].edge.as_ref()?.edge.replica().and_then(Claim::of_replica)?;
        let is_whole = Some(claim.head()) == self.store.head();
        self.coverage.note(if is_whole { Kind::ReplicaClaimed } else { Kind::ReplicaBehind });
        if is_whole && State::replay(&self.store.events).ok().as_ref() != Some(claim.state()) {
            self.fail("13: the replica at the end of the log is not the replay of the log".to_owned());
        }
        Some(claim)
    }

    /// Begins a new reading of the log.
    fn read_for_claim(&mut self, node: usize, run: u64) {
        let Some(claiming) = self.claiming(node, run) else { return };
        claiming.reading = Reading::new();
        let wanted = claiming.reading.wanted();
        self.query(node, Query::Log(run, wanted));
    }

    pub fn claim_reads(&mut self, node: usize, run: u64, found: Option<Found>) {
        let Some(claiming) = self.claiming(node, run) else { return };
        let mut reading = std::mem::take(&mut claiming.reading);
        let Some(found) = found else { return self.claim_ends(node, Claimed::Unknown) };
        self.feed(&mut reading, found);
        if reading.wanted() != Wanted::Nothing {
            let wanted = reading.wanted();
            if let Some(claiming) = self.claiming(node, run) {
                claiming.reading = reading;
            }
            return self.query(node, Query::Log(run, wanted));
        }
        if let Some(mut claim) = self.loaded(reading) {
            self.snapshot_of_load(node, &mut claim);
            self.claim_row(node, run, claim);
        }
    }

    fn claim_row(&mut self, node: usize, run: u64, claim: Claim) {
        let row = claim.row(Uuid::from_u64_pair(node as u64, run), self.dice.next());
        let now = self.agenda.now;
        if let Some(claiming) = self.claiming(node, run) {
            claiming.read = Some((claim, row.clone(), now));
        }
        self.submit(node, run, row);
    }

    pub fn claim_appended(&mut self, node: usize, run: u64, outcome: AppendOutcome) {
        match outcome {
            AppendOutcome::Committed => self.won(node),
            AppendOutcome::Refused => self.claim_again(node, run),
            AppendOutcome::Unknown => {
                let at = self.reaches_store() + PAUSE;
                self.agenda.at(at, What::ReadHead(node, run));
            }
        }
    }

    pub fn claim_head(&mut self, node: usize, run: u64, head: Option<Head>) {
        let Some(claiming) = self.claiming(node, run) else { return };
        let wanted = claiming.read.as_ref().map(|(_, row, _)| row.head());
        if head.is_some() && head == wanted {
            self.won(node);
        } else {
            self.claim_again(node, run);
        }
    }

    /// Another node wrote meanwhile: the record decides whether to try again.
    fn claim_again(&mut self, node: usize, run: u64) {
        let Some(claiming) = self.claiming(node, run) else { return };
        claiming.tries += 1;
        if claiming.tries > TRIES {
            return self.claim_ends(node, Claimed::Lost);
        }
        self.query(node, Query::Record(Asker::Claim(run)));
    }

    pub fn claim_reconsidered(&mut self, node: usize, run: u64, record: Option<Record>) {
        let me = self.nodes[node].id;
        if self.claiming(node, run).is_none() {
            return;
        }
        match record {
            Some(record) if record.owner == me => self.read_for_claim(node, run),
            Some(_) => self.claim_ends(node, Claimed::Lost),
            None => self.claim_ends(node, Claimed::Unknown),
        }
    }

    fn won(&mut self, node: usize) {
        let Some(Claiming { run, read: Some((claim, row, since)), .. }) = self.nodes[node].claiming.take() else {
            return;
        };
        let (Some(home), Some(members)) = (self.nodes[node].id, self.nodes[node].members.as_ref()) else { return };
        let others = members.others().collect();
        let (liveness, snapshot_every) = (Liveness::of_lease(LEASE), self.snapshot_every);
        let start = Start {
            home,
            nonce: self.dice.next(),
            lobby_grace: self.grace,
            liveness,
            snapshot_every,
            log_per_seat: LOG_PER_SEAT,
        };
        let stated: Vec<_> = claim.state().timers(Moment::default()).collect();
        let break_stated = claim.state().break_left(Moment::default()).map(|(ms, _)| ms);
        let mut options = claim.won(self.agenda.now, row, start);
        if self.is_mutant(Mutation::NoFloor) && !stated.is_empty() {
            let mark = Event::new(Change::TimerMark { left: stated, step: None }, None);
            options.state.apply_at(&mark, self.agenda.now.into());
        }
        if self.is_mutant(Mutation::NoBreakFloor)
            && let Some(ms) = break_stated
        {
            let mark = Event::new(Change::BreakMark { ms }, None);
            options.state.apply_at(&mark, self.agenda.now.into());
        }
        let (epoch, head) = (options.state.epoch(), options.claim.head());
        self.trace.note(self.agenda.now, "owner starts", &[node as u64, run, epoch]);
        self.owner_since = self.agenda.now;
        self.timing.note_owner(epoch, self.agenda.now);
        let owner = Owner::new(self.agenda.now, options);
        self.nodes[node].owner = Some(Box::new(OwnerSlot::new(run, epoch, head, owner)));
        self.route_step(node, RouteInput::Claimed(Claimed::Won { epoch, since }));
        // Unless it was dismissed at once. It announces its claim, which is in the log.
        self.owner_step(node, run, OwnerInput::Announce(others), Some(epoch));
    }

    /// The last row is written: the record is changed first, so that every node that learns of the release finds the new record.
    pub fn retired(&mut self, node: usize, to: Option<EdgeId>, frames: Vec<(EdgeId, FromOwner)>) {
        self.coverage.note(Kind::OwnerRetired);
        self.nodes[node].farewell = Some(frames);
        let from = self.nodes[node].id;
        self.query(node, Query::Move { from, to, why: Why::Retire });
    }

    /// If the record could not be changed, other nodes find the game without an owner once this node has left the list.
    pub fn farewell(&mut self, node: usize) {
        let Some(frames) = self.nodes[node].farewell.take() else { return };
        for (edge, frame) in frames {
            self.send_to_edge(node, edge, frame);
        }
        self.route_step(node, RouteInput::OwnerEnded);
    }
}

fn place_of(place: Place) -> u64 {
    match place {
        Place::Nowhere => 0,
        Place::Here => 1,
        Place::There(edge) => edge.0,
    }
}
