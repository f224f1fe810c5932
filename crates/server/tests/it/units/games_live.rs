//! Broadcasts to more connections than the game's task writes to by itself.

use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt as _;
use quizhall::games::live::attached::Attached;
use quizhall::games::live::writers::{FEW, share};
use quizhall::games::{ConnectionId, Sink};
use quizhall_engine::wire::{Close, Frames, Recipient};
use quizhall_engine::{Dialect, FrameKind};
use quizhall_rules::QuestionId;

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

/// A player's connection that keeps what it is sent.
struct Kept {
    id: usize,
    frames: Mutex<Vec<Bytes>>,
}

impl Sink for Kept {
    fn id(&self) -> ConnectionId {
        ConnectionId(self.id as u64)
    }

    fn address(&self) -> IpAddr {
        Ipv4Addr::LOCALHOST.into()
    }

    /// Every third has the extension.
    fn dialect(&self) -> Dialect {
        if self.id.is_multiple_of(3) { Dialect::QuizhallV1 } else { Dialect::Interface }
    }

    fn recipient(&self) -> Option<Recipient> {
        Some(Recipient::of(false, self.dialect()))
    }

    fn send(&self, frame: Bytes, _: FrameKind) {
        self.frames.lock().unwrap().push(frame);
    }

    fn read_ahead(&self) {}

    fn close(&self, _: Close) {}

    fn closings_written(&self) -> u32 {
        0
    }

    fn elapsed_since(&self, _: QuestionId) -> Option<u32> {
        None
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_big_broadcast_reaches_each_socket_once_and_in_order() {
    let attached = Attached::default();
    let all: Vec<_> = (0..2 * FEW + 90).map(|id| Arc::new(Kept { id, frames: Mutex::default() })).collect();
    for kept in &all {
        attached.insert(Arc::clone(kept) as _);
    }
    let frame = |number: usize| Bytes::from(format!("{number}"));
    let longer = |number: usize| Bytes::from(format!("{number}, of the extension"));
    let mut expected = [Vec::new(), Vec::new()];
    for number in 0..20 {
        let (message, recipients) = match number % 4 {
            0 => (Frames::extension(frame(number)), all.len().div_ceil(3)),
            1 => (Frames::each(frame(number), longer(number)), all.len()),
            _ => (Frames::shared(frame(number)), all.len()),
        };
        assert_eq!(attached.broadcast(&message, FrameKind::Queued).await, recipients);
        if number % 4 != 0 {
            expected[0].push(frame(number));
        }
        expected[1].push(if number % 4 == 1 { longer(number) } else { frame(number) });
    }
    attached.remove(ConnectionId(7)).unwrap();
    assert_eq!(attached.broadcast(&Frames::shared(frame(99)), FrameKind::Queued).await, all.len() - 1);
    for kept in all {
        let mut wanted = expected[usize::from(kept.id.is_multiple_of(3))].clone();
        wanted.extend((kept.id != 7).then(|| frame(99)));
        assert_eq!(*kept.frames.lock().unwrap(), wanted, "socket {}", kept.id);
    }
}
