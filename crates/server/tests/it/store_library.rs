//! The index of the search and the history of questions in the store, on every engine.

use std::time::{Duration, Instant};

use quizhall::store::{AskedCount, Indexed, IndexedQuestion, Page, Place, QuizIndex, QuizRow, Search, Store};
use quizhall_rules::{GameId, HostId};
use uuid::Uuid;

use crate::store_stage::{RawSql, a_game, end, host, on_every_engine_with_sql, quiz_row};

on_every_engine_with_sql! {
    words_and_tags_find_quizzes_and_questions
    signs_of_a_pattern_are_ordinary
    an_index_follows_its_quiz
    a_host_finds_only_what_is_theirs
    ten_thousand_questions_are_searched_at_once
    a_history_has_the_counts_of_ended_games
    counts_are_kept_once_and_go_with_their_game
}

const ROWS: &str = "SELECT count(*) FROM question_asked WHERE game_id = $1";

async fn words_and_tags_find_quizzes_and_questions(store: &Store, _raw_sql: RawSql) {
    let ann = host(store).await;
    let (old, new) = (stored(store, ann, 1).await, stored(store, ann, 2).await);
    store.index_quiz(index(&old, &[("capital of france", &["europe"]), ("largest planet", &[])])).await.unwrap();
    store.index_quiz(index(&new, &[("rivers of france", &["europe", "water"])])).await.unwrap();
    assert_eq!(questions(store, ann, &words(&["fran", "of"])).await, ["rivers of france", "capital of france"]);
    assert_eq!(questions(store, ann, &words(&["of", "capital"])).await, ["capital of france"]);
    assert_eq!(questions(store, ann, &words(&["spain"])).await, Vec::<String>::new());
    assert_eq!(questions(store, ann, &tag("water")).await, ["rivers of france"]);
    assert_eq!(questions(store, ann, &tag("wat")).await, Vec::<String>::new(), "a tag matches only as a whole");
    let both = Search { words: vec!["capital".to_owned()], tag: Some("europe".to_owned()) };
    assert_eq!(questions(store, ann, &both).await, ["capital of france"]);
    let quizzes = async |search: &Search| {
        let lines = store.found_quizzes(ann, search, Page::first(9)).await.unwrap();
        lines.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(quizzes(&words(&["france"])).await, [new.id, old.id]);
    assert_eq!(quizzes(&words(&["planet", "capital", "title"])).await, [old.id], "in different questions");
    assert_eq!(quizzes(&tag("water")).await, Vec::<Uuid>::new(), "a tag of a question is not a tag of its quiz");

    let first = store.found_questions(ann, &Search::default(), Page::first(2)).await.unwrap();
    let after = first.last().map(|row| Place { time_ms: row.place, id: row.quiz });
    let rest = store.found_questions(ann, &Search::default(), Page { limit: 2, after }).await.unwrap();
    let bodies: Vec<_> = first.iter().chain(&rest).map(|row| row.body.as_str()).collect();
    assert_eq!(bodies, ["rivers of france", "capital of france", "largest planet"]);
    assert_eq!(rest.len(), 1);
}

async fn an_index_follows_its_quiz(store: &Store, _raw_sql: RawSql) {
    let ann = host(store).await;
    let quiz = stored(store, ann, 1).await;
    assert_eq!(store.quizzes_to_index(ann).await.unwrap(), [quiz.id]);
    store.index_quiz(index(&quiz, &[("before", &[])])).await.unwrap();
    assert!(store.quizzes_to_index(ann).await.unwrap().is_empty());

    // The previous version does this: it replaces a quiz and knows no index.
    let newer = QuizRow { updated_at_ms: 2, ..quiz.clone() };
    assert!(store.replace_quiz(newer.clone(), Vec::new()).await.unwrap());
    assert_eq!(store.quizzes_to_index(ann).await.unwrap(), [quiz.id]);
    store.index_quiz(index(&quiz, &[("too late", &[])])).await.unwrap();
    assert_eq!(
        questions(store, ann, &Search::default()).await,
        ["before"],
        "an index of an older quiz changes nothing"
    );
    store.index_quiz(index(&newer, &[("after", &[]), ("more", &[])])).await.unwrap();
    assert_eq!(questions(store, ann, &Search::default()).await, ["after", "more"]);

    assert!(store.delete_quiz(ann, quiz.id).await.unwrap());
    assert_eq!(questions(store, ann, &Search::default()).await, Vec::<String>::new());
    store.index_quiz(index(&newer, &[("deleted", &[])])).await.unwrap();
    assert_eq!(questions(store, ann, &Search::default()).await, Vec::<String>::new());
}

/// Prints the figures that it measures.
async fn ten_thousand_questions_are_searched_at_once(store: &Store, _raw_sql: RawSql) {
    let ann = host(store).await;
    for number in 0..20 {
        let quiz = stored(store, ann, number).await;
        let texts: Vec<String> = (0..500).map(|at| format!("{}{number} of {at}", "word ".repeat(40))).collect();
        let texts: Vec<(&str, &[&str])> = texts.iter().map(|text| (text.as_str(), [].as_slice())).collect();
        store.index_quiz(index(&quiz, &texts)).await.unwrap();
    }
    for (search, found) in [(words(&["absent"]), 0), (words(&["word", "19 of 499"]), 1), (words(&["word"]), 100)] {
        let begin = Instant::now();
        assert_eq!(store.found_questions(ann, &search, Page::first(100)).await.unwrap().len(), found);
        let questions = begin.elapsed();
        store.found_quizzes(ann, &search, Page::first(100)).await.unwrap();
        let quizzes = begin.elapsed().checked_sub(questions).unwrap();
        println!("{:?}: {questions:?} for 10,000 questions, {quizzes:?} for their quizzes", search.words);
        assert!(questions + quizzes < Duration::from_secs(2), "{questions:?}, {quizzes:?}");
    }
}

async fn signs_of_a_pattern_are_ordinary(store: &Store, _raw_sql: RawSql) {
    let ann = host(store).await;
    let quiz = stored(store, ann, 1).await;
    store.index_quiz(index(&quiz, &[("100% of a_b\\c", &["a_b"]), ("100 of axb", &["axb"])])).await.unwrap();
    for (word, found) in [("0%", 1), ("a_b", 1), ("b\\c", 1), ("100", 2), ("'; --", 0)] {
        assert_eq!(questions(store, ann, &words(&[word])).await.len(), found, "{word}");
    }
    assert_eq!(questions(store, ann, &tag("a_b")).await.len(), 1);
}

async fn a_host_finds_only_what_is_theirs(store: &Store, _raw_sql: RawSql) {
    let (ann, bob) = (host(store).await, host(store).await);
    let quiz = stored(store, ann, 1).await;
    store.index_quiz(index(&quiz, &[("capital of france", &["europe"])])).await.unwrap();
    for search in [Search::default(), words(&["france"]), tag("europe")] {
        assert_eq!(questions(store, ann, &search).await.len(), 1);
        assert_eq!(questions(store, bob, &search).await.len(), 0);
        assert_eq!(store.found_quizzes(bob, &search, Page::first(9)).await.unwrap().len(), 0);
    }
}

async fn a_history_has_the_counts_of_ended_games(store: &Store, _raw_sql: RawSql) {
    let (game, ann, question) = ended(store, "AAAAAA").await;
    let quiz = stored(store, ann, 1).await;
    let mut of_quiz = index(&quiz, &[("asked", &[]), ("never asked", &[])]);
    of_quiz.questions[0].id = question;
    store.index_quiz(of_quiz).await.unwrap();
    assert_eq!(store.uncounted(ann).await.unwrap(), 1);
    let uncounted: Vec<_> = store.uncounted_games(ann, 9).await.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(uncounted, [game]);
    assert!(store.history_of(ann, quiz.id, 9).await.unwrap().is_empty());
    store.keep_counts(ann, game, vec![count(question)]).await.unwrap();
    assert_eq!(store.uncounted(ann).await.unwrap(), 0);
    let history = store.history_of(ann, quiz.id, 9).await.unwrap();
    assert_eq!(history.len(), 1);
    let row = &history[0];
    assert_eq!((row.question, row.game, row.title.as_str()), (question, game.uuid(), "A quiz"));
    assert_eq!((row.players, row.answered, row.right), (9, 8, Some(7)));
    let stranger = host(store).await;
    assert!(store.history_of(stranger, quiz.id, 9).await.unwrap().is_empty());
    assert!(store.close_game(game).await.unwrap());
    assert!(store.history_of(ann, quiz.id, 9).await.unwrap().is_empty(), "its host has deleted it");
}

async fn counts_are_kept_once_and_go_with_their_game(store: &Store, mut raw_sql: RawSql) {
    let (game, ann, question) = ended(store, "AAAAAA").await;
    store.keep_counts(ann, game, vec![count(question)]).await.unwrap();
    store.keep_counts(ann, game, vec![count(question), count(Uuid::now_v7())]).await.unwrap();
    assert_eq!(raw_sql.count(ROWS, game).await, 1);
    assert!(store.close_game(game).await.unwrap());
    assert!(!store.delete_line(game, 0).await.unwrap(), "its code is still reserved");
    assert_eq!(raw_sql.count(ROWS, game).await, 0);
    store.keep_counts(ann, game, vec![count(question)]).await.unwrap();
    assert_eq!(raw_sql.count(ROWS, game).await, 0, "a closed game is not counted");
}

fn count(question: Uuid) -> AskedCount {
    AskedCount { question, players: 9, answered: 8, right: Some(7) }
}

async fn ended(store: &Store, code: &str) -> (GameId, HostId, Uuid) {
    let (game, head) = a_game(store, code).await;
    end(store, game, head, 5).await;
    let ann = store.game_by_id(game).await.unwrap().unwrap().host;
    (game, ann, Uuid::now_v7())
}

fn words(words: &[&str]) -> Search {
    Search { words: words.iter().map(|&word| word.to_owned()).collect(), tag: None }
}

fn tag(tag: &str) -> Search {
    Search { words: Vec::new(), tag: Some(tag.to_owned()) }
}

async fn stored(store: &Store, host: HostId, updated_at_ms: i64) -> QuizRow {
    let row = QuizRow { updated_at_ms, ..quiz_row(host) };
    assert!(store.create_quiz(row.clone(), Vec::new(), 100).await.unwrap());
    row
}

/// An index with these questions: text and tags.
fn index(quiz: &QuizRow, questions: &[(&str, &[&str])]) -> QuizIndex {
    let indexed = |text: &str, tags: &[&str]| Indexed {
        words: text.to_owned(),
        tags: tags.iter().fold("\n".to_owned(), |lines, tag| lines + tag + "\n"),
    };
    let question = |(text, tags): &(&str, &[&str])| IndexedQuestion {
        id: Uuid::now_v7(),
        indexed: indexed(text, tags),
        body: (*text).to_owned(),
    };
    QuizIndex {
        quiz: quiz.id,
        host: quiz.host,
        updated_at_ms: quiz.updated_at_ms,
        indexed: indexed("title", &[]),
        questions: questions.iter().map(question).collect(),
    }
}

async fn questions(store: &Store, host: HostId, search: &Search) -> Vec<String> {
    let rows = store.found_questions(host, search, Page::first(100)).await.unwrap();
    rows.into_iter().map(|row| row.body).collect()
}
