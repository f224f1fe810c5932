//! Changing and removing accounts: name, role, whether they can be signed in to, and what happens to what they own.
//!
//! Called by `auth`. A change first takes the lock of accounts, so that two changes cannot each leave the other's
//! account as the last one.

use futures_util::FutureExt as _;
use quizhall_rules::HostId;

use super::ended_invitations;
use super::games::COUNT_LIVE;
use super::sessions::{self, HASH_BYTES};
use crate::store::connection::{Connection, sql};
use crate::store::engine::Store;
use crate::store::error::StoreError;

const DISABLE: &str = "
    UPDATE host SET disabled_at_ms = CASE WHEN $2 IS NULL THEN NULL ELSE COALESCE(disabled_at_ms, $2) END WHERE id = $1";

/// The result of a change to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountChange {
    /// The change is made; it ended these sessions of the account.
    Done(Vec<[u8; HASH_BYTES]>),
    /// There is no such account.
    NotFound,
    /// Another account has this name.
    NameTaken,
    /// No account could sign in any more: this is the last enabled one with a password.
    LastAccount,
    /// The service would have no owner left that can be signed in to.
    LastOwner,
    /// It still owns this many games, closed ones included, and quizzes.
    OwnsData {
        /// Games, closed ones included.
        games: u64,
        /// Quizzes.
        quizzes: u64,
    },
    /// This many of its games have neither ended nor been closed.
    LiveGames(u64),
}

/// Changes of accounts, for the command line and the host API.
impl Store {
    /// Makes the account an owner of the service, or a host again. With `keep_one`, the role is never taken from the
    /// last owner that can be signed in to.
    pub async fn set_owner(&self, host: HostId, is_owner: bool, keep_one: bool) -> Result<AccountChange, StoreError> {
        self.with_accounts(move |connection| set_owner(connection, host, is_owner, keep_one).boxed()).await
    }

    /// Renames the account; its sessions stay valid.
    pub async fn rename_account(
        &self,
        host: HostId,
        name: String,
        name_key: String,
    ) -> Result<AccountChange, StoreError> {
        self.with_accounts(move |connection| rename(connection, host, name, name_key).boxed()).await
    }

    /// Disables the account as of this time (milliseconds since 1970) or, with `None`, enables it again. Both end its
    /// sessions: a session that was made while the account was being disabled must not become valid with it. Enabling
    /// an enabled account changes nothing and ends no session. Never disables the last account that can be signed in
    /// to.
    pub async fn disable_account(&self, host: HostId, since_ms: Option<i64>) -> Result<AccountChange, StoreError> {
        self.with_accounts(move |connection| disable(connection, host, since_ms).boxed()).await
    }

    /// Deletes the account, its sessions and its files, after moving its games, quizzes and files to `heir`. Without an
    /// heir it must own no game and no quiz. Never deletes the last account that can be signed in to.
    pub async fn remove_account(&self, host: HostId, heir: Option<HostId>) -> Result<AccountChange, StoreError> {
        let files = self.media_of(host).await?;
        let outcome = self.with_accounts(move |connection| remove(connection, host, heir).boxed()).await?;
        if heir.is_none() && matches!(outcome, AccountChange::Done(_)) {
            self.delete_media_parts(files.into_iter().map(|file| file.id).collect()).await?;
        }
        Ok(outcome)
    }

    /// Disables the account, closes its games and deletes its quizzes, unless one of its games has neither ended nor been
    /// closed. The account itself stays until its games are purged.
    pub async fn close_account(&self, host: HostId, now_ms: i64) -> Result<AccountChange, StoreError> {
        self.with_accounts(move |connection| close(connection, host, now_ms).boxed()).await
    }
}

async fn rename(
    connection: &mut Connection<'_>,
    host: HostId,
    name: String,
    name_key: String,
) -> Result<AccountChange, StoreError> {
    let taken = sql("SELECT EXISTS (SELECT 1 FROM host WHERE name_key = $2 AND id <> $1)");
    if taken.bind(host).bind(name_key.as_str()).value(connection).await? {
        return Ok(AccountChange::NameTaken);
    }
    let rename = sql("UPDATE host SET name = $2, name_key = $3 WHERE id = $1");
    let renamed = rename.bind(host).bind(name).bind(name_key).execute(connection).await?;
    Ok(if renamed > 0 { AccountChange::Done(Vec::new()) } else { AccountChange::NotFound })
}

async fn set_owner(
    connection: &mut Connection<'_>,
    host: HostId,
    is_owner: bool,
    keep_one: bool,
) -> Result<AccountChange, StoreError> {
    if keep_one && !is_owner && is_last_owner(connection, host).await? {
        return Ok(AccountChange::LastOwner);
    }
    let set = sql("UPDATE host SET is_owner = $2 WHERE id = $1").bind(host).bind(is_owner);
    let changed = set.execute(connection).await?;
    Ok(if changed > 0 { AccountChange::Done(Vec::new()) } else { AccountChange::NotFound })
}

async fn disable(
    connection: &mut Connection<'_>,
    host: HostId,
    since_ms: Option<i64>,
) -> Result<AccountChange, StoreError> {
    if let Some(refused) = refused(connection, host, since_ms.is_some()).await? {
        return Ok(refused);
    }
    let was_disabled = sql("SELECT EXISTS (SELECT 1 FROM host WHERE id = $1 AND disabled_at_ms IS NOT NULL)");
    if since_ms.is_none() && !was_disabled.bind(host).value(connection).await? {
        return Ok(AccountChange::Done(Vec::new()));
    }
    sql(DISABLE).bind(host).bind(since_ms).execute(connection).await?;
    Ok(AccountChange::Done(sessions::end_all(connection, host).await?))
}

async fn remove(
    connection: &mut Connection<'_>,
    host: HostId,
    heir: Option<HostId>,
) -> Result<AccountChange, StoreError> {
    if let Some(refused) = refused(connection, host, true).await? {
        return Ok(refused);
    }
    if let Some(heir) = heir {
        if !exists(connection, heir).await? {
            return Ok(AccountChange::NotFound);
        }
        // The co-hosts of its games were invited by the account that is removed.
        ended_invitations::mark(connection, host).await?;
        for hand_over in [
            "UPDATE game SET host_id = $2 WHERE host_id = $1",
            "UPDATE quiz SET host_id = $2 WHERE host_id = $1",
            "UPDATE media SET host_id = $2 WHERE host_id = $1",
        ] {
            sql(hand_over).bind(host).bind(heir).execute(connection).await?;
        }
    }
    let games: i64 = sql("SELECT count(*) FROM game WHERE host_id = $1").bind(host).value(connection).await?;
    let quizzes: i64 = sql("SELECT count(*) FROM quiz WHERE host_id = $1").bind(host).value(connection).await?;
    if games > 0 || quizzes > 0 {
        return Ok(AccountChange::OwnsData { games: games.unsigned_abs(), quizzes: quizzes.unsigned_abs() });
    }
    let ended = sessions::end_all(connection, host).await?;
    sql("DELETE FROM host WHERE id = $1").bind(host).execute(connection).await?;
    Ok(AccountChange::Done(ended))
}

async fn close(connection: &mut Connection<'_>, host: HostId, now_ms: i64) -> Result<AccountChange, StoreError> {
    if let Some(refused) = refused(connection, host, true).await? {
        return Ok(refused);
    }
    let live: i64 = sql(COUNT_LIVE).bind(host).value(connection).await?;
    if live > 0 {
        return Ok(AccountChange::LiveGames(live.unsigned_abs()));
    }
    sql(DISABLE).bind(host).bind(Some(now_ms)).execute(connection).await?;
    let close = sql("
        UPDATE game SET closed = 1, closed_at_ms = $2, ended_at_ms = COALESCE(ended_at_ms, $2)
        WHERE host_id = $1 AND closed = 0");
    close.bind(host).bind(now_ms).execute(connection).await?;
    sql("DELETE FROM quiz WHERE host_id = $1").bind(host).execute(connection).await?;
    Ok(AccountChange::Done(sessions::end_all(connection, host).await?))
}

/// Why the account cannot be changed; `None` when it can. `locks_out`: it cannot sign in afterwards.
async fn refused(
    connection: &mut Connection<'_>,
    host: HostId,
    locks_out: bool,
) -> Result<Option<AccountChange>, StoreError> {
    if !exists(connection, host).await? {
        return Ok(Some(AccountChange::NotFound));
    }
    let is_last = sql("
        SELECT EXISTS (SELECT 1 FROM host WHERE id = $1 AND password_hash IS NOT NULL AND disabled_at_ms IS NULL)
            AND NOT EXISTS (SELECT 1 FROM host WHERE id <> $1 AND password_hash IS NOT NULL AND disabled_at_ms IS NULL)");
    if locks_out && is_last.bind(host).value(connection).await? {
        return Ok(Some(AccountChange::LastAccount));
    }
    if locks_out && is_last_owner(connection, host).await? {
        return Ok(Some(AccountChange::LastOwner));
    }
    Ok(None)
}

/// Whether the account is the only owner that can be signed in to.
async fn is_last_owner(connection: &mut Connection<'_>, host: HostId) -> Result<bool, StoreError> {
    sql("
        SELECT EXISTS (SELECT 1 FROM host WHERE id = $1 AND is_owner = 1 AND disabled_at_ms IS NULL)
            AND NOT EXISTS (SELECT 1 FROM host WHERE id <> $1 AND is_owner = 1 AND disabled_at_ms IS NULL)")
    .bind(host)
    .value(connection)
    .await
}

async fn exists(connection: &mut Connection<'_>, host: HostId) -> Result<bool, StoreError> {
    sql("SELECT EXISTS (SELECT 1 FROM host WHERE id = $1)").bind(host).value(connection).await
}
