//! Unit tests of `stories::results`.

#![allow(clippy::unwrap_used)]

use super::cells;

#[test]
fn csv_is_read_as_rfc_4180_has_it() {
    let rows = cells("a,\"b\"\"c\"\r\n\"d,e\",\"f\ng\"\n").unwrap();
    assert_eq!(rows, [["a", "b\"c"], ["d,e", "f\ng"]]);
    assert!(cells("a\"b\n").is_err());
    assert!(cells("\"a").is_err());
}
