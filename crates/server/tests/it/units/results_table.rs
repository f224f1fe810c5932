//! The results as CSV: which lines and columns there are, and that no cell runs.

use proptest::prelude::*;
use quizhall::results::formula::harmless;
use quizhall::results::table::of;
use quizhall_protocol::QuestionKind;
use quizhall_protocol::http::results::{AdjustmentResult, AnswerResult, QuestionResults, Results, RoundResults};
use quizhall_protocol::shapes::LeaderboardEntry;
use uuid::Uuid;

const HOSTILE: [&str; 12] = [
    "=HYPERLINK(\"http://x\")",
    "＝1",
    "\t=1",
    "+1",
    "-1",
    "@SUM(1)",
    "\r=1",
    "  =1",
    "\u{3000}＠x",
    "\0=1",
    "－2",
    "\n+3",
];

const ANN: Uuid = Uuid::from_u128(1);

/// A round of one question with these answers.
fn results(answers: Vec<AnswerResult>, leaderboard: Vec<LeaderboardEntry>) -> Results {
    let question = QuestionResults {
        question_id: Uuid::nil(),
        text: "a \"quoted\", text\nof two lines".to_owned(),
        kind: QuestionKind::Text.into(),
        correct_answer: "=1+1".to_owned(),
        points: 10,
        players: Some(2),
        answers,
        explanation: None,
        corrected: false,
        withdrawn: false,
        appeals: Vec::new(),
    };
    let round = RoundResults {
        section: None,
        title: "R".to_owned(),
        questions: vec![question],
        jokers: Vec::new(),
        adjustments: Vec::new(),
        tie_breaks: Vec::new(),
    };
    Results {
        game_id: Uuid::nil(),
        game_code: "ABC234".to_owned(),
        title: "T".to_owned(),
        phase: "ended".to_owned(),
        leaderboard,
        shared: None,
        rounds: vec![round],
    }
}

fn answer(name: &str, text: &str) -> AnswerResult {
    AnswerResult {
        player_id: ANN,
        display_name: name.to_owned(),
        answer: text.to_owned(),
        correct: true,
        overridden: false,
        by_changed_key: false,
        marker: None,
        points: 10,
        streak_points: 0,
        speed_points: 0,
        joker_points: 0,
        elapsed_ms: None,
    }
}

fn entry(player_id: Uuid, name: &str, (rank, score): (u32, i64)) -> LeaderboardEntry {
    LeaderboardEntry { player_id, display_name: name.to_owned(), score, rank, round_score: Some(score) }
}

/// The cells of each line, the header's too.
fn lines(results: &Results, scored: &[bool]) -> Vec<Vec<String>> {
    let bytes = of(results, scored).unwrap();
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).expect("the mark of UTF-8");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// These cells of a line.
fn cells<'a>(line: &'a [String], columns: &[usize]) -> Vec<&'a str> {
    columns.iter().map(|at| line[*at].as_str()).collect()
}

/// Whether a spreadsheet could run the cell, once quotes and white space around it are stripped.
fn is_formula(cell: &str) -> bool {
    let cell = cell.trim_matches(|symbol: char| symbol.is_whitespace() || matches!(symbol, '"' | '\0'));
    cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}'])
}

#[test]
fn what_is_written_reads_back_and_runs_nothing() {
    let answers = HOSTILE.iter().map(|text| answer(text, text)).collect();
    let lines = lines(&results(answers, Vec::new()), &[true]);
    assert_eq!((lines.len(), lines[0][0].as_str()), (1 + HOSTILE.len(), "rank"));
    for (line, hostile) in lines[1..].iter().zip(HOSTILE) {
        let safe = harmless(hostile);
        assert_eq!(cells(line, &[1, 6, 9]), [&safe, "a \"quoted\", text\nof two lines", &safe]);
        assert!(!line.iter().any(|cell| is_formula(cell)), "{line:?}");
    }
}

#[test]
fn the_standings_come_first_with_the_points_of_each_scored_round() {
    let board = vec![entry(ANN, "Ann", (1, 10)), entry(Uuid::nil(), "=Bob", (2, 0))];
    let mut results = results(vec![answer("Ann", "yes")], board);
    for (title, points) in [("", 0), ("=Last", 7)] {
        let mut round = results.rounds[0].clone();
        (round.title, round.questions[0].answers[0].points) = (title.to_owned(), points);
        results.rounds.push(round);
    }
    let lines = lines(&results, &[true, true, false]);
    assert_eq!(lines[0][13..], ["line", "round 1: R", "round 2", "round 3: =Last"]);
    assert_eq!(cells(&lines[1], &[0, 1, 3, 9, 13, 14, 15, 16]), ["1", "Ann", "10", "", "standing", "10", "0", ""]);
    assert_eq!(cells(&lines[2], &[0, 1, 3, 9, 13, 14, 15, 16]), ["2", "'=Bob", "0", "", "standing", "0", "0", ""]);
    assert_eq!(cells(&lines[3], &[0, 1, 3, 9, 12, 13, 14]), ["1", "Ann", "10", "yes", "10", "answer", ""]);
    assert_eq!(lines.len(), 6);
}

#[test]
fn further_columns_are_there_where_there_is_something_to_say() {
    let plain = results(vec![answer("Ann", "yes")], vec![entry(ANN, "Ann", (1, 10))]);
    let further = |results: &Results| -> Vec<_> {
        lines(results, &[true]).into_iter().map(|line| line[15..].join(" ")).collect()
    };
    assert_eq!(further(&plain), ["", "", ""]);
    let mut withdrawn = plain.clone();
    withdrawn.rounds[0].questions[0].withdrawn = true;
    assert_eq!(further(&withdrawn), ["withdrawn", "", "true"]);

    let with = |answers: [AnswerResult; 2]| {
        results([plain.rounds[0].questions[0].answers.clone(), answers.to_vec()].concat(), Vec::new())
    };
    let fast = AnswerResult { points: 34, streak_points: 1, speed_points: 6, joker_points: 17, ..answer("Ann", "yes") };
    let parts = further(&with([fast, answer("Bob", "yes")]));
    assert_eq!(parts, ["streakPoints speedPoints jokerPoints", "0 0 0", "1 6 17", "0 0 0"]);
    let changed = AnswerResult { by_changed_key: true, ..answer("Ann", "yes") };
    let by_host = AnswerResult { overridden: true, ..answer("Bob", "yes") };
    assert_eq!(further(&with([changed, by_host])), ["markedBy", "key", "changedKey", "host"]);
}

#[test]
fn points_by_hand_have_lines_of_their_own_and_count_in_their_round() {
    let mut results = results(vec![answer("Ann", "yes")], vec![entry(ANN, "Ann", (1, 13))]);
    let given = |points, reason: Option<&str>| AdjustmentResult {
        adjustment_id: Uuid::nil(),
        player_id: ANN,
        display_name: "Ann".to_owned(),
        points,
        reason: reason.map(str::to_owned),
        given_by: reason.map(|_| "=Mia".to_owned()),
    };
    results.rounds[0].adjustments = vec![given(5, None), given(-2, Some("=Late"))];
    let lines = lines(&results, &[true]);
    assert_eq!(lines[0][12..], ["points", "line", "round 1: R", "marker", "reason"]);
    assert_eq!(cells(&lines[1], &[1, 13, 14, 15]), ["Ann", "standing", "13", ""], "the rounds add up to the score");
    let line = cells(&lines[3], &[0, 1, 3, 4, 5, 6, 9, 12, 13, 15]);
    assert_eq!(line, ["1", "Ann", "13", "1", "R", "", "", "5", "adjustment", ""]);
    assert_eq!(cells(&lines[4], &[12, 13, 15, 16]), ["-2", "adjustment", "'=Mia", "'=Late"]);
}

proptest! {
    /// Dangerous pieces, combined at random into names, titles, questions and answers.
    #[test]
    fn no_separator_finds_a_formula(
        texts in proptest::collection::vec("([;,\t\r\n \"'=+@a\\-\u{0}\u{3000}＝＋－＠\u{2212}]|=1\\+1;|\";\"=){0,12}", 6)
    ) {
        let answers = vec![answer(&texts[0], &texts[1]), answer(&texts[2], "x;=1+1;y")];
        let mut results = results(answers, vec![entry(ANN, &texts[3], (1, 10))]);
        results.rounds[0].title.clone_from(&texts[4]);
        results.rounds[0].questions[0].text.clone_from(&texts[5]);
        let bytes = of(&results, &[true]).unwrap();
        for separator in *b",;\t" {
            let mut reader = csv::ReaderBuilder::new();
            reader.has_headers(false).flexible(true).delimiter(separator);
            for row in reader.from_reader(bytes.as_slice()).byte_records() {
                for cell in row.unwrap().iter().map(String::from_utf8_lossy) {
                    prop_assert!(!is_formula(&cell), "{cell:?} with {separator:?}");
                }
            }
            // The same for a reader that ignores quotes; a reader that splits at commas must honour them.
            let text = str::from_utf8(&bytes).unwrap();
            let mut cells = text.split(['\r', '\n', char::from(separator)]);
            prop_assert!(separator == b',' || !cells.any(is_formula), "{text:?}");
        }
    }
}
