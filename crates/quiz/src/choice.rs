//! The choices that an answer names, for questions whose answer names one or several of their choices.
//!
//! `web/sdk/src/choices.ts` has the same rule; `tests/choices.json` checks both.

/// The places of the choices that an answer names, in the answer's order and as often as it names them; `None` when a
/// part of the answer names none.
///
/// An answer has one choice per line: its exact text, or the text of the only choice that differs just in letter case.
/// Otherwise it consists of letters, `A` for the first choice: separate (`A C`, `a, c`), or in one word (`AC`) when
/// none occurs twice.
pub fn named(answer: &str, choices: &[String]) -> Option<Vec<usize>> {
    let lines: Vec<&str> = answer.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let by_text: Option<Vec<usize>> = lines.iter().map(|line| by_text(line, choices)).collect();
    by_text.or_else(|| by_letters(answer, choices.len()))
}

/// The letter of a choice: `A` for the first.
pub fn letter(place: usize) -> Option<char> {
    let offset = u8::try_from(place).ok().filter(|place| *place < 26)?;
    Some(char::from(b'A' + offset))
}

fn by_text(line: &str, choices: &[String]) -> Option<usize> {
    let same = choices.iter().position(|choice| choice.trim() == line);
    same.or_else(|| {
        let folded = line.to_lowercase();
        let mut alike = (0..).zip(choices).filter(|(_, choice)| choice.trim().to_lowercase() == folded);
        let (place, _) = alike.next()?;
        alike.next().is_none().then_some(place)
    })
}

fn by_letters(answer: &str, choices: usize) -> Option<Vec<usize>> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let words: Vec<&str> = answer.split(is_between).filter(|word| !word.is_empty()).collect();
    let is_one_word = words.len() == 1;
    if !is_one_word && words.iter().any(|word| word.chars().count() > 1) {
        return None;
    }
    let letters = words.iter().flat_map(|word| word.chars());
    let places: Vec<usize> = letters.map(|letter| place_of(letter, choices)).collect::<Option<_>>()?;
    let repeats = (1..places.len()).any(|at| places[..at].contains(&places[at]));
    let is_doubtful = places.is_empty() || (is_one_word && repeats);
    (!is_doubtful).then_some(places)
}

fn place_of(letter: char, choices: usize) -> Option<usize> {
    let upper = letter.to_ascii_uppercase();
    (0..choices).find(|place| self::letter(*place) == Some(upper))
}
