//! The ASCII table gives the same results as the Unicode tables.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use super::{looks, looks_of_any};

proptest! {
    #[test]
    fn a_text_in_ascii_looks_as_any_text_does(text in "[\\x00-\\x7f]{0,40}") {
        prop_assert_eq!(looks(&text), looks_of_any(&text));
        let composed: String = text.nfkc().collect();
        prop_assert_eq!(composed, text);
    }
}
