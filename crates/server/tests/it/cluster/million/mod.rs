//! The ghost run: one game of a million players over fifty nodes, of which the owner and one edge are real processes with real
//! stores, and the others are ghosts in this process (docs/operate/ghost-run.md).
//!
//! An ordinary run is small, and checks that the log and the books are equal. `make million` plays a million and checks the times.

mod books;
mod ghost;
mod log;
mod meter;
mod phones;
mod roster;
mod stage;

use std::env;
use std::process;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quizhall_engine::EdgeId;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use self::books::Books;
use self::ghost::{Ghost, Play, enter};
use self::phones::{Phones, Place};
use self::stage::Stage;
use super::harness::{alone, until};
use crate::faults::company::{address, release, say};
use crate::process::raise_descriptors;

/// The last acknowledgement comes this long after the last player has answered, at most.
const AFTER: Duration = Duration::from_millis(500);
/// The most memory of the owner's process, MiB.
const MEMORY: u64 = 2_560;
/// How long attaching all players may take.
const ATTACHING: Duration = Duration::from_secs(900);
/// How long all acknowledgements may take before a run has failed.
const ANSWERING: Duration = Duration::from_secs(120);

/// The metric of the claims that a node has won.
const CLAIMS: &str = "quizhall_claims_total{outcome=\"won\"}";

/// The size of a run.
pub struct Size {
    players: u32,
    ghosts: u32,
    /// Players with real sockets on the real edge.
    phones: u32,
    texts: u32,
    over: Duration,
    is_measured: bool,
}

impl Size {
    fn asked() -> Self {
        let number = |name: &str, usual: u32| env::var(name).map_or(usual, |text| text.parse().expect("a number"));
        let is_measured = env::var("QUIZHALL_MILLION").is_ok();
        let players = number("QUIZHALL_MILLION", 2_400);
        Self {
            players,
            ghosts: number("QUIZHALL_GHOSTS", 2),
            phones: number("QUIZHALL_PHONES", 100).min(players / 2),
            texts: number("QUIZHALL_TEXTS", 4),
            over: Duration::from_millis(number("QUIZHALL_OVER_MS", 1_000).into()),
            is_measured,
        }
    }

    /// The slots of each ghost's players: those that have no phone.
    fn shares(&self) -> impl Iterator<Item = std::ops::Range<u32>> {
        let (players, ghosts) = (u64::from(self.players - self.phones), u64::from(self.ghosts));
        let begin = move |number: u64| u32::try_from(players * number / ghosts).unwrap();
        (0..ghosts).map(move |number| begin(number)..begin(number + 1))
    }
}

/// The resources that were used so far.
#[derive(Clone, Copy)]
struct Used {
    cpu: [f64; 5],
    redis: [u64; 2],
}

const PROCESSES: [&str; 5] = ["owner", "edge", "PostgreSQL", "Redis", "ghosts and phones"];

impl Used {
    fn by(stage: &Stage) -> Self {
        let own = [stage.owner.id(), stage.edge.id()].map(meter::own_cpu);
        let stores = [stage.database.pid(), stage.cache.pid()].map(meter::cpu);
        let cpu = [own[0], own[1], stores[0], stores[1], meter::own_cpu(process::id())];
        Self { cpu, redis: meter::redis_bytes(stage.cache.port()) }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_of_a_ghost_run_is_acknowledged_and_in_the_log() {
    let _alone = alone().await;
    raise_descriptors();
    let size = Size::asked();
    let mut stage = Stage::set(&size).await;
    stage.wake().await;
    let play = Arc::new(Play {
        roster: roster::Roster { ..stage.roster },
        owner: stage.owner_id().await,
        over: size.over,
        begun: Instant::now(),
        attached: 0.into(),
        acknowledged: 0.into(),
    });
    let question = stage.company.rounds[0][0];
    let slots = size.players - size.phones..size.players;
    let place = Place { port: address(&stage.edge).port(), code: stage.company.code.clone(), question, slots };
    let phones = Phones::start(&play, place);
    let (stop, ghosts) = start_ghosts(&stage, &play, &size).await;
    all_here(&play, &phones, &size).await;

    let mut host = stage.host().await;
    say(&mut host, "start_game").await;
    host.until("game_started").await;
    sleep(Duration::from_secs(3)).await;
    let before = Used::by(&stage);
    release(&mut host, question).await;
    let reading = tokio::spawn(async move { while host.text().await["type"] != "game_ended" {} });
    let all = async || play.acknowledged.load(Ordering::Relaxed) >= u64::from(size.players);
    let is_whole = tokio::time::timeout(ANSWERING, until("all", ANSWERING * 2, all)).await.is_ok();
    let after = Used::by(&stage);
    sleep(Duration::from_secs(1)).await;
    stop.send_replace(true);
    reading.abort();

    let (mut books, mut of_ghosts) = (phones.stop(), Books::default());
    println!("phones: {}", sentence(&mut books));
    for ghost in ghosts {
        of_ghosts.add(ghost.await.unwrap());
    }
    println!("ghosts: {}", sentence(&mut of_ghosts));
    let (retransmitted, refused) = (of_ghosts.retransmitted, of_ghosts.refused);
    println!("frames: {}", frames(&of_ghosts, &size));
    books.add(of_ghosts);
    println!("all: {}", sentence(&mut books));
    show_used(before, after, &size);
    let memory = show_nodes(&stage).await;
    stage.owner.kill();
    stage.edge.kill();
    let log = log::read(&stage, question).await;
    println!(
        "log: {} events in {} rows after the roster, {} bytes, {:.1} bytes an answer",
        log.events,
        log.rows,
        log.bytes,
        meter::as_f64(log.bytes) / f64::from(size.players)
    );

    assert!(is_whole, "{} of {} are acknowledged", books.acknowledged.answers, size.players);
    assert_eq!(books.acknowledged, log.answers, "the log is not what was acknowledged");
    assert_eq!(refused, 0);
    if size.is_measured {
        let took = Duration::from_micros(books.last - books.asked);
        assert_eq!(retransmitted, 0, "answers were retransmitted");
        assert!(took <= size.over + AFTER, "the last acknowledgement came after {took:?}");
        assert!(memory <= MEMORY, "the owner's process had {memory} MiB");
    }
}

type Running = (watch::Sender<bool>, Vec<JoinHandle<Books>>);

async fn start_ghosts(stage: &Stage, play: &Arc<Play>, size: &Size) -> Running {
    let (stop, stopped) = watch::channel(false);
    let mut ghosts = Vec::new();
    for (id, slots) in stage.ghosts.iter().zip(size.shares()) {
        let node = enter(&stage.cache.url(), EdgeId::of_node(*id)).await;
        ghosts.push(tokio::spawn(Ghost::new(node, Arc::clone(play), slots).run(stopped.clone())));
    }
    (stop, ghosts)
}

async fn all_here(play: &Play, phones: &Phones, size: &Size) {
    let begun = Instant::now();
    let attached = || play.attached.load(Ordering::Relaxed);
    let mut said = begun;
    let all = async || {
        assert_eq!(phones.lost(), 0, "a phone lost its socket");
        if said.elapsed() > Duration::from_secs(10) {
            said = Instant::now();
            println!("after {:.0?}: {} attached, {} phones", begun.elapsed(), attached(), phones.here());
        }
        attached() + phones.here() >= u64::from(size.players)
    };
    until("all are attached", ATTACHING, all).await;
    println!("all are attached after {:.1?}", begun.elapsed());
}

/// The times of some books, in words.
fn sentence(books: &mut Books) -> String {
    books.waits.sort_unstable();
    let [median, p99, most] = [0.5, 0.99, 1.0].map(|part| books.wait(part));
    let last = meter::as_f64(books.last.saturating_sub(books.asked)) / 1e6;
    let answers = books.acknowledged.answers;
    format!(
        "{answers} answers, acknowledged after {median:.1} ms (median), {p99:.1} ms (p99), {most:.1} ms (most); the last {last:.2} s after the question"
    )
}

fn frames(books: &Books, size: &Size) -> String {
    let Books { frames_out, rows_out, frames_in, bytes_out, bytes_in, retransmitted, refused, gaps, .. } = books;
    let of_first = f64::from(size.shares().next().map_or(1, |slots| slots.end - slots.start));
    let [per_in, per_out] = [(*bytes_in, f64::from(size.players)), (*bytes_out, of_first)]
        .map(|(bytes, answers)| meter::as_f64(bytes) / answers);
    format!(
        "{frames_out} with {rows_out} answers to the owner, {frames_in} from it to all ghosts; {per_out:.1} bytes an answer to the owner, \
         {per_in:.1} bytes an answer to each edge; {retransmitted} answers retransmitted, {refused} refused, {gaps} gaps"
    )
}

/// Shows what the nodes report at the end; returns the owner's peak memory, MiB.
async fn show_nodes(stage: &Stage) -> u64 {
    for (name, server) in [("owner", &stage.owner), ("edge", &stage.edge)] {
        let count = |name| meter::counter(server.url(), name);
        let (lost, claims) = (count("quizhall_bus_frames_lost_total").await, count(CLAIMS).await);
        let memory = meter::peak_memory(server.id());
        println!("{name}: peak memory {memory} MiB, {lost} frames lost, {claims} claims");
    }
    meter::peak_memory(stage.owner.id())
}

fn show_used(before: Used, after: Used, size: &Size) {
    for (name, (before, after)) in PROCESSES.iter().zip(before.cpu.iter().zip(after.cpu)) {
        let used = after - before;
        println!("CPU of {name}: {used:.2} s, {:.2} µs an answer", used * 1e6 / f64::from(size.players));
    }
    let [input, output] = [0, 1].map(|way| meter::as_f64(after.redis[way] - before.redis[way]) / 1e6);
    println!("Redis: {input:.1} MB in, {output:.1} MB out");
}
