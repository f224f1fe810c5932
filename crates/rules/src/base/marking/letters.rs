//! How often each letter occurs in a text. Two such counts give a lower bound of the edits between the texts, at a fraction of
//! the cost of their distance.

/// Each character outside ASCII shares a place with an ASCII character. This can make the bound lower, but never wrong.
const PLACES: usize = 128;

/// At most 255 of each are counted, which is more than a near miss can have.
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

    /// The least number of insertions, deletions, replacements and swaps between the two texts. Each of these edits adds a
    /// letter, removes one, does both, or does neither.
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
        // The largest number of a letter that can be counted, and more.
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
