//! `verify` over a store: it finds each kind of damage and names the game, and finds none in an intact store.

use quizhall::store::{Head, Snapshot, Store};
use quizhall::verify;
use quizhall_engine::SNAPSHOT_FORMAT;
use quizhall_rules::{Event, GameId, State};

use crate::games_idle::abandoned_with;
use crate::store_stage::{RawSql, on_every_engine_with_sql};

on_every_engine_with_sql! {
    nothing_is_found_where_nothing_is_damaged
    each_damage_is_found_and_named
    a_damaged_snapshot_is_found_and_harms_no_log
    a_snapshot_of_another_state_is_found
    a_game_that_is_being_deleted_may_lack_rows
    a_log_that_belongs_to_no_game_is_found
}

async fn nothing_is_found_where_nothing_is_damaged(store: &Store, _: RawSql) {
    assert!(verify::run(store, &mut |_| {}).await.unwrap().is_clean(), "an empty database");
    for code in ["AAAAAA", "BBBBBB", "CCCCCC"] {
        let game = abandoned_with(store, code).await;
        let head = Head { seq: 0, batch: store.read_log_page(game, 0).await.unwrap()[0].batch };
        store.put_snapshot(game, of_another_version(head)).await.unwrap();
        store.put_snapshot(game, of_log(store, game).await).await.unwrap();
    }
    let mut calls = 0;
    let report = verify::run(store, &mut |_| calls += 1).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.games, report.rows, report.events, report.snapshots, calls), (3, 6, 12, 6, 3));
}

const OF_ANOTHER_GAME: &str = "
    UPDATE game_log SET body = (SELECT max(body) FROM game_log WHERE game_id <> $1 AND seq = 0), checksum = NULL
    WHERE game_id = $1 AND seq = 0";
const CREATED_AGAIN: &str = "
    UPDATE game_log SET body = (SELECT body FROM game_log WHERE game_id = $1 AND seq = 0), n = 1, checksum = NULL
    WHERE game_id = $1 AND seq = 1";
const NEVER_CREATED: &str = "
    UPDATE game_log SET body = (SELECT body FROM game_log WHERE game_id = $1 AND seq = 1), n = 3, checksum = NULL
    WHERE game_id = $1 AND seq = 0";

async fn each_damage_is_found_and_named(store: &Store, mut raw_sql: RawSql) {
    let damages = [
        ("UPDATE game_log SET body = replace(body, 'Ann', 'Bnn') WHERE game_id = $1 AND seq = 1", "checksum"),
        ("UPDATE game_log SET n = 2, checksum = NULL WHERE game_id = $1 AND seq = 1", "as many events"),
        ("UPDATE game_log SET body = substr(body, 2), checksum = NULL WHERE game_id = $1 AND seq = 1", "parsed"),
        ("UPDATE game_log SET seq = 2, checksum = NULL WHERE game_id = $1 AND seq = 1", "gap before event 1"),
        ("DELETE FROM game_log WHERE game_id = $1 AND seq = 0", "gap before event 0"),
        (
            "UPDATE game_log SET epoch = 9, checksum = NULL WHERE game_id = $1 AND seq = 0",
            "event 1 is of an earlier owner",
        ),
        (OF_ANOTHER_GAME, "the row of event 0 creates another game"),
        (CREATED_AGAIN, "the row of event 1 creates the game again"),
        (NEVER_CREATED, "the row of event 0 is the first, and does not create the game"),
        ("DELETE FROM game_log WHERE game_id = $1", "empty"),
    ];
    abandoned_with(store, "HEALTH").await;
    let mut games = Vec::new();
    for (number, (damage, what)) in damages.into_iter().enumerate() {
        let game = abandoned_with(store, &format!("CODE0{number}")).await;
        assert!(raw_sql.execute(damage, game).await > 0, "{damage}");
        games.push((game, what));
    }
    let report = verify::run(store, &mut |_| {}).await.unwrap();
    assert_eq!((report.games, report.damaged.len(), report.file.len()), (11, 10, 0), "{report:?}");
    for (game, what) in games {
        assert!(said(&report, game).contains(what), "{what}: {report:?}");
        assert_eq!(verify::log(store, game).await.unwrap(), Some(said(&report, game)));
    }
}

async fn a_damaged_snapshot_is_found_and_harms_no_log(store: &Store, mut raw_sql: RawSql) {
    let game = abandoned_with(store, "AAAAAA").await;
    let head = store.head(game).await.unwrap().unwrap();
    store.put_snapshot(game, of_another_version(head)).await.unwrap();
    raw_sql.execute("UPDATE game_snapshot SET format = format + 1 WHERE game_id = $1", game).await;
    let report = verify::run(store, &mut |_| {}).await.unwrap();
    assert!(said(&report, game).contains("snapshot after the row of event 1"), "{report:?}");
    assert_eq!(verify::log(store, game).await.unwrap(), None);
}

async fn a_snapshot_of_another_state_is_found(store: &Store, _: RawSql) {
    let (game, other) = (abandoned_with(store, "AAAAAA").await, abandoned_with(store, "BBBBBB").await);
    let right = of_log(store, game).await;
    let wrong = [
        Snapshot { body: of_log(store, other).await.body, ..right.clone() },
        Snapshot { next_seq: right.next_seq + 1, ..right.clone() },
        Snapshot { body: b"no state".to_vec(), ..right.clone() },
    ];
    for snapshot in wrong {
        store.put_snapshot(game, snapshot).await.unwrap();
        let report = verify::run(store, &mut |_| {}).await.unwrap();
        assert!(said(&report, game).contains("differs from the state of its log"), "{report:?}");
    }
    // This snapshot belongs to a row that is not in the log: no load uses it.
    let head = Head { batch: right.head.batch ^ 1, ..right.head };
    store.put_snapshot(other, Snapshot { head, ..right }).await.unwrap();
    assert_eq!(verify::run(store, &mut |_| {}).await.unwrap().damaged.len(), 1);
}

async fn a_game_that_is_being_deleted_may_lack_rows(store: &Store, mut raw_sql: RawSql) {
    for (code, rest) in [
        ("AAAAAA", "DELETE FROM game_log WHERE game_id = $1 AND seq = 0"),
        ("BBBBBB", "DELETE FROM game_log WHERE game_id = $1"),
    ] {
        let game = abandoned_with(store, code).await;
        assert!(store.close_game(game).await.unwrap());
        assert!(raw_sql.execute(rest, game).await > 0);
    }
    let report = verify::run(store, &mut |_| {}).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
    let game = abandoned_with(store, "CCCCCC").await;
    assert!(store.close_game(game).await.unwrap());
    raw_sql.execute("UPDATE game_log SET epoch = 9 WHERE game_id = $1 AND seq = 1", game).await;
    let report = verify::run(store, &mut |_| {}).await.unwrap();
    assert!(said(&report, game).contains("checksum"), "an existing row is what was written: {report:?}");
}

async fn a_log_that_belongs_to_no_game_is_found(store: &Store, mut raw_sql: RawSql) {
    let game = abandoned_with(store, "AAAAAA").await;
    raw_sql.execute("DELETE FROM game WHERE id = $1", game).await;
    let report = verify::run(store, &mut |_| {}).await.unwrap();
    assert_eq!(report.damaged, [(game, "its log belongs to no game".to_owned())]);
}

fn said(report: &verify::Report, game: GameId) -> String {
    let mut of_game = report.damaged.iter().filter(|(damaged, _)| *damaged == game);
    let said = of_game.next().unwrap_or_else(|| panic!("{game} is not named: {report:?}")).1.clone();
    assert!(of_game.next().is_none(), "named twice: {report:?}");
    said
}

fn of_another_version(head: Head) -> Snapshot {
    Snapshot { head, next_seq: head.seq + 1, format: u32::MAX, body: b"anything".to_vec() }
}

/// The snapshot that follows from the game's log.
async fn of_log(store: &Store, game: GameId) -> Snapshot {
    let rows = store.read_log_page(game, 0).await.unwrap();
    let events: Vec<Event> =
        rows.iter().flat_map(|row| serde_json::from_str::<Vec<Event>>(&row.body).unwrap()).collect();
    let last = rows.last().unwrap();
    let body = serde_json::to_vec(&State::replay(&events).unwrap()).unwrap();
    let head = Head { seq: last.seq, batch: last.batch };
    Snapshot { head, next_seq: events.len() as u64, format: SNAPSHOT_FORMAT, body }
}
