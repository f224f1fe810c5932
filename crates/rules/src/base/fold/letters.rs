//! One spelling for each letter, digit and sign. Compatibility forms, case, accents, and letters and signs that replace each
//! other because a keyboard has only one of them are unified. Invisible characters are left out. Neighbours are examined only
//! within one sign.

use quizhall_quiz::number;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

use super::case::{LONGEST, case};

/// The result of [`alike`] for a text in ASCII.
pub(super) fn ascii(text: &str) -> Vec<char> {
    let mut out: Vec<char> = text.bytes().map(|byte| sign(char::from(byte.to_ascii_lowercase()))).collect();
    join_primes(&mut out);
    out
}

/// The text in letters of one case without accents, ASCII digits, and one sign of each sort.
pub(crate) fn alike(text: &str) -> Vec<char> {
    let written = in_line(text);
    let folded = written.nfkd().take(LONGEST).flat_map(case).nfkd().filter(|c| !is_diacritic(*c));
    let mut out: Vec<char> = Vec::new();
    for c in folded.nfc() {
        if c.is_ascii() {
            out.push(sign(c));
        } else if !is_invisible(c, out.last().copied()) {
            put(c, &mut out);
        }
    }
    join_primes(&mut out);
    out
}

/// Accents of Latin, Greek and Cyrillic and the vowel points of Hebrew, Arabic and Syriac, by canonical combining class. Other
/// marks are vowels and tones of their own (Devanagari, Thai) or make another letter (が from か).
pub(crate) fn is_diacritic(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240)
}

/// The text with its powers, indices and fractions separated from the digits before them. Normalization would otherwise write
/// `10³` as 103 and `1½` as 11/2.
fn in_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in text.chars() {
        let after_digit = number::digit(before).is_some() || is_index(before);
        match c {
            '\u{B4}' => out.push('\''),
            '\u{2DA}' => out.push('°'),
            _ => {
                if is_fraction(c) && after_digit {
                    out.push(' ');
                } else if is_power(c) && !is_power(before) && (after_digit || matches!(c, '⁺' | '⁻')) {
                    out.push('^');
                } else if is_index(c) && !is_index(before) && after_digit {
                    out.push('_');
                }
                out.push(c);
            }
        }
        before = c;
    }
    out
}

fn is_power(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '\u{2070}'..='\u{207F}')
}

fn is_index(c: char) -> bool {
    matches!(c, '\u{2080}'..='\u{208E}')
}

fn is_fraction(c: char) -> bool {
    matches!(c, '¼'..='¾' | '\u{2150}'..='\u{215F}' | '\u{2189}')
}

/// Format characters, variants and skin tones of emoji, and the Arabic tatweel. The tags after a black flag are kept, because
/// they select the country.
fn is_invisible(c: char, before: Option<char>) -> bool {
    match c {
        '\u{E0020}'..='\u{E007F}' => !before.is_some_and(|c| matches!(c, '🏴' | '\u{E0020}'..='\u{E007F}')),
        '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}'
        | '\u{180B}'..='\u{180F}'
        | '\u{1F3FB}'..='\u{1F3FF}'
        | '\u{20E3}'
        | '\u{640}'
        | '\u{34F}' => true,
        _ => c.general_category() == Category::Format,
    }
}

/// One spelling for the kinds of apostrophes in ASCII.
fn sign(c: char) -> char {
    if c == '`' { '\'' } else { c }
}

fn put(c: char, out: &mut Vec<char>) {
    let spelled = match c {
        'ł' => 'l',
        'ø' | 'ɔ' => 'o',
        'đ' | 'ð' | 'ɖ' | 'ɗ' => 'd',
        'ħ' => 'h',
        'ı' | 'ɨ' => 'i',
        'ȷ' | 'ɉ' => 'j',
        'ŋ' => 'n',
        'ŧ' => 't',
        'ƶ' => 'z',
        'ǥ' | 'ɣ' => 'g',
        'ƀ' | 'ɓ' => 'b',
        'ĸ' | 'ƙ' => 'k',
        'ɛ' => 'e',
        'ʉ' => 'u',
        'ƴ' => 'y',
        'æ' => return out.extend(['a', 'e']),
        'œ' => return out.extend(['o', 'e']),
        'þ' => return out.extend(['t', 'h']),
        // Arabic letters as typed on keyboards of other languages.
        'ی' | 'ى' => 'ي',
        'ک' => 'ك',
        'ہ' => 'ه',
        'ٱ' => 'ا',
        c => number::digit(c).unwrap_or_else(|| foreign_sign(c)),
    };
    out.push(spelled);
}

/// The ASCII sign that replaces a sign outside ASCII, if there is one.
fn foreign_sign(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '\u{2B9}'..='\u{2BF}' | '\u{2C8}' | '′' | '‵' | '׳' | 'ꞌ' | '٬' => '\'',
        '„' | '״' => '"',
        '−' => '-',
        '⁄' | '∕' => '/',
        '∶' => ':',
        '×' => 'x',
        '∗' | '⁎' => '*',
        '♯' => '#',
        '♭' => 'b',
        '٪' => '%',
        '٫' => '.',
        '،' => ',',
        '؛' => ';',
        '؟' => '?',
        '⋅' | '∙' => '·',
        c => match c.general_category() {
            Category::DashPunctuation => '-',
            Category::InitialPunctuation | Category::FinalPunctuation => '"',
            _ => c,
        },
    }
}

/// Joins two apostrophes to a double prime, because inches and seconds are also typed this way.
fn join_primes(text: &mut Vec<char>) {
    text.dedup_by(|later, earlier| {
        let is_pair = (*earlier, *later) == ('\'', '\'');
        if is_pair {
            *earlier = '"';
        }
        is_pair
    });
}
