//! The pictures and sounds of all hosts: each must have all of its bytes, and exactly those that were uploaded.
//!
//! Called by `verify`. Holds one part of one file at a time. A database from before pictures and sounds has none.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{Report, damage};
use crate::store::{MEDIA_PART_BYTES, MediaSum, Store, StoreError};

/// Reads every file, even one that no quiz or game uses, and reports the damaged ones.
pub(super) async fn read(store: &Store, report: &mut Report) -> Result<(), StoreError> {
    let mut after = Uuid::nil();
    loop {
        let page = match store.media_sums(after).await {
            Ok(page) => page,
            Err(error) if error.is_damage() => {
                report.file.push(format!("the list of pictures and sounds cannot be read: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let Some(last) = page.last() else { return Ok(()) };
        after = last.id;
        for file in page {
            report.files += 1;
            let Some(what) = wrong(store, &file).await? else { continue };
            // A file that was deleted meanwhile loses first its line, then its parts.
            if store.without_line(vec![file.id]).await?.is_empty() {
                report.damaged_files.push((file.id, what.to_owned()));
            }
        }
    }
}

/// The fault of the file, if any.
async fn wrong(store: &Store, file: &MediaSum) -> Result<Option<&'static str>, StoreError> {
    let mut sum = Sha256::new();
    let parts = file.bytes.div_ceil(MEDIA_PART_BYTES as u64);
    for part in 0..u32::try_from(parts).unwrap_or(u32::MAX) {
        let Some(read) = damage(store.media_part(file.id, part).await)? else { return Ok(Some("it cannot be read")) };
        let Some(bytes) = read else { return Ok(Some("a part of it is missing")) };
        sum.update(&bytes);
    }
    Ok((sum.finalize().as_slice() != file.sha256).then_some("its bytes are not those that were uploaded"))
}
