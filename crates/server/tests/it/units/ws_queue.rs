//! `ws::queue`: the frames that wait for one socket.

use std::io::IoSlice;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quizhall::moment::Moment;
use quizhall::ws::budget::Budget;
use quizhall::ws::queue::{AT_ONCE, Bounds, Full, Key, Queue, QueueLimits};
use quizhall_rules::QuestionId;
use uuid::Uuid;

const BOUNDS: Bounds = Bounds { bytes: 100, messages: 4 };
const LONG: &str = "sixty bytes of something that would be the json of a lobby..";

struct Bench {
    queue: Queue,
    budget: Arc<Budget>,
    /// One second later with each write.
    now: Moment,
}

impl Bench {
    fn new() -> Self {
        Self { queue: Queue::default(), budget: Arc::new(Budget::new(1 << 20)), now: Moment::NEVER }
    }

    fn push(&mut self, text: &'static str, key: Key) -> Result<(), Full> {
        self.queue.push(Bytes::from_static(text.as_bytes()), key, QueueLimits { bounds: BOUNDS, budget: &self.budget })
    }

    #[track_caller]
    fn fill<const COUNT: usize>(&mut self, frames: [(&'static str, Key); COUNT]) {
        for (text, key) in frames {
            assert_eq!(self.push(text, key), Ok(()), "{text}");
        }
    }

    /// Everything that would be written, at most `limit` bytes of it.
    fn written(&mut self, limit: usize) -> String {
        let mut room = [IoSlice::new(&[]); AT_ONCE];
        let used = self.queue.slices(&mut room);
        let mut bytes: Vec<u8> = room[..used].iter().flat_map(|slice| slice.to_vec()).collect();
        bytes.truncate(limit);
        self.now = self.now.plus(Duration::from_secs(1));
        self.queue.advance(bytes.len(), self.now);
        String::from_utf8(bytes).unwrap()
    }

    #[track_caller]
    fn is_empty(&self) {
        assert_eq!((self.queue.is_empty(), self.budget.used()), (true, 0));
    }
}

#[test]
fn a_state_replaces_an_older_one_in_its_place_but_never_a_begun_one() {
    let mut bench = Bench::new();
    bench.fill([
        ("lobby1", Key::State(1)),
        ("plain", Key::Plain),
        ("lobby2!", Key::State(1)),
        ("other", Key::State(2)),
    ]);
    assert_eq!(bench.written(3), "lob");
    bench.fill([("lobby3", Key::State(1))]);
    assert_eq!(bench.written(usize::MAX), "by2!plainotherlobby3");
    bench.is_empty();
}

#[test]
fn bytes_and_messages_are_bounded() {
    let mut bench = Bench::new();
    bench.fill([("x", Key::Plain); 4]);
    assert_eq!(bench.push("x", Key::Plain), Err(Full), "the fifth message");
    assert_eq!(bench.push("x", Key::State(1)), Err(Full), "a state that is not there yet is a message too");
    let mut bench = Bench::new();
    bench.fill([("written now", Key::Plain), (LONG, Key::Plain)]);
    assert_eq!(bench.push(LONG, Key::Closing), Err(Full), "120 bytes behind the first");
    assert_eq!(bench.written("written now".len()), "written now");
    bench.fill([(LONG, Key::Closing)]);
    assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "the second is the first now, the third still counts");
    bench.queue.drop_unbegun();
    bench.fill([("first", Key::Plain), (LONG, Key::Plain), (&LONG[..40], Key::Plain)]);
    assert_eq!(bench.push("x", Key::Plain), Err(Full), "what was dropped does not count, and 100 bytes do");
}

#[test]
fn a_lobby_larger_than_half_the_bound_waits_behind_an_older_one_that_is_half_written() {
    let mut bench = Bench::new();
    bench.fill([(LONG, Key::State(1))]);
    assert_eq!(bench.written(10), &LONG[..10]);
    bench.fill([(LONG, Key::State(1)); 100]);
    bench.fill([(LONG, Key::Plain)]);
    assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "what nothing replaces is bounded as ever");
    assert_eq!(bench.written(usize::MAX), [&LONG[10..], LONG, LONG].concat());
    bench.is_empty();
}

/// A state and a ping count nowhere, and any other frame counts until it is the first.
#[test]
fn what_piles_up_is_counted_right_whatever_is_in_front() {
    for between in [Key::State(1), Key::Ping] {
        for (written, room) in [(0, 40), (1, 40), (2, 40), (3, 100), (10, 100)] {
            let mut bench = Bench::new();
            bench.fill([("a", Key::Plain), ("bb", between), (LONG, Key::Closing)]);
            bench.written(written);
            let limits = QueueLimits { bounds: BOUNDS, budget: &bench.budget };
            let mut push = |bytes| bench.queue.push(Bytes::from(vec![b'x'; bytes]), Key::Plain, limits);
            assert_eq!(
                (push(room + 1), push(room)),
                (Err(Full), Ok(())),
                "{written} bytes are written, then {between:?}"
            );
        }
    }
}

#[test]
fn a_closing_counts_when_its_last_byte_is_written() {
    let mut bench = Bench::new();
    bench.fill([("before", Key::Plain), ("end", Key::Closing)]);
    for (limit, written, closings) in [(8, "beforeen", 0), (1, "d", 1)] {
        assert_eq!((bench.written(limit).as_str(), bench.queue.closings_written()), (written, closings));
    }
}

#[test]
fn dropping_keeps_the_stream_whole() {
    let mut bench = Bench::new();
    bench.fill([("first", Key::Closing), ("second", Key::Plain)]);
    assert_eq!(bench.written(2), "fi");
    bench.queue.drop_unbegun();
    bench.queue.append(Bytes::from_static(b"close"), Key::Plain, &bench.budget);
    assert_eq!(bench.written(usize::MAX), "rstclose");
    bench.fill([("never begun", Key::Closing)]);
    bench.queue.drop_unbegun();
    assert_eq!(bench.queue.closings_written(), 1, "the first was written");
    bench.is_empty();
}

fn question(number: u128) -> QuestionId {
    QuestionId::from(Uuid::from_u128(number))
}

#[test]
fn a_question_is_asked_when_its_last_byte_is_written() {
    let most = Duration::from_mins(1);
    let mut bench = Bench::new();
    bench.queue.note_handed_over(Key::Asks(question(1)), || bench.now);
    bench.fill([("before", Key::Plain), ("question", Key::Asks(question(1)))]);
    assert_eq!(bench.written(7), "beforeq");
    assert_eq!(bench.queue.asked_at(question(1), most), None, "only begun");
    bench.written(100);
    let second = bench.now;
    assert_eq!(bench.queue.asked_at(question(1), most), Some(second));
    bench.queue.note_handed_over(Key::Asks(question(2)), || second);
    bench.queue.note_written(Key::Asks(question(2)), || second.plus(Duration::from_secs(1)));
    bench.queue.clear();
    let since = bench.queue.asked_at(question(2), most).map(|at| at.since(second));
    assert_eq!(since, Some(Duration::from_secs(1)), "a lost connection forgets nothing that may have arrived before");
    assert_eq!(bench.queue.asked_at(question(3), most), None);
}

/// The client reads nothing for nine seconds, and then answers at once. The question is sent again meanwhile.
#[test]
fn a_client_that_does_not_read_starts_no_clock_of_its_own() {
    let mut bench = Bench::new();
    bench.fill([("what fills the line", Key::Plain)]);
    bench.written(1);
    let released = bench.now;
    for seconds in 0..8 {
        bench.queue.note_handed_over(Key::Asks(question(1)), || released.plus(Duration::from_secs(seconds)));
    }
    bench.fill([("question", Key::Asks(question(1)))]);
    bench.now = released.plus(Duration::from_secs(8));
    bench.written(usize::MAX);
    for (most, least) in [(2_000, 7_000), (80, 8_920), (0, 9_000)] {
        let asked = bench.queue.asked_at(question(1), Duration::from_millis(most)).unwrap();
        assert_eq!(bench.now.since(asked), Duration::from_millis(least), "{most} ms on the way at most");
    }
}
