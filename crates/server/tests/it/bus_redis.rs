//! The bus between nodes on a real Redis: which messages arrive, which are lost, and how it recovers.

use std::io;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use quizhall::cluster::bus::redis::RedisBus;
use quizhall::cluster::bus::{Ask, BusMessage, Rate};
use quizhall::telemetry::LogLevel;
use quizhall::telemetry::log::subscriber;
use quizhall_engine::EdgeId;
use redis::Value;
use tokio::time::{Instant, interval};

use crate::bus_stage::{Node, TIMEOUT, committed, message, until, within};
use crate::docs::fenced;
use crate::services::redis::{Kind, Redis};
use crate::time_limits::promised;

/// The promise for damage that is repaired by writing the next beat.
const HEALED: Duration = Duration::from_secs(2);
/// The promise for a store that is available again.
const BACK: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_arrive_as_sent_once_and_in_order_both_ways() {
    let redis = Redis::start();
    let (mut a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    let sent = committed(9, 3, 40);
    a.remote.send(b.id, sent.clone());
    assert_eq!(within(TIMEOUT, b.inbox.recv()).await.map(|arrived| arrived.what), Some(sent));
    for number in 0..5_000 {
        a.remote.send(b.id, message(number));
        b.remote.send(a.id, committed(number, 1, 20));
    }
    let expected: Vec<u64> = (0..5_000).collect();
    assert_eq!(b.up_to(4_999).await, expected);
    assert_eq!(a.up_to(4_999).await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_user_of_the_page_may_do_what_the_service_does_and_nothing_else() {
    let redis = Redis::start();
    let [file] = &fenced(include_str!("../../../../docs/operate/databases.md"), "text redis-user")[..] else {
        panic!("another file")
    };
    let user = file.lines().find_map(|line| line.strip_prefix("user quizhall ")).unwrap();
    let words: Vec<&str> = ["ACL", "SETUSER", "quizhall"].into_iter().chain(user.split_whitespace()).collect();
    redis.run_command(&words);
    assert!(file.lines().all(|line| line.starts_with("user ")), "Redis accepts no other line in an aclfile: {file}");
    let url = redis.url().replace("redis://", "redis://quizhall:PASSWORD@");
    let (a, mut b) = (Node::enter(&url, 1).await, Node::enter(&url, 2).await);
    for number in 0..100 {
        a.remote.send(b.id, message(number));
    }
    assert_eq!(b.up_to(99).await.len(), 100);
    a.bus.probe().await.unwrap();
    let rate = Rate { cell: Duration::from_secs(6), burst: 1, most_debt: Duration::from_secs(60) };
    let limits = a.bus.slow_limits(TIMEOUT);
    let asked = limits.ask("test", b"a", rate, Ask::Take).await;
    assert!(matches!(asked, Ok(Ok(()))), "the scripts of the limits may run");
    let user = redis::Client::open(url.as_str()).unwrap();
    let mut connection = user.get_connection().unwrap();
    for refused in [&["SET", "other", "1"][..], &["FLUSHALL"], &["CONFIG", "GET", "*"], &["KEYS", "*"]] {
        let answer: redis::RedisResult<Value> = redis::cmd(refused[0]).arg(&refused[1..]).query(&mut connection);
        assert_eq!(answer.unwrap_err().code(), Some("NOPERM"), "{refused:?}");
    }
}

/// Messages that are sent during the write of a batch are the next batch.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_are_written_in_batches_and_all_of_them_after_a_flush() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    for number in 0..20_000 {
        a.remote.send(b.id, message(number));
    }
    b.up_to(19_999).await;
    let writes = calls(&redis, "xadd");
    assert!(writes < 2_000, "{writes} writes for 20,000 messages");
    for number in 0..3_000 {
        a.remote.send(b.id, message(number));
    }
    a.bus.flush(TIMEOUT).await;
    drop(a);
    assert_eq!(b.up_to(2_999).await.len(), 3_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_queue_has_a_bound_and_loses_the_newest() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    redis.stop();
    for number in 0..40_000 {
        a.remote.send(b.id, committed(number, 1, 1_000));
    }
    redis.cont();
    let numbers = a.pushes_out(&mut b, 100_000).await;
    // 8 MiB of them are kept, and one or two batches are on the way.
    assert!(numbers.len() < 7_500, "{} arrived", numbers.len());
    assert!(numbers.is_sorted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_time_without_a_store_what_is_new_comes_through() {
    let mut redis = Redis::start();
    let (mut a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    redis.kill();
    for number in 0..20_000 {
        a.remote.send(b.id, committed(number, 1, 1_000));
    }
    a.is_cut_off().await;
    b.is_cut_off().await;
    assert!(a.bus.probe().await.is_err());
    redis.start_again();
    let begun = Instant::now();
    a.is_well().await;
    b.is_well().await;
    a.reaches(&mut b, 1_000_000).await;
    b.reaches(&mut a, 1_000_000).await;
    assert!(begun.elapsed() < promised(BACK), "{:?}", begun.elapsed());
    within(TIMEOUT, async { while a.bus.probe().await.is_err() {} }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_store_is_filled_again_and_closed_connections_are_opened_again() {
    let redis = Redis::start();
    let (mut a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    let damages = [("emptied", Redis::flush_all as fn(&Redis)), ("closed", Redis::kill_clients)];
    for (round, (what, damage)) in (1..).zip(damages.into_iter().cycle().take(4)) {
        damage(&redis);
        let took = a.reaches(&mut b, round * 1_000).await + b.reaches(&mut a, round * 1_000).await;
        assert!(took < promised(HEALED), "{what}: {took:?}");
    }
    within(promised(BACK), async { while a.bus.probe().await.is_err() {} }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_suspended_is_noticed_and_used_again_when_it_resumes() {
    let redis = Redis::start();
    let (mut a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    redis.stop();
    let begun = Instant::now();
    assert!(a.bus.probe().await.is_err());
    assert!(begun.elapsed() < BACK, "it has a time_limit of its own: {:?}", begun.elapsed());
    a.is_cut_off().await;
    b.is_cut_off().await;
    redis.cont();
    let begun = Instant::now();
    a.reaches(&mut b, 1_000).await;
    b.reaches(&mut a, 1_000).await;
    a.is_well().await;
    within(promised(BACK), async { while a.bus.probe().await.is_err() {} }).await;
    assert!(begun.elapsed() < promised(BACK), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_with_a_clock_that_went_back_is_read_anew() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    // An entry from the year 5138 is read; then the stream is created again, with ids of today.
    redis.run_command(&["XADD", &b.key(), "99999999999999-0", "b", &line(7)]);
    assert_eq!(b.up_to(7).await, [7]);
    redis.flush_all();
    let took = a.reaches(&mut b, 1_000).await;
    assert!(took < promised(BACK), "{took:?}");
    b.is_well().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_message_affects_nothing_else() {
    let redis = Redis::start();
    let mut node = Node::enter(&redis.url(), 1).await;
    let key = node.key();
    let mixed = format!("{}no json\n{{\"to_no_one\":1}}\n{}", line(1), line(2));
    redis.run_command(&["XADD", &key, "*", "b", &mixed]);
    redis.run_command(&["XADD", &key, "*", "of a later version", "x"]);
    redis.run_command(&["XADD", &key, "*", "p", "no number"]);
    redis.run_command(&["XADD", &key, "*", "b", &line(3)]);
    assert_eq!(node.up_to(3).await, [1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_lives_as_long_as_its_receiver() {
    let redis = Redis::start();
    let mut node = Node::enter(&redis.url(), 1).await;
    let old = node.key();
    let expires = redis.run_command(&["PTTL", &old]);
    assert!(matches!(expires, Value::Int(1..=60_000)), "{expires:?}");

    // The same process continues as another node.
    node.id = EdgeId(2);
    node.inbox = node.bus.receive(node.id);
    until(TIMEOUT, "the inbox is removed", || !exists(&redis, &old)).await;
    node.is_well().await;
    assert!(exists(&redis, &node.key()));
    let mut looks = interval(Duration::from_millis(50));
    for _ in 0..16 {
        looks.tick().await;
        assert!(!exists(&redis, &old), "it came back");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_node_makes_an_inbox_for_another_and_an_expired_one_is_removed() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    a.remote.send(EdgeId(3), message(1));
    a.remote.send(b.id, message(2));
    b.up_to(2).await;
    a.bus.flush(TIMEOUT).await;
    assert!(!exists(&redis, "quizhall:inbox:{0000000000000003}"));

    redis.run_command(&["XADD", "quizhall:inbox:{0000000000000003}", "*", "b", "left behind"]);
    a.remote.forget(EdgeId(3));
    until(TIMEOUT, "it is removed", || !exists(&redis, "quizhall:inbox:{0000000000000003}")).await;
    a.reaches(&mut b, 100).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_message_has_its_own_batch_and_a_huge_one_is_lost() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    for (number, length) in [(1, 10), (2, 12_000_000), (3, 17_000_000), (4, 10)] {
        a.remote.send(b.id, committed(number, 1, length));
        a.bus.flush(TIMEOUT).await;
    }
    assert_eq!(b.up_to(4).await, [1, 2, 4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_were_read_are_removed() {
    let redis = Redis::start();
    let (a, mut b) = (Node::enter(&redis.url(), 1).await, Node::enter(&redis.url(), 2).await);
    for number in 0..100 {
        a.remote.send(b.id, message(number));
        a.bus.flush(TIMEOUT).await;
    }
    b.up_to(99).await;
    let key = b.key();
    until(TIMEOUT, "few entries are left", || matches!(redis.run_command(&["XLEN", &key]), Value::Int(0..=3))).await;
}

/// All tasks run on one thread, so that their logs go to this test.
#[tokio::test]
async fn the_log_says_once_that_it_is_lost_and_once_that_it_is_back_and_never_where() {
    let (log, _listening) = listen();
    let mut redis = Redis::start();
    let node = Node::enter(&redis.url(), 1).await;
    redis.kill();
    node.is_cut_off().await;
    redis.start_again();
    node.is_well().await;
    within(promised(BACK), async { while node.bus.probe().await.is_err() {} }).await;
    until(TIMEOUT, "it is said", || log.text().contains("there again")).await;
    let text = log.text();
    assert_eq!(text.matches("is lost").count(), 1, "{text}");
    assert_eq!(text.matches("is there again").count(), 1, "{text}");
    assert!(!text.contains(&redis.port().to_string()) && !text.contains("127.0.0.1"), "{text}");
}

#[tokio::test]
async fn a_store_that_takes_no_writes_is_not_said_to_come_and_go() {
    let (log, _listening) = listen();
    let master = Redis::start();
    let follow = ["--replicaof", "127.0.0.1", &master.port().to_string()].map(str::to_owned).to_vec();
    let replica = Redis::start_as(Kind { arguments: follow, ..Kind::default() });
    let bus = RedisBus::open(&replica.url()).unwrap();
    let _inbox = bus.receive(EdgeId(1));
    for _ in 0..4 {
        assert!(bus.probe().await.is_err());
    }
    let text = log.text();
    assert_eq!(text.matches("is lost").count(), 1, "{text}");
    assert!(text.contains("READONLY") && !text.contains("there again"), "{text}");
}

/// The log of this thread from now on.
fn listen() -> (Log, impl Drop) {
    // While there is only one subscriber, the first thread that reaches an event decides whether that event is on or off, and
    // other tests subscribe to nothing.
    static OTHER: OnceLock<tracing::Dispatch> = OnceLock::new();
    OTHER.get_or_init(|| tracing::Dispatch::new(subscriber(LogLevel::Debug, io::sink)));
    let log = Log::default();
    let guard = tracing::subscriber::set_default(subscriber(LogLevel::Debug, log.clone()));
    (log, guard)
}

fn line(number: u64) -> String {
    let message: BusMessage = message(number);
    format!("{}\n", serde_json::to_string(&message).unwrap())
}

fn exists(redis: &Redis, key: &str) -> bool {
    redis.run_command(&["EXISTS", key]) == Value::Int(1)
}

/// How many times the server received a command.
fn calls(redis: &Redis, command: &str) -> u64 {
    let Value::BulkString(text) = redis.run_command(&["INFO", "commandstats"]) else { panic!("no text") };
    let text = String::from_utf8(text).unwrap();
    let (_, after) = text.split_once(&format!("cmdstat_{command}:calls=")).unwrap();
    after.split(',').next().unwrap().parse().unwrap()
}

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
