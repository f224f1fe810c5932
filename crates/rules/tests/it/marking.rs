//! The marking tables: messages.md#marking.

use proptest::prelude::{ProptestConfig, proptest};
use quizhall_rules::{Change, Command, Device, Event, Mark, Phase, Question, QuestionKind, State, mark};

use crate::stage::{Game, player, question, quiz, release, text_question};

fn asked(kind: QuestionKind, accepted: &[&str], tolerance: f64) -> Question {
    let accepted = accepted.iter().map(ToString::to_string).collect();
    Question { kind, accepted, tolerance, ..text_question(1, 100) }
}

fn text(accepted: &str, answer: &str) -> Mark {
    mark(&asked(QuestionKind::Text, &[accepted], 0.0), answer)
}

fn verdict(accepted: &str, given: &str) -> &'static str {
    match text(accepted, given) {
        Mark { correct: true, near_miss: false, .. } => "right",
        Mark { near_miss: true, correct: false, .. } => "near",
        Mark { near_miss, .. } => {
            assert!(!near_miss, "right and near at once");
            "wrong"
        }
    }
}

/// The same table is used for the tests of the SDK's folding.
#[test]
fn every_pair_of_the_table_is_marked_as_it_says() {
    let table: Vec<[String; 3]> = include_str!("../marking.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let [accepted, given, verdict] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
            [visible(accepted), visible(given), verdict.to_owned()]
        })
        .collect();
    assert!(table.len() >= 300);
    let said = |[accepted, given, expected]: &[String; 3]| {
        let (found, back) = (verdict(accepted, given), verdict(given, accepted));
        let is_so = found == expected && (back == expected || [back, expected.as_str()] == ["wrong", "near"]);
        (!is_so).then(|| format!("{given:?} for {accepted:?} is {found} (the other way {back}), not {expected}"))
    };
    let wrong: Vec<String> = table.iter().filter_map(said).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reads `\u{…}`.
fn visible(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').expect("a code point in braces");
        out.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

/// What a column of the table cannot hold, and how many edits are still near.
#[test]
fn an_edit_for_every_five_letters_is_near() {
    let rows = [
        ("New York", "new\t  york", "right"),
        ("?!", " ?! ", "right"),
        ("?!", "...", "wrong"),
        ("Bern", "", "wrong"),
        ("Bern", "Barn", "wrong"),
        ("Paris", "Peris", "near"),
        ("Paris", "Peri", "wrong"),
        ("Kathmandu", "Katmandu", "near"),
        ("Kathmandu", "Catmandu", "wrong"),
        ("Washington", "Woshingtan", "near"),
        ("Washington", "Woshinctan", "wrong"),
        ("12345", "12346", "near"),
    ];
    for (accepted, answer, expected) in rows {
        assert_eq!(verdict(accepted, answer), expected, "{answer:?} for {accepted:?}");
    }
}

#[test]
fn any_accepted_answer_will_do() {
    let question = asked(QuestionKind::Text, &["New York", "NYC", "Big Apple"], 0.0);
    for answer in ["new york", "nyc", "N.Y.C.", "big apple"] {
        assert!(mark(&question, answer).correct, "{answer}");
    }
    assert!(mark(&question, "big aple").near_miss);
    // An answer that equals one key and is near another is right.
    let close = asked(QuestionKind::Text, &["colours", "colour"], 0.0);
    assert_eq!(mark(&close, "colour"), Mark { correct: true, near_miss: false, partial: 0 });
}

#[test]
fn long_answers_get_no_near_miss_and_cost_little() {
    let sentence = "word ".repeat(60);
    assert!(!text(&sentence, &sentence.replacen('w', "v", 1)).near_miss);
    assert!(text(&sentence, &sentence.to_uppercase()).correct);
}

#[test]
fn choices_are_compared_as_they_stand() {
    for kind in [QuestionKind::MultipleChoice, QuestionKind::TrueFalse] {
        let question = asked(kind, &["True "], 0.0);
        assert_eq!(mark(&question, " True"), Mark { correct: true, near_miss: false, partial: 0 });
        for answer in ["true", "TRUE", "Tru", "True.", "False", ""] {
            assert_eq!(mark(&question, answer), Mark { correct: false, near_miss: false, partial: 0 }, "{answer}");
        }
    }
}

fn number(accepted: &str, tolerance: f64, answer: &str) -> bool {
    let mark = mark(&asked(QuestionKind::Numeric, &[accepted], tolerance), answer);
    assert!(!mark.near_miss, "numbers are right or wrong");
    mark.correct
}

/// Which readings a text has is in the tests of `quiz`.
#[test]
fn one_reading_of_an_answer_that_is_one_of_the_key_is_enough() {
    let rows = [
        ("1969", " 1,969.0 ", true),
        ("1.234", "1,234", true),
        ("1234", "1,234", true),
        ("1,234", "1234", true),
        ("1.234", "1234", true),
        ("42", "٤٢", true),
        ("-5", "5", false),
        ("1234", "1,23", false),
    ];
    for (accepted, answer, expected) in rows {
        assert_eq!(number(accepted, 0.0, answer), expected, "{answer:?} for {accepted:?}");
    }
    for no_number in ["", "1e", "1e9999", "inf", "NaN", "0x10", "five"] {
        // A tolerance that would accept every number.
        assert!(!number("0", 1e300, no_number), "{no_number:?}");
    }
}

#[test]
fn the_tolerance_is_inclusive() {
    let rows = [
        ("0.3", 0.2, "0.1", true),
        ("0.3", 0.2, "0.5", true),
        ("0.3", 0.2, "0.51", false),
        ("0.3", 0.2, "0.0999", false),
        ("100", 5.0, "95", true),
        ("100", 5.0, "105", true),
        ("100", 5.0, "105.001", false),
        ("0.1", 0.0, "0.1", true),
        ("0.30000000000000004", 0.0, "0.3", true),
        ("1000000000", 0.0, "1000000001", false),
        ("123456789012", 0.0, "123456789013", false),
        ("0", 0.0, "1e-300", false),
        ("-3", 1.0, "-4", true),
        ("-3", 1.0, "4", false),
    ];
    for (accepted, tolerance, answer, expected) in rows {
        assert_eq!(number(accepted, tolerance, answer), expected, "{answer} for {accepted} ± {tolerance}");
    }
}

/// A year with a margin, as it is written in different countries.
#[test]
fn one_plausible_reading_within_the_tolerance_is_enough() {
    for answer in ["1,665", "1.665", "1 665", "1\u{A0}665", "1\u{202F}665", "1'665", "1’665", "1,700", "1.700", "1615"]
    {
        assert!(number("1665", 50.0, answer), "{answer:?}");
    }
    for answer in ["1,716", "1.614", "16,65", "166.5", "1.665,0,0", "sixteen hundred", "1665 AD"] {
        assert!(!number("1665", 50.0, answer), "{answer:?}");
    }
}

/// The log holds the mark that was given, so a rule that reads more formats changes no earlier game.
#[test]
fn a_stored_mark_outlives_the_rule_that_gave_it() {
    let mut quiz = quiz(1, 1);
    quiz.rounds[0].questions[0] = Question { id: question(1), ..asked(QuestionKind::Numeric, &["1665"], 50.0) };
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game.host(Command::StartGame);
    game.host(release(1));
    game.answers(1, 1, "1,665");
    // The mark of an earlier version.
    let (player, question, answer) = (player(2), question(1), "1,665".into());
    let stored = Change::Answered {
        player,
        question,
        answer,
        correct: false,
        near_miss: false,
        partial: 0,
        elapsed: None,
        device: Device::FIRST,
    };
    let stored = Event::new(stored, None);
    game.state.apply(&stored);
    game.log.push(stored);
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    for state in [State::replay(&game.log).unwrap(), game.state] {
        assert_eq!(state.phase(), Phase::Leaderboard);
        let scores: Vec<i64> = state.players().map(quizhall_rules::Player::score).collect();
        assert_eq!(scores, [100, 0]);
    }
}

/// The margin shows which reading of the key the author meant, so that it never makes nearly every small number right.
#[test]
fn a_reading_of_the_key_that_the_margin_swallows_is_not_meant() {
    assert!(number("1.665", 50.0, "1700"));
    assert!(!number("1.665", 50.0, "40"));
    assert!(number("1.665", 0.5, "2"), "a small margin allows both readings");
    assert!(number("3", 5.0, "-1"), "a key with only one reading has that meaning");
}

/// The digits of a number in groups, as it is written in different countries.
fn grouped(number: u64, separator: &str, lakhs: bool) -> String {
    let digits = number.to_string();
    let places = digits.len();
    let ends =
        |left: usize| left > 0 && if lakhs { left == 3 || left > 3 && left % 2 == 1 } else { left.is_multiple_of(3) };
    digits.chars().enumerate().fold(String::new(), |mut text, (at, digit)| {
        text.push(digit);
        if ends(places - at - 1) {
            text.push_str(separator);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    /// However the digits of a whole number are grouped, it is right as an answer to itself and wrong for its neighbour.
    #[test]
    fn a_grouped_number_is_that_number(
        value in 0..9_000_000_000_000_u64,
        shift in 0..43_u32,
        separator in proptest::sample::select(vec!["", ",", ".", " ", "\u{A0}", "\u{202F}", "'", "’", "٬"]),
        lakhs: bool,
        negative: bool,
    ) {
        let sign = if negative { "-" } else { "" };
        let value = value >> shift;
        let answer = format!("{sign}{}", grouped(value, separator, lakhs));
        assert!(number(&format!("{sign}{value}"), 0.0, &answer), "{answer}");
        assert!(!number(&format!("{sign}{}", value + 1), 0.0, &answer), "{answer}");
    }

    /// An accepted text is right, however strange it is; no pair of texts panics.
    #[test]
    fn marking_is_total(accepted in "\\PC{0,40}", answer in "\\PC{0,40}") {
        for kind in [QuestionKind::Text, QuestionKind::MultipleChoice, QuestionKind::Numeric] {
            let verdict = mark(&asked(kind, &[&accepted], 0.5), &answer);
            assert!(!(verdict.correct && verdict.near_miss));
        }
        assert!(text(&accepted, &accepted).correct);
        assert!(text(&accepted, &format!(" {} ", accepted.to_lowercase())).correct);
    }

    /// Numbers of every size are read as themselves.
    #[test]
    fn numbers_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        let plain = format!("{value:e}");
        assert!(number(&plain, 0.0, &plain), "{plain}");
    }
}
