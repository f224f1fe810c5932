//! Pictures and sounds in the store, on every engine: parts, space, use, and the sweep of unused files.

use quizhall::store::{GameCreation, Hold, MediaCreation, MediaDeletion, NewGame, NewMedia, QuizRow, Store};
use quizhall_rules::HostId;
use uuid::Uuid;

use crate::store_stage::{game, host, on_every_engine, quiz_row};

on_every_engine! {
    parts_are_read_as_they_were_stored
    a_file_is_listed_once_and_within_the_limit
    a_used_file_cannot_be_deleted
    a_file_of_another_host_cannot_be_used
    unused_files_are_swept_after_the_grace_period
    a_game_uses_its_files_until_its_log_is_purged
    an_account_takes_its_files_with_it
    an_heir_gets_the_files
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A file with one part.
async fn file(store: &Store, host: HostId, seed: u8) -> Uuid {
    let media = new(host, seed);
    let id = media.id;
    store.put_media_part(id, 0, vec![seed; 100]).await.unwrap();
    assert_eq!(store.create_media(media).await.unwrap(), MediaCreation::Created);
    id
}

fn new(host: HostId, seed: u8) -> NewMedia {
    NewMedia {
        id: Uuid::now_v7(),
        host,
        media_type: "image/png".to_owned(),
        bytes: 100,
        sha256: vec![seed; 32],
        width: Some(4),
        height: None,
        created_at_ms: 1,
        limit: 1_000,
    }
}

async fn parts_are_read_as_they_were_stored(store: &Store) {
    let id = Uuid::now_v7();
    assert_eq!(store.media_part(id, 0).await.unwrap(), None);
    assert!(store.media_with_parts(Uuid::nil()).await.unwrap().is_empty());
    for part in 0..3_u8 {
        store.put_media_part(id, u32::from(part), vec![part; 256 * 1024]).await.unwrap();
    }
    assert_eq!(store.media_part(id, 1).await.unwrap(), Some(vec![1; 256 * 1024]));
    assert_eq!(store.media_part(id, 3).await.unwrap(), None);
    assert_eq!(store.media_with_parts(Uuid::nil()).await.unwrap(), [id]);
    assert!(store.media_with_parts(id).await.unwrap().is_empty());
    let again = Uuid::now_v7();
    store.put_media_part(again, 0, vec![7; 10]).await.unwrap();
    store.renew_media_parts(id, again).await.unwrap();
    assert_eq!(store.media_part(id, 0).await.unwrap(), Some(vec![7; 10]));
    assert_eq!(store.media_part(id, 1).await.unwrap(), None);
    assert_eq!(store.media_with_parts(Uuid::nil()).await.unwrap(), [id]);
    store.delete_media_parts(vec![id]).await.unwrap();
    assert_eq!(store.media_part(id, 0).await.unwrap(), None);
    assert!(store.drop_old_frames().await.unwrap());
}

async fn a_file_is_listed_once_and_within_the_limit(store: &Store) {
    let host = host(store).await;
    let first = new(host, 1);
    assert_eq!(store.create_media(first.clone()).await.unwrap(), MediaCreation::Created);
    // A file stored before sizes were recorded gets its size when it is uploaded again.
    let again = NewMedia { height: Some(3), ..new(host, 1) };
    assert_eq!(store.create_media(again).await.unwrap(), MediaCreation::Known(first.id));
    let line = store.media(host, first.id).await.unwrap().unwrap();
    assert_eq!((line.width, line.height), (Some(4), Some(3)));
    let full = NewMedia { limit: 199, ..new(host, 2) };
    assert_eq!(store.create_media(full).await.unwrap(), MediaCreation::NoRoom);
    assert_eq!(store.create_media(NewMedia { limit: 200, ..new(host, 2) }).await.unwrap(), MediaCreation::Created);
    assert_eq!(store.media_bytes(host).await.unwrap(), 200);
    assert_eq!(store.media_of(host).await.unwrap().len(), 2);
}

async fn a_used_file_cannot_be_deleted(store: &Store) {
    let host = host(store).await;
    let id = file(store, host, 1).await;
    let quiz = quiz_row(host);
    assert!(store.create_quiz(quiz.clone(), vec![id], 10).await.unwrap());
    let line = store.media(host, id).await.unwrap().unwrap();
    assert_eq!((line.quizzes, line.games), (1, 0));
    assert_eq!(store.delete_media(host, id).await.unwrap(), MediaDeletion::InUse);
    assert!(store.replace_quiz(quiz.clone(), Vec::new()).await.unwrap());
    assert!(store.replace_quiz(quiz.clone(), vec![id]).await.unwrap());
    assert_eq!(store.media_sums(Uuid::nil()).await.unwrap().len(), 1);
    assert!(store.delete_quiz(host, quiz.id).await.unwrap());
    assert_eq!(store.delete_media(host, id).await.unwrap(), MediaDeletion::Deleted);
    assert_eq!(store.delete_media(host, id).await.unwrap(), MediaDeletion::NotFound);
}

async fn a_file_of_another_host_cannot_be_used(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let id = file(store, bob, 1).await;
    assert!(store.create_quiz(quiz_row(ann), vec![id], 10).await.is_err());
    assert!(store.quizzes_of(ann).await.unwrap().is_empty(), "the quiz is not stored without its picture");
    let new_game = NewGame { media: vec![id], ..game(ann, "CODE01") };
    assert!(store.create_game(new_game).await.is_err());
    assert_eq!(store.delete_media(ann, id).await.unwrap(), MediaDeletion::NotFound);
}

async fn unused_files_are_swept_after_the_grace_period(store: &Store) {
    let host = host(store).await;
    let (used, unused) = (file(store, host, 1).await, file(store, host, 2).await);
    let quiz = quiz_row(host);
    assert!(store.create_quiz(quiz.clone(), vec![used], 10).await.unwrap());
    assert!(store.sweep_media(DAY_MS, 0).await.unwrap().is_empty());
    assert!(store.sweep_media(2 * DAY_MS, DAY_MS - 1).await.unwrap().is_empty());
    assert_eq!(store.sweep_media(2 * DAY_MS, DAY_MS).await.unwrap(), [unused]);
    // A file that is no longer used is kept for the whole period, counted from then on.
    assert!(store.replace_quiz(quiz.clone(), Vec::new()).await.unwrap());
    assert!(store.sweep_media(3 * DAY_MS, 2 * DAY_MS).await.unwrap().is_empty());
    assert!(store.replace_quiz(quiz.clone(), vec![used]).await.unwrap());
    assert!(store.sweep_media(9 * DAY_MS, 8 * DAY_MS).await.unwrap().is_empty(), "it is used again");
    assert!(store.delete_quiz(host, quiz.id).await.unwrap());
    assert!(store.sweep_media(10 * DAY_MS, 9 * DAY_MS).await.unwrap().is_empty());
    assert_eq!(store.sweep_media(11 * DAY_MS, 10 * DAY_MS).await.unwrap(), [used]);
    assert_eq!(store.without_line(vec![used, unused]).await.unwrap(), [used, unused]);
}

async fn a_game_uses_its_files_until_its_log_is_purged(store: &Store) {
    let host = host(store).await;
    let id = file(store, host, 1).await;
    let new_game = NewGame { media: vec![id], ..game(host, "CODE01") };
    let game = new_game.id;
    assert_eq!(store.create_game(new_game).await.unwrap(), GameCreation::Created);
    assert_eq!(store.media(host, id).await.unwrap().unwrap().games, 1);
    assert_eq!(store.delete_media(host, id).await.unwrap(), MediaDeletion::InUse);
    assert!(store.close_game(game).await.unwrap());
    let hold = Hold { game, holder: 7, held_at_ms: 1, until_ms: i64::MAX };
    assert!(store.hold_game(hold, true).await.unwrap());
    store.delete_line(game, 0).await.unwrap();
    assert_eq!(store.media(host, id).await.unwrap().unwrap().games, 1, "its log is still there");
    while store.delete_piece(game).await.unwrap().is_some() {}
    // The row of the game stays, because it reserves the code.
    assert!(!store.delete_line(game, 0).await.unwrap());
    assert_eq!(store.media(host, id).await.unwrap().unwrap().games, 0);
    assert_eq!(store.delete_media(host, id).await.unwrap(), MediaDeletion::Deleted);
}

async fn an_account_takes_its_files_with_it(store: &Store) {
    let (ann, _other) = (host(store).await, host(store).await);
    let id = file(store, ann, 1).await;
    store.remove_account(ann, None).await.unwrap();
    assert_eq!(store.without_line(vec![id]).await.unwrap(), [id]);
    assert_eq!(store.media_part(id, 0).await.unwrap(), None);
}

async fn an_heir_gets_the_files(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let id = file(store, ann, 1).await;
    let same = file(store, bob, 1).await;
    let quiz = quiz_row(ann);
    assert!(store.create_quiz(quiz.clone(), vec![id], 10).await.unwrap());
    store.remove_account(ann, Some(bob)).await.unwrap();
    assert_eq!(store.media(bob, id).await.unwrap().unwrap().quizzes, 1);
    assert_eq!(store.media_part(id, 0).await.unwrap(), Some(vec![1; 100]));
    assert_eq!(store.media(bob, same).await.unwrap().unwrap().quizzes, 0);
    assert!(store.replace_quiz(QuizRow { host: bob, ..quiz }, vec![same]).await.unwrap());
}
