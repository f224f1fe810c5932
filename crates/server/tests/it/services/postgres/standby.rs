//! A standby that streams the log of another server, and its promotion.

use std::process::Command;
use std::time::{Duration, Instant};

use super::{Postgres, START, as_user, folder, program};

impl Postgres {
    /// Starts a standby of this server, for which every commit waits from now on.
    pub async fn synchronous_standby(&self) -> Self {
        let folder = folder();
        let copied = as_user(&mut Command::new(program("pg_basebackup")))
            .args(["--no-sync", "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--pgdata"])
            .arg(folder.path().join("data"))
            .args(["--dbname", &self.url("postgres")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(copied.status.success(), "pg_basebackup: {}", String::from_utf8_lossy(&copied.stderr));
        let standby = Self::on(folder, self.durability);
        // Set after the copy: the promoted standby must not wait for another.
        self.say("ALTER SYSTEM SET synchronous_standby_names = '*'").await;
        self.say("SELECT pg_reload_conf()").await;
        let begun = Instant::now();
        while !self.has_synchronous_standby().await {
            assert!(begun.elapsed() < START, "the standby does not follow");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        standby
    }

    /// Makes a standby the primary. It takes writes when this returns.
    pub async fn promote(&self) {
        self.say("SELECT pg_promote()").await;
    }

    /// The URL of a database on this server or another, whichever takes writes.
    pub fn url_with(&self, other: &Self, database: &str) -> String {
        format!("postgres://quizhall@127.0.0.1:{},127.0.0.1:{}/{database}", self.port, other.port)
    }

    async fn has_synchronous_standby(&self) -> bool {
        let mut connection = self.admin().await;
        let count = sqlx::query_scalar("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'");
        count.fetch_one(&mut connection).await.is_ok_and(|count: i64| count > 0)
    }
}
