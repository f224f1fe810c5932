//! Two ways of making texts alike that people take for the same: `case` for comparing names, `answer` for marking.
//!
//! Both are pure and total: any text in, some text out, and folding twice gives the same as once.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Folds letter case. Down, up and down again: one way alone leaves `ẞ`, `ß`, `ſ` or `ς` apart from `ss`, `s`, `σ`.
pub(crate) fn case(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// The form in which two `text` answers are compared: NFKC, case, diacritics, punctuation and white space folded.
pub fn answer(text: &str) -> String {
    if text.is_ascii() { ascii(text) } else { any(text) }
}

/// What [`any`] makes of a text without accents, marks and compatibility forms, which is nearly every answer, at a tenth of
/// the cost.
fn ascii(text: &str) -> String {
    let plain = text.to_ascii_lowercase().into_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| plain.get(at)).is_some_and(u8::is_ascii_digit);
    let blank = |at: usize| char::from(plain[at]).is_whitespace();
    let is_dropped = |at: usize| match plain[at] {
        b'.' => !(digit(at.checked_sub(1)) && digit(Some(at + 1))),
        b'-' => !(digit(Some(at + 1)) && at.checked_sub(1).is_none_or(blank)),
        // In Unicode's terms these are symbols and not punctuation.
        b'$' | b'+' | b'<' | b'=' | b'>' | b'^' | b'`' | b'|' | b'~' => false,
        other => other.is_ascii_punctuation(),
    };
    let bare = spaced((0..plain.len()).filter(|&at| !is_dropped(at)).map(|at| char::from(plain[at])));
    if bare.is_empty() { spaced(plain.into_iter().map(char::from)) } else { bare }
}

fn any(text: &str) -> String {
    let folded = text.nfkd().flat_map(case).nfkd().filter(|c| !is_diacritic(*c));
    let plain: Vec<char> = folded.nfc().map(|c| if c == '\u{2212}' { '-' } else { c }).collect();
    let bare = spaced((0..plain.len()).filter(|&at| !is_dropped(&plain, at)).map(|at| plain[at]));
    // An answer of nothing but punctuation ("?!") would be equal to every other one.
    if bare.is_empty() { spaced(plain.into_iter()) } else { bare }
}

/// Accents of Latin, Greek and Cyrillic and the vowel points of Hebrew, Arabic and Syriac, by canonical combining
/// class. Other marks are vowels and tones in their own right (Devanagari, Thai) or make another letter (が of か).
fn is_diacritic(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240)
}

/// Punctuation goes, as do invisible characters and emoji variants, save where it carries a number's value: `1.5` is
/// not `15` and `-5` is not `5`.
fn is_dropped(text: &[char], at: usize) -> bool {
    let digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_numeric());
    let before = at.checked_sub(1);
    match text[at] {
        '.' => !(digit(before) && digit(Some(at + 1))),
        '-' => !(digit(Some(at + 1)) && before.is_none_or(|before| text[before].is_whitespace())),
        '\u{FE00}'..='\u{FE0F}' => true,
        c => {
            c.general_category_group() == GeneralCategoryGroup::Punctuation
                || c.general_category() == GeneralCategory::Format
        }
    }
}

/// Trimmed, and every run of white space one space.
fn spaced(text: impl Iterator<Item = char>) -> String {
    let (least, most) = text.size_hint();
    let mut out = String::with_capacity(most.unwrap_or(least));
    let mut gap = false;
    for c in text {
        if c.is_whitespace() {
            gap = !out.is_empty();
        } else {
            if gap {
                out.push(' ');
                gap = false;
            }
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every two ASCII characters in every surrounding that the rules look at, and runs of them.
    #[test]
    fn the_short_way_gives_what_the_long_way_gives() {
        let mut tried = 0;
        for a in 0..128_u8 {
            for b in 0..128_u8 {
                let (a, b) = (char::from(a), char::from(b));
                for text in [format!("{a}{b}"), format!("4{a}{b}7"), format!(" {a}Q {b}2"), format!("{b}{a}.{b}-{a}")] {
                    assert_eq!(ascii(&text), any(&text), "{text:?}");
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 128 * 128 * 4);
    }
}
