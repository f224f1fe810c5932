//! A common form of two answers that differ in spaces, separators, an article or the word for `&`: `AC DC` and `ACDC`, `2-1` and
//! `2 : 1`, `&` and `and`. It is enough for a near miss, never for a right answer.

/// Words that add no meaning to the name that follows them.
const ARTICLES: [&str; 39] = [
    "the", "a", "an", "le", "la", "les", "un", "une", "des", "der", "die", "das", "den", "dem", "ein", "eine", "el",
    "los", "las", "una", "uno", "il", "lo", "gli", "i", "de", "het", "een", "o", "os", "as", "um", "uma", "az", "ο",
    "η", "το", "οι", "τα",
];

/// Words for `&`.
const CONJUNCTIONS: [&str; 11] = ["and", "und", "et", "y", "e", "i", "n", "og", "och", "en", "ve"];

/// An answer without its spaces, separators and leading article.
#[derive(Debug)]
pub(crate) struct Joined(String);

impl Joined {
    /// Joins an answer, given as written and as `folded`.
    pub fn of(written: &str, folded: &str) -> Self {
        let words = without_article(written, folded);
        let mut out = String::with_capacity(words.len());
        let mut before = "";
        let mut rest = words.split(' ').peekable();
        while let Some(word) = rest.next() {
            let neighbours = [before, rest.peek().copied().unwrap_or_default()];
            before = word;
            if is_conjunction(word, neighbours) {
                out.push('&');
                continue;
            }
            if out.ends_with(is_digit) && word.starts_with(is_digit) {
                out.push(' ');
            }
            join(word, &mut out);
        }
        Self(out)
    }

    /// Whether a differently written answer joins to the same form. Most answers begin with another letter, so they are rejected
    /// at once.
    pub fn is_same(&self, written: &str, folded: &str) -> bool {
        let begins = |text: &str| text.chars().next();
        let first = begins(without_article(written, folded));
        let may_be = first == begins(&self.0) || !first.is_some_and(char::is_alphanumeric);
        may_be && !self.0.is_empty() && Self::of(written, folded).0 == self.0
    }
}

fn without_article<'a>(written: &str, folded: &'a str) -> &'a str {
    let elided =
        written.trim_start().strip_prefix(['l', 'L']).is_some_and(|rest| rest.starts_with(['\'', '’', '´', '`']));
    if elided {
        return folded.strip_prefix('l').filter(|rest| !rest.is_empty()).unwrap_or(folded);
    }
    // The fold leaves no space before a digit.
    let end = folded.find(|c: char| c == ' ' || c.is_ascii_digit()).unwrap_or(0);
    let (article, rest) = folded.split_at(end);
    let is_apart = rest.starts_with(' ') || article.len() > 1;
    if is_apart && ARTICLES.contains(&article) {
        return rest.trim_start();
    }
    folded.strip_prefix("ال").filter(|rest| rest.chars().nth(2).is_some()).unwrap_or(folded)
}

/// Whether a word within a name is a conjunction. A single letter is one only between longer words (`Flip i Flap`); otherwise it
/// is a letter (`will i am`).
fn is_conjunction(word: &str, neighbours: [&str; 2]) -> bool {
    let least = if word.len() > 1 { 1 } else { 3 };
    CONJUNCTIONS.contains(&word) && neighbours.iter().all(|neighbour| neighbour.chars().count() >= least)
}

fn join(word: &str, out: &mut String) {
    let chars: Vec<char> = word.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).map(|at| chars[at]), chars.get(at + 1).copied());
        let between = |is: fn(char) -> bool| before.is_some_and(is) && after.is_some_and(is);
        match c {
            '/' | ':' | '_' | '-' if between(is_digit) => out.push(' '),
            '-' if after.is_some_and(is_digit) => out.push('-'),
            '.' if between(is_digit) => out.extend((!is_of_thousands(&chars, at)).then_some('.')),
            '!' if between(char::is_alphabetic) => out.push('i'),
            '$' if between(char::is_alphabetic) => out.push('s'),
            '@' if between(char::is_alphabetic) => out.push('a'),
            '#' | '@' if before.is_none() && after.is_some_and(char::is_alphabetic) => {}
            '-' | '/' | '.' | '_' => {}
            c => out.push(c),
        }
    }
}

/// Whether the point at `at` can separate thousands: three digits follow it, and at most three precede it, without a leading
/// zero.
fn is_of_thousands(chars: &[char], at: usize) -> bool {
    let after = chars[at + 1..].iter().take_while(|c| is_digit(**c)).count();
    let before = chars[..at].iter().rev().take_while(|c| is_digit(**c)).count();
    after == 3 && before <= 3 && chars[at - before] != '0'
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}
