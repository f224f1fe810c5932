//! Unit tests of `auth::lanes`.

#![allow(clippy::unwrap_used)]
use std::future::Future;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};

use super::*;

type Waiting<'a> = BoxFuture<'a, Result<InLane<'a, &'static str>, Full>>;

/// Polls once: `None` while it waits.
fn poll<F: Future + Unpin>(waiting: &mut F) -> Option<F::Output> {
    waiting.now_or_never()
}

#[test]
fn each_key_has_a_width_and_an_order() {
    let lanes = Lanes::new(1, 100);
    let first = poll(&mut lanes.enter("a").boxed()).unwrap().unwrap();
    let (mut second, mut third): (Waiting<'_>, Waiting<'_>) = (lanes.enter("a").boxed(), lanes.enter("a").boxed());
    assert!(poll(&mut second).is_none() && poll(&mut third).is_none());
    assert!(poll(&mut lanes.enter("b").boxed()).is_some_and(|place| place.is_ok()), "another key does not wait");
    drop(first);
    assert!(poll(&mut third).is_none(), "it is not the third's turn");
    let second = poll(&mut second).unwrap().unwrap();
    drop(second);
    assert!(poll(&mut third).unwrap().is_ok());
}

#[test]
fn a_caller_that_gives_up_leaves_the_lane() {
    let lanes = Lanes::new(1, 100);
    let first = poll(&mut lanes.enter("a").boxed()).unwrap().unwrap();
    let (mut second, mut third): (Waiting<'_>, Waiting<'_>) = (lanes.enter("a").boxed(), lanes.enter("a").boxed());
    assert!(poll(&mut second).is_none() && poll(&mut third).is_none());
    assert_eq!(lanes.taken(), 3);
    drop(second);
    assert_eq!(lanes.taken(), 2);
    drop(first);
    let third = poll(&mut third).unwrap();
    drop(third);
    assert_eq!((lanes.taken(), lanes.open().by_key.len()), (0, 0), "nothing is kept of a lane without users");
}

#[test]
fn one_key_never_takes_every_place() {
    let lanes = Lanes::new(1, 100);
    let mut many: Vec<Waiting<'_>> = Vec::new();
    let mut refused = 0;
    for _ in 0..200 {
        let mut waiting: Waiting<'_> = lanes.enter("a").boxed();
        match poll(&mut waiting) {
            Some(Err(Full)) => refused += 1,
            Some(Ok(place)) => many.push(async move { Ok(place) }.boxed()),
            None => many.push(waiting),
        }
    }
    assert_eq!((lanes.taken(), refused), (75, 125), "three quarters");
    for key in ["b", "c", "d", "e"] {
        let place = lanes.enter(key).boxed().now_or_never().unwrap();
        assert!(place.is_ok(), "{key} finds a place");
    }
    drop(many);
    assert_eq!(lanes.taken(), 0);
}

#[tokio::test]
async fn all_get_through() {
    let lanes = Lanes::new(3, 1_000);
    let all = (0..500).map(|number| {
        let lanes = &lanes;
        async move {
            let place = lanes.enter(number % 7).await.unwrap();
            tokio::task::yield_now().await;
            drop(place);
        }
    });
    join_all(all).await;
    assert_eq!(lanes.taken(), 0);
}
