//! Reduces texts that people regard as the same to one form: `case` for comparing names, `answer` for marking, `loose` for
//! searching.
//!
//! All three are pure and total: they accept any text. `web/sdk/src/fold.ts` folds answers by the same rule; `tests/marking.tsv`
//! tests both.

mod case;
mod joined;
mod letters;
mod signs;

pub(crate) use case::case;
pub(crate) use joined::Joined;
pub(crate) use letters::{alike, is_diacritic};

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The most passes of folding. Leaving out a sign can bring others together, so a text is folded again.
const MOST_PASSES: usize = 6;

/// The form in which two `text` answers are compared (messages.md#marking). Folding the result again does not change it.
pub fn answer(text: &str) -> String {
    words(text).unwrap_or_else(|| if text.is_ascii() { ascii(text) } else { any(text) })
}

/// The result of [`any`] for a text of ASCII letters, digits and spaces, at a tenth of the cost. Nearly every answer is such a
/// text. None for other texts, and for adjacent numbers.
fn words(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut gap, mut last) = (false, b' ');
    for byte in text.bytes() {
        if byte == b' ' || (b'\t'..=b'\r').contains(&byte) {
            gap = last != b' ';
            continue;
        }
        if !byte.is_ascii_alphanumeric() {
            return None;
        }
        if gap {
            match (last.is_ascii_digit(), byte.is_ascii_digit()) {
                (true, true) => return None,
                (false, false) => out.push(' '),
                _ => {}
            }
            gap = false;
        }
        last = byte;
        out.push(char::from(byte.to_ascii_lowercase()));
    }
    Some(out)
}

fn ascii(text: &str) -> String {
    settled(text, letters::ascii)
}

fn any(text: &str) -> String {
    settled(text, alike)
}

/// Leaves out the signs that do not count, until none is left.
fn settled(text: &str, spelled: impl Fn(&str) -> Vec<char>) -> String {
    let mut folded: Option<String> = None;
    for _ in 0..MOST_PASSES {
        let alike = spelled(folded.as_deref().unwrap_or(text));
        let bare = signs::bare(&alike);
        let is_settled = bare == alike;
        // An answer of punctuation only ("?!") would equal every other such answer.
        let kept = if bare.is_empty() { spaced(alike.into_iter()) } else { bare.into_iter().collect() };
        if is_settled || folded.as_ref() == Some(&kept) {
            folded = Some(kept);
            break;
        }
        folded = Some(kept);
    }
    folded.filter(|folded| !folded.is_empty()).unwrap_or_else(|| spaced(text.chars()))
}

/// A text without accents, punctuation and letter case, for searching. Answers were compared in this form before signs counted.
/// The index of the library stores texts in this form.
pub fn loose(text: &str) -> String {
    let folded = text.nfkd().flat_map(case).nfkd().filter(|c| !is_diacritic(*c));
    let plain: Vec<char> = folded.nfc().map(|c| if c == '\u{2212}' { '-' } else { c }).collect();
    let bare = spaced((0..plain.len()).filter(|&at| !is_loose(&plain, at)).map(|at| plain[at]));
    if bare.is_empty() { spaced(plain.into_iter()) } else { bare }
}

/// Punctuation and invisible characters, except a point within a number and the minus before one.
fn is_loose(text: &[char], at: usize) -> bool {
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

/// The text, trimmed, with every run of white space replaced by one space.
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
