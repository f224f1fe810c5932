//! Lanes: the order of one key, and callers that give up.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use quizhall::limits::{Full, InLane, Lanes};

type Key = Arc<str>;
type Waiting<'a> = BoxFuture<'a, Result<InLane<'a, Key>, Full>>;

fn enter<'a>(lanes: &'a Lanes<Key>, key: &Key) -> Waiting<'a> {
    lanes.enter(Arc::clone(key)).boxed()
}

/// Polls once: `None` while it waits.
fn poll<'a>(waiting: &mut Waiting<'a>) -> Option<Result<InLane<'a, Key>, Full>> {
    waiting.now_or_never()
}

#[test]
fn each_key_has_a_width_and_an_order_and_callers_may_give_up() {
    let (lanes, [a, b]) = (Lanes::new(1, 100), ["a", "b"].map(Key::from));
    let first = poll(&mut enter(&lanes, &a)).unwrap().unwrap();
    let [mut second, mut third, mut fourth] = [(); 3].map(|()| enter(&lanes, &a));
    assert!([&mut second, &mut third, &mut fourth].into_iter().all(|waiting| poll(waiting).is_none()));
    assert!(poll(&mut enter(&lanes, &b)).is_some_and(|place| place.is_ok()), "another key does not wait");
    drop(first);
    assert!(poll(&mut third).is_none(), "it is not the third's turn");
    let second = poll(&mut second).unwrap().unwrap();
    assert_eq!(lanes.taken(), 3);
    drop(third);
    assert_eq!(lanes.taken(), 2, "a caller that gives up leaves the lane");
    drop(second);
    drop(poll(&mut fourth).unwrap().unwrap());
    drop(fourth);
    assert_eq!((lanes.taken(), Arc::strong_count(&a)), (0, 1), "nothing is kept of a lane without users");
}
