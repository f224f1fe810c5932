//! What commands print about nodes, and how much of a file they read.

use std::io::{self, ErrorKind};

use quizhall::cli::nodes::table;
use quizhall::cli::verify_game::read_whole;
use quizhall_protocol::http::nodes::Node;
use uuid::Uuid;

fn node(name: &str, up_seconds: u64, bus_lag_ms: Option<u64>) -> Node {
    Node {
        id: Uuid::nil(),
        name: name.to_owned(),
        version: "1.2.3".to_owned(),
        up_seconds,
        last_seen_ms: 40,
        games: 3,
        sockets: 1_200,
        bus_lag_ms,
        draining: bus_lag_ms.is_none(),
        drained: false,
        zone: bus_lag_ms.map(|_| "north".to_owned()),
        busy_millicores: bus_lag_ms.map(|_| 1_250),
        is_self: false,
    }
}

#[test]
fn columns_are_as_wide_as_their_widest_cell() {
    let table = table(&[node("a", 59, Some(2)), node("a longer\u{1b}[31m name", 90_000, None)]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    let column = |line: &str, cell: &str| line.find(cell);
    assert_eq!(column(lines[0], "VERSION"), column(lines[1], "1.2.3"));
    assert_eq!(column(lines[0], "VERSION"), column(lines[2], "1.2.3"));
    assert_eq!(column(lines[0], "ZONE"), column(lines[1], "north"));
    assert!(lines[1].ends_with("1.25  2 ms  serving") && lines[2].ends_with("-     -     stopping"), "{table}");
    assert!(!table.contains('\u{1b}'), "a terminal shall not obey a name");
}

#[test]
fn ages_have_two_units_and_a_drained_node_is_called_so() {
    for (seconds, age) in [(0, "0s"), (59, "59s"), (61, "1m 1s"), (3_600, "1h 0m"), (100_000, "1d 3h")] {
        let table = table(&[Node { drained: true, ..node("a", seconds, None) }]);
        assert!(table.contains(&format!("  {age}  ")) && table.ends_with("drained"), "{table}");
    }
}

#[test]
fn a_file_without_an_end_is_not_read_for_ever() {
    assert_eq!(read_whole(&b"proof"[..], 5).unwrap(), b"proof");
    assert_eq!(read_whole(io::repeat(0), 5).unwrap_err().kind(), ErrorKind::FileTooLarge);
}
