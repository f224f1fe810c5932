//! Accounts, sessions, quizzes and games in the store, on every engine.

use quizhall::clock;
use quizhall::store::{
    AccountCreation, Append, CODE_HELD_MS, GameCreation, GameRow, Head, NewAccount, NewGame, NewSession, Outcome,
    PhaseChange, QuizRow, Store,
};
use quizhall_rules::{GameId, HostId, Phase};
use uuid::Uuid;

use crate::store_stage::{a_game, account, append_one, end, game, host, next, on_every_engine, quiz_row};

on_every_engine! {
    the_first_account_is_created_once
    names_are_unique
    the_sample_waits_for_the_first_person_and_for_the_script
    sessions_are_found_until_they_end_or_expire_or_the_password_changes
    quizzes_belong_to_their_host_who_has_a_limit_of_them
    a_quiz_knows_when_it_was_last_played
    the_newest_game_that_follows_and_has_not_ended_is_the_next
    a_chain_of_games_is_read_from_any_of_them
    a_code_is_held_until_a_day_after_the_end_of_its_game
    one_of_many_games_with_the_same_code_gets_it
    a_host_has_a_limit_of_live_games
    a_closed_game_is_not_found
}

async fn the_first_account_is_created_once(store: &Store) {
    assert_eq!(store.accounts_with_password().await.unwrap(), 0);
    let rivals = (0..8).map(|number| NewAccount { only_as_first: true, ..account(&format!("host {number}")) });
    let outcomes = futures_util::future::join_all(rivals.map(|account| store.create_account(account))).await;
    let outcomes: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == AccountCreation::Created).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == AccountCreation::NotFirst).count(), 7);
    assert_eq!(store.accounts_with_password().await.unwrap(), 1);
}

async fn names_are_unique(store: &Store) {
    assert_eq!(store.create_account(account("Ann")).await.unwrap(), AccountCreation::Created);
    assert_eq!(store.create_account(account("ANN")).await.unwrap(), AccountCreation::NameTaken);
    let found = store.account_by_name("ann").await.unwrap().unwrap();
    assert_eq!(found.name, "Ann");
    assert!(store.account_by_name("' OR 1=1--").await.unwrap().is_none());
}

async fn the_sample_waits_for_the_first_person_and_for_the_script(store: &Store) {
    let with_sample = |name: &str, password: bool| {
        let account = account(name);
        let sample = Some(quiz(account.id, "Sample"));
        NewAccount { sample, password_hash: account.password_hash.clone().filter(|_| password), ..account }
    };
    let mut found = Vec::new();
    for account in [with_sample("script", false), with_sample("first", true), with_sample("second", true)] {
        let id = account.id;
        assert_eq!(store.create_account(account).await.unwrap(), AccountCreation::Created);
        found.push(store.quizzes_of(id).await.unwrap().len());
    }
    assert_eq!(found, [1, 1, 0]);
}

async fn sessions_are_found_until_they_end_or_expire_or_the_password_changes(store: &Store) {
    let (host, now) = (host(store).await, clock::unix_ms());
    let session = |byte, expires_at_ms| NewSession { hash: [byte; 32], host, created_at_ms: now, expires_at_ms };
    store.create_session(session(1, now + 60_000)).await.unwrap();
    store.create_session(session(2, now - 1)).await.unwrap();
    assert_eq!(store.session([1; 32]).await.unwrap().map(|session| session.host), Some(host));
    assert_eq!(store.session([2; 32]).await.unwrap(), None);
    assert_eq!(store.session([3; 32]).await.unwrap(), None);
    store.create_session(session(3, now + 60_000)).await.unwrap();
    assert!(!store.end_session([2; 32]).await.unwrap(), "the expired one was swept");
    assert!(store.end_session([1; 32]).await.unwrap());
    assert!(!store.end_session([1; 32]).await.unwrap());
    assert_eq!(store.session([1; 32]).await.unwrap(), None);
    store.create_session(session(4, now + 60_000)).await.unwrap();
    let mut ended = store.set_password(host, "$other".to_owned()).await.unwrap();
    ended.sort_unstable();
    assert_eq!(ended, [[3; 32], [4; 32]], "a new password ends all");
    assert_eq!(store.session([3; 32]).await.unwrap(), None);
}

async fn quizzes_belong_to_their_host_who_has_a_limit_of_them(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let first = QuizRow { updated_at_ms: 5, ..quiz(ann, "One") };
    let second = QuizRow { updated_at_ms: 6, ..quiz(ann, "Two '); DROP TABLE quiz;--") };
    for quiz in [&first, &second] {
        assert!(store.create_quiz(quiz.clone(), Vec::new(), 10).await.unwrap());
    }
    let titles: Vec<_> = store.quizzes_of(ann).await.unwrap().into_iter().map(|line| line.title).collect();
    assert_eq!(titles, [second.title.as_str(), "One"]);
    assert!(store.quiz(ann, first.id).await.unwrap() == Some(first.clone()));
    assert!(store.quiz(bob, first.id).await.unwrap().is_none());
    assert!(!store.replace_quiz(QuizRow { host: bob, ..first.clone() }, Vec::new()).await.unwrap());
    let newer = QuizRow { title: "New".to_owned(), created_at_ms: 999, updated_at_ms: 7, ..first.clone() };
    assert!(store.replace_quiz(newer, Vec::new()).await.unwrap());
    let read = store.quiz(ann, first.id).await.unwrap().unwrap();
    assert_eq!((read.title.as_str(), read.created_at_ms, read.updated_at_ms), ("New", 1, 7));
    assert!(!store.delete_quiz(bob, first.id).await.unwrap());
    assert!(store.delete_quiz(ann, first.id).await.unwrap());
    assert!(!store.delete_quiz(ann, first.id).await.unwrap());
    let at_once = (0..5).map(|_| store.create_quiz(quiz(bob, "Q"), Vec::new(), 3));
    let stored = futures_util::future::join_all(at_once).await;
    assert_eq!(stored.into_iter().filter(|stored| *stored.as_ref().unwrap()).count(), 3, "the limit");
}

async fn the_newest_game_that_follows_and_has_not_ended_is_the_next(store: &Store) {
    let ann = host(store).await;
    let before = game(ann, "BEF222");
    let id = before.id;
    assert_eq!(store.create_game(before).await.unwrap(), GameCreation::Created);
    assert_eq!(store.next_game(id).await.unwrap(), None);
    let mut following = Vec::new();
    for (code, created_at_ms) in [("FST222", 5), ("SND222", 7)] {
        let game = NewGame { follows: Some(id), created_at_ms, ..game(ann, code) };
        following.push((game.id, Head { seq: 0, batch: game.batch }));
        assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
        assert_eq!(store.next_game(id).await.unwrap(), following.last().map(|(id, _)| *id));
    }
    let (second, head) = following.pop().unwrap();
    let ended = PhaseChange { phase: Phase::Ended, ended_at_ms: Some(9), closed: false };
    let row = Append { phase: Some(ended), ..next(second, head, 1) };
    assert_eq!(append_one(store, row).await, Outcome::Committed);
    assert_eq!(store.next_game(id).await.unwrap(), Some(following[0].0));
    assert!(store.close_game(following[0].0).await.unwrap());
    assert_eq!(store.next_game(id).await.unwrap(), None);
}

async fn a_chain_of_games_is_read_from_any_of_them(store: &Store) {
    let ann = host(store).await;
    let mut games: Vec<GameId> = Vec::new();
    // The third and the fourth game both follow the second.
    for (code, follows, created_at_ms) in [
        ("CHA222", None, 5),
        ("CHA333", Some(0), 6),
        ("CHA444", Some(1), 7),
        ("CHA555", Some(1), 8),
        ("CHA666", Some(3), 9),
    ] {
        let follows = follows.map(|place: usize| games[place]);
        let game = NewGame { follows, created_at_ms, ..game(ann, code) };
        games.push(game.id);
        assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
    }
    let chain = async |place: usize| {
        let rows = store.chain_of(games[place]).await.unwrap();
        let number = |row: GameRow| games.iter().position(|game| *game == row.id).unwrap();
        rows.into_iter().map(number).collect::<Vec<_>>()
    };
    for place in [0, 1, 3, 4] {
        assert_eq!(chain(place).await, [0, 1, 3, 4]);
    }
    assert_eq!(chain(2).await, [0, 1, 2], "of another branch only the games before it");
    assert!(store.close_game(games[3]).await.unwrap());
    assert_eq!((chain(0).await, chain(3).await, chain(4).await), (vec![0, 1, 2], vec![], vec![4]));
}

async fn a_quiz_knows_when_it_was_last_played(store: &Store) {
    let (ann, bob) = (host(store).await, host(store).await);
    let (played, other) = (quiz(ann, "Played"), quiz(ann, "Other"));
    for quiz in [&played, &other] {
        assert!(store.create_quiz(quiz.clone(), Vec::new(), 10).await.unwrap());
    }
    let last_played = async || {
        let lines = store.quizzes_of(ann).await.unwrap();
        let line = |id: Uuid| lines.iter().find(|line| line.id == id).unwrap().last_played_at_ms;
        (line(played.id), line(other.id))
    };
    let mut heads = Vec::new();
    for (code, owner, created_at_ms) in [("OLD222", ann, 5), ("NEW222", ann, 7), ("BOB222", bob, 9)] {
        let game = NewGame { quiz: played.id, created_at_ms, ..game(owner, code) };
        heads.push((game.id, Head { seq: 0, batch: game.batch }));
        assert_eq!(store.create_game(game).await.unwrap(), GameCreation::Created);
    }
    assert_eq!(last_played().await, (None, None), "a lobby is not a game that was played");
    for ((game, head), expected) in heads.into_iter().zip([Some(5), Some(7), Some(7)]) {
        let begun = PhaseChange { phase: Phase::Question, ended_at_ms: None, closed: false };
        let row = Append { phase: Some(begun), ..next(game, head, 1) };
        assert_eq!(append_one(store, row).await, Outcome::Committed);
        assert_eq!(last_played().await, (expected, None), "another host's game is not counted");
    }
    let games = store.games_of(ann).await.unwrap();
    assert!(games.len() == 2 && games.iter().all(|game| game.quiz == Some(played.id)));
}

async fn a_code_is_held_until_a_day_after_the_end_of_its_game(store: &Store) {
    let (fresh, head) = a_game(store, "AAAAAA").await;
    let owner = host(store).await;
    let again = || async { store.create_game(game(owner, "AAAAAA")).await.unwrap() };
    assert_eq!(store.game_by_code("AAAAAB").await.unwrap(), None);
    assert_eq!((store.game_by_code("AAAAAA").await.unwrap(), again().await), (Some(fresh), GameCreation::CodeTaken));
    let head = end(store, fresh, head, clock::unix_ms() - 1_000).await;
    assert_eq!((store.game_by_code("AAAAAA").await.unwrap(), again().await), (Some(fresh), GameCreation::CodeTaken));
    assert_eq!(store.head(fresh).await.unwrap(), Some(head));

    let (old, head) = a_game(store, "BBBBBB").await;
    end(store, old, head, clock::unix_ms() - CODE_HELD_MS - 1_000).await;
    assert_eq!(store.game_by_code("BBBBBB").await.unwrap(), None);
    assert_eq!(store.game_by_id(old).await.unwrap().map(|line| line.phase), Some(Phase::Ended));
    let successor = game(owner, "BBBBBB");
    let id = successor.id;
    assert_eq!(store.create_game(successor).await.unwrap(), GameCreation::Created);
    assert_eq!(store.game_by_code("BBBBBB").await.unwrap(), Some(id));
}

async fn one_of_many_games_with_the_same_code_gets_it(store: &Store) {
    let owner = host(store).await;
    let rivals: Vec<NewGame> = (0..8).map(|_| game(owner, "AAAAAA")).collect();
    let outcomes = futures_util::future::join_all(rivals.into_iter().map(|game| store.create_game(game))).await;
    let created = outcomes.into_iter().filter(|outcome| *outcome.as_ref().unwrap() == GameCreation::Created);
    assert_eq!(created.count(), 1);
    assert_eq!(store.games_of(owner).await.unwrap().len(), 1);
}

async fn a_host_has_a_limit_of_live_games(store: &Store) {
    let owner = host(store).await;
    let limited = |code: &str| NewGame { live_limit: 2, ..game(owner, code) };
    let first = limited("AAAAAA");
    let (id, head) = (first.id, Head { seq: 0, batch: first.batch });
    assert_eq!(store.create_game(first).await.unwrap(), GameCreation::Created);
    assert_eq!(store.create_game(limited("BBBBBB")).await.unwrap(), GameCreation::Created);
    assert_eq!(store.create_game(limited("CCCCCC")).await.unwrap(), GameCreation::TooManyLive);
    assert_eq!(store.still_games(i64::MAX).await.unwrap().len(), 2);
    end(store, id, head, clock::unix_ms()).await;
    assert_eq!(store.create_game(limited("CCCCCC")).await.unwrap(), GameCreation::Created);
    assert_eq!(store.games_of(owner).await.unwrap().len(), 3);
    assert_eq!(store.still_games(i64::MAX).await.unwrap().len(), 2);
}

async fn a_closed_game_is_not_found(store: &Store) {
    let (id, head) = a_game(store, "AAAAAA").await;
    let owner = store.game_by_id(id).await.unwrap().unwrap().host;
    let closed = PhaseChange { phase: Phase::Lobby, ended_at_ms: None, closed: true };
    let row = Append { phase: Some(closed), ..next(id, head, 1) };
    append_one(store, row).await;
    assert_eq!(store.game_by_code("AAAAAA").await.unwrap(), None);
    assert_eq!(store.games_of(owner).await.unwrap(), []);
    assert_eq!(store.still_games(i64::MAX).await.unwrap(), []);
    let line = store.game_by_id(id).await.unwrap().unwrap();
    assert!(line.closed && line.ended_at_ms.is_some());
    assert_eq!(store.create_game(game(owner, "AAAAAA")).await.unwrap(), GameCreation::CodeTaken);
}

fn quiz(host: HostId, title: &str) -> QuizRow {
    QuizRow { title: title.to_owned(), question_count: 2, ..quiz_row(host) }
}
