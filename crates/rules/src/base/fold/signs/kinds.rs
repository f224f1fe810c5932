//! The kinds of characters that decide which signs count.

use unicode_properties::{GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory};

pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// A letter or one of its marks. Numerals that are not digits count as letters.
pub(super) fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
        || !c.is_ascii() && matches!(c.general_category_group(), Group::Letter | Group::Mark | Group::Number)
}

pub(super) fn is_word(c: char) -> bool {
    is_digit(c) || is_letter(c)
}

/// Signs of arithmetic and signs that are written like them.
pub(super) fn is_operator(c: char) -> bool {
    matches!(c, '&' | '^') || c.general_category() == Category::MathSymbol
}

pub(super) fn is_currency(c: char) -> bool {
    c == '$' || !c.is_ascii() && c.general_category() == Category::CurrencySymbol
}

pub(super) fn is_bracket(c: char) -> bool {
    matches!(c.general_category(), Category::OpenPunctuation | Category::ClosePunctuation)
}

pub(super) fn is_punctuation(c: char) -> bool {
    c.general_category_group() == Group::Punctuation
}

/// Letters of scripts that write no space between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese.
pub(super) fn is_spaceless(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{A4CF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}
