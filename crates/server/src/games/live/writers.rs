//! Threads that write one broadcast to many sockets. The caller waits until all of them are done.

use std::sync::{Arc, LazyLock};

use tokio::task::JoinSet;

/// Recipients to which the game's task writes a broadcast by itself, in about a millisecond. For more there are
/// threads, each with this many or the rest: a task would block its core or, if it paused, might continue on another
/// one with cold caches.
pub const FEW: usize = 256;
/// Threads that write a large broadcast: half of the cores. The other half is for the kernel, which does the receivers'
/// work in the sender's name, and for messages of players. Measured with two cores, a second writer makes each frame
/// cost 14 % more CPU.
pub(in crate::games) static WRITERS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)));

/// Does `work` on everything in `all`, in shares of neighbouring elements: one share for each of `threads`, or fewer
/// shares of [`FEW`] each and a rest.
///
/// # Panics
/// When `work` does.
pub async fn share<T, W>(all: Arc<[T]>, threads: usize, work: W)
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
