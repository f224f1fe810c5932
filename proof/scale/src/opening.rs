//! A game that is being played when the measurement begins: its state made at once, its owner and edges
//! hosted, all participants attached.
//!
//! Used by `big_game` and `many_games`. What happens here costs nothing and takes no time.

use std::time::Duration;

use quizhall_engine::{
    Ahead, Append, AppendOutcome, ConnectionId, Dialect, Edge, EdgeEffect, EdgeInput, EdgeOptions, FromOwner, Head,
    LOG_PER_SEAT, Liveness, Owner, OwnerEffect, OwnerInput, OwnerOptions, Participant, SNAPSHOT_EVERY, Time, ToEdge,
    ToOwner,
};
use quizhall_rules::{Change, State};
use uuid::Uuid;

use super::edge::{EdgeSlot, first_state};
use super::owner::{OwnerSlot, edge_of, node_of};
use super::world::{Game, World};
use crate::game::event;

const OPTIONS: EdgeOptions = EdgeOptions {
    command_timeout: Duration::from_secs(5),
    linger: Duration::from_secs(60),
    player_limit: 5_000,
    most_spectators: 0,
    liveness: Liveness::ALONE,
};
const GRACE: Duration = Duration::from_secs(10);

impl World {
    /// Opens a game in this state, owned at `home`, with these participants at each node's sockets. A node without any
    /// knows nothing of the game; mirrors have theirs from [`World::attach_mirrors`].
    pub fn open(&mut self, mut state: State, home: usize, by_node: &[Vec<Participant>]) -> usize {
        let claim = event(Change::Claimed { epoch: 1, node: Uuid::from_u64_pair(0, edge_of(home).0) });
        state.apply(&claim);
        let players = state.player_count() as u64;
        let row = Append {
            previous: Head { seq: 0, batch: 0 },
            seq: players + 1,
            epoch: 1,
            batch: 1,
            events: vec![claim].into(),
            phase: None,
        };
        let (id, head, next_seq) = (state.game(), row.head(), players + 2);
        let mut edges: Vec<Option<Box<EdgeSlot>>> = by_node.iter().map(|_| None).collect();
        for (node, _) in by_node.iter().enumerate().filter(|(_, participants)| !participants.is_empty()) {
            let mut edge = Edge::new(Time::ZERO, OPTIONS);
            // All were shown the game long ago, on whichever node.
            edge.set_owner_here(Some(1));
            let mut slot = EdgeSlot::new(edge, edge_of(node));
            slot.edge.step(Time::ZERO, first_state(next_seq, state.clone()), &mut Vec::new());
            edges[node] = Some(Box::new(slot));
        }
        let nonce = self.games.len() as u64;
        let options = OwnerOptions {
            state,
            claim: row,
            home: edge_of(home),
            next_seq,
            nonce,
            lobby_grace: GRACE,
            liveness: Liveness::ALONE,
            snapshot_every: SNAPSHOT_EVERY,
            ahead: Ahead::default(),
            log_per_seat: LOG_PER_SEAT,
        };
        let owner = Some(Box::new(OwnerSlot::new(Owner::new(Time::ZERO, options), head)));
        self.games.push(Game { id, home, owner, edges, log: Vec::new(), players });
        let game = self.games.len() - 1;
        for (node, participants) in by_node.iter().enumerate() {
            for (connection, participant) in (1..).map(ConnectionId).zip(participants) {
                let attach = EdgeInput::Attach(connection, (*participant).into(), Dialect::Interface);
                self.settle_edge(game, node, attach);
            }
        }
        self.settle_appends(game);
        for (node, _) in by_node.iter().enumerate() {
            self.wake_edge(game, node);
        }
        self.wake_owner(game);
        game
    }

    /// Attaches `each` players to the sockets of every mirror.
    pub fn attach_mirrors(&mut self, game: usize, each: u64) {
        let Some(mut mirrors) = self.mirrors.take() else { return };
        for node in mirrors.first..mirrors.model {
            for connection in 1..=each {
                let participant = mirrors.player_at(node, connection);
                let attach =
                    ToOwner::Attach { connection: ConnectionId(connection), participant, prior: None, moves: 0 };
                let said = self.owner_settles(game, OwnerInput::FromEdge(edge_of(node), attach));
                let session = said.into_iter().find_map(|effect| match effect {
                    OwnerEffect::Send(_, FromOwner { message: ToEdge::Attached { session, .. }, .. }) => Some(session),
                    _ => None,
                });
                mirrors.sessions[node].push(session.expect("every socket is attached"));
            }
        }
        self.mirrors = Some(mirrors);
        self.settle_appends(game);
    }

    fn settle_edge(&mut self, game: usize, node: usize, input: EdgeInput) {
        let mut effects = Vec::new();
        let Some(slot) = &mut self.games[game].edges[node] else { return };
        slot.edge.step(Time::ZERO, input, &mut effects);
        for effect in effects {
            if let EdgeEffect::ToOwner(frame) = effect {
                let said = self.owner_settles(game, OwnerInput::FromEdge(edge_of(node), frame));
                self.pass_on(game, said);
            }
        }
    }

    fn owner_settles(&mut self, game: usize, input: OwnerInput) -> Vec<OwnerEffect> {
        let mut effects = Vec::new();
        if let Some(slot) = &mut self.games[game].owner {
            slot.owner.step(Time::ZERO, input, &mut effects);
        }
        effects
    }

    fn pass_on(&mut self, game: usize, effects: Vec<OwnerEffect>) {
        for effect in effects {
            if let OwnerEffect::Send(edge, frame) = effect {
                self.settle_edge(game, node_of(edge), EdgeInput::FromOwner(frame));
            }
        }
    }

    /// Commits what the owner has to append, and passes its answers on to the edges.
    fn settle_appends(&mut self, game: usize) {
        loop {
            let mut effects = Vec::new();
            let Some(slot) = &mut self.games[game].owner else { return };
            slot.owner.flush(&mut effects);
            let outcome = effects.into_iter().find_map(|effect| match effect {
                OwnerEffect::Append(row) => {
                    slot.written(row.head());
                    Some(OwnerInput::Appended(AppendOutcome::Committed))
                }
                OwnerEffect::ReadHead { .. } => Some(OwnerInput::HeadRead(Some(slot.head()))),
                _ => None,
            });
            let Some(outcome) = outcome else { return };
            let said = self.owner_settles(game, outcome);
            self.pass_on(game, said);
        }
    }

    /// The host's socket is the last of the owner's node.
    pub fn host_at(&self, game: usize) -> ConnectionId {
        let home = self.games[game].home;
        let sockets = self.games[game].edges[home].as_ref().map_or(0, |slot| slot.edge.socket_count());
        ConnectionId(sockets as u64)
    }
}
