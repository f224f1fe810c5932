//! What is done to accounts, written once for both engines: [`functions`] makes the same functions for either connection.
//!
//! Used by `sqlite` and `postgres` alone. The caller holds a transaction in which no other one changes accounts.

/// The functions behind [`super::AccountStore`] for one kind of connection.
macro_rules! functions {
    ($connection:ty) => {
        use quizhall_rules::HostId;

        use super::super::sql::{accounts as sql, games as games_sql};
        use super::super::stored::{StoredGame, hashes};
        use super::super::{AccountChange, AccountLine, GameRow, StoreError};

        pub(super) async fn list(connection: &mut $connection) -> Result<Vec<AccountLine>, StoreError> {
            Ok(sqlx::query_as(sql::LIST).fetch_all(connection).await?)
        }

        pub(super) async fn rename(
            connection: &mut $connection,
            host: HostId,
            (name, name_key): (String, String),
        ) -> Result<AccountChange, StoreError> {
            let taken = sqlx::query_scalar(sql::NAME_TAKEN).bind(host.uuid()).bind(name_key.as_str());
            if taken.fetch_one(&mut *connection).await? {
                return Ok(AccountChange::NameTaken);
            }
            let renamed =
                sqlx::query(sql::RENAME).bind(host.uuid()).bind(name).bind(name_key).execute(connection).await?;
            Ok(if renamed.rows_affected() > 0 { AccountChange::Done(Vec::new()) } else { AccountChange::NotFound })
        }

        pub(super) async fn disable(
            connection: &mut $connection,
            host: HostId,
            since_ms: Option<i64>,
        ) -> Result<AccountChange, StoreError> {
            if let Some(refused) = refused(connection, host, since_ms.is_some()).await? {
                return Ok(refused);
            }
            sqlx::query(sql::DISABLE).bind(host.uuid()).bind(since_ms).execute(&mut *connection).await?;
            end_sessions(connection, host).await
        }

        pub(super) async fn remove(
            connection: &mut $connection,
            host: HostId,
            heir: Option<HostId>,
        ) -> Result<AccountChange, StoreError> {
            if let Some(refused) = refused(connection, host, true).await? {
                return Ok(refused);
            }
            if let Some(heir) = heir {
                if !sqlx::query_scalar(sql::EXISTS).bind(heir.uuid()).fetch_one(&mut *connection).await? {
                    return Ok(AccountChange::NotFound);
                }
                for hand_over in [sql::HAND_GAMES, sql::HAND_QUIZZES] {
                    sqlx::query(hand_over).bind(host.uuid()).bind(heir.uuid()).execute(&mut *connection).await?;
                }
            }
            let (games, quizzes): (i64, i64) =
                sqlx::query_as(sql::COUNT_OWNED).bind(host.uuid()).fetch_one(&mut *connection).await?;
            if games > 0 || quizzes > 0 {
                return Ok(AccountChange::OwnsData { games: games.unsigned_abs(), quizzes: quizzes.unsigned_abs() });
            }
            let ended = end_sessions(connection, host).await?;
            sqlx::query(sql::DELETE).bind(host.uuid()).execute(connection).await?;
            Ok(ended)
        }

        pub(super) async fn close(
            connection: &mut $connection,
            host: HostId,
            now_ms: i64,
        ) -> Result<AccountChange, StoreError> {
            if let Some(refused) = refused(connection, host, true).await? {
                return Ok(refused);
            }
            let live: i64 =
                sqlx::query_scalar(games_sql::COUNT_LIVE).bind(host.uuid()).fetch_one(&mut *connection).await?;
            if live > 0 {
                return Ok(AccountChange::LiveGames(live.unsigned_abs()));
            }
            sqlx::query(sql::DISABLE).bind(host.uuid()).bind(Some(now_ms)).execute(&mut *connection).await?;
            sqlx::query(sql::CLOSE_GAMES).bind(host.uuid()).bind(now_ms).execute(&mut *connection).await?;
            sqlx::query(sql::DELETE_QUIZZES).bind(host.uuid()).execute(&mut *connection).await?;
            end_sessions(connection, host).await
        }

        pub(super) async fn all_games(connection: &mut $connection, host: HostId) -> Result<Vec<GameRow>, StoreError> {
            let rows = sqlx::query_as(games_sql::ALL_OF_HOST).bind(host.uuid()).fetch_all(connection).await?;
            rows.into_iter().map(StoredGame::read).collect()
        }

        /// Why the account cannot be changed, if it cannot; `locks_out`: nobody signs in to it afterwards.
        async fn refused(
            connection: &mut $connection,
            host: HostId,
            locks_out: bool,
        ) -> Result<Option<AccountChange>, StoreError> {
            if !sqlx::query_scalar(sql::EXISTS).bind(host.uuid()).fetch_one(&mut *connection).await? {
                return Ok(Some(AccountChange::NotFound));
            }
            if locks_out && sqlx::query_scalar(sql::IS_LAST).bind(host.uuid()).fetch_one(connection).await? {
                return Ok(Some(AccountChange::LastAccount));
            }
            Ok(None)
        }

        async fn end_sessions(connection: &mut $connection, host: HostId) -> Result<AccountChange, StoreError> {
            let ended = sqlx::query_scalar(sql::END_ALL).bind(host.uuid());
            Ok(AccountChange::Done(hashes(ended.fetch_all(connection).await?)?))
        }
    };
}

pub(super) use functions;
