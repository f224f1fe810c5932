//! How often each letter occurs in a text: a bound below the edits between two texts, for a fraction of their distance.

/// Characters outside ASCII share a place with one of it, which makes the bound lower, never wrong.
const PLACES: usize = 128;

/// Up to 255 of each are counted, which is more than a near miss may have.
#[derive(Debug)]
pub(super) struct Letters([u8; PLACES]);

impl Letters {
    pub fn of(text: &str) -> Self {
        let mut counts = [0_u8; PLACES];
        for c in text.chars() {
            let count = &mut counts[c as usize % PLACES];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// At least as many insertions, deletions, replacements and swaps lie between the two texts: each adds a letter, takes
    /// one away, does both, or neither.
    pub fn least_edits(&self, other: &Self) -> usize {
        let pairs = || self.0.iter().zip(&other.0);
        let missing: u16 = pairs().map(|(ours, theirs)| u16::from(ours.saturating_sub(*theirs))).sum();
        let surplus: u16 = pairs().map(|(ours, theirs)| u16::from(theirs.saturating_sub(*ours))).sum();
        usize::from(missing.max(surplus))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert, proptest};
    use strsim::osa_distance;

    use super::*;

    #[test]
    fn what_has_other_letters_is_far() {
        let least = |a, b| Letters::of(a).least_edits(&Letters::of(b));
        assert_eq!(least("string000001", "wrong0001234"), 5, "s, t, i and two zeros are missing");
        assert_eq!((least("bern", "bern"), least("bern", "brne"), least("", "bern")), (0, 0, 4));
        // As many of a letter as can be counted, and more.
        assert_eq!(least(&"a".repeat(254), &"a".repeat(1_000)), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]

        /// Few letters, so that texts are often close; `a` and `á` share a place.
        #[test]
        fn never_more_than_the_distance(a in "[abcá!]{0,14}", b in "[abcá!]{0,14}") {
            prop_assert!(Letters::of(&a).least_edits(&Letters::of(&b)) <= osa_distance(&a, &b));
        }
    }
}
