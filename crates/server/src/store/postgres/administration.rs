//! Looking after accounts. Each change takes the lock of accounts first, so that two cannot each leave the other as the last.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;

use super::super::{AccountStore, Answer, administration};
use super::{PostgresStore, accounts};

administration::functions!(PgConnection);

impl PostgresStore {
    /// Runs `work` in a transaction in which no other one creates or changes accounts.
    async fn with_accounts<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.cold.write(move |connection| locked(connection, work).boxed()).await
    }
}

async fn locked<T, F>(connection: &mut PgConnection, work: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
{
    accounts::lock_all(connection).await?;
    work(connection).await
}

impl AccountStore for PostgresStore {
    fn accounts(&self) -> Answer<'_, Vec<AccountLine>> {
        self.cold.read(|connection| list(connection).boxed()).boxed()
    }

    fn rename_account(&self, host: HostId, name: String, name_key: String) -> Answer<'_, AccountChange> {
        self.with_accounts(move |connection| rename(connection, host, (name, name_key)).boxed()).boxed()
    }

    fn disable_account(&self, host: HostId, since_ms: Option<i64>) -> Answer<'_, AccountChange> {
        self.with_accounts(move |connection| disable(connection, host, since_ms).boxed()).boxed()
    }

    fn remove_account(&self, host: HostId, heir: Option<HostId>) -> Answer<'_, AccountChange> {
        self.with_accounts(move |connection| remove(connection, host, heir).boxed()).boxed()
    }

    fn close_account(&self, host: HostId, now_ms: i64) -> Answer<'_, AccountChange> {
        self.with_accounts(move |connection| close(connection, host, now_ms).boxed()).boxed()
    }

    fn all_games_of(&self, host: HostId) -> Answer<'_, Vec<GameRow>> {
        self.cold.read(move |connection| all_games(connection, host).boxed()).boxed()
    }
}
