//! Purged or rewritten data is in no byte of an `SQLite` database, however its pages were split and filled before.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use quizhall::clock;
use quizhall::store::{Append, GameCreation, Head, Hold, Outcome, PhaseChange, Store};
use quizhall_rules::{GameId, Phase};
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::store_stage::{game, head_of, host, next, sqlite};

const GAMES: usize = 24;
const ROWS: usize = 40;

#[tokio::test]
async fn nothing_of_a_purged_or_rewritten_row_is_left_in_the_files() {
    let mut random = StdRng::seed_from_u64(7);
    let (store, folder) = sqlite().await;
    let games = grow(store.as_ref(), &mut random).await;
    assert_eq!(found(folder.path()), (0..GAMES).collect(), "the search finds what is there");
    for (number, game) in games.iter().enumerate() {
        match number % 3 {
            0 => purge(store.as_ref(), *game).await,
            1 => rewrite(store.as_ref(), *game, &mark(number)).await,
            _ => {}
        }
    }
    store.scrub().await.unwrap();
    assert!(store.drop_old_frames().await.unwrap());
    assert_eq!(found(folder.path()), (0..GAMES).filter(|number| number % 3 == 2).collect());
    store.close().await;
}

/// Games with rows stored in any order and in many sizes, so that pages were split again and again.
async fn grow(store: &Store, random: &mut StdRng) -> Vec<GameId> {
    let host = host(store).await;
    let mut heads = Vec::new();
    for number in 0..GAMES {
        let game = game(host, &format!("AAA{number:03}"));
        let (id, head) = (game.id, Head { seq: 0, batch: game.batch });
        let game = quizhall::store::NewGame { body: format!("[\"{}\"]", mark(number)), live_limit: 1_000, ..game };
        assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
        heads.push((id, head));
    }
    let mut turns: Vec<usize> = (0..GAMES * ROWS).map(|turn| turn % GAMES).collect();
    turns.shuffle(random);
    for number in turns {
        let (game, head) = heads[number];
        let filler = [0, 20, 300, 3_000, 9_000][random.random_range(0..5)];
        let body = format!("[\"{}{}{}\"]", mark(number), "x".repeat(filler), mark(number));
        heads[number].1 = append(store, Append { body, ..next(game, head, 1) }).await;
    }
    for (game, head) in &mut heads {
        let ended = PhaseChange { phase: Phase::Ended, ended_at_ms: Some(1), closed: false };
        *head = append(store, Append { phase: Some(ended), ..next(*game, *head, 1) }).await;
    }
    heads.into_iter().map(|(game, _)| game).collect()
}

async fn append(store: &Store, row: Append) -> Head {
    let head = head_of(&row);
    assert_eq!(store.append(vec![row]).await.unwrap(), [Outcome::Committed]);
    head
}

async fn hold(store: &Store, game: GameId, close: bool) -> Hold {
    let held_at_ms = clock::unix_ms();
    let hold = Hold { game, holder: 1, held_at_ms, until_ms: held_at_ms + 60_000 };
    assert!(store.hold_game(hold, close).await.unwrap());
    hold
}

async fn purge(store: &Store, game: GameId) {
    hold(store, game, true).await;
    while store.delete_piece(game).await.unwrap().is_some() {}
    assert!(store.delete_line(game, i64::MAX).await.unwrap());
}

async fn rewrite(store: &Store, game: GameId, mark: &str) {
    let hold = hold(store, game, false).await;
    let mut rows = store.read_log(game, None).await.unwrap();
    for row in &mut rows {
        row.body = row.body.replace(mark, "Player 7");
    }
    assert!(store.rewrite_log(hold, rows).await.unwrap());
}

fn mark(number: usize) -> String {
    format!("canary-{number:02}-canary")
}

/// The games whose mark is in some file of the database.
fn found(folder: &Path) -> BTreeSet<usize> {
    const BEGIN: &[u8] = b"canary-";
    let mut games = BTreeSet::new();
    for entry in fs::read_dir(folder.join("data")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let mut rest = bytes.as_slice();
        while let Some(place) = rest.iter().position(|byte| *byte == BEGIN[0]) {
            rest = &rest[place..];
            // The end of a page can cut a mark: the bytes after it then belong to something else, and can look like a digit.
            let number = rest.strip_prefix(BEGIN).and_then(|after| after.get(..3)?.strip_suffix(b"-"));
            let number = number.and_then(|digits| std::str::from_utf8(digits).ok());
            games.extend(number.and_then(|number| number.parse::<usize>().ok()));
            rest = &rest[1..];
        }
    }
    games
}
