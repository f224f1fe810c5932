//! Random games, each played twice: with additional extension messages and without them. Plain sockets must not see a difference.

use std::time::Duration;

use quizhall_engine::wire::Recipient;
use quizhall_engine::{EdgeEffect, EdgeInput, FrameKind, Participant, ToEdge};
use quizhall_rules::{Change, Device, Event, Phase};

use super::marked;
use crate::rim::Rim;
use crate::stage::{answered, as_player, event, joined, lobby, player, question};

const STEPS: u64 = 80;
const PLAYERS: u64 = 6;

/// Random numbers derived from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The steps that both games share.
enum Step {
    Commit(Vec<Event>),
    /// A plain socket connects and replaces an older one of the same participant.
    Open(Participant),
    Pass,
}

fn step_of(dice: &mut Dice, (phase, held): (&mut Phase, bool), next: &mut u64) -> Step {
    let who = 1 + dice.below(PLAYERS);
    let turn = |to: Phase, change: Change, phase: &mut Phase| {
        *phase = to;
        Step::Commit(vec![event(change)])
    };
    match (dice.below(12), *phase) {
        (0, _) => Step::Open(Participant::Host),
        (1 | 2, _) => Step::Open(as_player(who)),
        (3, Phase::Lobby) => Step::Commit(vec![event(Change::Left { player: player(who), device: Device::FIRST })]),
        (4, Phase::Lobby) => Step::Commit(vec![event(Change::Returned { player: player(who), device: Device::FIRST })]),
        (5, Phase::Lobby | Phase::Question) => {
            *next += 1;
            Step::Commit(vec![joined(*next)])
        }
        (6, Phase::Lobby) => turn(Phase::Question, Change::Started, phase),
        (3, Phase::Question) => Step::Commit(vec![event(Change::QuestionReleased { question: question(1) })]),
        (4 | 6 | 7, Phase::Question) => Step::Commit(vec![answered(who, 1, "same"), answered(1, 1, "other")]),
        (8, Phase::Question) => turn(Phase::RoundReview, Change::RoundEnded, phase),
        (8, Phase::RoundReview) => turn(Phase::Leaderboard, Change::ScoresReleased { held }, phase),
        (8, Phase::Leaderboard) => turn(Phase::Ended, Change::Ended, phase),
        _ => Step::Pass,
    }
}

/// Adds events and sockets of the extension. Its changes to marks are undone again.
fn meddle(rim: &mut Rim, dice: &mut Dice, host_is_plain: bool) {
    let phase = rim.edge.state().unwrap().phase();
    let who = 1 + dice.below(PLAYERS);
    // Players 4 to 6 have the extension in this game. The host has it too, unless the host's messages are compared.
    let other = 4 + dice.below(3);
    let changes = match dice.below(10) {
        0 => vec![Change::HostReturned],
        1 => vec![Change::HostLeft],
        2 if phase != Phase::Lobby => vec![Change::Disconnected { player: player(who), device: Device::FIRST }],
        3 if phase != Phase::Lobby => vec![Change::Connected { player: player(who), device: Device::FIRST }],
        7 if rim.edge.state().unwrap().are_standings_held() => vec![Change::ScoresReleased { held: false }],
        4 if phase == Phase::RoundReview => vec![marked(true), Change::MarkingUndone { of: None }],
        5 => {
            rim.attach_kept(10_000 + dice.below(1 << 20) * 8 + other, as_player(other));
            Vec::new()
        }
        6 if !host_is_plain => {
            rim.attach_kept(5_000_000_000 + dice.below(1 << 20), Participant::Host);
            Vec::new()
        }
        _ => Vec::new(),
    };
    if !changes.is_empty() {
        rim.commit(changes.into_iter().map(event).collect());
    }
}

impl Rim {
    /// Attaches a socket with the extension and keeps the messages received.
    fn attach_kept(&mut self, connection: u64, participant: Participant) -> &mut Self {
        let mut kept = self.taken();
        kept.extend(self.attach_v1(connection, participant));
        self.out.splice(0..0, kept);
        self
    }
}

/// The messages of one step to the plain sockets of players 1 to 3, and to the host's socket if it is plain, in the
/// order of each socket.
fn received_plainly(rim: &mut Rim, plain: &[u64]) -> Vec<(u64, Vec<u8>, FrameKind)> {
    let mut received = Vec::new();
    for effect in rim.taken() {
        match effect {
            EdgeEffect::Send(to, bytes, kind) if plain.contains(&to.0) => received.push((to.0, bytes.to_vec(), kind)),
            EdgeEffect::Broadcast(message, kind) => {
                let bytes = message.of(Recipient::Plain).map(|bytes| bytes.to_vec());
                received
                    .extend(bytes.into_iter().flat_map(|bytes| plain.iter().map(move |to| (*to, bytes.clone(), kind))));
            }
            EdgeEffect::SendScores(part, players) => {
                let scores =
                    |to, player| rim.edge.scores(to, player, part).map(|bytes| bytes.to_vec()).unwrap_or_default();
                let of_plain = players.into_iter().filter(|(to, _)| plain.contains(&to.0));
                received.extend(of_plain.map(|(to, player)| (to.0, scores(to, player), FrameKind::Queued)));
            }
            _ => {}
        }
    }
    received.sort_by_key(|(to, ..)| *to);
    received
}

fn play(seed: u64, extension: bool, host_is_plain: bool) -> Vec<Vec<(u64, Vec<u8>, FrameKind)>> {
    let (mut script, mut chance) = (Dice(seed), Dice(seed ^ 0xA5A5));
    let (mut phase, mut next, mut plain) = (Phase::Lobby, PLAYERS, Vec::<(u64, Participant)>::new());
    let mut rim = Rim::at(lobby(PLAYERS));
    let mut all = Vec::new();
    for number in 1..=STEPS {
        rim.now += Duration::from_millis(50);
        let seq = rim.seq;
        rim.say(ToEdge::Heartbeat { seq }).step(EdgeInput::Tick);
        // Content that is held back from players with the extension is not held back from any other player.
        let step = step_of(&mut script, (&mut phase, extension), &mut next);
        if extension {
            meddle(&mut rim, &mut chance, host_is_plain);
        }
        match step {
            Step::Commit(events) => {
                rim.commit(events);
            }
            Step::Open(Participant::Host) if !host_is_plain => {}
            Step::Open(who) if ![4, 5, 6].map(as_player).contains(&who) => {
                plain.retain(|(_, other)| *other != who);
                plain.push((number, who));
                let mut kept = rim.taken();
                kept.extend(rim.attach(number, who));
                rim.out.splice(0..0, kept);
            }
            Step::Open(_) | Step::Pass => {}
        }
        if extension {
            meddle(&mut rim, &mut chance, host_is_plain);
        }
        let open: Vec<u64> = plain.iter().map(|(connection, _)| *connection).collect();
        all.push(received_plainly(&mut rim, &open));
    }
    all
}

#[test]
fn plain_sockets_receive_the_same_to_the_byte() {
    let mut received = 0;
    for seed in 0..300 {
        for host_is_plain in [true, false] {
            let without = play(seed, false, host_is_plain);
            let with = play(seed, true, host_is_plain);
            received += without.iter().map(Vec::len).sum::<usize>();
            for (number, (without, with)) in without.iter().zip(&with).enumerate() {
                assert_eq!(with, without, "seed {seed}, step {number}, plain host: {host_is_plain}");
            }
        }
    }
    assert!(received > 10_000, "games without a message prove nothing: {received}");
}
