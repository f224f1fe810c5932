//! Loading a game from a snapshot and the rows after it, with a real store: how little is read, what happens to unusable
//! snapshots, and who writes them.
//!
//! `QUIZHALL_LOG_EVENTS` sets the length of the long log, `QUIZHALL_LOG_ROW` the number of events in each of its rows; above a million
//! events, the memory that the load takes is checked as well.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quizhall::games::{GameHandle, GameOptions, GameRegistry};
use quizhall::store::{Append, Head, Hold, Snapshot, Store};
use quizhall_engine::{SNAPSHOT_EVERY, SNAPSHOT_FORMAT};
use quizhall_rules::{
    Actor, Change, Command, Created, Device, DisplayName, Event, GameId, Join, MarkingRule, PlayOptions, PlayerId,
    Question, QuestionId, QuestionKind, Quiz, Round, Setting, State, TokenHash,
};
use tokio::time::timeout;
use uuid::Uuid;

use crate::store_stage::{RawSql, game, head_of, host, next, sqlite};
use crate::time_limits::promised;
use crate::ws_stage::TIMEOUT;

/// Events of the long log by default.
const EVENTS: u64 = 100_000;
/// Events in each of its rows by default.
const ROW: u64 = 500;
/// Events that are appended in one transaction.
const TRANSACTION: u64 = 32_000;
/// Makes every row that begins before an event unreadable: a load that succeeds has not read them.
const SPOIL: &str = "UPDATE game_log SET body = 'spoilt' WHERE game_id = $1 AND seq > 0 AND seq < (SELECT max(seq) - 8000 FROM game_log WHERE game_id = $1)";

fn event(change: Change) -> Event {
    Event::new(change, None)
}

fn player(number: u64) -> PlayerId {
    PlayerId::from(Uuid::from_u64_pair(7, number))
}

fn joined(number: u64) -> Change {
    let mut token = [1; 32];
    token[..8].copy_from_slice(&number.to_le_bytes());
    Change::Joined {
        player: player(number),
        display_name: DisplayName::parse(&format!("Player {number}")).unwrap(),
        token: TokenHash(token),
        idempotency: None,
        team: None,
    }
}

/// Players 1 to 4 in turn lose their socket and reconnect.
fn presence(number: u64) -> Event {
    let player = player(1 + number / 2 % 4);
    event(if number.is_multiple_of(2) {
        Change::Disconnected { player, device: Device::FIRST }
    } else {
        Change::Connected { player, device: Device::FIRST }
    })
}

/// A game with a log that can be continued, and its state.
struct Game {
    id: GameId,
    head: Head,
    next_seq: u64,
    state: State,
}

impl Game {
    /// A running game of four players.
    async fn begin(store: &Store) -> Self {
        Self::begin_with(store, "ABC234").await
    }

    async fn begin_with(store: &Store, code: &str) -> Self {
        let mut row = game(host(store).await, code);
        let (id, head) = (row.id, Head { seq: 0, batch: row.batch });
        let question = QuestionId::from(Uuid::from_u64_pair(8, 1));
        let question = Question::new(question, QuestionKind::Text, "2 + 2?", &["4"]);
        let quiz = Quiz { title: String::new(), rounds: vec![Round::new("", vec![question])] };
        let (code, created_at_ms) = (row.code.clone(), row.created_at_ms);
        let created = Created {
            game: id,
            host: row.host,
            code,
            quiz,
            join_secret: [0; 32],
            created_at_ms,
            options: PlayOptions::default(),
            rule: MarkingRule::LATEST,
            sealed: None,
        };
        let events = [event(Change::Created(created.into()))];
        row.body = serde_json::to_string(&events).unwrap();
        store.create_game(row).await.unwrap();
        let mut game = Self { id, head, next_seq: 1, state: State::replay(&events).unwrap() };
        let mut beginning: Vec<_> = (1..=4).map(|number| event(joined(number))).collect();
        beginning.push(event(Change::Started));
        game.append(store, vec![beginning]).await;
        game
    }

    /// Appends these rows in one transaction.
    async fn append(&mut self, store: &Store, rows: Vec<Vec<Event>>) {
        let mut appends = Vec::new();
        for events in rows {
            for event in &events {
                self.state.apply(event);
            }
            let held = self.next_seq - self.head.seq;
            let (count, body) = (u32::try_from(events.len()).unwrap(), serde_json::to_string(&events).unwrap());
            let row = Append { count, body, ..next(self.id, self.head, held) };
            (self.head, self.next_seq) = (head_of(&row), row.seq + u64::from(count));
            appends.push(row);
        }
        let rows = appends.len();
        let outcomes = store.append(appends).await.unwrap();
        assert!(
            outcomes.iter().all(|outcome| *outcome == quizhall::store::Outcome::Committed) && outcomes.len() == rows
        );
    }

    /// Appends presence events until the log has this many events.
    async fn grow(&mut self, store: &Store, end: u64) {
        while self.next_seq < end {
            let mut number = self.next_seq;
            let mut rows = Vec::new();
            let last = (number + TRANSACTION).min(end);
            while number < last {
                let after = (number + number_of("QUIZHALL_LOG_ROW", ROW)).min(last);
                rows.push((number..after).map(presence).collect());
                number = after;
            }
            self.append(store, rows).await;
        }
    }

    /// The snapshot that an owner would ask for now.
    fn snapshot(&self) -> Snapshot {
        let body = serde_json::to_vec(&self.state).unwrap();
        Snapshot { head: self.head, next_seq: self.next_seq, format: SNAPSHOT_FORMAT, body }
    }
}

fn registry(store: &Arc<Store>) -> GameRegistry {
    GameRegistry::new(Arc::clone(store), GameOptions::default())
}

/// The state as a new registry loads it, and how long that took.
async fn load(store: &Arc<Store>, game: GameId) -> (State, Duration) {
    let registry = registry(store);
    let row = store.game_by_id(game).await.unwrap().unwrap();
    let begun = Instant::now();
    let state = registry.view_log(&row, State::clone).await.expect("the game can be loaded");
    (state, begun.elapsed())
}

async fn raw_sql(folder: &tempfile::TempDir) -> RawSql {
    RawSql::sqlite(&folder.path().join("data/quizhall.db")).await
}

/// Waits until the store has a snapshot of the game.
async fn snapshot_of(store: &Store, game: GameId) -> Head {
    let found = async {
        loop {
            if let Some(head) = store.snapshot_heads(game).await.unwrap().first() {
                return *head;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, found).await.expect("no snapshot is stored")
}

fn number_of(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect(name))
}

/// The highest memory use of this process so far, in bytes. The kernel adds it up roughly: a later reading can be a little lower.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix("kB").unwrap().trim().parse::<u64>().unwrap() << 10
}

/// Fault A1: the cost of a load is bounded by the live state, however long the log is. A log of a version without snapshots is read page
/// by page once, and never again from the beginning; later loads read the snapshot and the rows after it.
#[tokio::test]
async fn a_long_log_is_read_once_and_then_from_its_snapshot() {
    let (store, folder) = sqlite().await;
    let mut game = Game::begin(&store).await;
    let events = number_of("QUIZHALL_LOG_EVENTS", EVENTS);
    game.grow(&store, events - SNAPSHOT_EVERY).await;
    load_measured(&store, &game, "without a snapshot").await;
    assert_eq!(snapshot_of(&store, game.id).await, game.head);
    game.grow(&store, events).await;
    assert!(raw_sql(&folder).await.execute(SPOIL, game.id).await > 0);
    let took = load_measured(&store, &game, "with a snapshot").await;
    assert!(took < promised(Duration::from_secs(1)), "{took:?}");
}

/// Loads the game, whose state must be that of its log; how long that took. In a very long log, the memory is bounded as well.
async fn load_measured(store: &Arc<Store>, game: &Game, how: &str) -> Duration {
    let before = peak_memory();
    let (state, took) = load(store, game.id).await;
    let grown = peak_memory().saturating_sub(before);
    assert!(state == game.state, "{how}: another state than the log's");
    eprintln!("{} events, {how}: loaded in {took:?}, peak memory grew by {} KiB", game.next_seq, grown >> 10);
    assert!(game.next_seq <= 1_000_000 || grown < 200 << 20, "{how}: {grown} bytes");
    took
}

/// Two unusable snapshots: one of another history, as after a restored backup, where the row that it names is another one now; and
/// one that is damaged in the store.
#[tokio::test]
async fn snapshots_that_are_of_no_use_are_skipped() {
    let (store, folder) = sqlite().await;
    let mut game = Game::begin(&store).await;
    game.grow(&store, 3_000).await;
    store.put_snapshot(game.id, game.snapshot()).await.unwrap();
    game.grow(&store, 4_000).await;
    let mut other = game.state.clone();
    other.apply(&event(Change::Set(Setting::Locked(true))));
    let body = serde_json::to_vec(&other).unwrap();
    store.put_snapshot(game.id, Snapshot { body, ..game.snapshot() }).await.unwrap();
    assert!(load(&store, game.id).await.0 == other, "a snapshot is used while its row exists");
    let rename = "UPDATE game_log SET batch = batch + 1, checksum = NULL
        WHERE game_id = $1 AND seq = (SELECT max(seq) FROM game_log WHERE game_id = $1)";
    assert_eq!(raw_sql(&folder).await.execute(rename, game.id).await, 1);
    assert_eq!(store.snapshot_heads(game.id).await.unwrap().len(), 2);
    assert!(load(&store, game.id).await.0 == game.state, "the older snapshot and the rows after it");
    let damage = "UPDATE game_snapshot SET body = CAST(replace(CAST(body AS TEXT), 'Player 1', 'Player 9') AS BLOB) WHERE game_id = $1";
    assert!(raw_sql(&folder).await.execute(damage, game.id).await > 0);
    assert!(load(&store, game.id).await.0 == game.state, "only the log");
}

/// The owner's own snapshot: a game that leaves memory stores one when enough rows were added since the last.
#[tokio::test]
async fn an_owner_leaves_a_snapshot_behind() {
    let (store, _folder) = sqlite().await;
    let game = Game::begin(&store).await;
    let registry = registry(&store);
    let handle = registry.by_id(game.id).await.unwrap().unwrap();
    let joins = (5..300).map(|number| {
        let Change::Joined { player, display_name, token, idempotency, .. } = joined(number) else { unreachable!() };
        let join = Join { player, display_name, token, idempotency, player_limit: 10_000, team: None };
        handle.command(Actor::Service, Command::Join(join.into()))
    });
    for joined in futures_util::future::join_all(joins).await {
        joined.unwrap();
    }
    assert_eq!(store.snapshot_heads(game.id).await.unwrap(), [], "no snapshot is due before");
    registry.shutdown().await;
    let head = store.snapshot_heads(game.id).await.unwrap()[0];
    assert_eq!(store.head(game.id).await.unwrap(), Some(head));
    let snapshot = store.snapshot(game.id, head).await.unwrap().unwrap();
    let stored: State = serde_json::from_slice(&snapshot.body).unwrap();
    let rows = store.read_log(game.id, None).await.unwrap();
    let events: Vec<Event> =
        rows.iter().flat_map(|row| serde_json::from_str::<Vec<Event>>(&row.body).unwrap()).collect();
    assert_eq!((snapshot.next_seq, snapshot.format), (events.len() as u64, SNAPSHOT_FORMAT));
    assert!(stored == State::replay(&events).unwrap());
}

/// A snapshot requested before the game is erased would bring back the erased data: neither the owner's last snapshot nor a
/// late one is stored.
#[tokio::test]
async fn a_game_that_is_held_leaves_no_snapshot_behind() {
    for held in [false, true] {
        let (store, _folder) = sqlite().await;
        let mut game = Game::begin(&store).await;
        game.grow(&store, 400).await;
        let registry = registry(&store);
        let handle = registry.by_id(game.id).await.unwrap().unwrap();
        end(&handle).await;
        let (late, head) = (game.snapshot(), store.head(game.id).await.unwrap().unwrap());
        let held_at_ms = quizhall::clock::unix_ms();
        let hold = Hold { game: game.id, holder: 1, held_at_ms, until_ms: held_at_ms + 600_000 };
        if held {
            let looking = tokio::spawn(registry.clone().drop_held());
            assert!(store.hold_game(hold, false).await.unwrap());
            let dropped = async {
                while registry.stats().owned > 0 {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            timeout(TIMEOUT, dropped).await.expect("the game is still here");
            looking.abort();
            assert!(registry.by_id(game.id).await.is_err(), "no registry has the game while it is held");
            store.release_game(hold).await.unwrap();
        }
        registry.shutdown().await;
        store.put_snapshot(game.id, late).await.unwrap();
        let found = store.snapshot_heads(game.id).await.unwrap();
        assert_eq!(found.contains(&head), !held, "{found:?}");
        assert_eq!(found.is_empty(), held, "{found:?}");
    }
}

async fn end(game: &GameHandle) {
    for command in [Command::EndRound, Command::ReleaseScores, Command::EndGame] {
        game.command(Actor::Host, command).await.unwrap();
    }
}

/// The check for holds comes after a short hold is over. A game that was loaded after it has nothing old in memory and stays; a
/// game that was loaded before its hold is dropped in the same check.
#[tokio::test]
async fn a_hold_that_is_over_drops_no_game_that_was_loaded_after_it() {
    let (store, _folder) = sqlite().await;
    let (after, before) = (Game::begin_with(&store, "ABC234").await, Game::begin_with(&store, "ABC235").await);
    let hold = |game: GameId| {
        let held_at_ms = quizhall::clock::unix_ms();
        Hold { game, holder: 1, held_at_ms, until_ms: held_at_ms + 600_000 }
    };
    // Only games that have ended can be held.
    let first = registry(&store);
    for game in [after.id, before.id] {
        end(&first.by_id(game).await.unwrap().unwrap()).await;
    }
    first.shutdown().await;
    let registry = registry(&store);
    let earlier = registry.by_id(before.id).await.unwrap().unwrap();
    for game in [after.id, before.id] {
        let hold = hold(game);
        assert!(store.hold_game(hold, false).await.unwrap());
        store.release_game(hold).await.unwrap();
    }
    let later = registry.by_id(after.id).await.unwrap().unwrap();
    let looking = tokio::spawn(registry.clone().drop_held());
    let dropped = async {
        while earlier.fresh_view(|_| ()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, dropped).await.expect("the game that was loaded before its hold is still here");
    later.fresh_view(|_| ()).await.expect("the game that was loaded after its hold");
    looking.abort();
    registry.shutdown().await;
}
