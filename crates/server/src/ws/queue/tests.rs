//! Unit tests of `ws::queue`.

#![allow(clippy::unwrap_used)]
use std::time::Duration;

use super::*;

const BOUNDS: Bounds = Bounds { bytes: 100, messages: 4 };

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
}

#[test]
fn a_state_replaces_an_older_one_in_its_place_but_never_a_begun_one() {
    let mut bench = Bench::new();
    bench.push("lobby1", Key::State(1)).unwrap();
    bench.push("plain", Key::Plain).unwrap();
    bench.push("lobby2!", Key::State(1)).unwrap();
    bench.push("other", Key::State(2)).unwrap();
    assert_eq!(bench.written(3), "lob");
    bench.push("lobby3", Key::State(1)).unwrap();
    assert_eq!(bench.written(usize::MAX), "by2!plainotherlobby3");
    assert!(bench.queue.is_empty());
    assert_eq!(bench.budget.used(), 0);
}

#[test]
fn bytes_and_messages_are_bounded() {
    let mut bench = Bench::new();
    for _ in 0..4 {
        bench.push("x", Key::Plain).unwrap();
    }
    assert_eq!(bench.push("x", Key::Plain), Err(Full), "the fifth message");
    assert_eq!(bench.push("x", Key::State(1)), Err(Full), "a state that is not there yet is a message too");
    let mut bench = Bench::new();
    bench.push("written now", Key::Plain).unwrap();
    bench.push(LONG, Key::Plain).unwrap();
    assert_eq!(bench.push(LONG, Key::Closing), Err(Full), "120 bytes behind the first");
    assert_eq!(bench.written("written now".len()), "written now");
    bench.push(LONG, Key::Closing).unwrap();
    assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "the second is the first now, the third still counts");
}

#[test]
fn a_lobby_larger_than_half_the_bound_waits_behind_an_older_one_that_is_half_written() {
    let mut bench = Bench::new();
    bench.push(LONG, Key::State(1)).unwrap();
    assert_eq!(bench.written(10), &LONG[..10]);
    for _ in 0..100 {
        bench.push(LONG, Key::State(1)).unwrap();
    }
    bench.push(LONG, Key::Plain).unwrap();
    assert_eq!(bench.push(LONG, Key::Plain), Err(Full), "what nothing replaces is bounded as ever");
    assert_eq!(bench.written(usize::MAX), [&LONG[10..], LONG, LONG].concat());
    assert_eq!((bench.queue.piled, bench.budget.used()), (0, 0));
}

#[test]
fn what_piles_up_is_counted_right_whatever_happens() {
    let mut bench = Bench::new();
    let frames = [("a", Key::Plain), ("bb", Key::State(1)), ("ccc", Key::Closing), ("dddd", Key::Ping)];
    for (text, key) in frames {
        bench.push(text, key).unwrap();
    }
    let mut piled = vec![bench.queue.piled];
    for length in 1..=4 {
        bench.written(length);
        piled.push(bench.queue.piled);
    }
    assert_eq!(piled, [3, 3, 0, 0, 0], "the end of the round, until it is the first");
    bench.push("first", Key::Plain).unwrap();
    bench.push("second", Key::Plain).unwrap();
    bench.queue.drop_unbegun();
    bench.push("first", Key::Plain).unwrap();
    assert_eq!(bench.queue.piled, 0);
}

const LONG: &str = "sixty bytes of something that would be the json of a lobby..";

#[test]
fn a_closing_counts_when_its_last_byte_is_written() {
    let mut bench = Bench::new();
    bench.push("before", Key::Plain).unwrap();
    bench.push("end", Key::Closing).unwrap();
    assert_eq!(bench.written(8), "beforeen");
    assert_eq!(bench.queue.closings_written(), 0);
    assert_eq!(bench.written(1), "d");
    assert_eq!(bench.queue.closings_written(), 1);
}

#[test]
fn dropping_keeps_the_stream_whole() {
    let mut bench = Bench::new();
    bench.push("first", Key::Closing).unwrap();
    bench.push("second", Key::Plain).unwrap();
    assert_eq!(bench.written(2), "fi");
    bench.queue.drop_unbegun();
    bench.queue.append(Bytes::from_static(b"close"), Key::Plain, &bench.budget);
    assert_eq!(bench.written(usize::MAX), "rstclose");
    bench.push("never begun", Key::Closing).unwrap();
    bench.queue.drop_unbegun();
    assert_eq!((bench.queue.is_empty(), bench.queue.closings_written()), (true, 1), "the first was written");
    assert_eq!(bench.budget.used(), 0);
}

#[test]
fn a_question_that_is_sent_again_is_noted_once_and_keeps_its_first_moment() {
    let mut bench = Bench::new();
    let question = QuestionId::from(uuid::Uuid::from_u128(1));
    let first = bench.now;
    for _ in 0..1_000 {
        bench.queue.note_handed_over(Key::Asks(question), || bench.now);
        bench.now = bench.now.plus(Duration::from_secs(1));
    }
    bench.queue.note_written(Key::Asks(question), || bench.now);
    assert_eq!(bench.queue.asked.len(), 1);
    assert_eq!(bench.queue.asked_at(question, Duration::ZERO), Some(first));
}

#[test]
fn a_question_is_asked_when_its_last_byte_is_written() {
    let question = |number| QuestionId::from(uuid::Uuid::from_u128(number));
    let most = Duration::from_mins(1);
    let mut bench = Bench::new();
    bench.push("before", Key::Plain).unwrap();
    bench.queue.note_handed_over(Key::Asks(question(1)), || bench.now);
    bench.push("question", Key::Asks(question(1))).unwrap();
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

/// The client reads nothing for nine seconds, and then answers at once.
#[test]
fn a_client_that_does_not_read_starts_no_clock_of_its_own() {
    let question = QuestionId::from(uuid::Uuid::from_u128(1));
    let mut bench = Bench::new();
    bench.push("what fills the line", Key::Plain).unwrap();
    bench.written(1);
    let released = bench.now;
    bench.queue.note_handed_over(Key::Asks(question), || released);
    bench.push("question", Key::Asks(question)).unwrap();
    bench.now = released.plus(Duration::from_secs(8));
    bench.written(usize::MAX);
    for (most, least) in [(2_000, 7_000), (80, 8_920), (0, 9_000)] {
        let asked = bench.queue.asked_at(question, Duration::from_millis(most)).unwrap();
        assert_eq!(bench.now.since(asked), Duration::from_millis(least), "{most} ms on the way at most");
    }
}
