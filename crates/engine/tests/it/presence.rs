//! An owner: which participants count as connected, when they count as away, and what a new owner assumes.

use std::time::Duration;

use quizhall_engine::{Attaching, ConnectionId, EdgeId, OwnerInput, Participant, RequestId, ToOwner};
use quizhall_rules::{Actor, Change, Command, CommandId, Device, Event, State};

use crate::desk::{Desk, EDGE, GRACE, kinds};
use crate::stage::{as_player, created, event, join, joined, player};

/// How long the host may be away before the players are informed.
const HOST_GRACE: Duration = Duration::from_secs(5);

/// Shortly before the grace period of the host, and of the players, ends.
const NEARLY_HOST: Duration = Duration::from_millis(4_999);
const NEARLY: Duration = Duration::from_millis(9_999);

/// A game of one player during a question, with the host connected.
fn running(more: Vec<Event>) -> Desk {
    let mut events = vec![created(), joined(1), event(Change::HostReturned), event(Change::Started)];
    events.extend(more);
    Desk::after(events)
}

fn detach(desk: &mut Desk, connection: u64, participant: Participant, clean: bool) {
    desk.frame(ToOwner::Detach { connection: ConnectionId(connection), participant, clean }).taken();
}

/// The events that the owner stores when it is woken at this time; none when there is nothing to store.
fn stored_at(desk: &mut Desk, now: Duration) -> Vec<&'static str> {
    desk.now = now;
    desk.step(OwnerInput::Tick).taken();
    stored(desk)
}

fn stored(desk: &mut Desk) -> Vec<&'static str> {
    desk.settle().as_ref().map(kinds).unwrap_or_default()
}

#[test]
fn a_host_is_here_with_the_first_socket_and_away_five_seconds_after_the_last() {
    for clean in [true, false] {
        let mut desk = Desk::after(vec![created(), joined(1)]);
        desk.attach(1, Participant::Host);
        assert_eq!(stored(&mut desk), ["host_returned"]);
        desk.attach(2, Participant::Host);
        assert_eq!(stored(&mut desk), [""; 0], "a second socket changes nothing");
        desk.now = Duration::from_secs(1);
        detach(&mut desk, 2, Participant::Host, clean);
        let over = Duration::from_secs(1) + HOST_GRACE;
        assert_eq!(stored_at(&mut desk, Duration::from_secs(1) + NEARLY_HOST), [""; 0]);
        assert_eq!(stored_at(&mut desk, over), ["host_left"], "clean: {clean}");
        desk.now += Duration::from_secs(1);
        desk.attach(3, Participant::Host);
        assert_eq!(stored(&mut desk), ["host_returned"]);
    }
}

#[test]
fn a_reload_of_the_hosts_page_stores_no_absence() {
    let mut desk = running(Vec::new());
    desk.attach(1, Participant::Host);
    for reload in 1..5 {
        desk.now = Duration::from_secs(10 * reload);
        detach(&mut desk, reload, Participant::Host, true);
        desk.now += NEARLY_HOST;
        desk.attach(reload + 1, Participant::Host);
        // Only the player's own absence is stored, because they never connected.
        assert!(stored(&mut desk).iter().all(|kind| !kind.starts_with("host")));
    }
}

#[test]
fn a_player_of_a_running_game_is_disconnected_and_stays_in_the_game() {
    for clean in [true, false] {
        let mut desk = running(Vec::new());
        desk.attach(1, Participant::Host);
        desk.attach(2, as_player(1));
        assert_eq!(stored(&mut desk), [""; 0], "a player who joined counts as connected already");
        detach(&mut desk, 2, as_player(1), clean);
        let kinds = if clean { stored(&mut desk) } else { stored_at(&mut desk, GRACE) };
        assert_eq!(kinds, ["disconnected"]);
        assert_eq!(stored_at(&mut desk, GRACE * 3), [""; 0], "said once");
        desk.attach(3, as_player(1));
        assert_eq!(stored(&mut desk), ["connected"]);
    }
}

/// In the lobby the events are `left` and `returned`; a player who left the lobby comes back with `returned` in any phase.
#[test]
fn a_player_who_left_the_lobby_returns_in_any_phase() {
    let mut desk =
        Desk::after(vec![created(), joined(1), event(Change::Left { player: player(1), device: Device::FIRST })]);
    desk.attach(1, as_player(1));
    assert_eq!(stored(&mut desk), ["returned"]);
    let mut desk = running(vec![event(Change::Left { player: player(1), device: Device::FIRST })]);
    desk.attach(1, Participant::Host);
    desk.attach(2, as_player(1));
    assert_eq!(stored(&mut desk), ["returned"]);
    desk.now += Duration::from_secs(1);
    detach(&mut desk, 2, as_player(1), true);
    assert_eq!(stored(&mut desk), ["disconnected"]);
}

#[test]
fn a_new_owner_gives_all_who_were_here_time_to_be_reported() {
    let mut desk = running(vec![joined(2)]);
    desk.now = NEARLY;
    desk.attach(1, as_player(2));
    assert_eq!(stored_at(&mut desk, NEARLY), [""; 0]);
    assert_eq!(
        stored_at(&mut desk, GRACE),
        ["host_left", "disconnected"],
        "no socket of the host or of player 1 was reported"
    );
}

#[test]
fn a_new_owner_reports_no_departure_of_an_absent_participant() {
    let away = vec![event(Change::HostLeft), event(Change::Disconnected { player: player(1), device: Device::FIRST })];
    let mut desk = running(away);
    assert_eq!(stored_at(&mut desk, GRACE * 2), [""; 0]);
}

#[test]
fn a_dead_edge_takes_its_host_along() {
    let mut desk = running(Vec::new());
    desk.attach(1, Participant::Host);
    desk.attach(2, as_player(1));
    desk.step(OwnerInput::EdgeGone(EDGE));
    assert_eq!(stored_at(&mut desk, HOST_GRACE), ["host_left"]);
    assert_eq!(stored_at(&mut desk, GRACE), ["disconnected"]);
}

#[test]
fn no_presence_is_stored_once_the_game_is_over() {
    let over = [Change::RoundEnded, Change::ScoresReleased { held: false }, Change::Ended].map(event);
    let mut desk = running(over.into());
    desk.attach(1, as_player(1));
    desk.attach(2, Participant::Host);
    detach(&mut desk, 1, as_player(1), true);
    detach(&mut desk, 2, Participant::Host, true);
    assert_eq!(stored_at(&mut desk, GRACE * 2), [""; 0]);
}

fn ask_to_join(desk: &mut Desk, number: u64) {
    let (request, command) = (RequestId(number), join(number));
    desk.frame(ToOwner::Request { request, actor: Actor::Service, command });
}

/// A player who joins and never connects stays in the lobby's list, and is not waited for once the game runs.
#[test]
fn a_player_who_never_connected_counts_as_away_once_the_game_runs() {
    let mut desk = Desk::after(vec![created()]);
    let session = desk.attach(1, Participant::Host);
    ask_to_join(&mut desk, 1);
    ask_to_join(&mut desk, 2);
    desk.attach(2, as_player(2));
    assert_eq!(stored(&mut desk), ["host_returned", "joined", "joined"]);
    assert_eq!(stored_at(&mut desk, GRACE * 2), [""; 0], "a player who never connected does not leave the lobby");
    let (connection, command_id) = (ConnectionId(1), CommandId { session, number: 1 });
    let command = Command::StartGame;
    desk.frame(ToOwner::Command {
        connection,
        participant: Participant::Host,
        command_id,
        seen: None,
        epoch: None,
        command,
    });
    assert_eq!(stored(&mut desk), ["started"]);
    assert_eq!(stored_at(&mut desk, GRACE * 2 + NEARLY), [""; 0]);
    assert_eq!(stored_at(&mut desk, GRACE * 3), ["disconnected"], "only player 1");
    ask_to_join(&mut desk, 3);
    ask_to_join(&mut desk, 4);
    desk.attach(4, as_player(4));
    assert_eq!(stored(&mut desk), ["joined", "joined"]);
    assert_eq!(stored_at(&mut desk, GRACE * 4), ["disconnected"], "player 3 joined late and never connected");
}

/// The bus may lose the first frame of a socket, and the socket may be closed before it is repeated.
#[test]
fn a_detachment_of_an_unknown_socket_begins_the_grace_period() {
    let mut desk = Desk::after(vec![created()]);
    ask_to_join(&mut desk, 1);
    assert_eq!(stored(&mut desk), ["joined"]);
    detach(&mut desk, 1, as_player(1), true);
    assert_eq!(stored_at(&mut desk, GRACE), ["left"]);
    detach(&mut desk, 1, as_player(1), true);
    assert_eq!(stored_at(&mut desk, GRACE * 3), [""; 0], "repeating it changes nothing");
}

/// Numbers that follow from a seed, so that a walk can be repeated.
struct Steps(u64);

impl Steps {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// A random walk over everything that sockets, edges and owners can do, in any order in which a bus may deliver it.
struct Walk {
    desk: Desk,
    log: Vec<Event>,
    steps: Steps,
    next: u64,
    /// The open socket of each participant, with its edge.
    open: Vec<(Participant, Option<(EdgeId, u64)>)>,
    said: Vec<(EdgeId, ToOwner)>,
}

impl Walk {
    fn begin(seed: u64) -> Self {
        let mut log = vec![created(), joined(1), joined(2), joined(3)];
        let mut steps = Steps(seed);
        let open = [Participant::Host, as_player(1), as_player(2), as_player(3)].map(|who| (who, None)).into();
        log.extend((steps.below(3) > 0).then(|| event(Change::Started)));
        Self { desk: Desk::after(log.clone()), log, steps, next: 0, open, said: Vec::new() }
    }

    fn say(&mut self, edge: EdgeId, frame: ToOwner) {
        self.said.push((edge, frame.clone()));
        self.desk.step(OwnerInput::FromEdge(edge, frame)).taken();
    }

    fn hang_up(&mut self, at: usize, clean: bool) {
        if let (participant, Some((edge, connection))) = self.open[at] {
            self.open[at].1 = None;
            self.say(edge, ToOwner::Detach { connection: ConnectionId(connection), participant, clean });
        }
    }

    fn connect(&mut self, at: usize) {
        let edge = EdgeId(1 + self.steps.below(2));
        // An edge closes an older socket on itself; one at another edge is closed by the owner.
        if self.open[at].1.is_some_and(|(of, _)| of == edge) {
            self.hang_up(at, false);
        }
        self.next += 1;
        let (participant, connection) = (self.open[at].0, ConnectionId(self.next));
        self.open[at].1 = Some((edge, self.next));
        self.say(edge, ToOwner::Attach(Attaching { connection, participant, prior: None, moves: 0 }));
    }

    fn edge_dies(&mut self) {
        let edge = EdgeId(1 + self.steps.below(2));
        for (_, socket) in &mut self.open {
            *socket = socket.filter(|(of, _)| *of != edge);
        }
        self.said.retain(|(of, _)| *of != edge);
        self.desk.step(OwnerInput::EdgeGone(edge)).taken();
    }

    /// Starts a new owner, to which every edge reports its sockets.
    fn owner_dies(&mut self) {
        self.desk = Desk::after(self.log.clone());
        self.said.clear();
        for (participant, socket) in self.open.clone() {
            if let Some((edge, connection)) = socket {
                self.say(
                    edge,
                    ToOwner::Attach(Attaching {
                        connection: ConnectionId(connection),
                        participant,
                        prior: None,
                        moves: 0,
                    }),
                );
            }
        }
    }

    fn step(&mut self) {
        let at = usize::try_from(self.steps.below(4)).unwrap();
        match self.steps.below(20) {
            0..6 => self.connect(at),
            6..9 => self.hang_up(at, true),
            9..12 => self.hang_up(at, false),
            12 => self.edge_dies(),
            13 => self.owner_dies(),
            // A frame may arrive twice. The owner knows the latest socket of each participant; no frame of an older one is under way.
            14..16 if !self.said.is_empty() => {
                let back = usize::try_from(self.steps.below(4)).unwrap().min(self.said.len() - 1);
                let (edge, frame) = self.said[self.said.len() - 1 - back].clone();
                self.desk.step(OwnerInput::FromEdge(edge, frame)).taken();
            }
            _ => {
                self.desk.now += Duration::from_millis(self.steps.below(7_000));
                self.desk.step(OwnerInput::Tick).taken();
            }
        }
        self.store();
    }

    fn store(&mut self) {
        if let Some(append) = self.desk.settle() {
            self.log.extend(append.events.iter().cloned());
        }
    }

    fn rest(&mut self) {
        self.desk.now += GRACE * 2;
        self.desk.step(OwnerInput::Tick).taken();
        self.store();
    }
}

/// After any sequence of steps, exactly the participants with a socket count as connected, and every stored event changes the state.
#[test]
fn after_any_walk_those_are_here_who_have_a_socket() {
    for seed in 0..500 {
        let mut walk = Walk::begin(seed);
        for _ in 0..60 {
            walk.step();
        }
        walk.rest();
        let state = State::replay(&walk.log).unwrap();
        for (who, socket) in &walk.open {
            let here = match who {
                Participant::Host | Participant::CoHost(_) => state.is_host_present(),
                Participant::Player(player) | Participant::Device(player, _) => {
                    state.player(*player).unwrap().connected
                }
            };
            assert_eq!(here, socket.is_some(), "{who:?} in seed {seed}");
        }
        let mut before = State::replay(&walk.log[..1]).unwrap();
        for event in &walk.log[1..] {
            let mut after = before.clone();
            after.apply(event);
            assert!(after != before, "{} changes nothing in seed {seed}", event.change.kind());
            before = after;
        }
        let stored = walk.log.len();
        walk.rest();
        assert_eq!(walk.log.len(), stored, "at rest nothing is written, seed {seed}");
    }
}
