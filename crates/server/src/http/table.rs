//! The results as CSV (RFC 4180): the standings with the points of each round, then every answer.
//!
//! Called by `results`. Every cell with text passes `formula::harmless` (promise 36). Never reads a game.

use std::collections::HashMap;

use quizhall_protocol::http::results::{AnswerResult, QuestionResults, Results};
use quizhall_protocol::shapes::LeaderboardEntry;
use uuid::Uuid;

use super::formula::harmless;
use super::problem::Refused;

/// Tells spreadsheets that the file is UTF-8; without it some read it in the code page of their country.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The columns of every file, in an order that only grows at its end. One column per round follows.
const HEADER: [&str; 14] = [
    "rank",
    "displayName",
    "playerId",
    "score",
    "round",
    "roundTitle",
    "question",
    "type",
    "correctAnswer",
    "answer",
    "correct",
    "overridden",
    "points",
    "line",
];

/// A line per player of the standing, by rank, then one per answer in order of play. `scored`: for each round of the
/// results, whether its scores are released.
pub(super) fn of(results: &Results, scored: &[bool]) -> Result<Vec<u8>, Refused> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(BYTE_ORDER_MARK.to_vec());
    let written = write(&mut writer, results, scored);
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    bytes.ok_or_else(|| Refused::of_status(axum::http::StatusCode::INTERNAL_SERVER_ERROR))
}

fn write(writer: &mut csv::Writer<Vec<u8>>, results: &Results, scored: &[bool]) -> csv::Result<()> {
    let rounds = (1..).zip(&results.rounds);
    let titles = rounds.clone().map(|(number, round)| match round.title.as_str() {
        "" => format!("round {number}"),
        title => harmless(&format!("round {number}: {title}")),
    });
    writer.write_record(HEADER.map(str::to_owned).into_iter().chain(titles))?;
    let totals = totals(results);
    for entry in &results.leaderboard {
        let points = scored.iter().enumerate().map(|(round, scored)| {
            let points = totals.get(&(entry.player_id, round)).copied().unwrap_or_default();
            if *scored { points.to_string() } else { String::new() }
        });
        writer.write_record(standing(entry).into_iter().chain(points))?;
    }
    let standings: HashMap<Uuid, &LeaderboardEntry> =
        results.leaderboard.iter().map(|entry| (entry.player_id, entry)).collect();
    let no_points = || results.rounds.iter().map(|_| String::new());
    for (number, round) in rounds {
        for (question, answer) in round.questions.iter().flat_map(|one| one.answers.iter().map(move |it| (one, it))) {
            let standing = standings.get(&answer.player_id).copied();
            let cells = line((number, &round.title), question, answer, standing).map(|cell| harmless(&cell));
            writer.write_record(cells.into_iter().chain(no_points()))?;
        }
    }
    Ok(())
}

/// The points of each player in each round (from 0), released or not.
fn totals(results: &Results) -> HashMap<(Uuid, usize), u64> {
    let mut totals = HashMap::new();
    for (round, played) in results.rounds.iter().enumerate() {
        for answer in played.questions.iter().flat_map(|question| &question.answers) {
            *totals.entry((answer.player_id, round)).or_default() += u64::from(answer.points);
        }
    }
    totals
}

/// The line of a player; everything about a single answer is empty.
fn standing(entry: &LeaderboardEntry) -> [String; HEADER.len()] {
    let mut cells = [const { String::new() }; HEADER.len()];
    let [rank, score] = rank_and_score(Some(entry));
    [cells[0], cells[1], cells[2], cells[3]] =
        [rank, harmless(&entry.display_name), entry.player_id.to_string(), score];
    "standing".clone_into(&mut cells[HEADER.len() - 1]);
    cells
}

fn line(
    (number, round): (usize, &str),
    question: &QuestionResults,
    answer: &AnswerResult,
    standing: Option<&LeaderboardEntry>,
) -> [String; HEADER.len()] {
    let [rank, score] = rank_and_score(standing);
    [
        rank,
        answer.display_name.clone(),
        answer.player_id.to_string(),
        score,
        number.to_string(),
        round.to_owned(),
        question.text.clone(),
        question.kind.to_string(),
        question.correct_answer.clone(),
        answer.answer.clone(),
        answer.correct.to_string(),
        answer.overridden.to_string(),
        answer.points.to_string(),
        "answer".to_owned(),
    ]
}

/// Empty before the first scores are out.
fn rank_and_score(standing: Option<&LeaderboardEntry>) -> [String; 2] {
    standing.map_or_else(Default::default, |entry| [entry.rank.to_string(), entry.score.to_string()])
}

#[cfg(test)]
mod tests {
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
        };
        Results {
            game_id: Uuid::nil(),
            game_code: "ABC234".to_owned(),
            title: "T".to_owned(),
            phase: "ended".to_owned(),
            leaderboard,
            rounds: vec![RoundResults { title: "R".to_owned(), questions: vec![question] }],
        }
    }

    fn answer(name: &str, text: &str) -> AnswerResult {
        AnswerResult {
            player_id: Uuid::from_u128(1),
            display_name: name.to_owned(),
            answer: text.to_owned(),
            correct: true,
            overridden: false,
            points: 10,
        }
    }

    fn entry(id: u128, name: &str, (rank, score): (u32, u64)) -> LeaderboardEntry {
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
    fn the_standings_come_first_with_the_points_of_each_scored_round() {
        let board = vec![entry(1, "Ann", (1, 10)), entry(2, "=Bob", (2, 0))];
        let mut results = results(vec![answer("Ann", "yes")], board);
        for (title, points) in [("", 0), ("=Last", 7)] {
            let mut round = results.rounds[0].clone();
            (round.title, round.questions[0].answers[0].points) = (title.to_owned(), points);
            results.rounds.push(round);
        }
        let rows = rows(&of(&results, &[true, true, false]).unwrap());
        let of_row =
            |row: usize, columns: &[usize]| columns.iter().map(|at| rows[row][*at].clone()).collect::<Vec<_>>();
        assert_eq!(of_row(0, &[13, 14, 15, 16]), ["line", "round 1: R", "round 2", "round 3: =Last"]);
        assert_eq!(of_row(1, &[0, 1, 3, 9, 13, 14, 15, 16]), ["1", "Ann", "10", "", "standing", "10", "0", ""]);
        assert_eq!(of_row(2, &[0, 1, 3, 9, 13, 14, 15, 16]), ["2", "'=Bob", "0", "", "standing", "0", "0", ""]);
        assert_eq!(of_row(3, &[0, 1, 3, 9, 12, 13, 14]), ["1", "Ann", "10", "yes", "10", "answer", ""]);
        assert_eq!(rows.len(), 6);
    }

    /// Whether a spreadsheet could run the cell, once quotes and white space around it are stripped.
    fn is_formula(cell: &str) -> bool {
        let cell = cell.trim_matches(|symbol: char| symbol.is_whitespace() || matches!(symbol, '"' | '\0'));
        cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}'])
    }

    proptest::proptest! {
        /// Pieces that hurt, put together by chance into names, titles, questions and answers.
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
                // The same by a reader that knows no quotes; one that splits at commas has to.
                let text = String::from_utf8(bytes.clone()).unwrap();
                let cells = text.split(['\r', '\n', char::from(separator)]);
                proptest::prop_assert!(separator == b',' || !cells.into_iter().any(is_formula), "{text:?}");
            }
        }
    }
}
