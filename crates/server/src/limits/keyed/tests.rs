//! Unit tests of `limits::keyed`.

use super::*;

const MOST: usize = 1_000;

fn at(milliseconds: u64) -> Moment {
    Moment::NEVER.plus(Duration::from_secs(100)).plus(Duration::from_millis(milliseconds))
}

/// Values are whether they can be forgotten.
fn full(forgettable: bool) -> Keyed<usize, bool> {
    let mut map = Keyed::new(16, MOST);
    for key in 0..MOST {
        *map.entry(key, at(0), |_| false).expect("there is room") = forgettable;
    }
    map
}

#[test]
fn a_full_map_takes_no_new_key_and_keeps_the_known_ones() {
    let mut map = full(false);
    assert!(map.entry(MOST, at(0), |old| *old).is_none());
    assert!(map.entry(7, at(0), |old| *old).is_some());
    assert_eq!(map.len(), MOST);
}

#[test]
fn what_can_be_forgotten_makes_room() {
    let mut map = full(true);
    assert!(map.entry(MOST, at(5_000), |old| *old).is_some());
    assert_eq!(map.len(), 1);
}

#[test]
fn a_full_map_is_searched_once_a_second_at_most() {
    let mut map = full(false);
    let searches = std::cell::Cell::new(0);
    let is_forgotten = |_: &bool| {
        searches.set(searches.get() + 1);
        false
    };
    for milliseconds in [2_000, 2_500, 2_999] {
        assert!(map.entry(MOST, at(milliseconds), is_forgotten).is_none());
        assert_eq!(searches.get(), MOST, "one search");
    }
    assert!(map.entry(MOST, at(3_000), is_forgotten).is_none());
    assert_eq!(searches.get(), 2 * MOST);
}
