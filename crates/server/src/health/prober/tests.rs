//! Unit tests of `health::prober`.

use super::presentable;

#[test]
fn a_reason_is_one_short_line_without_an_address() {
    assert_eq!(presentable("connection refused\nby the host"), "connection refused by the host");
    assert_eq!(presentable("cannot reach redis://user:pass-word@host:6379"), "not reachable");
    assert_eq!(presentable("user:pass-word@host: no route"), "not reachable");
    assert_eq!(presentable(&"long ".repeat(1_000)).len(), 200);
}
