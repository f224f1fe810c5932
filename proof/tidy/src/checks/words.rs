//! Words that are forbidden in the code, or allowed only in one file.

use quizhall_protocol::CloseCode;

use crate::rust::{is_name, line_of};
use crate::tree::{Finding, Source};

/// Work that is not done, and tests that do not run.
const UNFINISHED: [(&str, &str); 5] = [
    ("todo!", "finish it or leave it out"),
    ("unimplemented!", "finish it or leave it out"),
    ("dbg!", "take it out"),
    ("#[ignore", "a test runs or goes"),
    ("#![ignore", "a test runs or goes"),
];

/// Rule `unfinished`, in tests too.
pub fn unfinished(source: &Source) -> Vec<Finding> {
    let words = UNFINISHED.iter();
    words.flat_map(|(word, cure)| find(source, source.code(), word, Ban { rule: "unfinished", cure })).collect()
}

/// The one file that reads a clock.
const CLOCK: &str = "crates/server/src/clock.rs";
/// Where time comes in as an argument. Programs that are clients (load tool, conformance) measure as they like.
const TIMELESS: [&str; 5] = ["crates/quiz/", "crates/rules/", "crates/engine/", "crates/protocol/", "crates/server/"];
/// Ways to read one. Version 7 ids hold a time too, but nothing is decided by it.
const READS: [&str; 7] =
    ["Instant::now", "SystemTime::now", "Utc::now", "Local::now", "Timestamp::now", "Zoned::now", ".elapsed()"];

/// Rule `clock`: a clock is read in one file, so that time can be jumped in tests and never goes backwards.
pub fn clocks(source: &Source) -> Vec<Finding> {
    let path = source.path();
    if path == CLOCK || !TIMELESS.iter().any(|folder| path.starts_with(folder)) {
        return Vec::new();
    }
    let ban = Ban { rule: "clock", cure: "clocks are read in crates/server/src/clock.rs only" };
    READS.iter().flat_map(|word| find(source, source.production(), word, ban)).collect()
}

/// The one table of close codes.
const CLOSE_CODES: &str = "crates/protocol/src/close.rs";

/// The suite that judges from outside; it is a test too.
const BLACK_BOX: &str = "proof/conformance/";

/// Rule `close-code`: the numbers are in one table. Tests may name a number: they are an independent check.
pub fn close_codes(source: &Source) -> Vec<Finding> {
    if source.path() == CLOSE_CODES || source.path().starts_with(BLACK_BOX) {
        return Vec::new();
    }
    let code = source.production();
    let mut findings = Vec::new();
    for (line, text) in code.lines().enumerate() {
        let about_closing = text.to_lowercase().contains("clos");
        let suspicious = |number: &u16| {
            // 1000 and 4000 are also what people write for milliseconds and sizes.
            let ambiguous = matches!(number, 1000 | 4000);
            CloseCode::from_number(*number).is_some() && (!ambiguous || about_closing)
        };
        for number in numbers(text).filter(suspicious) {
            let what = format!("{number} is a close code: use quizhall_protocol::CloseCode");
            findings.push(Finding::new("close-code", source.path(), line + 1, what));
        }
    }
    findings
}

/// Decimal literals of a line that fit a close code.
fn numbers(line: &str) -> impl Iterator<Item = u16> {
    let words = line.split(|character: char| !is_name(character));
    words.filter_map(|word| word.trim_end_matches("u16").replace('_', "").parse().ok())
}

/// The rule that forbids a word, and what to do instead.
#[derive(Clone, Copy)]
struct Ban {
    rule: &'static str,
    cure: &'static str,
}

/// Every place of a word in `code`, unless it is the end of a longer name.
fn find(source: &Source, code: &str, word: &str, ban: Ban) -> Vec<Finding> {
    let begins_name = word.starts_with(is_name);
    let places = code.match_indices(word).filter(|(at, _)| !(begins_name && code[..*at].ends_with(is_name)));
    let finding = |(at, _): (usize, &str)| {
        let what = format!("`{word}`: {}", ban.cure);
        Finding::new(ban.rule, source.path(), line_of(code, at), what)
    };
    places.map(finding).collect()
}
