//! Threads that write one broadcast to many sockets. Whoever begins it waits until all of them are done.

use std::sync::{Arc, LazyLock};

use tokio::task::JoinSet;

/// Recipients of a broadcast that the game's task writes to itself, in about a millisecond. For more there are threads, each
/// with as many or the rest: a task would hold up everything else on its core or, if it paused, might continue on another one
/// with cold caches.
pub(in crate::games) const FEW: usize = 256;
/// Threads that write a big broadcast: half of the cores. The other half is for the kernel, which does the receivers' work in
/// the sender's name, and for what players send meanwhile; measured with two cores, a second writer makes each frame a
/// seventh dearer.
pub(in crate::games) static WRITERS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)));

/// Does `work` on everything in `all`, in shares of neighbours: one for each of so many threads, or fewer of [`FEW`] each and
/// a rest.
///
/// # Panics
/// When `work` does.
pub(in crate::games) async fn share<T, W>(all: Arc<[T]>, threads: usize, work: W)
where
    T: Send + Sync + 'static,
    W: Fn(&[T]) + Clone + Send + 'static,
{
    let share = all.len().div_ceil(threads.max(1)).max(FEW);
    let mut writers = JoinSet::new();
    for first in (0..all.len()).step_by(share) {
        let (all, work) = (Arc::clone(&all), work.clone());
        let end = (first + share).min(all.len());
        writers.spawn_blocking(move || work(&all[first..end]));
    }
    while let Some(written) = writers.join_next().await {
        // Cancelled only when the process ends.
        if let Err(error) = written
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::panic::AssertUnwindSafe;
    use std::sync::Mutex;

    use futures_util::FutureExt as _;

    use super::*;

    /// The shares that so many elements make for so many threads, by their first element.
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
    async fn everybody_is_in_one_share() {
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
    async fn whoever_waits_hears_of_a_panic() {
        let all: Arc<[usize]> = (0..1_000).collect();
        for broken in [0, 500, 999] {
            let work = move |some: &[usize]| assert!(!some.contains(&broken), "as this test wants it");
            let outcome = AssertUnwindSafe(share(Arc::clone(&all), 2, work)).catch_unwind().await;
            assert!(outcome.is_err(), "the panic at {broken} is lost");
        }
    }
}
