//! The tables of docs/scale.md, which only the simulation writes.

use std::fmt::Write as _;
use std::path::Path;

use super::big_game::{BigGame, Came, SECOND};
use super::costs::{BIG_GAME, SMALL_GAMES};
use super::many_games::{ManyGames, Pace, ROUND};

/// The sizes that are simulated for the page.
pub struct Sizes {
    /// Players, nodes, and seconds times ten within which all players answer.
    big_games: &'static [(u64, usize, u64)],
    /// Games, nodes, and whether sockets are anywhere.
    many_games: &'static [(usize, usize, bool)],
}

/// For every run of the tests.
#[cfg(test)]
pub const SMALL: Sizes =
    Sizes { big_games: &[(6_000, 1, 2), (6_000, 4, 2)], many_games: &[(24, 6, false), (24, 6, true)] };

/// For the page.
pub const ALL: Sizes = Sizes {
    big_games: &[
        (10_000, 1, 2),
        (10_000, 2, 2),
        (10_000, 4, 2),
        (100_000, 5, 2),
        (100_000, 10, 2),
        (100_000, 10, 20),
        (100_000, 10, 100),
        (300_000, 15, 20),
        (300_000, 15, 100),
        (1_000_000, 50, 50),
        (1_000_000, 50, 100),
        (1_000_000, 50, 300),
    ],
    many_games: &[(300, 3, false), (3_000, 3, false), (300, 30, true), (1_000, 30, true), (2_000, 30, true)],
};

/// How many games the second question of the page is about.
const GAMES: f64 = 100_000.0;
/// Sockets of one of them: thirty players and a host.
const SOCKETS: f64 = 31.0;
/// Bytes of the database's own log for a row of one answer.
const WAL_ROW: u64 = 415;
/// A node is full when half of it is busy.
const FULL: f64 = 0.5;
/// A socket is pinged this often, on the average, in seconds.
const PING: f64 = 22.5;

/// Between these the page is written by the simulation.
const MARKS: [&str; 2] = ["<!-- written by make scale -->\n", "<!-- until here -->\n"];

const BIG_GAME_HEAD: &str = "\
    | Players, nodes | within | question at the last | last acknowledgement | owner's task | edge's task | inbox \
    | cores of owner's node, of others | Redis: core, link | database | again | lost | closed | scores at the last |\n\
    |---|---|---|---|---|---|---|---|---|---|---|---|---|---|";
const MANY_GAMES_HEAD: &str = "\
    | Games, nodes | sockets of a game | on nodes | cores, thousandths | messages | bytes on the bus \
    | Redis: commands, core | rows | statements | database, thousandths of a core | acknowledged: half, 99 % |\n\
    |---|---|---|---|---|---|---|---|---|---|---|";

/// The tables of these sizes.
pub fn tables(sizes: &Sizes) -> String {
    let mut out = String::new();
    let big_games: Vec<Came> = sizes.big_games.iter().map(|size| big_game(*size)).collect();
    let many_games: Vec<Pace> = sizes.many_games.iter().map(|size| many_games_of(*size)).collect();
    write_big_games(&mut out, &big_games).expect("a string takes everything");
    write_many_games(&mut out, &many_games).expect("a string takes everything");
    write_needs(&mut out, &many_games).expect("a string takes everything");
    out
}

/// Into the page, between the marks.
///
/// # Errors
/// When the page cannot be read or written.
pub fn write(tables: &str) -> std::io::Result<()> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scale.md");
    let text = std::fs::read_to_string(&page)?;
    let (before, rest) = text.split_once(MARKS[0]).expect("the page has its first mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the page has its second mark");
    std::fs::write(page, [before, MARKS[0], "\n", tables, "\n", MARKS[1], after].concat())
}

fn big_game((players, nodes, tenths): (u64, usize, u64)) -> Came {
    let within = tenths * SECOND / 10;
    BigGame { players, nodes, within, mirrored: nodes > 2 }.play(BIG_GAME)
}

fn many_games_of((games, nodes, spread): (usize, usize, bool)) -> Pace {
    ManyGames { games, players: 30, nodes, spread }.play(SMALL_GAMES)
}

fn write_big_games(out: &mut String, big_games: &[Came]) -> std::fmt::Result {
    writeln!(out, "One game. All players answer within the time given; shares are those of the time until the last")?;
    writeln!(out, "acknowledgement. *Again* are commands said more than once, for each answer from another node.\n")?;
    writeln!(out, "{BIG_GAME_HEAD}")?;
    for came in big_games {
        let BigGame { players, nodes, within, .. } = came.big_game;
        let (busy, meters) = (&came.busy, &came.meters);
        let remote = players / nodes as u64 * (nodes as u64 - 1);
        let again = if remote == 0 { 0.0 } else { float(meters.commands.saturating_sub(remote)) / float(remote) };
        let fullest = busy.fullest().0;
        let shares = [("owner's task", busy.owner), ("edge's task", busy.edge), ("inbox's task", busy.inbox)];
        let [owner, edge, inbox] = shares.map(|(name, share)| marked(share, name == fullest));
        writeln!(
            out,
            "| {}, {nodes} | {:.1} s | {} | {} | {owner} | {edge} | {inbox} | {}, {} \
             | {}, {} | {} | {} | {} | {} | {} |",
            thousands(players),
            float(within) / 1e9,
            milliseconds(came.question),
            came.answered.map_or_else(|| "never".to_owned(), seconds),
            marked(busy.home, fullest == "owner's node"),
            marked(busy.node, fullest == "other nodes"),
            marked(busy.redis, fullest == "Redis' core"),
            marked(busy.link, fullest == "link of Redis"),
            marked(busy.database, fullest == "database"),
            percent(again),
            thousands(meters.lost),
            thousands(meters.closed),
            came.scores.map_or_else(|| "never".to_owned(), milliseconds),
        )?;
    }
    writeln!(out)
}

fn write_many_games(out: &mut String, many_games: &[Pace]) -> std::fmt::Result {
    writeln!(
        out,
        "Games of thirty and a host, a question every 30 s that all players answer; each game, each second:\n"
    )?;
    writeln!(out, "{MANY_GAMES_HEAD}")?;
    for pace in many_games {
        let each = |number: u64| float(number) / pace.game_seconds();
        let meters = &pace.meters;
        writeln!(
            out,
            "| {}, {} | {} | {:.1} | {:.2} | {:.1} | {:.0} | {:.1}, {} | {:.2} | {:.2} | {:.3} | {:.1} ms, {:.1} ms |",
            thousands(pace.many_games.games as u64),
            pace.many_games.nodes,
            if pace.many_games.spread { "anywhere" } else { "together" },
            pace.edges,
            each(pace.nodes_ns) / 1e6,
            each(meters.messages()),
            each(meters.message_bytes()),
            each(meters.redis_adds + meters.redis_reads),
            percent(float(pace.redis_ns) / float(ROUND)),
            each(meters.rows),
            each(meters.statements),
            each(pace.database_ns) / 1e6,
            f64::from(pace.wait.0) / 1e3,
            f64::from(pace.wait.1) / 1e3,
        )?;
    }
    writeln!(out)
}

/// From the largest simulated deployment of each kind.
fn write_needs(out: &mut String, many_games: &[Pace]) -> std::fmt::Result {
    let largest = |spread| {
        let of_kind = many_games.iter().filter(|pace| pace.many_games.spread == spread);
        of_kind.max_by_key(|pace| pace.many_games.games).expect("both kinds are simulated")
    };
    let kinds = [largest(false), largest(true)];
    let cores = SMALL_GAMES.node_cores;
    writeln!(out, "100,000 such games, from the last row of each kind, nodes of {cores} cores half busy:\n")?;
    writeln!(out, "| | sockets of a game together | anywhere |")?;
    writeln!(out, "|---|---|---|")?;
    let mut line = |name: &str, figure: &dyn Fn(&Pace) -> String| {
        writeln!(out, "| {name} | {} | {} |", figure(kinds[0]), figure(kinds[1]))
    };
    line("nodes, by cores", &|pace| format!("{:.0}", pace.nodes_by_cores().ceil()))?;
    line("nodes, by the one statement each has on its way", &|pace| format!("{:.0}", pace.nodes_by_rows().ceil()))?;
    line("of the cores: pings of 3,100,000 sockets", &|_| format!("{:.1}", pings()))?;
    line("rows per second", &|pace| thousands_of(pace.all(pace.meters.rows)))?;
    line("cores of the database", &|pace| format!("{:.1}", pace.all(pace.database_ns) / 1e9))?;
    line("WAL without images of pages", &|pace| megabytes(pace.all(pace.meters.rows) * float(WAL_ROW)))?;
    line("bytes to and from sockets", &|pace| {
        megabytes(pace.all(pace.meters.sent_bytes) + pace.all(pace.meters.acknowledged) * 120.0)
    })?;
    line("messages per second", &|pace| thousands_of(pace.all(pace.meters.messages())))?;
    line("into Redis, and out of it again", &|pace| megabytes(pace.all(pace.meters.message_bytes())))?;
    line("cores of Redis at batches as in the row above", &|pace| format!("{:.1}", pace.all(pace.redis_ns) / 1e9))?;
    line("cores of Redis at full batches", &|pace| {
        let bytes = pace.all(pace.meters.message_bytes());
        let each = float(SMALL_GAMES.redis_add + SMALL_GAMES.redis_read) / 65_536.0;
        format!("{:.1}", bytes * (each + float(2 * SMALL_GAMES.redis_byte_ps) / 1e3) / 1e9)
    })
}

/// Cores that answer pings: a write, a read.
fn pings() -> f64 {
    GAMES * SOCKETS / PING * float(SMALL_GAMES.send + SMALL_GAMES.read) / 1e9
}

impl Pace {
    fn game_seconds(&self) -> f64 {
        float(self.many_games.games as u64) * float(ROUND) / 1e9
    }

    /// Of all games in question, in a second.
    fn all(&self, number: u64) -> f64 {
        float(number) / self.game_seconds() * GAMES
    }

    fn nodes_by_cores(&self) -> f64 {
        (self.all(self.nodes_ns) / 1e9 + pings()) / f64::from(SMALL_GAMES.node_cores) / FULL
    }

    /// A full statement takes its rows' time on one core of the database, and a commit.
    fn nodes_by_rows(&self) -> f64 {
        let rows = 1_024.0;
        let took = rows * float(SMALL_GAMES.database_row) + float(SMALL_GAMES.commit + 2 * SMALL_GAMES.network);
        self.all(self.meters.rows) / (rows / took * 1e9) / FULL
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures for people to read")]
fn float(number: u64) -> f64 {
    number as f64
}

fn milliseconds(nanos: u64) -> String {
    format!("{:.0} ms", float(nanos) / 1e6)
}

fn seconds(nanos: u64) -> String {
    format!("{:.2} s", float(nanos) / 1e9)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn marked(share: f64, is_fullest: bool) -> String {
    if is_fullest { format!("**{}**", percent(share)) } else { percent(share) }
}

fn megabytes(bytes: f64) -> String {
    format!("{:.0} MB/s", bytes / 1e6)
}

fn thousands_of(number: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rates are not below zero")]
    thousands(number.round() as u64)
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
