//! The rest of a log that is longer than a page, and the events of a row.

use std::cell::RefCell;
use std::future::ready;

use quizhall::games::reading::rows_from;
use quizhall::store::LogRow;
use quizhall_engine::LogRow as _;
use quizhall_rules::{Change, CommandId, Device, Event, PlayerId};
use uuid::Uuid;

/// Bytes of a body so long that a page ends after it.
const LARGE: usize = 1 << 20;

fn row(seq: u64, body: String) -> LogRow {
    LogRow { seq, count: 1, epoch: 1, batch: 100 + seq, at_ms: None, body }
}

/// Reads from event 3 on a log of this many large rows and a small one, in pages of two rows; each row has one event. Returns the
/// events that were read, and where the pages began.
async fn read_rest(large: u64, set_back_at: Option<u64>) -> (Option<Vec<u64>>, Vec<u64>) {
    let size = |seq| if seq < large { LARGE } else { 10 };
    let log: Vec<_> = (0..=large).map(|seq| row(seq, "x".repeat(size(seq)))).collect();
    let begun = RefCell::new(Vec::new());
    let read_page = |from: u64| {
        begun.borrow_mut().push(from);
        let mut page: Vec<LogRow> = log.iter().filter(|row| row.seq >= from).take(2).cloned().collect();
        if set_back_at == Some(from) {
            page[0].batch += 1;
        }
        ready(Ok(page))
    };
    let rows = rows_from(3, read_page).await.unwrap();
    (rows.map(|rows| rows.iter().map(|row| row.seq).collect()), begun.into_inner())
}

#[tokio::test]
async fn rows_of_several_pages_come_once_each() {
    assert_eq!(read_rest(6, None).await, (Some(vec![3, 4, 5, 6]), vec![3, 4, 5, 6]));
    assert_eq!(read_rest(3, None).await, (Some(vec![3]), vec![3]));
    let (rows, begun) = read_rest(40, None).await;
    assert_eq!((rows, begun.len()), (None, 8), "a log that is too long is left to the newest snapshot");
    let set_back = read_rest(6, Some(4)).await;
    assert_eq!(set_back, (None, vec![3, 4]), "a log that is set back meanwhile does not continue");
}

fn read(body: &str) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    row(0, body.to_owned()).replay(&mut |event| events.push(event.clone())).then_some(events)
}

/// Events whose only field is a player, which are parsed directly, among others.
fn mixed() -> Vec<Event> {
    let player = PlayerId::from(Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5));
    let (question, device) = (Uuid::max().into(), Device::FIRST);
    let answer = |text: &str| Change::Answered {
        player,
        question,
        answer: text.into(),
        correct: true,
        near_miss: false,
        partial: 0,
        elapsed: None,
        device,
    };
    let changes = [
        Change::Connected { player, device },
        Change::Disconnected { player, device },
        Change::Left { player, device },
        Change::Returned { player, device },
        Change::HostLeft,
        answer("Bern"),
        answer("\"]},{[\\ \u{1F600}"),
        Change::RoundEnded,
    ];
    let command_ids = [None, Some(CommandId { session: 7, number: u64::MAX })];
    command_ids.iter().flat_map(|id| changes.iter().map(|change| Event::new(change.clone(), *id))).collect()
}

#[test]
fn a_row_reads_as_serde_reads_it() {
    let events = mixed();
    for first in 0..events.len() {
        for last in first + 1..=events.len() {
            let events = &events[first..last];
            // The second text has the white space of another writer.
            for body in [serde_json::to_string(events).unwrap(), serde_json::to_string_pretty(events).unwrap()] {
                assert_eq!(read(&body).unwrap(), events, "{body}");
            }
        }
    }
    let unknown = r#"[{"c":{"t":"left","p":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","later":1},"more":2}]"#;
    assert_eq!(read(unknown).unwrap(), serde_json::from_str::<Vec<Event>>(unknown).unwrap());
}

/// For every cut or changed text the result is the same as serde's.
#[test]
fn text_that_is_not_a_row_is_refused_as_by_serde() {
    let body = serde_json::to_string(&mixed()).unwrap();
    for end in (0..body.len()).filter(|end| body.is_char_boundary(*end)) {
        assert_eq!(read(&body[..end]), None, "cut off at {end}");
    }
    for at in (0..body.len()).filter(|at| body.is_char_boundary(*at) && body.is_char_boundary(at + 1)) {
        for changed in ["0", "\"", "}", "]", ",", " "] {
            let changed = format!("{}{changed}{}", &body[..at], &body[at + 1..]);
            assert_eq!(read(&changed), serde_json::from_str(&changed).ok(), "{changed}");
        }
    }
    for strange in ["", "{}", "[]", "[,]", "null", "[1]", "[[]]"] {
        assert_eq!(read(strange).unwrap_or_default(), Vec::new(), "{strange}");
    }
}
