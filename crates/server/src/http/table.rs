//! The results as CSV (RFC 4180), with every cell that a spreadsheet would run as a formula made harmless (S12).

use std::collections::{HashMap, HashSet};

use quizhall_protocol::http::results::{AnswerResult, QuestionResults, Results};
use quizhall_protocol::shapes::LeaderboardEntry;
use uuid::Uuid;

use super::problem::Refused;

const HEADER: [&str; 13] = [
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
];

/// A line per answer in order of play, then one for each player of the standing who gave none.
pub(super) fn of(results: &Results) -> Result<Vec<u8>, Refused> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let written = write(&mut writer, results);
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    bytes.ok_or_else(|| Refused::of_status(axum::http::StatusCode::INTERNAL_SERVER_ERROR))
}

fn write(writer: &mut csv::Writer<Vec<u8>>, results: &Results) -> csv::Result<()> {
    let standings: HashMap<Uuid, &LeaderboardEntry> =
        results.leaderboard.iter().map(|entry| (entry.player_id, entry)).collect();
    let mut answered = HashSet::new();
    writer.write_record(HEADER)?;
    for (number, round) in (1..).zip(&results.rounds) {
        for question in &round.questions {
            for answer in &question.answers {
                answered.insert(answer.player_id);
                let place: (usize, &str) = (number, &round.title);
                let standing = standings.get(&answer.player_id).copied();
                writer.write_record(line(place, question, answer, standing).map(|cell| harmless(&cell)))?;
            }
        }
    }
    for entry in results.leaderboard.iter().filter(|entry| !answered.contains(&entry.player_id)) {
        let mut cells = [const { String::new() }; HEADER.len()];
        let [rank, score] = rank_and_score(Some(entry));
        [cells[0], cells[1], cells[2], cells[3]] =
            [rank, harmless(&entry.display_name), entry.player_id.to_string(), score];
        writer.write_record(cells)?;
    }
    Ok(())
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
        question.kind.clone(),
        question.correct_answer.clone(),
        answer.answer.clone(),
        answer.correct.to_string(),
        answer.overridden.to_string(),
        answer.points.to_string(),
    ]
}

/// Empty before the first scores are out.
fn rank_and_score(standing: Option<&LeaderboardEntry>) -> [String; 2] {
    standing.map_or_else(Default::default, |entry| [entry.rank.to_string(), entry.score.to_string()])
}

/// A cell that begins (also behind white space) like a formula, in half or full width, gets an apostrophe in front.
fn harmless(cell: &str) -> String {
    let starts =
        |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠', '\u{2212}']);
    if starts(cell) || starts(cell.trim_start()) { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
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
            kind: "text".to_owned(),
            correct_answer: "=1+1".to_owned(),
            points: 10,
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

    fn rows(bytes: &[u8]) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn what_is_written_reads_back_and_runs_nothing() {
        let answers = HOSTILE.iter().map(|text| answer(text, text)).collect();
        let rows = rows(&of(&results(answers, Vec::new())).unwrap());
        assert_eq!(rows.len(), 1 + HOSTILE.len());
        for (row, hostile) in rows[1..].iter().zip(HOSTILE) {
            assert_eq!(row[1], format!("'{hostile}"));
            assert_eq!(row[9], format!("'{hostile}"));
            assert_eq!(row[6], "a \"quoted\", text\nof two lines");
            let formula = |cell: &String| cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
            assert!(!row.iter().any(formula), "{row:?}");
        }
    }

    #[test]
    fn players_without_an_answer_are_there_too() {
        let entry = |id: u128, name: &str, rank| LeaderboardEntry {
            player_id: Uuid::from_u128(id),
            display_name: name.to_owned(),
            score: 10,
            rank,
            round_score: Some(10),
        };
        let board = vec![entry(1, "Ann", 1), entry(2, "=Bob", 2)];
        let rows = rows(&of(&results(vec![answer("Ann", "yes")], board)).unwrap());
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[1][0].as_str(), rows[1][3].as_str(), rows[1][9].as_str()), ("1", "10", "yes"));
        assert_eq!((rows[2][0].as_str(), rows[2][1].as_str(), rows[2][9].as_str()), ("2", "'=Bob", ""));
    }
}
