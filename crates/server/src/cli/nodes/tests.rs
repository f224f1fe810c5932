//! Unit tests of `cli::nodes`.

use super::*;
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
    assert!(lines[1].contains("59s") && lines[1].ends_with("1.25  2 ms  serving"), "{table}");
    assert!(lines[2].contains("1d 1h") && lines[2].ends_with("-     -     stopping"), "{table}");
    assert_eq!(column(lines[0], "ZONE"), column(lines[1], "north"));
    assert!(!table.contains('\u{1b}'), "a terminal shall not obey a name");
    let drained = Node { drained: true, ..node("a", 1, None) };
    assert!(super::table(&[drained]).ends_with("drained"));
}

#[test]
fn ages_in_two_units() {
    let said = [0, 61, 3_600, 100_000].map(age);
    assert_eq!(said, ["0s", "1m 1s", "1h 0m", "1d 3h"]);
}
