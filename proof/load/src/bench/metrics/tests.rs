//! Unit tests of `bench::metrics`.

use super::*;

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
