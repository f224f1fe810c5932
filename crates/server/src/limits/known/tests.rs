//! Unit tests of `auth::known`.

use super::*;

#[test]
fn the_oldest_are_forgotten() {
    let known = Known::new(10);
    for key in 0..25 {
        known.insert(key);
    }
    assert!((20..25).all(|key| known.contains(&key)) && (15..20).all(|key| known.contains(&key)));
    assert!(!(0..15).any(|key| known.contains(&key)));
    let halves = known.halves();
    assert!(halves.young.len() + halves.old.len() <= 10);
}
