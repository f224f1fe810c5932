//! The requests of nodes to the database other than appends: the list of nodes, the recorded owner, and the log.
//!
//! A query takes time to arrive and an answer time to return, and either can be lost: then the node knows nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use quizhall_engine::{EdgeId, EdgeInput, Head, Member, MembersInput, Record, Time, Wanted};

use super::World;
use super::agenda::What;
use super::coverage::Kind;
use super::mutation::Mutation;
use super::snapshots::Found;

/// How long a node counts as alive after its last renewal, in the database's time.
pub const LEASE: Duration = Duration::from_secs(2);
/// How long a node waits for an answer of the database.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The tables other than the log.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// `game.owner`.
    pub owner: Option<EdgeId>,
    /// The time of this state, when an earlier state is kept.
    pub at: Time,
    nodes: BTreeMap<EdgeId, Listed>,
}

#[derive(Debug, Clone, Copy)]
struct Listed {
    renewed_at: Time,
    beat: u64,
    draining: bool,
}

/// The part of a node that reads the record.
#[derive(Debug, Clone, Copy)]
pub enum Asker {
    Route,
    /// A refused claim: the record decides whether it is tried again.
    Claim(u64),
}

/// The reason for changing the record.
#[derive(Debug, Clone, Copy)]
pub enum Why {
    /// The log will be claimed next.
    Claim(u64),
    /// The owner was retired.
    Retire,
}

/// A query.
#[derive(Debug, Clone, Copy)]
pub enum Query {
    Enter,
    Renew {
        draining: bool,
    },
    /// Evicts a node that has been silent for this long.
    Evict(EdgeId, Duration),
    Leave,
    Record(Asker),
    Move {
        from: Option<EdgeId>,
        to: Option<EdgeId>,
        why: Why,
    },
    /// The next part of the log, for a claim.
    Log(u64, Wanted),
    /// The events that an edge (by its number) lacks, which has this many, up to this row when it knows it.
    Behind(u64, u64, Option<Head>),
}

/// An answer; a missing part could not be read.
#[derive(Debug)]
pub enum Received {
    Entered(bool),
    Renewed(MembersInput),
    Evicted(EdgeId, bool),
    Left,
    Record(Asker, Option<Record>),
    Moved(Why, Option<bool>),
    Log(u64, Option<Found>),
    Behind(u64, EdgeInput),
}

impl Registry {
    fn enter(&mut self, now: Time, id: EdgeId) {
        self.nodes.entry(id).or_insert(Listed { renewed_at: now, beat: 0, draining: false });
    }

    fn renew(&mut self, now: Time, id: EdgeId, draining: bool) -> MembersInput {
        let Some(mine) = self.nodes.get_mut(&id) else { return MembersInput::Expired };
        *mine = Listed { renewed_at: now, beat: mine.beat + 1, draining };
        let beat = mine.beat;
        let member = |(id, listed): (&EdgeId, &Listed)| Member {
            id: *id,
            age: now.saturating_sub(listed.renewed_at),
            draining: listed.draining,
        };
        MembersInput::Renewed { beat, list: self.nodes.iter().map(member).collect() }
    }

    /// Removes a node from the list; whether this call removed it.
    fn evict(&mut self, now: Time, id: EdgeId, silent: Duration) -> bool {
        let over = self.nodes.get(&id).is_some_and(|listed| now >= listed.renewed_at + silent);
        over && self.nodes.remove(&id).is_some()
    }

    fn leave(&mut self, id: EdgeId) {
        self.nodes.remove(&id);
        if self.owner == Some(id) {
            self.owner = None;
        }
    }

    fn record(&self) -> Record {
        Record { owner: self.owner, listed: self.owner.is_some_and(|owner| self.lists(owner)) }
    }

    pub fn lists(&self, id: EdgeId) -> bool {
        self.nodes.contains_key(&id)
    }

    /// Whether a node had renewed recently at this time.
    pub fn has_renewal_of(&self, now: Time, id: EdgeId) -> bool {
        self.nodes.get(&id).is_some_and(|listed| now < listed.renewed_at + LEASE / 2)
    }

    fn move_game(&mut self, by: EdgeId, from: Option<EdgeId>, to: Option<EdgeId>) -> bool {
        let alive = from.is_some_and(|from| from != by && self.lists(from));
        if self.owner != from || alive {
            return false;
        }
        self.owner = to;
        true
    }
}

impl Query {
    fn unanswered(self) -> Received {
        match self {
            Self::Enter => Received::Entered(false),
            Self::Renew { .. } => Received::Renewed(MembersInput::Missed),
            Self::Evict(id, _) => Received::Evicted(id, false),
            Self::Leave => Received::Left,
            Self::Record(asker) => Received::Record(asker, None),
            Self::Move { why, .. } => Received::Moved(why, None),
            Self::Log(run, _) => Received::Log(run, None),
            Self::Behind(edge, ..) => Received::Behind(edge, EdgeInput::StateRead(None)),
        }
    }
}

impl World {
    /// Sends a query of a node to the database.
    pub fn query(&mut self, node: usize, query: Query) {
        let Some(id) = self.nodes[node].id else { return };
        if !self.reaches_database(node) {
            return self.unanswered(node, id, query);
        }
        let at = self.reaches_store();
        let awaited = at < self.agenda.now + TIMEOUT;
        if !awaited {
            // The asking node does not wait that long; the query may take effect nevertheless.
            self.agenda.after(TIMEOUT, What::Received(node, id, query.unanswered()));
        }
        self.agenda.at(at, What::Query(node, id, query, awaited));
    }

    fn unanswered(&mut self, node: usize, id: EdgeId, query: Query) {
        // A refused query is answered at once; a node that is cut off waits.
        let after = if self.weather.store_down { self.dice.millis(1, 40) } else { TIMEOUT };
        self.agenda.after(after, What::Received(node, id, query.unanswered()));
    }

    /// Whether a node and the database can reach each other.
    pub fn reaches_database(&self, node: usize) -> bool {
        !self.weather.store_down && !self.weather.store_cuts.contains(&node)
    }

    /// The query has arrived.
    pub fn answer(&mut self, node: usize, id: EdgeId, query: Query, awaited: bool) {
        if !self.reaches_database(node) {
            if awaited {
                self.unanswered(node, id, query);
            }
            return;
        }
        let now = self.agenda.now;
        let registry = &mut self.store.registry;
        let answer = match query {
            Query::Enter => {
                registry.enter(now, id);
                Received::Entered(true)
            }
            Query::Renew { draining } => Received::Renewed(registry.renew(now, id, draining)),
            Query::Evict(other, silent) => Received::Evicted(other, registry.evict(now, other, silent)),
            Query::Leave => {
                registry.leave(id);
                Received::Left
            }
            Query::Record(asker) => Received::Record(asker, Some(registry.record())),
            Query::Move { from, to, why } => Received::Moved(why, Some(registry.move_game(id, from, to))),
            Query::Log(run, wanted) => Received::Log(run, Some(self.look_up(wanted))),
            Query::Behind(edge, next, head) => {
                let read = self.store.behind(next, head).unwrap_or_else(|| {
                    let mut whole = self.read_at_once();
                    if let Some(claim) = &mut whole {
                        self.snapshot_of_load(node, claim);
                    }
                    EdgeInput::StateRead(whole.map(|claim| Box::new(claim.into_stored())))
                });
                Received::Behind(edge, read)
            }
        };
        self.trace.note(now, "query", &[node as u64, id.0]);
        self.trace.detail(|| format!("{query:?}"));
        if !awaited {
            return;
        }
        let mut back = self.dice.micros(100, 3_000);
        let calm = self.is_calm();
        if matches!(query, Query::Behind(..)) && !calm && self.dice.chance(400) {
            self.coverage.note(Kind::StateLate);
            back = self.dice.millis(50, 1_500);
        }
        if !calm && self.dice.chance(10) {
            self.coverage.note(Kind::AnswerLost);
            return self.agenda.after(TIMEOUT, What::Received(node, id, query.unanswered()));
        }
        self.agenda.after(back, What::Received(node, id, answer));
    }

    /// The answer has arrived.
    pub fn receive(&mut self, node: usize, id: EdgeId, answer: Received) {
        if self.nodes[node].id != Some(id) {
            return;
        }
        match answer {
            Received::Entered(entered) => self.entered(node, entered),
            Received::Renewed(outcome) => self.renewed(node, outcome),
            Received::Evicted(other, true) => self.members_step(node, MembersInput::Evicted(other)),
            Received::Evicted(_, false) | Received::Left => {}
            Received::Record(Asker::Route, record) => {
                self.route_step(node, quizhall_engine::RouteInput::Record(record));
            }
            Received::Record(Asker::Claim(run), record) => self.claim_reconsidered(node, run, record),
            Received::Moved(Why::Claim(run), moved) => self.claim_moved(node, run, moved),
            Received::Moved(Why::Retire, _) => self.farewell(node),
            Received::Log(run, found) => self.claim_reads(node, run, found),
            Received::Behind(edge, read) => self.log_read(node, edge, read),
        }
    }

    /// When a request that is sent to the store now is executed.
    pub fn reaches_store(&mut self) -> Time {
        let way = self.dice.micros(150, 4_000);
        (self.agenda.now + way).max(self.store.stalled_until)
    }

    pub fn is_mutant(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }
}
