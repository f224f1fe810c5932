//! How many bytes each action takes in the database, measured with the real process and a real file, and compared with the table
//! in `docs/operate/retention.md`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tempfile::TempDir;

use crate::faults::company::{Company, acknowledged, answer, release, say};
use crate::faults::probes::waiting;
use crate::process::{Launch, Server};
use crate::ws_wire::Wire;

const DOCS: &str = include_str!("../../../../docs/operate/retention.md");
const PLAYERS: usize = 100;
const QUESTIONS: usize = 10;
const GAMES: usize = 100;
/// How many times all players lose their connection and return.
const LOSSES: usize = 2;
/// How far a figure of the table may be off, in percent: pages fill differently from run to run.
const OFF: f64 = 20.0;
/// Actions that may share a row with others.
const AMONG_MANY: [&str; 2] = ["an answer among many", "a lost or returned connection"];

/// The bytes of all pages that are not free, and the bytes and events of the logs.
#[derive(Debug, Clone, Copy)]
struct Size {
    disk: f64,
    logs: f64,
    events: f64,
}

struct Scale {
    database: SqliteConnection,
    last: Size,
    awaited: f64,
    found: BTreeMap<&'static str, [f64; 2]>,
}

impl Scale {
    async fn beside(folder: &Path) -> Self {
        let database = SqliteConnectOptions::new().filename(folder.join("quizhall.db")).connect().await.unwrap();
        let mut scale =
            Self { database, last: Size { disk: 0.0, logs: 0.0, events: 0.0 }, awaited: 0.0, found: BTreeMap::new() };
        scale.last = scale.size().await;
        scale
    }

    async fn size(&mut self) -> Size {
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut self.database).await.unwrap();
        let free: i64 = sqlx::query_scalar("PRAGMA freelist_count").fetch_one(&mut self.database).await.unwrap();
        let logs = "SELECT COALESCE(sum(octet_length(body)), 0), COALESCE(sum(n), 0) FROM game_log";
        let (logs, events): (i64, i64) = sqlx::query_as(logs).fetch_one(&mut self.database).await.unwrap();
        let number = |value: i64| f64::from(i32::try_from(value).unwrap());
        Size { disk: number((pages - free) * 4_096), logs: number(logs), events: number(events) }
    }

    /// Returns when the logs have this many events more than at the last call of this or of `weigh`.
    async fn grows_by(&mut self, events: usize) {
        self.awaited += f64::from(i32::try_from(events).unwrap());
        while self.size().await.events < self.awaited {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Measures the growth since the last call as that of actions which are `events` events each.
    async fn weigh(&mut self, what: &'static str, events: f64) {
        let now = self.size().await;
        let count = (now.events - self.last.events) / events;
        assert!(count > 0.0, "{what}");
        let each = [(now.logs - self.last.logs) / count, (now.disk - self.last.disk) / count];
        println!("{what}: {count} times, {:.0} bytes in the log, {:.0} on the disk", each[0], each[1]);
        self.found.insert(what, each);
        (self.last, self.awaited) = (now, now.events);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_table_of_growth_is_true() {
    let folder = TempDir::new().unwrap();
    let limits = &[("GAMES_PER_HOST", "100000"), ("LOBBY_GRACE", "0s")];
    let server = Server::start(&Launch { environment: limits, ..Launch::new(folder.path()) });
    let mut company = Company::open(&server, &[QUESTIONS], &[]).await;
    let mut scale = Scale::beside(folder.path()).await;
    let quiz = server.api().quizzes().await.unwrap().quizzes[0].id;
    for _ in 0..GAMES {
        server.api().create_game(quiz).await.unwrap();
    }
    scale.weigh("a game of ten questions", 1.0).await;
    for number in 0..PLAYERS {
        company.join(&server.api(), &format!("Player {number}")).await;
    }
    scale.weigh("a player", 1.0).await;

    let mut host = company.host(&server).await;
    let mut players = join_all((0..PLAYERS).map(|number| company.player(&server, number))).await;
    for socket in players.iter_mut().chain([&mut host]) {
        socket.until("lobby_update").await;
    }
    // Without any grace, a player whose socket the owner has not recorded counts as lost at the start.
    waiting(&server, Duration::from_secs(3), |count| count == 0).await;
    say(&mut host, "start_game").await;
    for question in &company.rounds[0] {
        release(&mut host, *question).await;
    }
    all_have(&mut players, QUESTIONS).await;
    scale.last = scale.size().await;
    for question in &company.rounds[0] {
        for player in &mut players {
            answer(player, *question, "an answer of a few words").await;
            acknowledged(player, *question).await;
        }
    }
    scale.weigh("an answer, one after the other", 1.0).await;
    for question in &company.rounds[0] {
        for player in &mut players {
            answer(player, *question, "another one of few words").await;
        }
        for player in &mut players {
            acknowledged(player, *question).await;
        }
    }
    scale.weigh(AMONG_MANY[0], 1.0).await;

    // A hundred events fill two pages, and one page more or less would be half of the measured growth.
    for _ in 0..LOSSES {
        drop(players);
        scale.grows_by(PLAYERS).await;
        players = join_all((0..PLAYERS).map(|number| company.player(&server, number))).await;
        scale.grows_by(PLAYERS).await;
    }
    scale.weigh(AMONG_MANY[1], 1.0).await;
    scale.database.close().await.unwrap();
    for (what, [log, disk]) in scale.found {
        let written = stated(what);
        assert!(
            off(log, written[0]).abs() <= OFF,
            "{what}: {log:.0} bytes in the log, and the docs say {}",
            written[0]
        );
        // How many share a row depends on how busy the machine is.
        let most = written[1] + if AMONG_MANY.contains(&what) { stated_more() } else { 0.0 };
        assert!(off(disk, most) <= OFF, "{what}: {disk:.0} bytes on the disk, and the docs say {}", written[1]);
        assert!(off(disk, written[1]) >= -OFF, "{what}: {disk:.0} bytes on the disk, and the docs say {}", written[1]);
    }
}

/// Waits until each player was sent this many questions.
async fn all_have(players: &mut [Wire], questions: usize) {
    for player in players {
        for _ in 0..questions {
            player.until("question_released").await;
        }
    }
}

/// How far `found` is above `written`, in percent.
fn off(found: f64, written: f64) -> f64 {
    (found / written - 1.0) * 100.0
}

/// How many bytes more the docs allow for actions that could have shared a row.
fn stated_more() -> f64 {
    let (before, _) = DOCS.split_once(" bytes more for each").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The two figures of a row of the table.
fn stated(what: &str) -> [f64; 2] {
    let row =
        DOCS.lines().find_map(|line| line.strip_prefix(&format!("| {what} | "))).unwrap_or_else(|| panic!("{what}"));
    let mut cells = row.trim_end_matches(" |").split(" | ").map(|cell| cell.replace(',', "").parse().unwrap());
    [cells.next().unwrap(), cells.next().unwrap()]
}
