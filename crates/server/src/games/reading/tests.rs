//! The rest of a log that is longer than a page.

use std::cell::RefCell;
use std::future::ready;

use super::{PAGES, rows_from};
use crate::store::LogRow;

/// So long that a page ends after it.
const LARGE: usize = 1 << 20;

fn row(seq: u64, batch: u64, bytes: usize) -> LogRow {
    LogRow { seq, count: 1, epoch: 1, batch, at_ms: None, body: "x".repeat(bytes) }
}

/// Pages of two large rows, of a log in which each row has one event. Returns what was read, and where the pages began.
async fn read(log: &[LogRow], set_back_at: Option<u64>) -> (Option<Vec<u64>>, Vec<u64>) {
    let begun = RefCell::new(Vec::new());
    let read_page = |from: u64| {
        begun.borrow_mut().push(from);
        let mut page: Vec<LogRow> = log.iter().filter(|row| row.seq >= from).take(2).cloned().collect();
        if set_back_at == Some(from) {
            page[0].batch += 1;
        }
        ready(Ok(page))
    };
    let rows = rows_from(3, read_page).await.expect("the pages can be read");
    (rows.map(|rows| rows.iter().map(|row| row.seq).collect()), begun.into_inner())
}

fn log(large: u64) -> Vec<LogRow> {
    let mut log: Vec<_> = (0..large).map(|seq| row(seq, 100 + seq, LARGE)).collect();
    log.push(row(large, 100 + large, 10));
    log
}

#[tokio::test]
async fn rows_of_several_pages_come_once_each() {
    assert_eq!(read(&log(6), None).await, (Some(vec![3, 4, 5, 6]), vec![3, 4, 5, 6]));
    assert_eq!(read(&log(3), None).await, (Some(vec![3]), vec![3]));
}

#[tokio::test]
async fn a_log_that_is_too_long_is_left_to_the_newest_snapshot() {
    let (rows, begun) = read(&log(40), None).await;
    assert_eq!((rows, begun.len()), (None, PAGES));
}

#[tokio::test]
async fn a_log_that_is_set_back_meanwhile_does_not_continue() {
    assert_eq!(read(&log(6), Some(4)).await, (None, vec![3, 4]));
}
