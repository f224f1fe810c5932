//! The parts of files that were read lately, so that a class full of phones costs one read of the database.
//!
//! Used by downloads. The cache is bounded in bytes; the least used part makes room. A part that many requests need at
//! once is read once.

use std::sync::Arc;

use bytes::Bytes;
use moka::future::Cache;

use crate::store::StoreError;

/// Most bytes of all parts in the cache.
const CACHE_BYTES: u64 = 32 << 20;

/// The name of a cached part: a file, or a copy of one for a game, and the number of the part.
pub type PartName = ([u8; 16], u32);

/// Parts that were read lately.
pub struct PartCache(Cache<PartName, Bytes>);

impl Default for PartCache {
    fn default() -> Self {
        let weight = |_: &PartName, part: &Bytes| u32::try_from(part.len()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(CACHE_BYTES).weigher(weight).build())
    }
}

impl PartCache {
    /// The part with this name, made by `load` unless it is cached.
    ///
    /// # Errors
    /// The error of `load`; it is not cached.
    pub async fn get(
        &self,
        name: PartName,
        load: impl Future<Output = Result<Bytes, StoreError>>,
    ) -> Result<Bytes, Arc<StoreError>> {
        self.0.try_get_with(name, load).await
    }
}
