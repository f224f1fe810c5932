//! The results as CSV (RFC 4180): the standings with the points of each round, then every answer, and the points by hand.
//!
//! Called by `results`. Every cell with text passes through `formula::harmless` (promise 36). Never reads a game.

use std::collections::HashMap;

use quizhall_protocol::http::results::{AdjustmentResult, AnswerResult, QuestionResults, Results};
use quizhall_protocol::shapes::LeaderboardEntry;
use uuid::Uuid;

use super::formula::harmless;

/// Marks the file as UTF-8 for spreadsheets; without it some of them use the code page of the country.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The columns of every file. New columns are added only at the end. One column per round follows, and then, only in
/// files that need them: [`PARTS`] when an answer has earned one of these, [`MARKED_BY`] when the key of a question was
/// changed, [`WITHDRAWN`] when a question was withdrawn, [`MARKER`] when a co-host marked an answer or gave points by hand, and
/// [`REASON`] when the host gave some with a reason.
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

/// The parts of an answer's points that streaks, speed and the joker earned.
const PARTS: [&str; 3] = ["streakPoints", "speedPoints", "jokerPoints"];

/// How the answer got its mark: `key`, `changedKey` or `host`.
const MARKED_BY: &str = "markedBy";

/// The co-host whose mark differs from the key's.
const MARKER: &str = "marker";

/// The host's reason for points by hand.
const REASON: &str = "reason";

/// `true` for the answers to a question that the host withdrew.
const WITHDRAWN: &str = "withdrawn";

/// One line per player of the standing, by rank, then one line per answer in order of play, and after those of a round one for each time
/// that points were given by hand. `scored`: for each round of
/// the results, whether its scores are released.
pub fn of(results: &Results, scored: &[bool]) -> Option<Vec<u8>> {
    let mut writer = new_file();
    write(&mut writer, results, scored).ok()?;
    writer.into_inner().ok()
}

/// A file without lines.
pub fn new_file() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(BYTE_ORDER_MARK.to_vec())
}

/// The columns that only files have that need them.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a column each")]
struct Further {
    parts: bool,
    marked_by: bool,
    withdrawn: bool,
    marker: bool,
    reason: bool,
}

impl Further {
    fn of(results: &Results) -> Self {
        let mut questions = results.rounds.iter().flat_map(|round| &round.questions);
        let mut adjustments = results.rounds.iter().flat_map(|round| &round.adjustments);
        Self {
            parts: has(results, |answer| parts_of(answer) != [0; PARTS.len()]),
            marked_by: has(results, |answer| answer.by_changed_key),
            withdrawn: questions.any(|question| question.withdrawn),
            marker: has(results, |answer| answer.marker.is_some())
                || adjustments.clone().any(|one| one.given_by.is_some()),
            reason: adjustments.any(|one| one.reason.is_some()),
        }
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        let further = [
            self.marked_by.then_some(MARKED_BY),
            self.withdrawn.then_some(WITHDRAWN),
            self.marker.then_some(MARKER),
            self.reason.then_some(REASON),
        ];
        PARTS.into_iter().filter(move |_| self.parts).chain(further.into_iter().flatten())
    }

    fn of_nothing(self) -> impl Iterator<Item = String> {
        self.names().map(|_| String::new())
    }

    fn of_answer(self, question: &QuestionResults, answer: &AnswerResult) -> impl Iterator<Item = String> {
        let earned = parts_of(answer).map(|points| points.to_string()).into_iter().filter(move |_| self.parts);
        let further = [
            self.marked_by.then(|| marked_by(answer).to_owned()),
            self.withdrawn.then(|| question.withdrawn.to_string()),
            self.marker.then(|| harmless(answer.marker.as_deref().unwrap_or_default())),
            self.reason.then(String::new),
        ];
        earned.chain(further.into_iter().flatten())
    }

    fn of_adjustment(self, given: &AdjustmentResult) -> impl Iterator<Item = String> {
        let cell = |name: &str| match name {
            MARKER => harmless(given.given_by.as_deref().unwrap_or_default()),
            REASON => harmless(given.reason.as_deref().unwrap_or_default()),
            _ => String::new(),
        };
        self.names().map(cell)
    }
}

fn write(writer: &mut csv::Writer<Vec<u8>>, results: &Results, scored: &[bool]) -> csv::Result<()> {
    let rounds = (1..).zip(&results.rounds);
    let titles = rounds.clone().map(|(number, round)| match round.title.as_str() {
        "" => format!("round {number}"),
        title => harmless(&format!("round {number}: {title}")),
    });
    let further = Further::of(results);
    let names = further.names().map(str::to_owned);
    writer.write_record(HEADER.map(str::to_owned).into_iter().chain(titles).chain(names))?;
    let totals = totals(results);
    for entry in &results.leaderboard {
        let points = scored.iter().enumerate().map(|(round, scored)| {
            let points = totals.get(&(entry.player_id, round)).copied().unwrap_or_default();
            if *scored { points.to_string() } else { String::new() }
        });
        writer.write_record(standing(entry).into_iter().chain(points).chain(further.of_nothing()))?;
    }
    let standings: HashMap<Uuid, &LeaderboardEntry> =
        results.leaderboard.iter().map(|entry| (entry.player_id, entry)).collect();
    let no_points = || results.rounds.iter().map(|_| String::new());
    for (number, round) in rounds {
        let label = RoundLabel { number, title: &round.title };
        for (question, answer) in round.questions.iter().flat_map(|one| one.answers.iter().map(move |it| (one, it))) {
            let standing = standings.get(&answer.player_id).copied();
            let cells = line(&label, question, answer, standing).map(|cell| harmless(&cell));
            writer.write_record(cells.into_iter().chain(no_points()).chain(further.of_answer(question, answer)))?;
        }
        for given in &round.adjustments {
            let cells = given_line(&label, given, standings.get(&given.player_id).copied());
            writer.write_record(cells.into_iter().chain(no_points()).chain(further.of_adjustment(given)))?;
        }
    }
    Ok(())
}

fn parts_of(answer: &AnswerResult) -> [i64; PARTS.len()] {
    [answer.streak_points.into(), answer.speed_points.into(), answer.joker_points.into()]
}

/// Whether the results have such an answer.
fn has(results: &Results, is_such: impl Fn(&AnswerResult) -> bool) -> bool {
    let mut questions = results.rounds.iter().flat_map(|round| &round.questions);
    questions.any(|question| question.answers.iter().any(&is_such))
}

fn marked_by(answer: &AnswerResult) -> &'static str {
    match (answer.overridden, answer.by_changed_key) {
        (true, _) => "host",
        (false, true) => "changedKey",
        (false, false) => "key",
    }
}

/// The points of each player in each round (from 0), released or not.
fn totals(results: &Results) -> HashMap<(Uuid, usize), i64> {
    let mut totals = HashMap::new();
    for (round, played) in results.rounds.iter().enumerate() {
        for answer in played.questions.iter().flat_map(|question| &question.answers) {
            *totals.entry((answer.player_id, round)).or_default() += i64::from(answer.points);
        }
        for given in &played.adjustments {
            *totals.entry((given.player_id, round)).or_default() += i64::from(given.points);
        }
    }
    totals
}

/// The line of a player; the columns of a single answer are empty.
fn standing(entry: &LeaderboardEntry) -> [String; HEADER.len()] {
    let mut cells = [const { String::new() }; HEADER.len()];
    let [rank, score] = rank_and_score(Some(entry));
    [cells[0], cells[1], cells[2], cells[3]] =
        [rank, harmless(&entry.display_name), entry.player_id.to_string(), score];
    "standing".clone_into(&mut cells[HEADER.len() - 1]);
    cells
}

/// A round as it is named in the lines of its answers.
struct RoundLabel<'a> {
    /// Counted from 1.
    number: usize,
    title: &'a str,
}

fn line(
    round: &RoundLabel<'_>,
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
        round.number.to_string(),
        round.title.to_owned(),
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

/// Points by hand: a line without a question.
fn given_line(
    round: &RoundLabel<'_>,
    given: &AdjustmentResult,
    standing: Option<&LeaderboardEntry>,
) -> [String; HEADER.len()] {
    let mut cells = [const { String::new() }; HEADER.len()];
    let [rank, score] = rank_and_score(standing);
    [cells[0], cells[1], cells[2], cells[3]] =
        [rank, harmless(&given.display_name), given.player_id.to_string(), score];
    [cells[4], cells[5]] = [round.number.to_string(), harmless(round.title)];
    [cells[HEADER.len() - 2], cells[HEADER.len() - 1]] = [given.points.to_string(), "adjustment".to_owned()];
    cells
}

/// Empty until the first scores are released.
fn rank_and_score(standing: Option<&LeaderboardEntry>) -> [String; 2] {
    standing.map_or_else(Default::default, |entry| [entry.rank.to_string(), entry.score.to_string()])
}
