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

#[test]
fn text_is_compared_leniently() {
    let rows = [
        ("Bern", "Bern"),
        ("Bern", "bern"),
        ("Bern", "  BERN \n"),
        ("Bern", "Bern."),
        ("Bern", "\"Bern\"!"),
        ("New York", "new\t  york"),
        ("Beyoncé", "beyonce"),
        ("Beyonce", "BEYONCÉ"),
        ("Beyoncé", "Beyonce\u{301}"),
        ("Straße", "STRASSE"),
        ("Straße", "straẞe"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("ﬁn", "fin"),
        ("Ｈｅｌｌｏ", "hello"),
        ("don't", "dont"),
        ("don’t", "don't"),
        ("rock 'n' roll", "Rock n Roll"),
        ("AC/DC", "acdc"),
        ("U.S.A.", "usa"),
        ("Ёлка", "елка"),
        ("x\u{200B}y", "xy"),
        ("co\u{AD}operate", "cooperate"),
        ("❤️", "❤"),
        ("1.5", "1.5"),
        ("-5", "−5"),
        ("1,000", "1000"),
        ("हिन्दी", "हिन्दी"),
        ("שָׁלוֹם", "שלום"),
        ("?!", " ?! "),
        ("H₂O", "h2o"),
    ];
    for (accepted, answer) in rows {
        assert!(text(accepted, answer).correct, "{answer:?} for {accepted:?}");
        assert!(!text(accepted, answer).near_miss);
    }
}

#[test]
fn text_is_not_compared_too_leniently() {
    let rows = [
        ("Bern", "Berlin"),
        ("Bern", ""),
        ("Bern", "Bern Basel"),
        ("1.5", "15"),
        ("-5", "5"),
        ("10", "100"),
        ("C++", "C"),
        ("?!", "!?"),
        ("?!", "..."),
        ("か", "が"),
        ("कु", "कू"),
        ("ไม", "ไม้"),
        ("❤", "💔"),
        ("new york", "newyork"),
    ];
    for (accepted, answer) in rows {
        assert!(!text(accepted, answer).correct, "{answer:?} for {accepted:?}");
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
    let verdict = |accepted: &str, given: &str| match text(accepted, given) {
        Mark { correct: true, .. } => "right",
        Mark { near_miss: true, .. } => "near",
        _ => "wrong",
    };
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

#[test]
fn near_misses_are_one_edit_per_five_letters() {
    let rows = [
        ("Bern", "Barn", false),
        ("Paris", "Pari", true),
        ("Paris", "Parsi", true),
        ("Paris", "Paaris", true),
        ("Paris", "Peris", true),
        ("Paris", "Peri", false),
        ("Kathmandu", "Katmandu", true),
        ("Kathmandu", "Catmandu", false),
        ("Washington", "Woshingtan", true),
        ("Washington", "Woshinctan", false),
        ("New York", "newyork", true),
        ("Spider-Man", "spider man", true),
        ("12345", "12346", true),
        ("Paris", "Paris Hilton", false),
    ];
    for (accepted, answer, near_miss) in rows {
        assert_eq!(
            text(accepted, answer),
            Mark { correct: false, near_miss, partial: 0 },
            "{answer:?} for {accepted:?}"
        );
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

#[test]
fn numbers_are_read_as_people_write_them() {
    let rows = [
        ("1969", "1969"),
        ("1969", " 1969 "),
        ("1969", "+1969"),
        ("1969", "1,969.0"),
        ("1234.5", "1,234.5"),
        ("1234.5", "1.234,5"),
        ("1234.5", "1 234,5"),
        ("1234.5", "1\u{202F}234.5"),
        ("1234.5", "1\u{2009}234\u{2009}.5".trim_end_matches(".5")),
        ("1234567", "1,234,567"),
        ("1234567", "1.234.567"),
        ("1234567", "1'234'567"),
        ("1234567.25", "1,234,567.25"),
        ("1.5", "1,5"),
        ("1.234", "1,234"),
        ("1234", "1,234"),
        ("1234", "1.234"),
        ("1,234", "1234"),
        ("1.234", "1234"),
        ("123456", "1,23,456"),
        ("-5", "−5"),
        ("-5", "-5"),
        ("-5", "- 5"),
        ("0.5", ".5"),
        ("5", "5."),
        ("0", "-0"),
        ("6.02e23", "6.02E+23"),
        ("1000", "1e3"),
        ("0.001", "1e-3"),
        ("42", "４２"),
        ("42", "٤٢"),
        ("1.5", "١٫٥"),
    ];
    for (accepted, answer) in rows {
        let expected = !answer.ends_with('\u{2009}');
        assert_eq!(number(accepted, 0.0, answer), expected, "{answer:?} for {accepted:?}");
    }
}

#[test]
fn a_text_that_is_no_number_is_wrong() {
    let rows = [
        "",
        " ",
        ".",
        ",",
        "-",
        "+",
        "e5",
        "1e",
        "1e+",
        "1e9999",
        "1e400",
        "inf",
        "-inf",
        "infinity",
        "NaN",
        "nan",
        "0x10",
        "0b1",
        "1_000",
        "12 34",
        "123,45,678",
        "1234,567.8",
        "1..5",
        "1,2,3",
        "1.2.3",
        "--5",
        "5-",
        "5%",
        "5 kg",
        "½",
        "²",
        "1,234.567,8",
        ",234.5",
        "1 ,5",
        "five",
        "1.5.",
    ];
    for answer in rows {
        // A tolerance that would accept every number.
        assert!(!number("0", 1e300, answer), "{answer:?}");
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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

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
