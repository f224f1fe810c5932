//! The members of a group of virtual users: the game of each player, how far each has joined, and which is next.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use quizhall_client::transport::Request;
use quizhall_protocol::http::join::{JoinRequest, JoinResponse};

use super::answers;
use super::order::Table;
use crate::connections::{Connections, Opening, Target};
use crate::monotonic;

/// How long a member who was refused waits before asking again, in nanoseconds.
const PAUSE: u64 = 200_000_000;

/// Connections that may end on the way in before it counts as impossible.
const FAILURES: u32 = 25;

/// The nonce of every upgrade: it would protect caches on the way, and there are none.
const KEY: &str = "cXVpemhhbGwtc3dhcm0tYQ==";

/// How far a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// Not connected, and nothing under way.
    Away,
    /// On the way in.
    Coming,
    /// In its place.
    Here,
}

/// One player.
pub(super) struct Member {
    /// Its number in its game.
    pub(super) number: usize,
    table: Option<Arc<Table>>,
    token: Option<String>,
    pub(super) link: Link,
    /// Messages to receive before it is in its place.
    owed: usize,
    begun: u64,
    /// Connections that ended before it was in.
    failures: u32,
    pub(super) stalled: bool,
}

/// All of them, and the queue of those not yet connected.
pub(super) struct Members {
    pub(super) all: Vec<Member>,
    baseline: Option<SocketAddr>,
    queue: VecDeque<usize>,
    /// Refused ones, each with the moment to ask again.
    later: VecDeque<(u64, usize)>,
    under_way: usize,
    at_once: usize,
    small: usize,
    stalled: usize,
}

impl Members {
    pub(super) fn new() -> Self {
        Self {
            all: Vec::new(),
            baseline: None,
            queue: VecDeque::new(),
            later: VecDeque::new(),
            under_way: 0,
            at_once: 1,
            small: 0,
            stalled: 0,
        }
    }

    /// New players at these tables, all of them not yet connected.
    pub(super) fn add(&mut self, tables: Vec<Table>, at_once: usize, small: usize) {
        self.small = small;
        for table in tables {
            let table = Arc::new(table);
            for number in table.first..table.first + table.players {
                self.enlist(number, Some(Arc::clone(&table)));
            }
        }
        self.at_once = at_once.max(1);
    }

    /// New connections to a baseline.
    pub(super) fn add_plain(&mut self, address: SocketAddr, players: usize, at_once: usize) {
        self.baseline = Some(address);
        for number in 0..players {
            self.enlist(number, None);
        }
        self.at_once = at_once.max(1);
    }

    /// Puts all members back into the queue.
    pub(super) fn recall(&mut self, messages: usize, at_once: usize) {
        (self.at_once, self.stalled) = (at_once.max(1), 0);
        for (index, member) in self.all.iter_mut().enumerate() {
            (member.link, member.owed, member.stalled) = (Link::Away, messages, false);
            self.queue.push_back(index);
        }
    }

    /// This one reads nothing any more.
    pub(super) fn stall(&mut self, index: usize) {
        self.stalled += usize::from(!std::mem::replace(&mut self.all[index].stalled, true));
    }

    /// How many read.
    pub(super) fn reading(&self) -> usize {
        self.all.len() - self.stalled
    }

    fn enlist(&mut self, number: usize, table: Option<Arc<Table>>) {
        self.queue.push_back(self.all.len());
        self.all.push(Member {
            number,
            table,
            token: None,
            link: Link::Away,
            owed: 1,
            begun: 0,
            failures: 0,
            stalled: false,
        });
    }

    /// Whether no member is queued or connecting.
    pub(super) fn settled(&self) -> bool {
        self.queue.is_empty() && self.later.is_empty() && self.under_way == 0
    }

    /// When a member asks again, if one does.
    pub(super) fn next_at(&self) -> Option<u64> {
        self.later.front().map(|(at, _)| *at)
    }

    /// Lets in as many as may come at once.
    pub(super) fn usher(&mut self, connections: &mut Connections) -> io::Result<()> {
        let now = monotonic::now();
        while self.later.front().is_some_and(|(at, _)| *at <= now) {
            self.queue.extend(self.later.pop_front().map(|(_, index)| index));
        }
        while self.under_way < self.at_once {
            let Some(index) = self.queue.pop_front() else { return Ok(()) };
            self.under_way += 1;
            let member = &mut self.all[index];
            member.link = Link::Coming;
            if member.begun == 0 {
                member.begun = monotonic::now();
            }
            let address = member.table.as_ref().map(|table| table.address).or(self.baseline);
            let Some(address) = address else { continue };
            let tls = member.table.as_ref().and_then(|table| table.endpoint.session());
            let small = self.small > 0 && index % self.small == 0;
            connections.connect(index, Target { address, tls, small }, opening(member)?)?;
        }
        Ok(())
    }

    /// The answer to a join: on with the upgrade. False when it is refused and has to be asked again.
    pub(super) fn joined(&mut self, index: usize, (status, body): (u16, &[u8])) -> Result<bool, String> {
        self.under_way = self.under_way.saturating_sub(1);
        match status {
            201 => {
                let joined: JoinResponse =
                    serde_json::from_slice(body).map_err(|error| format!("the answer to a join: {error}"))?;
                self.all[index].token = Some(joined.session_token);
                self.queue.push_front(index);
                Ok(true)
            }
            429 | 503 => {
                self.again(index);
                Ok(false)
            }
            other => Err(format!("a join was refused with {other}")),
        }
    }

    /// A member who was refused asks again after a pause.
    pub(super) fn turned_away(&mut self, index: usize) {
        self.under_way = self.under_way.saturating_sub(1);
        self.again(index);
    }

    /// A member has received a message; the time since it was queued when that was the one it needed.
    pub(super) fn receives(&mut self, index: usize, at: u64) -> Option<u64> {
        let member = &mut self.all[index];
        if member.link != Link::Coming {
            return None;
        }
        member.owed = member.owed.saturating_sub(1);
        if member.owed > 0 {
            return None;
        }
        member.link = Link::Here;
        self.under_way = self.under_way.saturating_sub(1);
        Some(at.saturating_sub(std::mem::take(&mut member.begun)))
    }

    /// A connection has ended. True when that was not ordered; an error when this one does not get in at all.
    pub(super) fn ended(&mut self, index: usize) -> Result<bool, String> {
        let member = &mut self.all[index];
        let was = std::mem::replace(&mut member.link, Link::Away);
        if was == Link::Coming {
            member.failures += 1;
            if member.failures > FAILURES {
                return Err(format!("{FAILURES} connections of one player ended on the way in"));
            }
            self.turned_away(index);
        }
        Ok(was != Link::Away)
    }

    fn again(&mut self, index: usize) {
        self.all[index].link = Link::Away;
        self.later.push_back((monotonic::now() + PAUSE, index));
    }
}

/// How a member begins its next connection: it joins, then opens its socket; a baseline wants neither.
fn opening(member: &Member) -> io::Result<Opening> {
    let Some(table) = &member.table else { return Ok(Opening::Plain) };
    let bytes = |request: Request| request.bytes(&table.endpoint).map_err(io::Error::other);
    if let Some(token) = &member.token {
        return bytes(Request::upgrade(&format!("/ws/{}", table.code), KEY).bearer(token)).map(Opening::Upgrade);
    }
    let body = JoinRequest::new(table.code.clone(), answers::name(member.number));
    bytes(Request::new("POST", "/join").json(&body)).map(Opening::Call)
}
