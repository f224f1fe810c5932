//! Pictures of replays that were read lately, and the turns of those that read them.
//!
//! Filled by `reading`. Bounded in bytes and in time; a block that many requests need at once is read once.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use moka::future::Cache;
use quizhall_rules::GameId;
use tokio::sync::Semaphore;

use crate::games::error::GameError;
use crate::store::LogMark;

/// Most bytes of all kept pictures; a picture of a question has some 2 kB, a full lobby 15 kB.
const CACHE_BYTES: u64 = 8 << 20;
/// How long a block is kept, whatever happens to the log. Less than a hold is remembered: see [`LogMark`].
const KEPT: Duration = Duration::from_secs(60);
/// Logs that are read for replays at once, so that other loads find turns.
const PASSES: usize = 4;

/// The name of a block: the game, its log, and the place of the block in the replay.
pub(in crate::games) type BlockName = (GameId, LogMark, usize);

/// The pictures of some moments in a row.
pub(in crate::games) type Block = Arc<[Bytes]>;

/// The pictures that were read lately.
pub(in crate::games) struct Films {
    blocks: Cache<BlockName, Block>,
    /// The turns for reading logs for replays.
    pub passes: Semaphore,
}

impl Default for Films {
    fn default() -> Self {
        let bytes = |_: &BlockName, block: &Block| {
            let bytes = block.iter().map(|picture| picture.len() + size_of::<Bytes>()).sum::<usize>();
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        let blocks = Cache::builder().max_capacity(CACHE_BYTES).weigher(bytes).time_to_live(KEPT).build();
        Self { blocks, passes: Semaphore::new(PASSES) }
    }
}

impl Films {
    /// The block with this name, made by `load` unless it is kept.
    ///
    /// # Errors
    /// The error of `load`; it is not kept.
    pub async fn get(
        &self,
        name: BlockName,
        load: impl Future<Output = Result<Block, GameError>>,
    ) -> Result<Block, GameError> {
        self.blocks.try_get_with(name, load).await.map_err(|error| *error)
    }
}
