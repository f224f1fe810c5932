//! A game without connections: it leaves memory, costs no row when a client only reads it, and is closed at last although its
//! log lists connected people.

use std::sync::Arc;
use std::time::Duration;

use quizhall::games::{GameOptions, GameRegistry};
use quizhall::store::{Head, Store};
use quizhall_rules::{Change, Created, DisplayName, Event, GameId, HostId, MarkingRule, PlayOptions, PlayerId};
use quizhall_rules::{Question, QuestionId, QuestionKind, Quiz, Round, TokenHash};
use tokio::time::timeout;
use uuid::Uuid;

use crate::store_stage::{append_one, game, head_of, host, next, sqlite};
use crate::ws_stage::TIMEOUT;

/// Longer than the grace period, so that the events at its end are written before the game leaves memory.
const IDLE: Duration = Duration::from_millis(400);
const GRACE: Duration = Duration::from_millis(20);

fn event(change: Change) -> Event {
    Event::new(change, None)
}

fn small_quiz() -> Quiz {
    let question = Question::new(QuestionId::from(Uuid::now_v7()), QuestionKind::Text, "2 + 2?", &["4"]);
    Quiz { title: String::new(), rounds: vec![Round::new("", vec![question])] }
}

/// A running game as a server that died leaves it: by its log, the host and a player are connected.
pub async fn abandoned(store: &Store) -> GameId {
    abandoned_with(store, "ABC234").await
}

/// The same with another code.
pub async fn abandoned_with(store: &Store, code: &str) -> GameId {
    abandoned_by(store, host(store).await, code).await.0
}

/// The same for this host; also returns the head of the log, which is a row of three events.
pub async fn abandoned_by(store: &Store, host: HostId, code: &str) -> (GameId, Head) {
    let mut row = game(host, code);
    let id = row.id;
    let (code, created_at_ms) = (row.code.clone(), row.created_at_ms);
    let created = Created {
        game: id,
        host: row.host,
        code,
        quiz: small_quiz(),
        join_secret: [0; 32],
        created_at_ms,
        options: PlayOptions::default(),
        rule: MarkingRule::LATEST,
        sealed: None,
    };
    row.body = serde_json::to_string(&[event(Change::Created(created.into()))]).unwrap();
    let head = Head { seq: 0, batch: row.batch };
    store.create_game(row).await.unwrap();
    let joined = Change::Joined {
        player: PlayerId::from(Uuid::now_v7()),
        display_name: DisplayName::parse("Ann").unwrap(),
        token: TokenHash([1; 32]),
        idempotency: None,
        team: None,
    };
    let events = [joined, Change::HostReturned, Change::Started].map(event);
    let mut row = next(id, head, 1);
    (row.count, row.body, row.epoch) = (3, serde_json::to_string(&events).unwrap(), 0);
    let head = head_of(&row);
    append_one(store, row).await;
    assert_eq!(store.head(id).await.unwrap().unwrap(), head);
    (id, head)
}

/// The kinds of the events after those of [`abandoned`].
async fn stored(store: &Store, game: GameId) -> Vec<&'static str> {
    let rows = store.read_log(game, None).await.unwrap();
    let events = rows.iter().flat_map(|row| serde_json::from_str::<Vec<Event>>(&row.body).unwrap());
    events.skip(4).map(|event| event.change.kind()).collect()
}

/// Reads from the game and waits until it has left memory.
async fn look(registry: &GameRegistry, game: GameId) {
    let handle = registry.by_id(game).await.unwrap().unwrap();
    assert_eq!(handle.view(|state| state.player_count()).await.unwrap(), 1);
    drop(handle);
    let evicted = async {
        while registry.stats().games.iter().sum::<usize>() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, evicted).await.expect("a game without connections stays in memory");
}

#[tokio::test]
async fn a_game_that_is_only_looked_at_leaves_memory_and_has_no_owner() {
    let (store, _folder) = sqlite().await;
    let game = abandoned(&store).await;
    // The host has at least five seconds to come back, but the game leaves memory earlier.
    let options = GameOptions { idle_after: IDLE, lobby_grace: GRACE, ..GameOptions::default() };
    let registry = GameRegistry::new(Arc::clone(&store), options);
    for _ in 0..3 {
        look(&registry, game).await;
    }
    registry.shutdown().await;
    assert_eq!(stored(&store, game).await, Vec::<&str>::new(), "reading costs no row");
}

#[tokio::test]
async fn a_game_of_a_dead_server_is_closed_though_no_player_ever_left_it() {
    let (store, _folder) = sqlite().await;
    let game = abandoned(&store).await;
    let options = GameOptions { idle_after: IDLE, lobby_grace: GRACE, ..GameOptions::default() };
    let registry = GameRegistry::new(Arc::clone(&store), options);
    let closed = async {
        // The first attempt makes this node the owner, which then notices that no client is connected.
        while registry.close_abandoned(Duration::ZERO).await == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(TIMEOUT, closed).await.expect("an abandoned game stays open");
    let kinds = stored(&store, game).await;
    assert!(kinds.contains(&"disconnected") && kinds.contains(&"host_left"), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&"closed"));
    registry.shutdown().await;
}
