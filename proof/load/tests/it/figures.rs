//! What a bench measures: who received what, distributions, counters of the service, and the table of results.

use quizhall_load::bench::metrics::Counters;
use quizhall_load::bench::outcome::median;
use quizhall_load::bench::table::{Reached, markdown, rows};
use quizhall_load::bench::{Outcome, Pass};
use quizhall_load::tally::{Arrival, Delivery, Kind, Tally, subject};
use quizhall_load::{Spread, answers};
use uuid::Uuid;

#[test]
fn messages_are_distinguished_by_their_beginning() {
    let id = Uuid::from_u128(7);
    let accepted = format!(r#"{{"type":"answer_accepted","payload":{{"questionId":"{id}"}}}}"#);
    assert_eq!(subject(accepted.as_bytes()), (Kind::Accepted, id));
    let question = format!(r#"{{"type":"question_released","payload":{{"question":{{"id":"{id}","text":"?"}}}}}}"#);
    assert_eq!(subject(question.as_bytes()), (Kind::Question, id));
    assert_eq!(subject(br#"{"type":"round_ended","payload":{}}"#), (Kind::RoundEnded, Uuid::nil()));
    assert_eq!(subject(br#"{"type":"unknown","payload":{}}"#).0, Kind::Other);
    assert_eq!(subject(br#"{"type":"answer_accepted","payload":{}}"#).0, Kind::Other);
}

/// A run in which a user misses a message ends with it, instead of measuring on.
#[test]
fn one_missing_message_fails_the_wait() {
    let received = |count, wanted| Delivery { count, wanted, ..Delivery::default() };
    let mut all = received(2, 3);
    all.add(received(4, 4));
    let missed = all.by_all(Kind::Question).unwrap_err().to_string();
    assert_eq!(missed, "1 of 7 have not received Question in time");
    // Those who stalled may have received it before they did.
    for count in [3, 4] {
        assert_eq!(received(count, 3).by_all(Kind::Question).unwrap().count, count);
    }
}

#[test]
fn a_tally_counts_once_and_notices_repeats_and_differences() {
    let mut tally = Tally::for_members(3);
    tally.note_sent(1, 4_000);
    for (member, message, at) in [(0, b"a", 1_000), (1, b"a", 9_000), (1, b"a", 9_500), (2, b"b", 6_000)] {
        tally.note(&Arrival { member, message, at }, Kind::Accepted);
    }
    let received = tally.outcome(1_000, |_| false);
    assert_eq!((received.count, received.repeats, received.differing), (3, 1, 1));
    assert_eq!((received.first, received.last, received.first_sent), (1_000, 9_000, 4_000));
    assert_eq!(received.spread.max(), 5, "from its own sending, and 6,000 from the given moment: both 5 µs");
    assert_eq!(tally.outcome(1_000, |member| member == 1).spread.count(), 2);
}

#[test]
fn a_spread_survives_the_way_to_another_process() {
    let mut spread = Spread::default();
    for micros in [0, 5, 5, 1_234, 999_999, u64::MAX] {
        spread.record(micros);
    }
    let text = serde_json::to_string(&spread).expect("numbers");
    let back: Spread = serde_json::from_str(&text).expect("what was written");
    assert_eq!(back.count(), 6);
    for share in [0.0, 0.5, 0.9, 1.0] {
        let (here, there) = (spread.at(share), back.at(share));
        assert!(here.abs_diff(there) * 500 <= here, "{share}: {here} and {there}");
    }
    assert_eq!(Spread::default().at(0.99), 0);
}

#[test]
fn counters_are_found_with_and_without_labels() {
    let text = "# TYPE quizhall_answers_total counter\nquizhall_answers_total 7\n\
                quizhall_commit_duration_seconds_count{store=\"sqlite\"} 3\n\
                quizhall_commit_duration_seconds_count_of_others 9\n\
                quizhall_commit_duration_seconds_sum{store=\"sqlite\"} 0.25\nquizhall_commit_events_total 12\n\
                quizhall_outbound_queue_bytes 640\n";
    let counters = Counters::parse(text);
    let wanted = Counters { commits: 3.0, commit_seconds: 0.25, events: 12.0, answers: 7.0, waiting: 640.0 };
    assert_eq!(counters, wanted);
    let later = Counters { commits: 2.0, ..counters };
    assert_eq!(counters.since(&Counters { commits: 1.0, ..Counters::default() }), later);
}

#[test]
fn an_outcome_without_checks_holds_nothing() {
    let mut outcome = Outcome::of("burst", 1, 3);
    assert!(!outcome.holds());
    outcome.check("acks", 2, 2);
    assert!(outcome.holds());
    outcome.check("acks", 0, 1);
    assert!(!outcome.holds());
    assert_eq!(outcome.checks.len(), 1);
}

#[test]
fn the_middle_is_in_the_middle() {
    assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
    assert!((median(vec![4.0, 1.0]) - 2.5).abs() < 1e-9);
    assert!(median(Vec::new()).abs() < 1e-9);
}

fn pass(ours: f64, baseline: f64, commits: f64) -> Pass {
    let mut question = Outcome::of("question", 1, 1);
    question.figure("CPU per recipient", ours, "µs");
    let mut burst = Outcome::of("burst", 1, 1);
    burst.figure("answers per commit", commits, "");
    let mut below = Outcome::of("baseline", 1, 1);
    below.figure("CPU per recipient", baseline, "µs");
    Pass { outcomes: vec![question, burst, below] }
}

#[test]
fn ratios_are_made_within_a_pass() {
    // The machine was twice as slow in the second pass: the ratio does not see it.
    let rows = rows(&[pass(7.0, 7.0, 1_000.0), pass(15.4, 14.0, 3_000.0), pass(8.4, 8.0, 100.0)], 10_000);
    assert_eq!(rows.len(), 2, "figures that were not measured have no row");
    assert!((rows[0].value - 1.05).abs() < 1e-9 && (rows[0].max - 1.1).abs() < 1e-9);
    assert_eq!(rows[0].reached(), Reached::Aim);
    assert_eq!((rows[1].reached(), rows[1].value), (Reached::Must, 1_000.0));
    let text = markdown(&rows);
    assert!(text.contains("| **1.05 ×** |") && text.contains("≥ 500"), "{text}");
}

#[test]
fn what_misses_its_must_says_so() {
    let rows = rows(&[pass(12.0, 10.0, 400.0)], 10_000);
    assert!(rows.iter().all(|row| row.reached() == Reached::Missed), "{rows:?}");
}

#[test]
fn every_answer_is_of_one_length_and_names_lead_back() {
    let key = answers::Key { question: Uuid::nil(), number: 1, right: "string-000001".to_owned() };
    let given: Vec<String> = (0..99_999).step_by(7).map(|player| answers::answer(player, &key)).collect();
    assert!(given.iter().all(|answer| answer.len() == 13));
    let right = given.iter().filter(|answer| **answer == key.right).count();
    assert!(right * 4 > given.len() && right * 2 < given.len(), "a third");
    assert_eq!((answers::number(&answers::name(99_999)), answers::number("host")), (Some(99_999), None));
}
