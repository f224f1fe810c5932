//! Recovers PostgreSQL to a point in time with the commands of docs/operate/databases.md: everything acknowledged before that time is
//! there, everything sent after it is not, and the game can be continued.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tempfile::TempDir;

use super::play::Play;
use crate::docs::blocks;
use crate::process::{Launch, Server};
use crate::services::postgres::{Durability, Postgres, as_user, folder, program};

/// The names that the page uses for its folders.
const PLACES: [&str; 3] = ["ARCHIVE", "BASE", "NEW"];
const TIMEOUT: Duration = Duration::from_secs(60);
const PLAYERS: usize = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_is_recovered_to_a_point_in_time() {
    let [archive, base, switch, recover] = &blocks("docs/operate/databases.md", "point-in-time")[..] else {
        panic!("the steps of the page differ from those of this test");
    };
    let (mut postgres, place, new) = (Postgres::start(Durability::Kept), folder(), folder());
    let step = |postgres: &Postgres, script: &str, time: &str| {
        run(script, (&postgres.url("postgres"), time), (place.path(), new.path()))
    };
    step(&postgres, archive, "");
    postgres.kill();
    postgres.start_again();
    let (url, data) = (postgres.empty_database().await, TempDir::new().unwrap());
    let mut server = serve(&url, data.path());
    let mut play = Play::begin(&server, PLAYERS).await;
    step(&postgres, base, "");
    more(&play).await;

    let acknowledged = play.ledger();
    let time: String = ask(&postgres.url("postgres"), "SELECT clock_timestamp()::text").await;
    let expected = acknowledged.with_sent_until(&play.ledger());
    more(&play).await;
    play.stop().await;
    assert!(
        play.ledger().acknowledgements() > expected.acknowledgements(),
        "some answers came after the point in time"
    );
    server.kill();
    let segment = step(&postgres, switch, "");
    let archived = format!("SELECT coalesce(last_archived_wal, '') >= '{}' FROM pg_stat_archiver", segment.trim());
    until(&postgres.url("postgres"), &archived).await;
    postgres.kill();

    step(&postgres, recover, &time);
    let recovered = Postgres::on(new, Durability::Kept);
    until(&recovered.url("postgres"), "SELECT NOT pg_is_in_recovery()").await;
    let server = serve(&recovered.url(url.rsplit('/').next().unwrap()), data.path());
    play.finish(&server, &expected).await;
}

/// Waits until each player, on average, has three more acknowledgements.
async fn more(play: &Play) {
    let (enough, begun) = (play.ledger().acknowledgements() + 3 * PLAYERS, Instant::now());
    while play.ledger().acknowledgements() < enough {
        assert!(begun.elapsed() < TIMEOUT, "no answer is acknowledged");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn serve(url: &str, folder: &Path) -> Server {
    Server::start(&Launch { environment: &[("DATABASE_URL", url)], ..Launch::new(folder) })
}

/// Runs commands of the page as the user of PostgreSQL, and returns their output.
fn run(script: &str, (url, time): (&str, &str), (place, new): (&Path, &Path)) -> String {
    let programs = program("psql").parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let folders = [place.join("archive"), place.join("base"), new.join("data")];
    let mut command = Command::new("bash");
    as_user(&mut command).args(["-euc", script]).current_dir(place);
    command.env("PATH", path).env("admin_url", url).env("TIME", time).envs(PLACES.into_iter().zip(folders));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Repeats the query until the answer is yes.
async fn until(url: &str, question: &str) {
    let begun = Instant::now();
    while !ask::<bool>(url, question).await {
        assert!(begun.elapsed() < TIMEOUT, "{question}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn ask<T>(url: &str, question: &str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    let mut database = url.parse::<PgConnectOptions>().unwrap().connect().await.unwrap();
    let answer = sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(&mut database).await.unwrap();
    database.close().await.unwrap();
    answer
}
