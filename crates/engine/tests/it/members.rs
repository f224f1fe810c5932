//! The list of nodes: which nodes are evicted, whose frames are rejected, and when a node must rejoin.

use std::time::Duration;

use quizhall_engine::{EdgeId, Liveness, Member, Members, MembersEffect, MembersInput, Time};

use MembersEffect::{Evict, EvictAtOnce, Gone, LookAtLogs, Rejoin};

const ME: EdgeId = EdgeId(1);
const A: EdgeId = EdgeId(2);
const B: EdgeId = EdgeId(3);
const LEASE: Duration = Duration::from_secs(2);
/// How often a node renews.
const PACE: Duration = Duration::from_millis(400);

fn at(id: EdgeId, age_ms: u64) -> Member {
    Member { id, age: Duration::from_millis(age_ms), draining: false }
}

/// A node that renews.
struct Node {
    members: Members,
    now: Time,
    beat: u64,
}

impl Node {
    fn new() -> Self {
        Self { members: Members::new(Time::ZERO, ME, LEASE), now: Time::ZERO, beat: 0 }
    }

    /// A node that has renewed for more than a lease, with these in the list.
    fn steady(list: &[Member]) -> Self {
        let mut node = Self::new();
        while node.now <= LEASE {
            assert_eq!(node.renew(list), [], "no node is silent");
        }
        node
    }

    /// The next renewal returns these members, and the node itself.
    fn renew(&mut self, others: &[Member]) -> Vec<MembersEffect> {
        self.now += PACE;
        self.beat += 1;
        self.renewed(self.beat, others)
    }

    fn renewed(&mut self, beat: u64, others: &[Member]) -> Vec<MembersEffect> {
        let list = others.iter().copied().chain([at(ME, 0)]).collect();
        self.step(MembersInput::Renewed { beat, list })
    }

    fn step(&mut self, input: MembersInput) -> Vec<MembersEffect> {
        self.members.step(self.now, input)
    }
}

#[test]
fn a_node_evicts_others_only_after_a_lease_of_renewals() {
    let mut node = Node::new();
    for _ in 0..4 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)]);
    assert_eq!(node.now, LEASE);
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)], "until it is done");
}

#[test]
fn only_nodes_silent_for_a_lease_are_evicted_and_never_the_node_itself() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert_eq!(node.renew(&[at(A, 1_999), at(B, 2_000)]), [Evict(B)]);
    node.now += PACE;
    node.beat += 1;
    let list = vec![at(ME, 5_000), at(A, 0), at(B, 0)];
    assert_eq!(node.step(MembersInput::Renewed { beat: node.beat, list }), []);
}

#[test]
fn after_a_missed_renewal_a_node_evicts_others_only_after_a_lease() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.step(MembersInput::Missed), []);
    for _ in 0..5 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)]);
}

#[test]
fn after_a_pause_a_node_evicts_others_only_after_a_lease() {
    let mut node = Node::steady(&[at(A, 0)]);
    node.now += (LEASE / 2).saturating_sub(PACE);
    for _ in 0..5 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "perhaps all nodes slept: {:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)]);
    node.now += (LEASE / 2).saturating_sub(PACE + Duration::from_millis(1));
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)], "shorter than half a lease is no pause");
}

#[test]
fn a_node_missing_from_the_list_is_reported_once_and_its_frames_are_rejected() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert!(
        node.members.accepts_from(A) && !node.members.accepts_from(EdgeId(99)),
        "frames of a node outside the list are not accepted, or not yet"
    );
    assert_eq!(node.renew(&[at(B, 0)]), [Gone(A)]);
    assert_eq!(node.renew(&[at(B, 0)]), []);
    assert!(!node.members.accepts_from(A) && node.members.accepts_from(B));
    assert_eq!(node.members.others().collect::<Vec<_>>(), [B]);
}

#[test]
fn a_node_evicted_by_this_one_is_reported_once() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert_eq!(node.renew(&[at(A, 2_000), at(B, 0)]), [Evict(A)]);
    assert!(node.members.accepts_from(A), "not before the database confirms it: the node may have renewed meanwhile");
    assert_eq!(node.step(MembersInput::Evicted(A)), [Gone(A)]);
    assert!(!node.members.accepts_from(A));
    assert_eq!(node.members.others().collect::<Vec<_>>(), [B]);
    assert_eq!(node.step(MembersInput::Evicted(A)), []);
    assert_eq!(node.renew(&[at(B, 0)]), [], "the list agrees");
}

/// The database was set back to a time when the dead node was in the list: it must be evicted again, or it would keep its games.
#[test]
fn a_removed_node_that_reappears_is_evicted_at_once_and_not_reported_again() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.renew(&[]), [Gone(A)]);
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)]);
    assert!(!node.members.accepts_from(A));
    assert_eq!(node.renew(&[at(A, 100)]), [EvictAtOnce(A)], "the node is alive, and did not rejoin in time");
    assert!(!node.members.accepts_from(A) && node.members.others().next().is_none());
    assert_eq!(node.step(MembersInput::Evicted(A)), []);
    assert_eq!(node.renew(&[]), []);
}

#[test]
fn removed_nodes_are_remembered_up_to_a_bound() {
    let mut node = Node::new();
    for number in 100..=1_124 {
        node.step(MembersInput::Evicted(EdgeId(number)));
    }
    let listed = |number: u64| vec![at(EdgeId(number), 0)];
    assert_eq!(node.renew(&listed(100)), [], "1,024 are remembered");
    assert_eq!(node.renew(&listed(1_124)), [EvictAtOnce(EdgeId(1_124)), Gone(EdgeId(100))]);
}

#[test]
fn a_node_that_was_removed_rejoins_under_another_id() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.step(MembersInput::Expired), [Rejoin]);
    assert_eq!(node.members.me(), ME);
}

#[test]
fn a_beat_that_does_not_grow_makes_every_owner_compare_its_log() {
    let mut node = Node::steady(&[at(A, 0)]);
    let beat = node.beat;
    assert_eq!(node.renewed(beat, &[at(A, 0)]), [LookAtLogs]);
    assert_eq!(node.renewed(beat - 3, &[at(A, 0)]), [LookAtLogs]);
    assert_eq!(node.renewed(beat - 2, &[at(A, 0)]), [], "it grows again, from the earlier value");
}

/// The latest renewals of all nodes were forgotten together with the beat.
#[test]
fn no_node_is_evicted_for_a_lease_after_the_beat_was_set_back() {
    let mut node = Node::steady(&[at(A, 0)]);
    node.beat -= 3;
    assert_eq!(node.renew(&[at(A, 9_000)]), [LookAtLogs]);
    for _ in 0..4 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Evict(A)]);
}

#[test]
fn a_successor_is_another_node_that_is_alive_and_not_draining() {
    let draining = |id| Member { draining: true, ..at(id, 0) };
    for (list, successor) in [
        (vec![], None),
        (vec![at(A, 1_999)], Some(A)),
        (vec![at(A, 2_000)], None),
        (vec![draining(A)], None),
        (vec![draining(A), at(B, 0)], Some(B)),
        (vec![at(A, 2_000), at(B, 0)], Some(B)),
    ] {
        let mut node = Node::new();
        node.renew(&list);
        // Among equals, this node itself would be the last.
        assert_eq!(node.members.successor(|_| 0), successor, "{list:?}");
    }
}

#[test]
fn the_preferred_successor_is_chosen() {
    let mut node = Node::new();
    node.renew(&[at(A, 0), at(B, 0)]);
    for (preferred, sockets) in [(A, [9, 5, 3]), (B, [9, 3, 5])] {
        let rank = |id: EdgeId| sockets[usize::try_from(id.0).unwrap() - 1];
        assert_eq!(node.members.successor(rank), Some(preferred), "not this node, though it ranks highest");
    }
}

#[test]
fn a_node_renews_again_when_the_lease_of_a_silent_one_ends() {
    let mut node = Node::steady(&[at(A, 0), at(B, 300)]);
    assert_eq!(node.members.pause(), PACE, "both are on time");
    node.renew(&[at(A, 1_700), at(B, 100)]);
    assert_eq!(node.members.pause(), Duration::from_millis(301));
    node.now += Duration::from_millis(301);
    node.beat += 1;
    assert_eq!(node.renewed(node.beat, &[at(A, 2_001), at(B, 1)]), [Evict(A)]);
    assert_eq!(node.members.pause(), PACE, "the database decides whether the lease is over");
    node.renew(&[at(A, 2_000), at(B, 100)]);
    assert!(node.members.pause() > Duration::ZERO, "no renewal follows at once");
}

#[test]
fn a_replica_is_old_before_a_lease_is_over() {
    for millis in (1_000..=60_000).step_by(50) {
        let lease = Duration::from_millis(millis);
        assert!(Liveness::of_lease(lease).fits(lease), "{lease:?}");
    }
    assert!(!Liveness::ALONE.fits(Duration::from_secs(2)), "what every node had once");
    assert_eq!(Liveness::of_lease(Duration::from_secs(60)), Liveness::ALONE);
}
