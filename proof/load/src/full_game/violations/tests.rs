//! Unit tests of `full_game::violations`.

use super::*;

#[test]
fn kinds_are_counted_and_examples_bounded() {
    let violations = Violations::default();
    for number in 0..50 {
        violations.check(number % 2 == 0, "odd", || format!("{number} is odd"));
    }
    let list = violations.list();
    assert_eq!((list.len(), list[0].count, list[0].examples.len()), (1, 25, EXAMPLES));
    assert_eq!(list[0].examples[0], "1 is odd");
}
