//! Unit tests of `names`.

use std::collections::HashSet;

use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::*;

#[test]
fn names_are_unique_short_and_repeatable() {
    let draw = |seed| nicknames(20_000, &mut SmallRng::seed_from_u64(seed));
    let names = draw(7);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 20_000);
    assert!(names.iter().all(|name| name.len() <= 24), "{:?}", names.iter().max_by_key(|name| name.len()));
    assert_eq!(names, draw(7));
    assert_ne!(names, draw(8));
    let longest = "Curious Jackdaw 13";
    assert!(another(longest, &mut SmallRng::seed_from_u64(1)).len() <= 24);
}
