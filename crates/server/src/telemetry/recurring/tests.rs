//! Unit tests of `telemetry::recurring`.

use super::*;

#[test]
fn one_line_a_minute_with_a_count_of_the_others() {
    let (place, start) = (Recurring::new(), clock::now());
    let said: Vec<_> = (0..480_u32)
        .filter_map(|quarter| Some((quarter, place.due_at(start + Duration::from_millis(250) * quarter)?)))
        .collect();
    assert_eq!(said, [(0, 0), (240, 239)], "two minutes, four failures a second");
    assert_eq!(place.due_at(start + 10 * EVERY), Some(239));
    assert_eq!(Recurring::new().due_at(start), Some(0), "places do not know each other");
}
