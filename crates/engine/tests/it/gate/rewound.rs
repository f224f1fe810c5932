//! A database that was set back: the owner appends its forgotten rows again, one after the other, and releases no output before
//! all of them are stored.

use quizhall_engine::{OwnerEffect, OwnerInput, ToEdge, ToOwner};
use quizhall_rules::{Command, Setting};

use super::{FOREIGN, is_later, joined_answer};
use crate::desk::{BEFORE, Desk, LOOK, kinds};
use crate::stage::join;

use quizhall_engine::AppendOutcome::{Committed, Refused, Unknown};
use quizhall_engine::OwnerInput::{Appended, HeadRead};

#[test]
fn rows_that_the_database_has_forgotten_are_put_back_in_order() {
    let mut desk = Desk::new();
    let rows: Vec<_> = (2..=5).map(|number| desk.store(number)).collect();
    desk.step(OwnerInput::LookAtLog).flush().ask(6, Command::Set(Setting::Locked(false)));
    assert_eq!(desk.taken(), [LOOK]);
    let out = desk.head_is(rows[0].head());
    assert_eq!(out, [OwnerEffect::Rewound, OwnerEffect::Append(rows[1].clone())]);
    for (row, next) in [(1, 2), (2, 3)] {
        assert_eq!(desk.appended(Committed), [LOOK], "has it forgotten more?");
        assert_eq!(desk.head_is(rows[row].head()), [OwnerEffect::Append(rows[next].clone())], "appended once");
        assert_eq!(desk.flush().taken(), [], "nothing is released");
    }
    assert_eq!(desk.appended(Committed), [LOOK]);
    assert_eq!(desk.head_is(rows[3].head()), [], "all rows are there");
    assert_eq!(desk.look(), [joined_answer(6, 7)], "the answer that waited for the rows");
    desk.store(7);
}

#[test]
fn a_row_in_flight_is_appended_after_the_ones_that_are_put_back() {
    let mut desk = Desk::new();
    desk.frame(ToOwner::Hello).look();
    let rows: Vec<_> = (2..=3).map(|number| desk.store(number)).collect();
    let last = desk.ask(4, join(4)).append();
    assert_eq!(desk.appended(Refused), [LOOK]);
    // The claim itself is forgotten too.
    let claim = match &desk.head_is(BEFORE)[..] {
        [OwnerEffect::Rewound, OwnerEffect::Append(row)] => row.clone(),
        other => panic!("not the claim: {other:?}"),
    };
    assert_eq!((claim.previous, kinds(&claim)), (BEFORE, vec!["claimed"]));
    let chain = [&claim, &rows[0], &rows[1], &last];
    for pair in chain.windows(2) {
        assert_eq!(desk.appended(Committed), [LOOK]);
        assert_eq!(desk.head_is(pair[0].head()), [OwnerEffect::Append(pair[1].clone())]);
    }
    let said = desk.step(Appended(Committed)).said();
    assert_eq!(
        said,
        [
            ToEdge::Committed { first: 5, chain: Some((rows[1].batch, last.batch)), events: last.events.clone() },
            joined_answer(4, 6)
        ]
    );
    assert_eq!(desk.flush().taken(), [], "once");
    let next = desk.ask(5, join(5)).append();
    assert_eq!((next.previous, next.seq), (last.head(), 6));
}

#[test]
fn a_row_in_flight_that_is_the_last_after_all_is_released_while_rows_are_put_back() {
    let mut desk = Desk::new();
    let row = desk.store(2);
    let last = desk.ask(3, join(3)).append();
    assert!(is_later(&desk.appended(Unknown)));
    let out = desk.head_is(row.previous);
    assert_eq!(out, [OwnerEffect::Rewound, OwnerEffect::Append(row.clone())]);
    assert!(is_later(&desk.appended(Unknown)));
    let said = desk.step(HeadRead(Some(last.head()))).said();
    assert_eq!(said, [joined_answer(3, 5)], "the database was restored to a later moment");
    let next = desk.ask(4, join(4)).append();
    assert_eq!(next.previous, last.head());
    assert_eq!(desk.step(Appended(Committed)).said(), [joined_answer(4, 6)], "no more rows are put back");
}

#[test]
fn unknown_outcomes_are_looked_into_while_rows_are_put_back() {
    let mut desk = Desk::new();
    let rows: Vec<_> = (2..=3).map(|number| desk.store(number)).collect();
    desk.step(OwnerInput::LookAtLog).flush().taken();
    let out = desk.head_is(rows[0].previous);
    assert_eq!(out, [OwnerEffect::Rewound, OwnerEffect::Append(rows[0].clone())]);
    assert!(is_later(&desk.appended(Unknown)));
    assert!(is_later(&desk.step(HeadRead(None)).taken()));
    let again = desk.head_is(rows[0].previous);
    assert_eq!(
        again,
        [OwnerEffect::Append(rows[0].clone())],
        "the row is missing: it is appended again, without a second alarm"
    );
    assert!(is_later(&desk.appended(Unknown)));
    assert_eq!(desk.head_is(rows[0].head()), [OwnerEffect::Append(rows[1].clone())], "it had worked");
    assert_eq!(desk.appended(Refused), [LOOK]);
    assert_eq!(desk.head_is(FOREIGN), [OwnerEffect::Fenced], "another owner was faster");
    assert!(desk.is_over());
}

#[test]
fn a_database_that_forgets_twice_is_alarming_twice() {
    let mut desk = Desk::new();
    let row = desk.store(2);
    for _ in 0..2 {
        desk.step(OwnerInput::LookAtLog).flush().taken();
        let out = desk.head_is(row.previous);
        assert_eq!(out, [OwnerEffect::Rewound, OwnerEffect::Append(row.clone())]);
        assert_eq!(desk.appended(Committed), [LOOK]);
        assert_eq!(desk.head_is(row.head()), []);
    }
}

/// Whether an owner that wrote this many rows of 60 events after its claim can put back all rows from `from` on.
fn puts_back(rows: u64, from: u64) -> bool {
    let mut desk = Desk::new();
    let mut head = desk.head;
    for number in 1..=rows {
        for event in 0..60 {
            desk.ask(number, Command::Set(Setting::Locked(event % 2 == 0)));
        }
        desk.append();
        desk.commit();
        if number == from - 1 {
            head = desk.head;
        }
    }
    desk.step(OwnerInput::LookAtLog).flush().taken();
    match &desk.head_is(head)[..] {
        [OwnerEffect::Rewound, OwnerEffect::Append(row)] => row.previous == head,
        [OwnerEffect::Fenced] => false,
        other => panic!("neither put back nor fenced: {other:?}"),
    }
}

#[test]
fn a_limited_number_of_rows_is_kept() {
    assert!(puts_back(300, 45), "the latest 256");
    assert!(!puts_back(300, 44));
}

#[test]
fn a_limited_number_of_events_is_kept() {
    // The claim is one of the events.
    for (events, kept) in [(16_383, true), (16_384, false)] {
        let mut desk = Desk::new();
        for number in 0..events {
            desk.ask(number, Command::Set(Setting::Locked(number % 2 == 0)));
            if number == 8_000 {
                desk.append();
                desk.commit();
            }
        }
        desk.append();
        desk.commit();
        desk.step(OwnerInput::LookAtLog).flush().taken();
        let out = desk.head_is(BEFORE);
        assert_eq!(matches!(out[..], [OwnerEffect::Rewound, OwnerEffect::Append(_)]), kept, "{events}");
        assert_eq!(matches!(out[..], [OwnerEffect::Fenced]), !kept, "{events}");
    }
}

#[test]
fn the_last_row_is_kept_however_large_it_is() {
    let mut desk = Desk::new();
    for number in 0..16_385 {
        desk.ask(number, Command::Set(Setting::Locked(number % 2 == 0)));
    }
    let row = desk.append();
    desk.commit();
    desk.step(OwnerInput::LookAtLog).flush().taken();
    assert_eq!(desk.head_is(row.previous), [OwnerEffect::Rewound, OwnerEffect::Append(row)]);
}
