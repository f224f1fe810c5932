//! The formulas of docs/scale.md (`paper`) against what the engine does, on sizes that take a moment.

use crate::big_game::{BigGame, Came, SECOND};
use crate::costs::{self, BIG_GAME, SMALL_GAMES};
use crate::many_games::{ManyGames, ROUND};
use crate::{paper, report};

fn big_game(players: u64, nodes: usize, within: u64) -> Came {
    BigGame { players, nodes, within, mirrored: false }.play(BIG_GAME)
}

/// Whether a number is within `percent` percent of another.
fn is_near(number: u64, other: u64, percent: u64) -> bool {
    number.abs_diff(other) * 100 <= other * percent
}

/// Nanoseconds of the owner's task while the answers were taken.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a time"
)]
fn owner_ns(came: &Came) -> u64 {
    (came.busy.owner * came.answered.expect("all players are answered") as f64) as u64
}

#[test]
fn every_node_more_takes_its_share_of_a_broadcast() {
    let [one, two, four] = [1, 2, 4].map(|nodes| big_game(8_192, nodes, SECOND).question);
    assert!(is_near(one - two, 2 * (two - four), 10), "{one} {two} {four}");
    // Half of a node's cores write to its sockets.
    let written = 8_192 * BIG_GAME.broadcast / BIG_GAME.writers() as u64;
    assert!(is_near(one, written + BIG_GAME.commit, 5), "{one}");
}

#[test]
fn answers_cause_the_messages_and_bytes_that_the_page_says() {
    let (players, nodes) = (4_000, 4);
    // Within half a second no command is old enough to be sent again.
    let came = big_game(players, nodes, SECOND / 4);
    let meters = &came.meters;
    let remote = players * 3 / 4;
    assert_eq!(
        (meters.commands, meters.done, meters.lost, meters.closed),
        (remote, 0, 0, 0),
        "the event is the answer"
    );
    assert_eq!((meters.acknowledged, meters.events), (players, players));
    let answers = meters.commands + meters.committed;
    assert_eq!(answers, paper::messages(remote, meters.rows, nodes as u64));
    let expected = paper::committed_bytes(meters.body_bytes, meters.rows, nodes as u64);
    assert!(is_near(meters.bytes_committed, expected, 3), "{} {expected}", meters.bytes_committed);
    for (bytes, number, each) in
        [(meters.body_bytes, meters.events, paper::EVENT), (meters.bytes_up, meters.commands, paper::COMMAND)]
    {
        assert!(is_near(bytes / number, each, 5), "{} {each}", bytes / number);
    }
}

#[test]
fn an_owner_decides_so_many_answers_a_second_and_more_nodes_do_not_help() {
    let play = |nodes| BigGame { players: 24_000, nodes, within: SECOND / 1_000, mirrored: true }.play(BIG_GAME);
    let (twelve, many) = (play(12), play(24));
    for came in [&twelve, &many] {
        let nodes = came.big_game.nodes as u64;
        let decided = owner_ns(came) / came.meters.events;
        assert!(is_near(decided, paper::owner_ns(&BIG_GAME, nodes), 5), "{decided}");
        assert!(came.busy.owner > 0.7, "{:?}", came.busy);
        assert_eq!(came.busy.fullest().0, "owner's task");
    }
    let [twelve, many] = [twelve, many].map(|came| came.answered.expect("all players are answered"));
    assert!(is_near(twelve, many, 15), "{twelve} {many}");
}

/// An edge retransmits commands that have no answer for half a second and more: behind a full owner that is more work.
#[test]
fn behind_a_full_owner_commands_are_retransmitted() {
    let slow = costs::Costs { decide: 20 * BIG_GAME.decide, ..BIG_GAME };
    let came = BigGame { players: 12_000, nodes: 3, within: SECOND / 1_000, mirrored: false }.play(slow);
    assert!(came.meters.commands > 8_000, "{}", came.meters.commands);
    assert_eq!((came.meters.events, came.meters.acknowledged), (12_000, 12_000), "and nothing is counted twice");
}

#[test]
fn mirrors_cost_as_much_as_real_nodes() {
    let play = |mirrored| BigGame { players: 10_000, nodes: 5, within: SECOND / 4, mirrored }.play(BIG_GAME);
    let (real, mirrored) = (play(false), play(true));
    let figures = |came: &Came| {
        let meters = came.meters;
        [
            meters.commands,
            meters.done,
            meters.committed,
            meters.events,
            meters.redis_in,
            came.question,
            came.scores.expect("they come"),
        ]
    };
    for (one, other) in figures(&real).into_iter().zip(figures(&mirrored)) {
        assert!(is_near(one, other, 10), "{:?} {:?}", figures(&real), figures(&mirrored));
    }
    let [real, mirrored] = [real, mirrored].map(|came| came.answered.expect("all players are answered"));
    assert!(is_near(real, mirrored, 5), "{real} {mirrored}");
}

#[test]
fn games_in_one_place_need_no_bus_and_spread_ones_mostly_that() {
    let play = |spread| ManyGames { games: 40, players: 30, nodes: 8, spread }.play(SMALL_GAMES);
    let (together, spread) = (play(false), play(true));
    assert_eq!((together.meters.messages(), together.meters.redis_adds), (0, 0));
    for pace in [&together, &spread] {
        assert!(is_near(pace.meters.acknowledged, 40 * 30, 1), "all players answer once in a round");
        assert!(is_near(pace.meters.events, 40 * 31, 1), "{}", pace.meters.events);
        assert!(is_near(pace.meters.rows, pace.meters.events, 2), "people do not answer in one moment");
    }
    assert!((spread.edges - paper::nodes_of_a_game(8, 31)).abs() < 0.2, "{}", spread.edges);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
    let others = ((spread.edges - 1.0) * 40.0).round() as u64;
    assert!(is_near(spread.meters.heartbeats, others * ROUND / SECOND, 4), "{}", spread.meters.heartbeats);
    assert!(is_near(spread.meters.committed, spread.meters.rows * others / 40, 2), "{}", spread.meters.committed);
    let bytes = spread.meters.bytes_other / spread.meters.heartbeats;
    assert!(is_near(bytes, paper::HEARTBEAT, 5), "{bytes}");
    assert!(spread.nodes_ns > 5 * together.nodes_ns, "{} {}", spread.nodes_ns, together.nodes_ns);
}

#[test]
fn the_tables_have_a_line_for_each_size_and_only_numbers() {
    let small = report::tables(&report::SMALL);
    assert!(small.lines().count() > 10 && !small.contains("NaN"), "{small}");
}
