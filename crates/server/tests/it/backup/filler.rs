//! Fills databases of any size quickly: copies the games of the golden database again and again under other ids.

use std::fs::{self, File};
use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use crate::process::{Launch, Server};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/0.1.0-schema1/sqlite.db");

/// The games that have ended, and their logs. Only the columns of the golden database are set: the others have a default.
const GAMES: &str = "
    WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < $1)
    INSERT INTO game (id, host_id, code, code_held, title, phase, closed, created_at_ms, ended_at_ms, active_at_ms)
    SELECT unhex(printf('%032x', number)), host_id, 'FILLER', 0, title, phase, 0, created_at_ms, ended_at_ms, active_at_ms
    FROM copy, (SELECT * FROM game WHERE phase = 'ended' LIMIT 1)";
const LOGS: &str = "
    WITH named (id, code, phase, name) AS (
        SELECT id, code, phase, lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
            || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) FROM game),
        model AS (SELECT id, name FROM named WHERE phase = 'ended' AND code <> 'FILLER' LIMIT 1)
    INSERT INTO game_log (game_id, seq, n, epoch, batch, body)
    SELECT filler.id, seq, n, log.epoch, batch, replace(body, model.name, filler.name)
    FROM (SELECT id, name FROM named WHERE code = 'FILLER' ORDER BY id) filler, model,
        (SELECT * FROM game_log WHERE game_id = (SELECT id FROM model) ORDER BY seq) log
    ORDER BY filler.id, seq";

/// Makes a database of about `bytes` bytes in the folder, without a running service.
pub async fn database(folder: &Path, bytes: u64) {
    let file = folder.join("quizhall.db");
    fs::copy(GOLDEN, &file).unwrap();
    let mut server = Server::start(&Launch::new(folder));
    server.kill();
    let mut database = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
    sqlx::query("PRAGMA synchronous = OFF").execute(&mut database).await.unwrap();
    // The size of one game is measured on the first hundred.
    fill(&mut database, 100).await;
    let before = size(&mut database).await;
    let each = (before - fs::metadata(GOLDEN).unwrap().len()) / 100;
    sqlx::query("DELETE FROM game_log WHERE game_id IN (SELECT id FROM game WHERE code = 'FILLER')")
        .execute(&mut database)
        .await
        .unwrap();
    sqlx::query("DELETE FROM game WHERE code = 'FILLER'").execute(&mut database).await.unwrap();
    fill(&mut database, i64::try_from(bytes / each.max(1)).unwrap()).await;
    let found = size(&mut database).await;
    assert!((bytes * 3 / 4..bytes * 2).contains(&found), "{found} bytes instead of {bytes}");
    database.close().await.unwrap();
    // Otherwise the kernel writes it half a minute later, in the middle of the measurement.
    File::open(file).unwrap().sync_all().unwrap();
}

async fn fill(database: &mut SqliteConnection, games: i64) {
    sqlx::query(GAMES).bind(games).execute(&mut *database).await.unwrap();
    sqlx::query(LOGS).execute(&mut *database).await.unwrap();
}

async fn size(database: &mut SqliteConnection) -> u64 {
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *database).await.unwrap();
    pages.unsigned_abs() * 4_096
}
