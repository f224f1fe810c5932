//! The formulas of docs/scale.md, for the tests to compare with what the simulation counts.

use super::costs::Costs;

/// JSON around the events of a row when it travels: names, game, node, epoch, number.
pub const COMMITTED_FRAME: u64 = 150;
/// Bytes of one answer: as an event of a row, as a command to the owner.
pub const EVENT: u64 = 148;
pub const COMMAND: u64 = 308;
/// A heartbeat of an owner, each second, to every node with sockets of the game.
pub const HEARTBEAT: u64 = 126;

/// Messages that answers cause: one there for each socket on another node than the owner's, and every row to each of the
/// other nodes.
pub fn messages(remote_answers: u64, rows: u64, nodes: u64) -> u64 {
    remote_answers + rows * (nodes - 1)
}

/// Bytes of the rows on the bus.
pub fn committed_bytes(body_bytes: u64, rows: u64, nodes: u64) -> u64 {
    (body_bytes + rows * COMMITTED_FRAME) * (nodes - 1)
}

/// Nanoseconds of the owner's one task for an answer, in a game over this many nodes.
pub fn owner_ns(costs: &Costs, nodes: u64) -> u64 {
    let row = EVENT * costs.row_byte_ps / 1_000;
    let committed = if nodes > 1 { EVENT * costs.encode_byte_ps / 1_000 } else { 0 };
    costs.decide + row + committed
}

/// Nodes that have sockets of a game whose sockets are anywhere.
#[expect(clippy::cast_precision_loss, reason = "an average for people to read")]
pub fn nodes_of_a_game(nodes: u64, sockets: u32) -> f64 {
    let others = (1.0 - 1.0 / nodes as f64).powi(i32::try_from(sockets).expect("few sockets"));
    nodes as f64 * (1.0 - others)
}
