//! Unit tests of `results::table`.

#![allow(clippy::unwrap_used)]
use super::*;
use quizhall_protocol::QuestionKind;
use quizhall_protocol::http::results::RoundResults;

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
    Results {
        game_id: Uuid::nil(),
        game_code: "ABC234".to_owned(),
        title: "T".to_owned(),
        phase: "ended".to_owned(),
        leaderboard,
        shared: None,
        rounds: vec![RoundResults {
            section: None,
            title: "R".to_owned(),
            questions: vec![question],
            jokers: Vec::new(),
            adjustments: Vec::new(),
            tie_breaks: Vec::new(),
        }],
    }
}

fn answer(name: &str, text: &str) -> AnswerResult {
    AnswerResult {
        player_id: Uuid::from_u128(1),
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

fn entry(id: u128, name: &str, (rank, score): (u32, i64)) -> LeaderboardEntry {
    let (player_id, display_name) = (Uuid::from_u128(id), name.to_owned());
    LeaderboardEntry { player_id, display_name, score, rank, round_score: Some(score) }
}

fn rows(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn what_is_written_reads_back_and_runs_nothing() {
    let answers = HOSTILE.iter().map(|text| answer(text, text)).collect();
    let bytes = of(&results(answers, Vec::new()), &[true]).unwrap();
    assert!(bytes.starts_with(BYTE_ORDER_MARK));
    let rows = rows(&bytes);
    assert_eq!((rows.len(), rows[0][0].as_str()), (1 + HOSTILE.len(), "rank"));
    for (row, hostile) in rows[1..].iter().zip(HOSTILE) {
        assert_eq!(row[1], harmless(hostile));
        assert_eq!(row[9], harmless(hostile));
        assert_eq!(row[6], "a \"quoted\", text\nof two lines");
        assert!(!row.iter().any(|cell| is_formula(cell)), "{row:?}");
    }
}

#[test]
fn answers_to_a_withdrawn_question_say_so() {
    let mut results = results(vec![answer("Ann", "yes")], Vec::new());
    assert_eq!(rows(&of(&results, &[true]).unwrap())[0].len(), 15);
    results.rounds[0].questions[0].withdrawn = true;
    let rows = rows(&of(&results, &[true]).unwrap());
    assert_eq!([&rows[0][15], &rows[1][15]], ["withdrawn", "true"]);
}

#[test]
fn the_standings_come_first_with_the_points_of_each_scored_round() {
    let board = vec![entry(1, "Ann", (1, 10)), entry(2, "=Bob", (2, 0))];
    let mut results = results(vec![answer("Ann", "yes")], board);
    for (title, points) in [("", 0), ("=Last", 7)] {
        let mut round = results.rounds[0].clone();
        (round.title, round.questions[0].answers[0].points) = (title.to_owned(), points);
        results.rounds.push(round);
    }
    let rows = rows(&of(&results, &[true, true, false]).unwrap());
    let of_row = |row: usize, columns: &[usize]| columns.iter().map(|at| rows[row][*at].clone()).collect::<Vec<_>>();
    assert_eq!(of_row(0, &[13, 14, 15, 16]), ["line", "round 1: R", "round 2", "round 3: =Last"]);
    assert_eq!(of_row(1, &[0, 1, 3, 9, 13, 14, 15, 16]), ["1", "Ann", "10", "", "standing", "10", "0", ""]);
    assert_eq!(of_row(2, &[0, 1, 3, 9, 13, 14, 15, 16]), ["2", "'=Bob", "0", "", "standing", "0", "0", ""]);
    assert_eq!(of_row(3, &[0, 1, 3, 9, 12, 13, 14]), ["1", "Ann", "10", "yes", "10", "answer", ""]);
    assert_eq!(rows.len(), 6);
}

#[test]
fn points_for_streaks_speed_and_jokers_have_columns_where_there_are_any() {
    let fast = AnswerResult { points: 34, streak_points: 1, speed_points: 6, joker_points: 17, ..answer("Ann", "yes") };
    let rows = rows(&of(&results(vec![fast, answer("Bob", "yes")], vec![entry(1, "Ann", (1, 34))]), &[true]).unwrap());
    let last: Vec<_> = rows.iter().map(|row| [12, 15, 16, 17].map(|column| row[column].as_str())).collect();
    let named = ["points", "streakPoints", "speedPoints", "jokerPoints"];
    assert_eq!(last, [named, [""; 4], ["34", "1", "6", "17"], ["10", "0", "0", "0"]]);
}

#[test]
fn how_marks_came_about_is_shown_where_a_key_was_changed() {
    let changed = AnswerResult { by_changed_key: true, ..answer("Ann", "yes") };
    let by_host = AnswerResult { overridden: true, ..answer("Bob", "yes") };
    let answers = vec![changed, by_host, answer("Cleo", "yes")];
    let rows = rows(&of(&results(answers, vec![entry(1, "Ann", (1, 10))]), &[true]).unwrap());
    let last: Vec<_> = rows.iter().map(|row| row[15].as_str()).collect();
    assert_eq!(last, ["markedBy", "", "changedKey", "host", "key"]);
}

#[test]
fn points_by_hand_have_lines_of_their_own_and_count_in_their_round() {
    let mut results = results(vec![answer("Ann", "yes")], vec![entry(1, "Ann", (1, 13))]);
    let given = |points, reason: Option<&str>| AdjustmentResult {
        adjustment_id: Uuid::nil(),
        player_id: Uuid::from_u128(1),
        display_name: "Ann".to_owned(),
        points,
        reason: reason.map(str::to_owned),
        given_by: reason.map(|_| "=Mia".to_owned()),
    };
    results.rounds[0].adjustments = vec![given(5, None), given(-2, Some("=Late"))];
    let rows = rows(&of(&results, &[true]).unwrap());
    let of_row = |row: usize, columns: &[usize]| columns.iter().map(|at| rows[row][*at].clone()).collect::<Vec<_>>();
    assert_eq!(of_row(0, &[12, 13, 14, 15, 16]), ["points", "line", "round 1: R", "marker", "reason"]);
    assert_eq!(of_row(1, &[1, 13, 14, 15]), ["Ann", "standing", "13", ""], "the rounds add up to the score");
    assert_eq!(
        of_row(3, &[0, 1, 3, 4, 5, 6, 9, 12, 13, 15]),
        ["1", "Ann", "13", "1", "R", "", "", "5", "adjustment", ""]
    );
    assert_eq!(of_row(4, &[12, 13, 15, 16]), ["-2", "adjustment", "'=Mia", "'=Late"]);
}

/// Whether a spreadsheet could run the cell, once quotes and white space around it are stripped.
fn is_formula(cell: &str) -> bool {
    let cell = cell.trim_matches(|symbol: char| symbol.is_whitespace() || matches!(symbol, '"' | '\0'));
    cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}'])
}

proptest::proptest! {
    /// Dangerous pieces, combined at random into names, titles, questions and answers.
    #[test]
    fn no_separator_finds_a_formula(
        texts in proptest::collection::vec("([;,\t\r\n \"'=+@a\\-\u{0}\u{3000}＝＋－＠\u{2212}]|=1\\+1;|\";\"=){0,12}", 6)
    ) {
        let mut results = results(vec![answer(&texts[0], &texts[1]), answer(&texts[2], "x;=1+1;y")], Vec::new());
        results.leaderboard = vec![entry(1, &texts[3], (1, 10))];
        results.rounds[0].title.clone_from(&texts[4]);
        results.rounds[0].questions[0].text.clone_from(&texts[5]);
        let bytes = of(&results, &[true]).unwrap();
        for separator in *b",;\t" {
            let mut reader = csv::ReaderBuilder::new();
            reader.has_headers(false).flexible(true).delimiter(separator);
            for row in reader.from_reader(bytes.as_slice()).byte_records() {
                for cell in row.unwrap().iter().map(String::from_utf8_lossy) {
                    proptest::prop_assert!(!is_formula(&cell), "{cell:?} with {separator:?}");
                }
            }
            // The same for a reader that ignores quotes; a reader that splits at commas must honour them.
            let text = String::from_utf8(bytes.clone()).unwrap();
            let cells = text.split(['\r', '\n', char::from(separator)]);
            proptest::prop_assert!(separator == b',' || !cells.into_iter().any(is_formula), "{text:?}");
        }
    }
}
