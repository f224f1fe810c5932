//! Unit tests of `games::placement`.

#![allow(clippy::unwrap_used)]

use super::*;
use uuid::Uuid;

const ME: EdgeId = EdgeId(1);
const NOW: Time = Time::from_secs(100);

fn node(id: u64, zone: &str, busy: u32, games: u32) -> PlacedNode {
    PlacedNode { node: EdgeId(id), zone: zone.to_owned(), fit: true, busy: Some(busy), games }
}

fn placement(nodes: &[PlacedNode]) -> Placement {
    let placement = Placement::default();
    placement.set(nodes.to_vec());
    placement
}

fn better_of(nodes: &[PlacedNode]) -> Option<u64> {
    placement(nodes).better(NOW, ME, true).map(|node| node.0)
}

fn heir_of(nodes: &[PlacedNode], sockets: &[(u64, usize)]) -> Option<u64> {
    let sockets: Vec<_> = sockets.iter().map(|(edge, count)| (EdgeId(*edge), *count)).collect();
    placement(nodes).heir(NOW, ME, game(1), &sockets).map(|node| node.0)
}

fn game(number: u128) -> GameId {
    GameId::from(Uuid::from_u128(number))
}

#[test]
fn a_game_stays_where_it_is_asked_for_unless_another_node_is_clearly_less_busy() {
    assert_eq!(better_of(&[node(1, "", 700, 5), node(2, "", 201, 5)]), None, "less than half a core");
    assert_eq!(better_of(&[node(1, "", 700, 5), node(2, "", 200, 5)]), Some(2));
    assert_eq!(better_of(&[node(1, "", 200, 5), node(2, "", 9_000, 0)]), None, "with fewer games, but busier");
    assert_eq!(
        better_of(&[node(1, "", 4_000, 5), node(2, "", 900, 9), node(3, "", 1_100, 4)]),
        Some(3),
        "as busy, fewer games"
    );
    assert_eq!(better_of(&[node(1, "", 4_000, 5)]), None);
    assert_eq!(better_of(&[node(2, "", 0, 0)]), None, "this node has just been removed from the list");
}

#[test]
fn a_new_node_is_given_games_until_it_has_its_share() {
    assert_eq!(better_of(&[node(1, "", 0, 39), node(2, "", 0, 20)]), None);
    assert_eq!(better_of(&[node(1, "", 0, 40), node(2, "", 0, 20)]), Some(2));
    assert_eq!(better_of(&[node(1, "", 0, 1_000), node(2, "", 0, 751)]), None, "a quarter of many games");
    assert_eq!(better_of(&[node(1, "", 0, 1_000), node(2, "", 0, 750)]), Some(2));
    // All are opened before the new node has reported one.
    let nodes = placement(&[node(1, "", 0, 100), node(2, "", 0, 100), node(3, "", 0, 0)]);
    let given = (0..200).filter(|_| nodes.better(NOW, ME, true) == Some(EdgeId(3))).count();
    assert_eq!(given, 76, "then it has as many as the others but for a quarter");
    assert_eq!(nodes.better(NOW + UNREPORTED, ME, true), Some(EdgeId(3)), "by now it would have reported them");
}

#[test]
fn a_node_that_cannot_take_a_game_is_not_given_one() {
    let busy = node(1, "", 4_000, 100);
    for other in [
        PlacedNode { fit: false, ..node(2, "", 0, 0) },
        PlacedNode { busy: None, ..node(2, "", 0, 0) },
        node(2, "elsewhere", 0, 0),
    ] {
        assert_eq!(better_of(&[busy.clone(), other.clone()]), None, "{other:?}");
    }
    let without_bus = PlacedNode { busy: None, ..busy.clone() };
    assert_eq!(better_of(&[without_bus, node(2, "", 0, 0)]), None, "this node does not reach the others");
    let nodes = placement(&[busy, node(2, "", 0, 0)]);
    assert_eq!(nodes.better(NOW, ME, false), None, "the settings say so");
}

#[test]
fn a_node_that_leaves_gives_every_game_away() {
    let leaves = |nodes: &[PlacedNode]| {
        let placement = placement(nodes);
        placement.set_leaving(true);
        [true, false].map(|by_load| placement.better(NOW, ME, by_load).map(|node| node.0))
    };
    let me = PlacedNode { fit: false, ..node(1, "a", 0, 0) };
    assert_eq!(leaves(&[me.clone(), node(2, "a", 9_000, 9), node(3, "b", 0, 0)]), [Some(2); 2], "its own zone first");
    assert_eq!(leaves(&[me.clone(), node(3, "b", 0, 0)]), [Some(3); 2]);
    assert_eq!(leaves(&[me.clone(), PlacedNode { fit: false, ..node(3, "b", 0, 0) }]), [None; 2], "no other node can");
    assert_eq!(leaves(&[me]), [None; 2]);
}

#[test]
fn a_released_game_goes_to_the_zone_of_most_sockets() {
    let nodes = [node(1, "a", 0, 0), node(2, "a", 0, 9), node(3, "b", 0, 5), node(4, "b", 0, 4), node(5, "", 0, 0)];
    assert_eq!(heir_of(&nodes, &[(1, 3), (2, 1), (3, 2), (4, 3)]), Some(4), "five in b");
    assert_eq!(heir_of(&nodes, &[(1, 6), (3, 2), (4, 3)]), Some(2), "six in a, and this node cannot be its own heir");
    assert_eq!(heir_of(&nodes, &[(5, 7), (3, 2), (4, 3)]), Some(5), "most have no zone: the fewest games");
    assert_eq!(heir_of(&nodes, &[]), Some(5));
    assert_eq!(heir_of(&[node(1, "a", 0, 0), node(3, "b", 0, 5)], &[(1, 6)]), Some(3), "no other node in a");
    assert_eq!(heir_of(&[node(1, "a", 0, 0)], &[(1, 6)]), None);
}

#[test]
fn released_games_are_spread() {
    let nodes = placement(&[node(1, "", 0, 300), node(2, "", 100, 0), node(3, "", 300, 10), node(4, "", 900, 0)]);
    let mut taken = [0; 5];
    for number in 0..300 {
        let heir = nodes.heir(NOW, ME, game(number), &[]).unwrap();
        taken[usize::try_from(heir.0).unwrap()] += 1;
    }
    assert_eq!(taken, [0, 0, 155, 145, 0], "so that both have 155; the fourth is busier");
}

#[test]
fn without_figures_of_one_node_games_are_spread_by_their_ids() {
    let old = PlacedNode { busy: None, ..node(3, "", 0, 0) };
    let nodes = placement(&[node(1, "", 0, 300), node(2, "", 0, 0), old]);
    let heirs: Vec<u64> =
        (0..300).filter_map(|number| nodes.heir(NOW, ME, game(number), &[])).map(|node| node.0).collect();
    let count = |node| heirs.iter().filter(|heir| **heir == node).count();
    assert_eq!(count(2) + count(3), 300);
    assert!(count(2) > 50 && count(3) > 50, "{} and {}", count(2), count(3));
}
