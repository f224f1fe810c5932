//! Looking after accounts. The write lock of the transaction keeps other changes of accounts away.

use futures_util::FutureExt as _;
use sqlx::SqliteConnection;

use super::super::{AccountStore, Answer, administration};
use super::SqliteStore;

administration::functions!(SqliteConnection);

impl AccountStore for SqliteStore {
    fn accounts(&self) -> Answer<'_, Vec<AccountLine>> {
        async { list(&mut *self.readers.acquire().await?).await }.boxed()
    }

    fn rename_account(&self, host: HostId, name: String, name_key: String) -> Answer<'_, AccountChange> {
        self.cold.write(&self.gate, move |connection| rename(connection, host, (name, name_key)).boxed()).boxed()
    }

    fn disable_account(&self, host: HostId, since_ms: Option<i64>) -> Answer<'_, AccountChange> {
        self.cold.write(&self.gate, move |connection| disable(connection, host, since_ms).boxed()).boxed()
    }

    fn remove_account(&self, host: HostId, heir: Option<HostId>) -> Answer<'_, AccountChange> {
        self.cold.write(&self.gate, move |connection| remove(connection, host, heir).boxed()).boxed()
    }

    fn close_account(&self, host: HostId, now_ms: i64) -> Answer<'_, AccountChange> {
        self.cold.write(&self.gate, move |connection| close(connection, host, now_ms).boxed()).boxed()
    }

    fn all_games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>> {
        async move { all_games(&mut *self.readers.acquire().await?, host).await }.boxed()
    }
}
