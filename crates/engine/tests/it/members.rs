//! Stories of the list of nodes: who is buried, whom nobody hears any more, and when a node is to begin anew.

use std::time::Duration;

use quizhall_engine::{EdgeId, Member, Members, MembersEffect, MembersInput, Time};

use MembersEffect::{Bury, Gone, LookAtLogs, Reborn, Strike};

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

    /// One that has renewed for more than a lease, with these in the list.
    fn steady(list: &[Member]) -> Self {
        let mut node = Self::new();
        while node.now <= LEASE {
            assert_eq!(node.renew(list), [], "nobody is silent");
        }
        node
    }

    /// The next renewal finds these, and itself.
    fn renew(&mut self, others: &[Member]) -> Vec<MembersEffect> {
        self.now += PACE;
        self.beat += 1;
        self.renewed(self.beat, others)
    }

    fn renewed(&mut self, beat: u64, others: &[Member]) -> Vec<MembersEffect> {
        let list = others.iter().copied().chain([at(ME, 0)]).collect();
        self.hear(MembersInput::Renewed { beat, list })
    }

    fn hear(&mut self, input: MembersInput) -> Vec<MembersEffect> {
        self.members.step(self.now, input)
    }
}

#[test]
fn nobody_is_buried_by_a_node_that_has_not_renewed_for_a_whole_lease() {
    let mut node = Node::new();
    for _ in 0..4 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)]);
    assert_eq!(node.now, LEASE);
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)], "until it is done");
}

#[test]
fn only_who_was_silent_for_a_lease_is_buried_and_never_oneself() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert_eq!(node.renew(&[at(A, 1_999), at(B, 2_000)]), [Bury(B)]);
    node.now += PACE;
    node.beat += 1;
    let list = vec![at(ME, 5_000), at(A, 0), at(B, 0)];
    assert_eq!(node.hear(MembersInput::Renewed { beat: node.beat, list }), []);
}

#[test]
fn one_that_cannot_reach_the_database_judges_nobody_until_it_has_renewed_for_a_lease_again() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.hear(MembersInput::Missed), []);
    for _ in 0..5 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)]);
}

#[test]
fn one_back_from_a_pause_judges_nobody_for_a_lease() {
    let mut node = Node::steady(&[at(A, 0)]);
    node.now += (LEASE / 2).saturating_sub(PACE);
    for _ in 0..5 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "everybody slept, perhaps: {:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)]);
    node.now += (LEASE / 2).saturating_sub(PACE + Duration::from_millis(1));
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)], "shorter than half a lease is no pause");
}

#[test]
fn who_is_not_in_the_list_any_more_is_gone_once_and_not_heard_again() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert!(
        node.members.hears(A) && !node.members.hears(EdgeId(99)),
        "who is not in the list is not heard, or not yet"
    );
    assert_eq!(node.renew(&[at(B, 0)]), [Gone(A)]);
    assert_eq!(node.renew(&[at(B, 0)]), []);
    assert!(!node.members.hears(A) && node.members.hears(B));
    assert_eq!(node.members.others().collect::<Vec<_>>(), [B]);
}

#[test]
fn who_was_buried_from_here_is_gone_once() {
    let mut node = Node::steady(&[at(A, 0), at(B, 0)]);
    assert_eq!(node.renew(&[at(A, 2_000), at(B, 0)]), [Bury(A)]);
    assert!(node.members.hears(A), "not before the database says so: it may have renewed meanwhile");
    assert_eq!(node.hear(MembersInput::Buried(A)), [Gone(A)]);
    assert!(!node.members.hears(A));
    assert_eq!(node.members.others().collect::<Vec<_>>(), [B]);
    assert_eq!(node.hear(MembersInput::Buried(A)), []);
    assert_eq!(node.renew(&[at(B, 0)]), [], "the list says the same");
}

/// The database was set back to when the dead one was in the list: it has to be struck off again, or what it owned stays its.
#[test]
fn a_dead_one_that_is_in_the_list_again_is_buried_again_and_gone_already() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.renew(&[]), [Gone(A)]);
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)]);
    assert!(!node.members.hears(A));
    assert_eq!(node.renew(&[at(A, 100)]), [Strike(A)], "it lives, and was not reborn in time");
    assert!(!node.members.hears(A) && node.members.others().next().is_none());
    assert_eq!(node.hear(MembersInput::Buried(A)), []);
    assert_eq!(node.renew(&[]), []);
}

#[test]
fn the_gone_are_remembered_in_order_and_not_without_end() {
    let mut node = Node::new();
    for number in 100..=1_124 {
        node.hear(MembersInput::Buried(EdgeId(number)));
    }
    let listed = |number: u64| vec![at(EdgeId(number), 0)];
    assert_eq!(node.renew(&listed(100)), [], "1,024 of them");
    assert_eq!(node.renew(&listed(1_124)), [Strike(EdgeId(1_124)), Gone(EdgeId(100))]);
}

#[test]
fn one_that_was_struck_off_begins_anew() {
    let mut node = Node::steady(&[at(A, 0)]);
    assert_eq!(node.hear(MembersInput::Struck), [Reborn]);
    assert_eq!(node.members.me(), ME);
}

#[test]
fn a_beat_that_does_not_grow_has_every_owner_look_at_its_log() {
    let mut node = Node::steady(&[at(A, 0)]);
    let beat = node.beat;
    assert_eq!(node.renewed(beat, &[at(A, 0)]), [LookAtLogs]);
    assert_eq!(node.renewed(beat - 3, &[at(A, 0)]), [LookAtLogs]);
    assert_eq!(node.renewed(beat - 2, &[at(A, 0)]), [], "it grows again, from where it was set back to");
}

/// What was forgotten with it are everybody's latest renewals.
#[test]
fn nobody_is_buried_for_a_lease_after_the_beat_was_set_back() {
    let mut node = Node::steady(&[at(A, 0)]);
    node.beat -= 3;
    assert_eq!(node.renew(&[at(A, 9_000)]), [LookAtLogs]);
    for _ in 0..4 {
        assert_eq!(node.renew(&[at(A, 9_000)]), [], "{:?}", node.now);
    }
    assert_eq!(node.renew(&[at(A, 9_000)]), [Bury(A)]);
}

#[test]
fn a_successor_is_another_node_that_lives_and_stays() {
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
        // Of equals, this node itself would be the last.
        assert_eq!(node.members.successor(|_| 0), successor, "{list:?}");
    }
}

#[test]
fn of_several_the_preferred_one_succeeds() {
    let mut node = Node::new();
    node.renew(&[at(A, 0), at(B, 0)]);
    for (preferred, sockets) in [(A, [9, 5, 3]), (B, [9, 3, 5])] {
        let rank = |id: EdgeId| sockets[usize::try_from(id.0).unwrap() - 1];
        assert_eq!(node.members.successor(rank), Some(preferred), "not this node, though it ranks highest");
    }
}
