//! The fast paths give the same results as the general one, and the rule holds for all texts.

use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

use super::case::LONGEST;
use super::*;

/// All pairs of ASCII characters in every context that the rules examine, and runs of them.
#[test]
fn the_short_ways_give_what_the_long_way_gives() {
    let mut tried = 0;
    for a in 0..128_u8 {
        for b in 0..128_u8 {
            let (a, b) = (char::from(a), char::from(b));
            let texts = [
                format!("{a}{b}"),
                format!("4{a}{b}7"),
                format!(" {a}Q {b}2"),
                format!("{b}{a}.{b}-{a}"),
                format!("x{a}y {b} 1 {a} 234"),
            ];
            for text in texts {
                assert_eq!(answer(&text), any(&text), "{text:?}");
                assert_eq!(ascii(&text), any(&text), "{text:?}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 128 * 128 * 5);
}

/// A character that stands for 18 others costs no more than the longest answer in another script.
#[test]
fn a_folded_text_is_bounded() {
    for flood in ['ﷺ', '㌖', '½', '한', 'ǆ', '\u{301}', '\u{3099}', '\u{F77}', 'ΐ', '-', '.', '\'', '$'] {
        let folded = answer(&flood.to_string().repeat(1_000));
        assert!(folded.chars().count() <= LONGEST + 1_000, "{flood:?}: {}", folded.chars().count());
    }
    assert_eq!(answer(&"ﷺ".repeat(1_000)).chars().count(), LONGEST);
    assert_eq!(answer("ﷺ"), answer("صلى الله عليه وسلم"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn folding_twice_is_folding_once(text in "(\\PC|[a-cA-C0-3 .,:;'\"/*+#@!?&%$€°^_()\u{A7}½²₂ł×–\u{301}\u{200D}-]){0,12}") {
        let folded = answer(&text);
        prop_assert_eq!(answer(&folded), folded.clone(), "{:?}", text);
    }

    #[test]
    fn case_says_nothing(text in "[a-zA-Z0-9 .,:'/*+#@!&%$_-]{0,12}") {
        prop_assert_eq!(answer(&text.to_uppercase()), answer(&text));
        prop_assert_eq!(answer(&format!("  {text} ")), answer(&text));
    }

    #[test]
    fn a_text_in_ascii_is_folded_as_any(text in "[ -~\\t\\n]{0,16}") {
        prop_assert_eq!(answer(&text), any(&text));
    }
}
