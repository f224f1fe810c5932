//! Unit tests of `store::sqlite::header`.

use super::*;

#[test]
fn a_database_grows_and_never_becomes_another_or_an_earlier_one() {
    let seen = Seen { number: 7, age: (5, 100) };
    for later in [seen, Seen { age: (5, 101), ..seen }, Seen { age: (6, 90), ..seen }] {
        assert!(later.follows(seen), "{later:?}");
    }
    let fresh = Seen { number: 0, ..seen };
    assert!(seen.follows(fresh) && !fresh.follows(seen), "the number comes once");
    for other in [Seen { number: 8, age: (9, 900) }, Seen { age: (4, 900), ..seen }, Seen { age: (5, 99), ..seen }] {
        assert!(!other.follows(seen), "{other:?}");
    }
}
