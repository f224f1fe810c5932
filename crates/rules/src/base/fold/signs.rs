//! Decides which signs of a text count. A sign counts when the text without it would be another word or number (`C#`, `1/2`,
//! `-5`); quotes, apostrophes, brackets and the punctuation of sentences do not count. The input has already passed through
//! `letters`.
//!
//! Each sign is decided from the last character that was kept and from the next ones. At most a few characters are examined, so a
//! long text costs as much per character as a short one.

mod kinds;
mod numbers;

use kinds::{is_bracket, is_currency, is_digit, is_letter, is_operator, is_punctuation, is_spaceless, is_word};

/// The longest part of an abbreviation, in letters (`e.g.`, `Ph.D.`). Longer parts are words (`will.i.am`).
const SHORT: usize = 2;

/// The text without the signs that do not count, and without needless spaces.
pub(super) fn bare(text: &[char]) -> Vec<char> {
    let mut scan = Scan { text, at: 0, out: Vec::with_capacity(text.len()), ..Scan::default() };
    while let Some(&c) = text.get(scan.at) {
        if c.is_whitespace() {
            scan.gap = true;
            scan.is_spread = false;
        } else if is_digit(c) {
            scan.number();
            continue;
        } else if is_letter(c) {
            scan.keep(c);
        } else {
            scan.sign(c);
        }
        scan.at += 1;
    }
    scan.out
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Default)]
struct Scan<'a> {
    text: &'a [char],
    at: usize,
    out: Vec<char>,
    /// Whether there is space between the last kept character and the next one.
    gap: bool,
    /// Whether a quote was left out, so that a later one may close it.
    is_quoted: bool,
    /// Whether a star was left out before a word, so that a later one may belong to it.
    is_starred: bool,
    /// Whether the points of this word separate words.
    is_spread: bool,
    /// Whether the sign that was kept last is between two terms.
    is_joining: bool,
    /// A sign to be written after the number that follows.
    unit: Option<char>,
}

impl Scan<'_> {
    fn sign(&mut self, c: char) {
        match c {
            '\'' | '"' => self.quote(c),
            '.' => self.point(),
            ',' => self.comma(),
            ':' => self.colon(),
            '-' => self.dash(),
            '/' => self.slash(),
            '*' => self.star(),
            '+' if self.out.is_empty() && self.after().is_some_and(is_digit) => {}
            '^' if self.before().is_some_and(is_letter) && self.after().is_some_and(is_digit) => {}
            '&' => self.keep(c),
            '#' => self.keep_if(c, self.touches_word() || self.ahead().is_some_and(is_digit)),
            '@' => self.keep_if(c, self.touches_word()),
            '!' => self.keep_if(c, self.is_between(is_letter)),
            '\u{A7}' => self.keep_if(c, self.ahead().is_some_and(is_digit)),
            '_' if self.is_between(is_digit) => self.keep(c),
            '%' | '‰' => self.unit(c),
            c if is_currency(c) => self.unit(c),
            c if is_bracket(c) => self.gap |= self.is_between(is_digit),
            ';' | '?' | '\\' | '\u{1361}' => self.pause(),
            c if is_punctuation(c) => self.gap |= self.is_between(is_digit),
            c => self.keep(c),
        }
    }

    /// A sign for feet, inches, minutes or seconds counts; an apostrophe or a quote does not.
    fn quote(&mut self, c: char) {
        let after = self.after();
        if !self.before().is_some_and(is_digit) {
            self.is_quoted = true;
        } else if after.is_some_and(is_digit) || !(self.is_quoted || after.is_some_and(is_letter)) {
            self.keep(c);
        }
    }

    /// Between letters a point belongs to an abbreviation or acts as a space. At the beginning of a word it belongs to the word.
    fn point(&mut self) {
        let (before, after) = (self.before(), self.after());
        let is_run = after == Some('.') || self.at > 0 && self.text[self.at - 1] == '.';
        if is_run {
            self.pause();
        } else if before.is_some_and(is_letter) && after.is_some_and(is_letter) {
            self.is_spread |= self.is_long_word_before() || self.is_long_word_after();
            if self.is_spread {
                self.pause();
            }
        } else if !before.is_some_and(is_word) {
            if after.is_some_and(is_digit) {
                self.keep('0');
            }
            self.keep_if('.', after.is_some_and(is_word));
        }
    }

    fn comma(&mut self) {
        let begins = self.out.is_empty() || self.before() == Some('-');
        if begins && self.after().is_some_and(is_digit) {
            self.keep('0');
            self.keep('.');
        } else {
            self.pause();
        }
    }

    /// A colon counts in a time or a score.
    fn colon(&mut self) {
        if self.out.last().copied().is_some_and(is_digit) && self.ahead().is_some_and(is_digit) {
            self.join(':');
        } else {
            self.pause();
        }
    }

    /// Before a number a dash is a minus; between two numbers it belongs to both. A hyphen between words does not count, but one
    /// at the end of a short word does (`A-`).
    fn dash(&mut self) {
        let (before, after, last) = (self.before(), self.after(), self.out.last().copied());
        let amount = after.filter(|c| !is_currency(*c)).or_else(|| self.text.get(self.at + 2).copied());
        let is_run = after == Some('-') || self.at > 0 && self.text[self.at - 1] == '-';
        let is_term = |c: char| is_digit(c) || is_currency(c) || matches!(c, '%' | '‰' | '°' | '\'' | '"');
        if is_run {
            self.pause();
        } else if self.ahead().is_some_and(is_digit) && last.is_some_and(is_term) {
            self.join('-');
        } else if before.is_some_and(is_word) {
            if after.is_none_or(|after| !is_word(after)) {
                let ends_short_word = before.is_some_and(is_letter) && !self.is_long_word_before();
                self.keep_if('-', ends_short_word && !self.ahead().is_some_and(is_digit));
            }
        } else if amount.is_some_and(is_digit) || last.is_none() && self.ahead().is_some_and(is_digit) {
            self.keep('-');
        } else {
            let is_variable = after.is_some_and(is_letter) && !self.text.get(self.at + 2).is_some_and(|c| is_word(*c));
            self.keep_if('-', is_variable);
        }
    }

    /// A slash counts in a fraction.
    fn slash(&mut self) {
        let (last, ahead) = (self.out.last().copied(), self.ahead());
        let is_of_number = last.is_some_and(is_digit) || ahead.is_some_and(is_digit);
        if is_of_number && last.is_some_and(is_word) && ahead.is_some_and(is_word) {
            self.join('/');
        } else if !self.is_between(is_letter) {
            self.pause();
        }
    }

    /// A star counts after a word and between numbers. Single stars between letters are ornament; pairs around a word are
    /// emphasis.
    fn star(&mut self) {
        let (last, ahead) = (self.out.last().copied(), self.ahead());
        let is_of_number = last.is_some_and(is_digit) || ahead.is_some_and(is_digit);
        if is_of_number && last.is_some_and(is_word) && ahead.is_some_and(is_word) {
            self.join('*');
        } else if self.is_between(is_letter) {
            // No star is kept, as in M*A*S*H.
        } else if self.before().is_some_and(|before| is_word(before) || before == '*') {
            self.keep_if('*', !self.is_starred);
        } else {
            self.is_starred = true;
            self.pause();
        }
    }

    /// A unit of one sign is placed directly after its number, wherever it was written.
    fn unit(&mut self, c: char) {
        let follows = self.out.last().copied().is_some_and(is_digit);
        let precedes = self.ahead().is_some_and(is_digit);
        let leads = precedes && !(follows && (!self.gap || !self.after().is_some_and(is_digit)));
        if leads && self.unit.is_none() {
            self.unit = Some(c);
        } else if follows {
            self.attach(c);
        } else {
            self.keep_if(c, is_currency(c) || self.touches_word());
        }
    }

    /// Adds a number with one decimal sign and without separators, and the sign that was written before it.
    fn number(&mut self) {
        let is_listed = self.gap && self.out.last().copied().is_some_and(is_digit);
        let end = numbers::end(self.text, self.at, is_listed);
        self.make_room(self.text[self.at]);
        numbers::put(&self.text[self.at..end], &mut self.out);
        self.out.extend(self.unit.take());
        self.at = end;
    }

    fn keep(&mut self, c: char) {
        self.make_room(c);
        self.out.push(c);
    }

    fn keep_if(&mut self, c: char, counts: bool) {
        if counts { self.keep(c) } else { self.pause() }
    }

    /// Keeps a sign between two terms, without space around it.
    fn join(&mut self, c: char) {
        self.attach(c);
        self.is_joining = true;
    }

    /// Keeps a sign without space before it.
    fn attach(&mut self, c: char) {
        self.gap = false;
        self.out.push(c);
    }

    /// A sign that is left out separates words, except in scripts that write no space between words.
    fn pause(&mut self) {
        self.gap |= !self.before().is_some_and(is_spaceless);
    }

    /// Adds the space before the next character, except where space has no meaning: between a letter and a digit, around
    /// operators and before units.
    fn make_room(&mut self, next: char) {
        let is_joining = std::mem::take(&mut self.is_joining);
        if std::mem::take(&mut self.gap)
            && !is_joining
            && let Some(&last) = self.out.last()
        {
            let is_mixed = is_letter(last) && is_digit(next) || is_digit(last) && is_letter(next);
            let is_of_sign = is_operator(last) || is_operator(next) || matches!((last, next), ('°', 'c' | 'f' | 'k'));
            let is_of_number = is_digit(next) && matches!(last, '-' | '\'' | '"' | '#' | '\u{A7}')
                || is_digit(last) && matches!(next, '°' | '%' | '‰');
            if !(is_mixed || is_of_sign || is_of_number) {
                self.out.push(' ');
            }
        }
    }

    /// The character that was kept last; none if there is space after it.
    fn before(&self) -> Option<char> {
        self.out.last().copied().filter(|_| !self.gap)
    }

    /// The next character; none if it is space.
    fn after(&self) -> Option<char> {
        self.text.get(self.at + 1).copied().filter(|c| !c.is_whitespace())
    }

    /// The next character that is not space.
    fn ahead(&self) -> Option<char> {
        self.text[self.at + 1..].iter().copied().find(|c| !c.is_whitespace())
    }

    fn touches_word(&self) -> bool {
        self.before().is_some_and(is_word) || self.after().is_some_and(is_word)
    }

    fn is_between(&self, is: fn(char) -> bool) -> bool {
        self.before().is_some_and(is) && self.after().is_some_and(is)
    }

    fn is_long_word_before(&self) -> bool {
        self.text[..self.at].iter().rev().take_while(|c| is_word(**c)).take(SHORT + 1).count() > SHORT
    }

    fn is_long_word_after(&self) -> bool {
        self.text[self.at + 1..].iter().take_while(|c| is_word(**c)).take(SHORT + 1).count() > SHORT
    }
}
