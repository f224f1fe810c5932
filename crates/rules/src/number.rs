//! Numbers as people type them, for `numeric` questions. Knows the two ways of grouping digits and both decimal
//! signs; refuses what no quiz player means (infinity, "not a number", hexadecimal).

/// Zero of every script whose ten digits we read besides ASCII: full-width, Arabic, Persian, Devanagari.
const ZEROS: [char; 4] = ['\u{FF10}', '\u{660}', '\u{6F0}', '\u{966}'];

/// Reads a number: white space around it, an optional sign, digits with an optional fraction and exponent.
///
/// `1,5` and `1.5` are one and a half: a single comma or point is the decimal sign. Where both occur, or one occurs
/// more than once, the earlier or repeated one groups by threes (`1,234.5`, `1.234,5`, `1,234,567`), as do spaces
/// and apostrophes (`1 234`).
pub(crate) fn parse(text: &str) -> Option<f64> {
    let text: String = text.trim().chars().map(plain).collect();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    let (whole, fraction) = split(mantissa.trim_start())?;
    if whole.is_empty() && fraction.is_empty() || exponent.is_some_and(|exponent| !is_exponent(exponent)) {
        return None;
    }
    let number: f64 = format!("{sign}0{whole}.{fraction}0e{}", exponent.unwrap_or("0")).parse().ok()?;
    number.is_finite().then_some(number)
}

/// Whether two numbers are at most `tolerance` apart. A few units in the last place are allowed, because 0.1 is not
/// exactly a tenth: 0.1 is within 0.2 of 0.3.
pub(crate) fn is_within(given: f64, accepted: f64, tolerance: f64) -> bool {
    let size = given.abs().max(accepted.abs()).max(tolerance);
    (given - accepted).abs() <= tolerance + 4.0 * f64::EPSILON * size
}

/// One spelling for each digit, sign and separator.
fn plain(c: char) -> char {
    match c {
        '\u{2212}' | '\u{FF0D}' => '-',
        '\u{FF0B}' => '+',
        '\u{FF0E}' | '\u{66B}' => '.',
        '\u{FF0C}' => ',',
        '\u{2019}' | '\u{66C}' => '\'',
        c if c.is_whitespace() => ' ',
        c => {
            let value = ZEROS.iter().find_map(|&zero| (c as u32).checked_sub(zero as u32).filter(|value| *value < 10));
            value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
        }
    }
}

/// Digits before and after the decimal sign, without separators.
fn split(mantissa: &str) -> Option<(String, &str)> {
    let last = mantissa.rfind([',', '.']);
    let decimal = last.filter(|&at| mantissa.matches(&mantissa[at..=at]).count() == 1);
    let (whole, fraction) = decimal.map_or((mantissa, ""), |at| (&mantissa[..at], &mantissa[at + 1..]));
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((ungroup(whole)?, fraction))
}

/// Takes out one kind of separator that cuts the digits into threes.
fn ungroup(whole: &str) -> Option<String> {
    let separator = whole.chars().find(|c| !c.is_ascii_digit());
    let Some(separator) = separator else { return Some(whole.to_owned()) };
    if !matches!(separator, ',' | '.' | ' ' | '\'') {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let fits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    (fits(first) && groups.all(|group| group.len() == 3 && fits(group))).then(|| whole.replace(separator, ""))
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}
