//! Numbers as people type them, for `numeric` questions. Knows the ways of grouping digits and both decimal signs;
//! refuses forms that no quiz player means (infinity, "not a number", hexadecimal).
//!
//! `web/sdk/src/number.ts` has the same rule; `tests/numbers.json` checks both.

use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

/// Every plausible reading of a text as a number: white space around it, an optional sign, digits with an optional
/// fraction and exponent. There are at most two, the one with a decimal sign first, and none for a text that is not a
/// number.
///
/// `1,665` is 1.665 to some people and 1665 to others. When both signs occur, or one occurs more than once, the earlier
/// or repeated one groups (`1,234.5`, `1.234,5`, `1,234,567`), as do spaces and apostrophes (`1 234`). Groups have
/// three digits, those of lakh and crore two (`12,34,567`).
pub fn readings(text: &str) -> impl Iterator<Item = f64> + use<> {
    both(text).into_iter().flatten()
}

/// The readings of an accepted answer that its author means. A reading no larger than the tolerance is not meant when
/// there is another one: `1.665` ± 50 is about 1665, not everything from -48 to 52.
pub fn meant(accepted: &str, tolerance: f64) -> impl Iterator<Item = f64> + use<> {
    let [decimal, grouped] = both(accepted);
    let decimal = decimal.filter(|value| grouped.is_none() || value.abs() > tolerance);
    [decimal, grouped].into_iter().flatten()
}

/// The reading with a decimal sign or without any separator, and the one in which every separator groups.
fn both(text: &str) -> [Option<f64>; 2] {
    let text: String = text.trim().chars().map(plain).collect();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let mantissa = mantissa.trim_start();
    if !is_exponent(exponent) {
        return [None; 2];
    }
    let value = |whole: &str, fraction: &str| -> Option<f64> {
        let number: f64 = format!("{sign}0{whole}.{fraction}0e{exponent}").parse().ok()?;
        number.is_finite().then_some(number)
    };
    if !mantissa.is_empty() && is_digits(mantissa) {
        return [value(mantissa, ""), None];
    }
    let decimal = split(mantissa);
    // A zero is never a group of thousands: `0.125` is an eighth.
    let grouped = ungroup(mantissa).filter(|_| decimal.is_none() || !mantissa.starts_with('0'));
    [decimal.and_then(|(whole, fraction)| value(&whole, fraction)), grouped.and_then(|whole| value(&whole, ""))]
}

/// Whether two numbers are at most `tolerance` apart. A few units in the last place are allowed, because 0.1 is not
/// exactly a tenth: 0.1 is within 0.2 of 0.3.
pub fn is_within(given: f64, accepted: f64, tolerance: f64) -> bool {
    let size = given.abs().max(accepted.abs()).max(tolerance);
    (given - accepted).abs() <= tolerance + 4.0 * f64::EPSILON * size
}

/// The ASCII digit with the same value as a digit of any script. The ten digits of a script are consecutive, from zero
/// to nine.
pub fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c).filter(char::is_ascii_digit);
    }
    let is_digit = |c: &char| c.general_category() == Category::DecimalNumber;
    if !is_digit(&c) {
        return None;
    }
    let smaller = (0..u32::from(c)).rev().map_while(char::from_u32).take_while(is_digit).count();
    char::from_digit(u32::try_from(smaller % 10).ok()?, 10)
}

/// Whether a text has only digits and signs that the first version read. Later ones must not change games of that time.
pub fn is_of_first_rule(text: &str) -> bool {
    const ZEROS: [char; 4] = ['\u{FF10}', '\u{660}', '\u{6F0}', '\u{966}'];
    let is_digit = |c: char| ZEROS.iter().any(|&zero| (zero..).take(10).any(|digit| digit == c));
    text.chars().all(|c| match c {
        '\u{2010}'..='\u{2015}' | '\u{FE58}' | '\u{FE63}' => false,
        c => c.is_ascii() || digit(c).is_none() || is_digit(c),
    })
}

/// One spelling for each digit, sign and separator.
fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{FF0B}' => '+',
        '\u{FF0E}' | '\u{66B}' => '.',
        '\u{FF0C}' => ',',
        '\u{2019}' | '\u{66C}' => '\'',
        c if c.is_whitespace() => ' ',
        c => digit(c).unwrap_or(c),
    }
}

/// Digits before and after the decimal sign, without separators. A sign is a decimal sign only if it occurs once.
pub fn split(mantissa: &str) -> Option<(String, &str)> {
    let at = mantissa.rfind([',', '.']).filter(|&at| mantissa.matches(&mantissa[at..=at]).count() == 1)?;
    let (whole, fraction) = (&mantissa[..at], &mantissa[at + 1..]);
    let whole = if is_digits(whole) { whole.to_owned() } else { ungroup(whole)? };
    (is_digits(fraction) && whole.len() + fraction.len() > 0).then_some((whole, fraction))
}

/// Removes one kind of separator: groups of three digits after one to three digits, or groups of two and a last one of
/// three after one or two digits.
pub fn ungroup(whole: &str) -> Option<String> {
    let separator = whole.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, ',' | '.' | ' ' | '\''))?;
    let mut groups: Vec<&str> = whole.split(separator).collect();
    let (first, last) = (groups.remove(0), groups.pop()?);
    let widest = groups.first().map_or(3, |group| group.len());
    let fits = is_digits(first)
        && (1..=widest).contains(&first.len())
        && (2..=3).contains(&widest)
        && groups.iter().all(|group| is_digits(group) && group.len() == widest)
        && is_digits(last)
        && last.len() == 3;
    fits.then(|| whole.replace(separator, ""))
}

/// Whether there are only ASCII digits.
fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    (1..=3).contains(&digits.len()) && is_digits(digits)
}
