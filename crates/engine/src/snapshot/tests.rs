//! The comparison of an encoding while it is written again.

use std::io::Write as _;

use super::Same;

#[test]
fn only_the_expected_bytes_are_taken() {
    let mut same = Same(b"abcd");
    assert!(same.write_all(b"ab").is_ok() && same.write_all(b"").is_ok());
    assert!(same.write_all(b"x").is_err(), "another byte");
    assert!(same.write_all(b"cde").is_err(), "more than there is");
    assert!(!same.0.is_empty(), "less than there is");
    assert!(same.write_all(b"cd").is_ok() && same.0.is_empty());
}
