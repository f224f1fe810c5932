//! What each step costs, in nanoseconds of one core unless said otherwise, and which run says so.
//!
//! The only place where the model of `scale` meets a machine: everything else is counted from the engine's own frames.
//! A better figure is a change of one line here, and `make scale` then writes the tables of docs/scale.md again.

/// The costs of a deployment.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// A message of a client: read from the kernel, parsed, handed to the edge.
    pub read: u64,
    /// The edge takes a message of a socket and makes a command of it.
    pub edge_message: u64,
    /// The edge takes a frame of the owner.
    pub edge_frame: u64,
    /// A committed event is applied to a replica and looked at for what it means here.
    pub apply: u64,
    /// A frame for one socket: the write to the kernel.
    pub send: u64,
    /// One recipient of a broadcast.
    pub broadcast: u64,
    /// One player's scores and board: rendered and written.
    pub scores: u64,
    /// For each player when scores come out, on the owner and on every edge: the board is made.
    pub board: u64,
    /// The owner takes one command and decides it, its event and its answer included.
    pub decide: u64,
    /// The owner takes any other frame, or an outcome.
    pub owner_frame: u64,
    /// A frame handed to another task of the same process.
    pub hand: u64,
    /// A message put into the queue to another node, besides its bytes.
    pub queue_message: u64,
    /// A message taken out of an inbox, besides its bytes.
    pub take_message: u64,
    /// A row on the owner's node, and a statement there, besides their bytes.
    pub row: u64,
    pub statement: u64,
    /// A batch written to or read from Redis: system calls and client library, on the node.
    pub batch: u64,
    /// Picoseconds per byte of a row's JSON written; of a message's written; of one read; of a message of events read.
    pub row_byte_ps: u64,
    pub encode_byte_ps: u64,
    pub decode_byte_ps: u64,
    pub events_byte_ps: u64,
    /// Redis takes an `XADD`; answers an `XREAD`; besides their bytes.
    pub redis_add: u64,
    pub redis_read: u64,
    /// Picoseconds per byte that Redis takes, and again per byte that it gives.
    pub redis_byte_ps: u64,
    /// Between any two machines, one way. Not CPU.
    pub network: u64,
    /// Bytes per second of the link of one machine, each way.
    pub link: u64,
    /// A commit until it is on disk. Not CPU: commits of different nodes wait for the disk together.
    pub commit: u64,
    /// A row on the database, and picoseconds per byte of it.
    pub database_row: u64,
    pub database_byte_ps: u64,
    pub database_cores: u32,
    pub node_cores: u32,
}

impl Costs {
    /// Threads that write a big broadcast: half of the cores.
    pub fn writers(&self) -> usize {
        (self.node_cores as usize / 2).max(1)
    }
}

/// One game so large that its maps are in no cache: where sizes differ, the figures of a million players.
///
/// "Engine loops" are loops over the engine's own functions with a million players, release build with the allocator of
/// the server, one core, other work beside it: good to a quarter.
pub const BIG_GAME: Costs = Costs {
    // MEASURED: the baseline of an answer is 8.6 µs, of which 6.9 are the write; and decoding, 0.7 (engine loops).
    read: 2_700,
    // MEASURED: engine loops: 2.7 µs at 10,000, 3.2 at 100,000, 4.8 at 1,000,000.
    edge_message: 4_800,
    // MEASURED: engine loops, a `Done`: 0.4, 0.6, 1.4 µs.
    edge_frame: 1_400,
    // MEASURED: engine loops, an answer with its acknowledgement: 0.7, 1.2, 2.4 µs.
    apply: 2_400,
    // MEASURED: a write of the baseline, 6.9 µs, and the server's 7.0 to 7.5.
    send: 7_300,
    // MEASURED: broadcast to 10,000 sockets, 7.0 to 7.5 µs each.
    broadcast: 7_300,
    // MEASURED: engine loops, `scores_of`: 4.0, 4.3, 8.5 µs for 10 KB, and the write.
    scores: 16_000,
    // MEASURED: engine loops, `ScoresReleased` applied: 0.17, 0.16, 0.37 µs.
    board: 370,
    // MEASURED: engine loops: 2.7 µs at 100,000, 3.7 at 1,000,000.
    decide: 3_700,
    // MEASURED: engine loops, `Attach` on edge and owner together: 3.4 µs.
    owner_frame: 1_000,
    // ESTIMATED: a channel of the runtime with its share of a wake-up.
    hand: 200,
    // ESTIMATED: the outbox's lock, and an allocation.
    queue_message: 150,
    // ESTIMATED: channel, look-up of the game, channel.
    take_message: 300,
    // ESTIMATED: arrays bound, outcome reported; the statement with its system calls.
    row: 3_000,
    statement: 60_000,
    // MEASURED: what Redis spends for the same system calls; the client library about as much.
    batch: 20_000,
    // MEASURED: engine loops: rows 1.6 ns, events 3.9, commands 4.0, `Done` 1.5 to 2.3.
    row_byte_ps: 1_650,
    encode_byte_ps: 3_500,
    // MEASURED: engine loops: commands 3.0 to 4.8 ns, `Done` 2.7 to 3.1, events 7.1 to 9.1.
    decode_byte_ps: 3_500,
    events_byte_ps: 7_300,
    // MEASURED: CPU of redis-server 7 on loopback, entries of 200 B to 60 kB: 14 µs, and 0.25 ns per byte.
    redis_add: 14_000,
    redis_read: 14_000,
    redis_byte_ps: 250,
    // MEASURED: 0.12 ms for a round over Redis, of which this is what is not CPU above.
    network: 20_000,
    // ESTIMATED: ten gigabit.
    link: 1_250_000_000,
    // MEASURED: durable append to PostgreSQL, 3 to 4 ms for one row.
    commit: 3_400_000,
    // MEASURED: the same for 500 rows of one answer each, 12 to 19 ms.
    database_row: 24_000,
    // MEASURED: PostgreSQL 15, one row of 65,000 answers (10.3 MB) in 12 ms; as much again for the way there.
    database_byte_ps: 2_300,
    // ESTIMATED: what one would rent.
    database_cores: 8,
    node_cores: 8,
};

/// Games of thirty: everything is in the cache.
pub const SMALL_GAMES: Costs = Costs {
    // MEASURED: an answer with its acknowledgement is 11 µs on one node, of which parsing and rules are 3.
    edge_message: 700,
    edge_frame: 300,
    apply: 400,
    decide: 900,
    owner_frame: 500,
    ..BIG_GAME
};
