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
