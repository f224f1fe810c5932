//! The log of a game as a lock (architecture, "The log is the lock"), on every engine.

use std::time::SystemTime;

use quizhall::store::{Append, GameCreation, Head, NewGame, Outcome, PhaseChange, Store};
use quizhall_rules::{GameId, Phase};
use uuid::Uuid;

use crate::store_stage::{a_game, append_one, game, head_of, host, next, on_every_engine};

on_every_engine! {
    rows_after_the_head_are_stored_and_read_back
    a_row_that_does_not_follow_the_head_is_refused_and_changes_nothing
    many_rows_in_one_call_are_judged_each_for_itself
    of_two_writers_at_once_one_wins
    numbers_of_64_bits_survive
    the_games_line_follows_its_log
    a_long_log_is_read_as_it_was_written
}

async fn rows_after_the_head_are_stored_and_read_back(store: &Store) {
    let (game, first) = a_game(store, "AAAAAA").await;
    assert_eq!(store.head(game).await.unwrap(), Some(first));
    let before = now_ms();
    let second = Append { count: 3, epoch: 7, body: "[1,2,3]".to_owned(), ..next(game, first, 1) };
    assert_eq!(append_one(store, second.clone()).await, Outcome::Committed);
    let third = next(game, head_of(&second), 3);
    assert_eq!(append_one(store, third.clone()).await, Outcome::Committed);

    let rows = store.read_log(game, None).await.unwrap();
    let seen: Vec<_> = rows.iter().map(|row| (row.seq, row.count, row.epoch, row.batch, row.body.as_str())).collect();
    assert_eq!(
        seen,
        [
            (0, 1, 0, first.batch, "[{\"created\":1}]"),
            (1, 3, 7, second.batch, "[1,2,3]"),
            (4, 1, 1, third.batch, "[{\"answered\":1}]"),
        ]
    );
    let times: Vec<_> = rows.iter().skip(1).map(|row| row.at_ms.unwrap()).collect();
    assert!(before <= times[0] && times.is_sorted() && times[1] <= now_ms(), "{times:?}");
    assert_eq!(store.read_log(game, Some(1)).await.unwrap().len(), 1);
    assert_eq!(store.head(game).await.unwrap(), Some(head_of(&third)));
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    u64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap()
}

async fn a_row_that_does_not_follow_the_head_is_refused_and_changes_nothing(store: &Store) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let stored = Append { count: 3, ..next(game, first, 1) };
    assert_eq!(append_one(store, stored.clone()).await, Outcome::Committed);
    let lost = next(game, head_of(&stored), 3);
    let unknown = GameId::from(Uuid::now_v7());
    let refused = [
        ("a writer that has not read the last row", next(game, first, 1)),
        // The reply to a commit was lost. Sending the row again changes nothing, and the head shows that it was stored (promise 3).
        ("the row again", stored.clone()),
        // The writer sent the second row before it knew that the first was stored; the first never arrived.
        ("a row behind one that was never stored", next(game, head_of(&lost), 1)),
        // The database was set back and then continued differently: the same numbers, other rows.
        ("a row of another history", next(game, Head { batch: stored.batch ^ 1, ..head_of(&stored) }, 3)),
        ("a gap", next(game, head_of(&stored), 4)),
        ("an overlap", next(game, head_of(&stored), 1)),
        ("a row of an unknown game", next(unknown, first, 1)),
    ];
    for (what, row) in refused {
        let phase = Some(PhaseChange { phase: Phase::Ended, ended_at_ms: Some(1), closed: true });
        assert_eq!(append_one(store, Append { phase, ..row }).await, Outcome::Refused, "{what}");
        assert_eq!(store.head(game).await.unwrap(), Some(head_of(&stored)), "{what}");
        let line = store.game_by_id(game).await.unwrap().unwrap();
        assert_eq!((line.phase, line.closed), (Phase::Lobby, false), "{what}");
    }
    assert_eq!(store.read_log(game, None).await.unwrap().len(), 2);
    assert_eq!(store.head(unknown).await.unwrap(), None);
    assert_eq!(append_one(store, lost).await, Outcome::Committed);
}

async fn many_rows_in_one_call_are_judged_each_for_itself(store: &Store) {
    // More than SQLite appends with one statement.
    const GAMES: usize = 140;
    let host = host(store).await;
    let mut games = Vec::new();
    for number in 0..GAMES {
        let game = NewGame { live_limit: u32::MAX, ..game(host, &format!("M{number:05}")) };
        games.push((game.id, Head { seq: 0, batch: game.batch }));
        assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
    }
    // Every seventh game has another history, and every fifth has a second row after the first.
    let (mut rows, mut wanted) = (Vec::new(), Vec::new());
    for (number, (game, head)) in games.iter().enumerate() {
        let stale = number % 7 == 3;
        let row = next(*game, if stale { Head { batch: head.batch ^ 1, ..*head } } else { *head }, 1);
        let behind = next(*game, head_of(&row), 1);
        let outcome = if stale { Outcome::Refused } else { Outcome::Committed };
        rows.push(row);
        wanted.push(outcome);
        if number % 5 == 0 {
            rows.push(behind);
            wanted.push(outcome);
        }
    }
    assert_eq!(store.append(rows).await.unwrap(), wanted);
    for (number, (game, _)) in games.iter().enumerate() {
        let more = usize::from(number % 7 != 3) * (1 + usize::from(number % 5 == 0));
        assert_eq!(store.read_log(*game, None).await.unwrap().len(), 1 + more, "game {number}");
    }
}

async fn of_two_writers_at_once_one_wins(store: &Store) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let rivals = (0..8).map(|_| append_one(store, next(game, first, 1)));
    let outcomes = futures_util::future::join_all(rivals).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Committed).count(), 1);
    assert_eq!(store.read_log(game, None).await.unwrap().len(), 2);
}

async fn a_long_log_is_read_as_it_was_written(store: &Store) {
    // More rows than are read at once, in one call, with bodies that contain what may be used to separate them.
    let (game, mut head) = a_game(store, "AAAAAA").await;
    let bodies = ["[]", "[\"1 2 3 4 5 [\"]", "[\"Zürich \u{1f600}\"]", "[\"a\nb\"] ", " 7 "];
    let (mut written, mut rows) = (vec![(0, head.batch, "[{\"created\":1}]")], Vec::new());
    for number in 0..600 {
        let body = bodies[number % bodies.len()];
        let events_before = if number == 0 { 1 } else { 2 };
        let row = Append { count: 2, body: body.to_owned(), ..next(game, head, events_before) };
        head = head_of(&row);
        written.push((row.seq, row.batch, body));
        rows.push(row);
    }
    let outcomes = store.append(rows).await.unwrap();
    assert!(outcomes.len() == 600 && outcomes.iter().all(|outcome| *outcome == Outcome::Committed));
    assert_eq!(store.head(game).await.unwrap(), Some(head));
    assert_eq!(store.append(Vec::new()).await.unwrap(), []);
    for skipped in [0_usize, 1, 2, 255, 256, 257, 599, 600, 601] {
        let after = skipped.checked_sub(1).map(|last| written[last].0);
        let rows = store.read_log(game, after).await.unwrap();
        let read: Vec<_> = rows.iter().map(|row| (row.seq, row.batch, row.body.as_str())).collect();
        assert_eq!(read, written[skipped..], "behind {after:?}");
    }
}

async fn numbers_of_64_bits_survive(store: &Store) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let row = Append { epoch: u64::MAX, batch: u64::MAX - 1, count: u32::MAX, ..next(game, first, 1) };
    assert_eq!(append_one(store, row.clone()).await, Outcome::Committed);
    let read = store.read_log(game, Some(0)).await.unwrap().remove(0);
    assert_eq!((read.epoch, read.batch, read.count), (u64::MAX, u64::MAX - 1, u32::MAX));
    assert_eq!(append_one(store, next(game, head_of(&row), u64::from(u32::MAX))).await, Outcome::Committed);
}

async fn the_games_line_follows_its_log(store: &Store) {
    let (game, first) = a_game(store, "AAAAAA").await;
    let change = |phase, ended_at_ms, closed| Some(PhaseChange { phase, ended_at_ms, closed });
    let question = Append { phase: change(Phase::Question, None, false), ..next(game, first, 1) };
    let ended = Append { phase: change(Phase::Ended, Some(77), false), ..next(game, head_of(&question), 1) };
    let closed = Append { phase: change(Phase::Ended, Some(99), true), ..next(game, head_of(&ended), 1) };
    let mut lines = Vec::new();
    for row in [question, ended, closed] {
        assert_eq!(append_one(store, row).await, Outcome::Committed);
        let line = store.game_by_id(game).await.unwrap().unwrap();
        lines.push((line.phase, line.ended_at_ms, line.closed));
    }
    let expected = [(Phase::Question, None, false), (Phase::Ended, Some(77), false), (Phase::Ended, Some(77), true)];
    assert_eq!(lines, expected);
}
