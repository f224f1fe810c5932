//! Numbers within a text: where each ends, and its one spelling, with a point as decimal sign and without separators.

use quizhall_quiz::number;

use super::kinds::is_digit;

/// The end of the number that begins at `at`. A space before a group of three digits is part of the number, except in a list of
/// numbers.
pub(super) fn end(text: &[char], at: usize, is_listed: bool) -> usize {
    let digits = |from: usize| text.iter().skip(from).take_while(|c| is_digit(**c)).count();
    let mut end = at + digits(at);
    let mut may_be_grouped = !is_listed && end - at <= 3;
    while let Some(&sign) = text.get(end) {
        let next = digits(end + 1);
        let is_part = match sign {
            '.' | ',' | '\'' => next > 0,
            sign if sign.is_whitespace() => may_be_grouped && next == 3,
            _ => false,
        };
        if !is_part {
            break;
        }
        may_be_grouped &= sign.is_whitespace();
        end += 1 + next;
    }
    end
}

/// Adds a number in its one spelling. Digits that form no number, like a date, keep their separators; commas separate a list.
pub(super) fn put(number: &[char], out: &mut Vec<char>) {
    if number.iter().all(|c| is_digit(*c)) {
        return out.extend(number);
    }
    let text: String = number.iter().map(|c| if c.is_whitespace() { ' ' } else { *c }).collect();
    // A single point is a decimal sign, and a leading zero is no group of thousands: `0,125` is an eighth.
    let may_group = !text.starts_with('0') && text.matches(|c: char| !c.is_ascii_digit()).ne(["."]);
    if let Some(whole) = number::ungroup(&text).filter(|_| may_group) {
        out.extend(whole.chars());
    } else if let Some((whole, fraction)) = number::split(&text) {
        out.extend(whole.chars().chain(['.']).chain(fraction.chars()));
    } else {
        out.extend(text.chars().map(|c| if c == ',' { ' ' } else { c }));
    }
}
