//! The marking tables: `decisions.md` section 1, "Marking".

use proptest::prelude::{ProptestConfig, proptest};
use quizhall_rules::{Mark, Question, QuestionKind, mark};

use crate::stage::text_question;

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
        assert_eq!(text(accepted, answer), Mark { correct: false, near_miss }, "{answer:?} for {accepted:?}");
    }
}

#[test]
fn any_accepted_answer_will_do() {
    let question = asked(QuestionKind::Text, &["New York", "NYC", "Big Apple"], 0.0);
    for answer in ["new york", "nyc", "N.Y.C.", "big apple"] {
        assert!(mark(&question, answer).correct, "{answer}");
    }
    assert!(mark(&question, "big aple").near_miss);
    // Right for one, near another: right.
    let close = asked(QuestionKind::Text, &["colours", "colour"], 0.0);
    assert_eq!(mark(&close, "colour"), Mark { correct: true, near_miss: false });
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
        assert_eq!(mark(&question, " True"), Mark { correct: true, near_miss: false });
        for answer in ["true", "TRUE", "Tru", "True.", "False", ""] {
            assert_eq!(mark(&question, answer), Mark { correct: false, near_miss: false }, "{answer}");
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
fn what_is_no_number_is_wrong() {
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
        "1,23,456",
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
        // A tolerance that takes every number there is.
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// What is accepted is right, however strange it is; no pair of texts panics.
    #[test]
    fn marking_is_total(accepted in "\\PC{0,40}", answer in "\\PC{0,40}") {
        for kind in [QuestionKind::Text, QuestionKind::MultipleChoice, QuestionKind::Numeric] {
            let verdict = mark(&asked(kind, &[&accepted], 0.5), &answer);
            assert!(!(verdict.correct && verdict.near_miss));
        }
        assert!(text(&accepted, &accepted).correct);
        assert!(text(&accepted, &format!(" {} ", accepted.to_lowercase())).correct);
    }

    /// Numbers of every size read back as themselves.
    #[test]
    fn numbers_read_back(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        let plain = format!("{value:e}");
        assert!(number(&plain, 0.0, &plain), "{plain}");
    }
}
