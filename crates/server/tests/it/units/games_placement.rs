//! Which node suits a game best as its owner.

use std::time::Duration;

use quizhall::games::{PlacedNode, Placement};
use quizhall_engine::{EdgeId, Time};
use quizhall_rules::GameId;
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

fn game(number: u128) -> GameId {
    GameId::from(Uuid::from_u128(number))
}

#[test]
fn a_game_stays_where_it_is_asked_for_unless_another_node_is_clearly_less_busy() {
    let cases: [(&[_], _, _); 6] = [
        (&[node(1, "", 700, 5), node(2, "", 201, 5)], None, "less than half a core"),
        (&[node(1, "", 700, 5), node(2, "", 200, 5)], Some(2), "half a core"),
        (&[node(1, "", 200, 5), node(2, "", 9_000, 0)], None, "with fewer games, but busier"),
        (&[node(1, "", 4_000, 5), node(2, "", 900, 9), node(3, "", 1_100, 4)], Some(3), "as busy, fewer games"),
        (&[node(1, "", 4_000, 5)], None, "no other node"),
        (&[node(2, "", 0, 0)], None, "this node has just been removed from the list"),
    ];
    for (nodes, better, why) in cases {
        assert_eq!(better_of(nodes), better, "{why}");
    }
}

#[test]
fn a_new_node_is_given_games_until_it_has_its_share() {
    // The games of this node and of the other: twenty fewer, and a quarter of many.
    for (own, other, better) in [(39, 20, None), (40, 20, Some(2)), (1_000, 751, None), (1_000, 750, Some(2))] {
        assert_eq!(better_of(&[node(1, "", 0, own), node(2, "", 0, other)]), better, "{own} and {other}");
    }
    // All are opened before the new node has reported one.
    let nodes = placement(&[node(1, "", 0, 100), node(2, "", 0, 100), node(3, "", 0, 0)]);
    let given = (0..200).filter(|_| nodes.better(NOW, ME, true) == Some(EdgeId(3))).count();
    assert_eq!(given, 76, "then it has as many as the others but for a quarter");
    let reported = NOW + Duration::from_secs(2);
    assert_eq!(nodes.better(reported, ME, true), Some(EdgeId(3)), "by now it would have reported them");
}

#[test]
fn a_node_that_cannot_take_a_game_is_not_given_one() {
    let (busy, idle) = (node(1, "", 4_000, 100), node(2, "", 0, 0));
    for other in [
        PlacedNode { fit: false, ..idle.clone() },
        PlacedNode { busy: None, ..idle.clone() },
        node(2, "elsewhere", 0, 0),
    ] {
        assert_eq!(better_of(&[busy.clone(), other.clone()]), None, "{other:?}");
    }
    let without_bus = PlacedNode { busy: None, ..busy.clone() };
    assert_eq!(better_of(&[without_bus, idle.clone()]), None, "this node does not reach the others");
    assert_eq!(placement(&[busy, idle]).better(NOW, ME, false), None, "the settings say so");
}

#[test]
fn a_node_that_leaves_gives_every_game_away() {
    let me = PlacedNode { fit: false, ..node(1, "a", 0, 0) };
    let (near, far) = (node(2, "a", 9_000, 9), node(3, "b", 0, 0));
    let full = PlacedNode { fit: false, ..far.clone() };
    for (others, heir, why) in [
        (vec![near, far.clone()], Some(EdgeId(2)), "its own zone first"),
        (vec![far], Some(EdgeId(3)), "another zone"),
        (vec![full], None, "no other node can"),
        (vec![], None, "no other node"),
    ] {
        let nodes = placement(&[vec![me.clone()], others].concat());
        nodes.set_leaving(true);
        assert_eq!([true, false].map(|by_load| nodes.better(NOW, ME, by_load)), [heir; 2], "{why}");
    }
}

#[test]
fn a_released_game_goes_to_the_zone_of_most_sockets() {
    let all = [node(1, "a", 0, 0), node(2, "a", 0, 9), node(3, "b", 0, 5), node(4, "b", 0, 4), node(5, "", 0, 0)];
    let heir_of = |nodes: &[PlacedNode], sockets: &[(u64, usize)]| {
        let sockets: Vec<_> = sockets.iter().map(|(edge, count)| (EdgeId(*edge), *count)).collect();
        placement(nodes).heir(NOW, ME, game(1), &sockets).map(|node| node.0)
    };
    assert_eq!(heir_of(&all, &[(1, 3), (2, 1), (3, 2), (4, 3)]), Some(4), "five in b");
    assert_eq!(heir_of(&all, &[(1, 6), (3, 2), (4, 3)]), Some(2), "six in a, and this node cannot be its own heir");
    assert_eq!(heir_of(&all, &[(5, 7), (3, 2), (4, 3)]), Some(5), "most have no zone: the fewest games");
    assert_eq!(heir_of(&all, &[]), Some(5));
    assert_eq!(heir_of(&[node(1, "a", 0, 0), node(3, "b", 0, 5)], &[(1, 6)]), Some(3), "no other node in a");
    assert_eq!(heir_of(&[node(1, "a", 0, 0)], &[(1, 6)]), None);
}

/// How many of 300 released games each of these nodes is given.
fn heirs<const NODES: usize>(nodes: [PlacedNode; NODES]) -> [usize; NODES] {
    let placement = placement(&nodes);
    let heirs: Vec<_> = (0..300).filter_map(|number| placement.heir(NOW, ME, game(number), &[])).collect();
    nodes.map(|node| heirs.iter().filter(|heir| **heir == node.node).count())
}

#[test]
fn released_games_are_spread() {
    let taken = heirs([node(1, "", 0, 300), node(2, "", 100, 0), node(3, "", 300, 10), node(4, "", 900, 0)]);
    assert_eq!(taken, [0, 155, 145, 0], "so that both have 155; the fourth is busier");
    let without_figures = PlacedNode { busy: None, ..node(3, "", 0, 0) };
    let [own, one, other] = heirs([node(1, "", 0, 300), node(2, "", 0, 0), without_figures]);
    assert!(own == 0 && one + other == 300 && one > 50 && other > 50, "by their ids: {one} and {other}");
}
