//! The bytes of pictures and sounds, in parts: in the database on PostgreSQL, in a file next to it on `SQLite`.
//!
//! Each part is a transaction of its own, so neither an upload nor a download holds more than one of them. Knows no
//! hosts and no types.

use futures_util::FutureExt as _;
use uuid::Uuid;

use crate::store::connection::sql;
use crate::store::engine::Store;
use crate::store::error::StoreError;

/// Bytes of every part but the last one.
pub const MEDIA_PART_BYTES: usize = 256 * 1024;

/// Most ids listed at once.
const AT_ONCE: i64 = 1_000;

impl Store {
    /// Stores a part of the file `media`.
    pub async fn put_media_part(&self, media: Uuid, part: u32, body: Vec<u8>) -> Result<(), StoreError> {
        let put = sql("INSERT INTO media_part (media_id, part, body) VALUES ($1, $2, $3)");
        let put = put.bind(media).bind(part).bind(body);
        self.write_media(move |connection| put.execute(connection).boxed()).await.map(drop)
    }

    /// A part of the file `media`; `None` when it does not exist.
    pub async fn media_part(&self, media: Uuid, part: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let select = sql("SELECT body FROM media_part WHERE media_id = $1 AND part = $2").bind(media).bind(part);
        let read = self.read_media(move |connection| select.clone().optional::<(Vec<u8>,)>(connection).boxed()).await?;
        Ok(read.flatten().map(|(body,)| body))
    }

    /// Deletes all parts of these files.
    pub async fn delete_media_parts(&self, media: Vec<Uuid>) -> Result<(), StoreError> {
        for id in media {
            let delete = sql("DELETE FROM media_part WHERE media_id = $1").bind(id);
            self.write_media(move |connection| delete.execute(connection).boxed()).await?;
        }
        Ok(())
    }

    /// Replaces the parts of the file `known` with those of the file `new`, which has the same content; this repairs
    /// damaged parts.
    pub async fn renew_media_parts(&self, known: Uuid, new: Uuid) -> Result<(), StoreError> {
        let delete = sql("DELETE FROM media_part WHERE media_id = $1").bind(known);
        let give = sql("UPDATE media_part SET media_id = $1 WHERE media_id = $2").bind(known).bind(new);
        self.write_media(move |connection| {
            async move {
                delete.execute(connection).await?;
                give.execute(connection).await
            }
            .boxed()
        })
        .await
        .map(drop)
    }

    /// Files with parts, by id, above `after`; at most 1,000.
    pub async fn media_with_parts(&self, after: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let ids = sql("SELECT DISTINCT media_id FROM media_part WHERE media_id > $1 ORDER BY media_id LIMIT $2");
        let ids = ids.bind(after).bind(AT_ONCE);
        let read = self.read_media(move |connection| ids.clone().all::<(Uuid,)>(connection).boxed()).await?;
        Ok(read.unwrap_or_default().into_iter().map(|(id,)| id).collect())
    }
}
