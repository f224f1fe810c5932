//! Unit tests of `games::live::writers`.

#![allow(clippy::unwrap_used)]

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use futures_util::FutureExt as _;

use super::*;

/// The shares of this many elements for this many threads, by their first element.
async fn shares(elements: usize, threads: usize) -> Vec<Vec<usize>> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noting = Arc::clone(&seen);
    let all: Arc<[usize]> = (0..elements).collect();
    share(all, threads, move |some| noting.lock().unwrap().push(some.to_vec())).await;
    let mut seen = std::mem::take(&mut *seen.lock().unwrap());
    seen.sort_unstable();
    seen
}

#[tokio::test]
async fn every_element_is_in_one_share() {
    for elements in [0, 1, FEW, FEW + 1, 2 * FEW, 1_000, 10_007] {
        for threads in [0, 1, 2, 3, 64] {
            let shares = shares(elements, threads).await;
            assert_eq!(shares.concat(), (0..elements).collect::<Vec<_>>(), "{elements} over {threads}");
            assert!(shares.len() <= threads.max(1), "{elements} over {threads}: {} shares", shares.len());
            let small = shares.iter().rev().skip(1).any(|share| share.len() < FEW);
            assert!(!small, "{elements} over {threads}: a thread for a handful");
        }
    }
    assert_eq!(shares(10_007, 3).await.iter().map(Vec::len).collect::<Vec<_>>(), [3_336, 3_336, 3_335]);
}

#[tokio::test]
async fn a_panic_reaches_the_caller() {
    let all: Arc<[usize]> = (0..1_000).collect();
    for broken in [0, 500, 999] {
        let work = move |some: &[usize]| assert!(!some.contains(&broken), "as this test wants it");
        let outcome = AssertUnwindSafe(share(Arc::clone(&all), 2, work)).catch_unwind().await;
        assert!(outcome.is_err(), "the panic at {broken} is lost");
    }
}
