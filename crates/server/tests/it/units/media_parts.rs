//! A part is read once for all who wait for it, and the next request tries a failed read again.

use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use futures_util::future::join_all;
use quizhall::media::PartCache;
use quizhall::store::StoreError;

#[tokio::test]
async fn a_part_that_many_want_is_read_once_and_a_failure_is_not_kept() {
    let (cache, reads) = (PartCache::default(), AtomicU32::new(0));
    assert!(cache.get(([7; 16], 3), async { Err(StoreError::Full) }).await.is_err());
    let read = || async {
        reads.fetch_add(1, Ordering::Relaxed);
        tokio::task::yield_now().await;
        Ok(Bytes::from_static(b"part"))
    };
    let got = join_all((0..100).map(|_| cache.get(([7; 16], 3), read()))).await;
    assert!(got.into_iter().all(|part| part.is_ok_and(|part| &part[..] == b"part")));
    assert_eq!(reads.load(Ordering::Relaxed), 1);
}
