//! The service deletes games and sessions that are old enough. A purge reports bytes that cannot be removed yet; a purge on a
//! failing disk loses no acknowledged answer.

use std::time::{Duration, Instant};

use quizhall_rules::GameId;
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _};

use super::company::{Company, acknowledged, answer, release, say};
use super::deletion::{ANSWERS, NAMES, an_ended_game_of, done, is_stored, quizhall, status, status_for};
use super::probes::get;
use crate::powercut::disk::{Control, Disk};
use crate::powercut::record::Fate;
use crate::process::{HOST_TOKEN, Launch, Server};
use crate::store_stage::RawSql;

/// Makes a game older by a day and an hour, in milliseconds.
const AGED: &str = "UPDATE game SET ended_at_ms = ended_at_ms - 90000000 WHERE id = $1";
const AGED_SESSIONS: &str = "UPDATE host_token SET created_at_ms = created_at_ms - 90000000";

const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_service_deletes_what_was_deleted_or_is_old_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    // The service checks once per grace period.
    let environment = &[("RETAIN_GAMES", "1"), ("RETAIN_SESSIONS", "1"), ("PURGE_GRACE", "1s")];
    let server = Server::start(&Launch { environment, ..Launch::new(folder.path()) });
    let deleted = an_ended_game_of(&server, HOST_TOKEN).await;
    let live = Company::open(&server, &[1], &["Canarylive"]).await;
    let canaries = [NAMES[0], NAMES[1], ANSWERS[0], ANSWERS[1]];
    assert!(canaries.iter().all(|text| is_stored(folder.path(), text)), "the search finds what is there");
    server.api().delete_game(deleted.game).await.unwrap();
    until(async || !canaries.iter().any(|text| is_stored(folder.path(), text))).await;
    assert!(get(&server, "/metrics").await.1.contains("quizhall_games_purged_total 1"));

    let old = an_ended_game_of(&server, HOST_TOKEN).await;
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    add_account(&url);
    let session = done(&url, &["host", "token", "Ann"]).trim().to_owned();
    let recent = Company::open(&server, &[1], &["Canaryrecent"]).await;
    end(&recent, &server).await;
    for game in [&old, &recent, &live] {
        assert_eq!(status(&server, &format!("/api/v1/games/{}", game.game)).await, 200);
    }
    assert_eq!(status_for(&server, ("/api/v1/games", &session)).await, 200);
    let file = folder.path().join("quizhall.db");
    assert_eq!(RawSql::sqlite(&file).await.execute(AGED, GameId::from(old.game)).await, 1);
    SqliteConnectOptions::new().filename(&file).connect().await.unwrap().execute(AGED_SESSIONS).await.unwrap();
    let path = format!("/api/v1/games/{}", old.game);
    until(async || {
        !canaries.iter().any(|text| is_stored(folder.path(), text))
            && status(&server, &path).await == 404
            && status_for(&server, ("/api/v1/games", &session)).await == 401
    })
    .await;
    assert_eq!(status(&server, &format!("/api/v1/games/{}/results", recent.game)).await, 200);
    assert!(is_stored(folder.path(), "Canaryrecent") && is_stored(folder.path(), "Canarylive"));
    let mut host = live.host(&server).await;
    say(&mut host, "start_game").await;
    host.until("game_started").await;
    done(&url, &["verify"]);
}

async fn end(game: &Company, server: &Server) {
    let mut host = game.host(server).await;
    for (word, received) in [
        ("start_game", "game_started"),
        ("end_round", "round_review"),
        ("release_scores", "round_leaderboard"),
        ("end_game", "game_ended"),
    ] {
        say(&mut host, word).await;
        host.until(received).await;
    }
}

/// Waits until it is so.
async fn until(is_so: impl AsyncFn() -> bool) {
    let begun = Instant::now();
    while !is_so().await {
        assert!(begun.elapsed() < TIMEOUT * 2, "it is still there");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn add_account(url: &str) {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut add = Command::new(env!("CARGO_BIN_EXE_quizhall"));
    add.args(["host", "add", "Ann"]).env_clear().env("DATABASE_URL", url).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = add.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"a long enough password\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purge_beside_a_reader_reports_bytes_that_are_not_removed_yet() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch::new(folder.path()));
    let game = an_ended_game_of(&server, HOST_TOKEN).await.game.to_string();
    let url = format!("sqlite://{}/quizhall.db", folder.path().display());
    let options = SqliteConnectOptions::new().filename(folder.path().join("quizhall.db"));
    let mut reader = options.connect().await.unwrap();
    reader.execute("BEGIN; SELECT count(*) FROM game").await.unwrap();

    let purged = quizhall(&url, &["purge", "--game", &game]);
    let (said, why) = (String::from_utf8_lossy(&purged.stdout), String::from_utf8_lossy(&purged.stderr));
    assert_eq!(purged.status.code(), Some(1), "{why}");
    assert!(said.starts_with("Purged 1 games: "), "{said}");
    assert!(why.contains("be in the write-ahead log") && why.contains("run `quizhall purge` again"), "{why}");
    assert_eq!(status(&server, &format!("/api/v1/games/{game}")).await, 404, "the game itself is deleted");
    assert!(is_stored(folder.path(), NAMES[0]), "the warning is true");

    reader.execute("COMMIT").await.unwrap();
    reader.close().await.unwrap();
    assert!(done(&url, &["purge"]).starts_with("Purged 0 games"));
    assert!(!is_stored(folder.path(), NAMES[0]));
}

/// The game is deleted in the middle of a question, and the service logs that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purge_of_the_service_beside_a_reader_is_completed_when_the_reader_ends() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&Launch { environment: &[("PURGE_GRACE", "1s")], ..Launch::new(folder.path()) });
    let company = Company::open(&server, &[1], &["Canaryplayer"]).await;
    let (mut host, mut player) = (company.host(&server).await, company.player(&server, 0).await);
    say(&mut host, "start_game").await;
    release(&mut host, company.rounds[0][0]).await;
    answer(&mut player, company.rounds[0][0], "canary-answer").await;
    acknowledged(&mut player, company.rounds[0][0]).await;
    let options = SqliteConnectOptions::new().filename(folder.path().join("quizhall.db"));
    let mut reader = options.connect().await.unwrap();
    reader.execute("BEGIN; SELECT count(*) FROM game").await.unwrap();

    server.api().delete_game(company.game).await.unwrap();
    for wire in [&mut host, &mut player] {
        assert_eq!(wire.closed().await, (4410, "game_closed".to_owned()));
    }
    until(async || server.log().iter().any(|line| line.contains("reads an older state"))).await;
    let texts = ["Canaryplayer", "canary-answer"];
    assert!(texts.iter().all(|text| is_stored(folder.path(), text)), "the warning is true");

    reader.execute("COMMIT").await.unwrap();
    reader.close().await.unwrap();
    until(async || !texts.iter().any(|text| is_stored(folder.path(), text))).await;
}

/// The end of a purge moves the whole write-ahead log into the file and truncates it: after a failed sync, neither may count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purge_that_meets_a_failed_sync_ends_the_process_and_loses_nothing() {
    let environment = &[("PURGE_GRACE", "1s")];
    let mut disk = Disk::new();
    let mut server = disk.start(environment);
    let (company, _host, _ann) = Company::with_an_answer(&server, 1).await;
    let deleted = Company::open(&server, &[1], &["Bob"]).await;
    disk.set(Control::DatabaseOnly, 1);
    disk.set(Control::FailPerMille, 1_000);
    server.api().delete_game(deleted.game).await.unwrap();
    assert_eq!(server.wait(TIMEOUT).code(), Some(1));
    assert!(server.log().iter().any(|line| line.contains("a sync of the database failed")), "the log says why");

    disk.set(Control::FailPerMille, 0);
    disk.cut(&mut server, Fate { kept: 0.0, torn: None }, &mut StdRng::seed_from_u64(3));
    assert_eq!(disk.integrity().await, "ok");
    let server = disk.start(environment);
    assert_eq!(company.stored(&server).await, ["before"]);
    assert_eq!(status(&server, &format!("/api/v1/games/{}", deleted.game)).await, 404);
}
