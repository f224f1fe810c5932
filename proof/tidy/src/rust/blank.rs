//! Blanks out comments and the insides of literals, keeping every line where it is.

use super::is_name;

/// The code of a file: comments and the contents of strings and characters become spaces, lines stay.
pub fn code_only(text: &str) -> String {
    let mut scanner = Scanner { characters: text.chars().collect(), at: 0, code: String::with_capacity(text.len()) };
    while let Some(character) = scanner.peek(0) {
        match (character, scanner.peek(1)) {
            ('/', Some('/')) => scanner.blank_while(|scanner| scanner.peek(0) != Some('\n')),
            ('/', Some('*')) => scanner.block_comment(),
            ('"', _) => scanner.string(),
            ('r', Some('"' | '#')) if scanner.begins_literal() => scanner.raw_string(),
            ('\'', _) => scanner.character_or_lifetime(),
            _ => scanner.keep(),
        }
    }
    scanner.code
}

struct Scanner {
    characters: Vec<char>,
    at: usize,
    code: String,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn keep(&mut self) {
        self.code.extend(self.peek(0));
        self.at += 1;
    }

    fn blank(&mut self) {
        match self.peek(0) {
            Some('\n') => self.code.push('\n'),
            Some(_) => self.code.push(' '),
            None => {}
        }
        self.at += 1;
    }

    fn blank_while(&mut self, goes_on: impl Fn(&Self) -> bool) {
        while self.peek(0).is_some() && goes_on(self) {
            self.blank();
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                (None, _) => return,
                _ => {
                    self.blank();
                    continue;
                }
            }
            self.blank();
            self.blank();
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.keep();
        while let Some(character) = self.peek(0) {
            match character {
                '"' => return self.keep(),
                '\\' => {
                    self.blank();
                    self.blank();
                }
                _ => self.blank(),
            }
        }
    }

    /// Whether the `r` here begins a raw string, and is not the end of a name or of `r#name`.
    fn begins_literal(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.characters.get(at));
        let in_name = |character: Option<&char>| character.is_some_and(|character| is_name(*character));
        let prefixed = matches!(before(1), Some('b' | 'c')) && !in_name(before(2));
        let hashes = self.characters[self.at + 1..].iter().take_while(|character| **character == '#').count();
        (prefixed || !in_name(before(1))) && self.peek(1 + hashes) == Some('"')
    }

    fn raw_string(&mut self) {
        self.keep();
        let mut hashes = 0;
        while self.peek(0) == Some('#') {
            hashes += 1;
            self.keep();
        }
        self.keep();
        while self.peek(0).is_some() {
            let ends = self.peek(0) == Some('"') && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            if ends {
                return (0..=hashes).for_each(|_| self.keep());
            }
            self.blank();
        }
    }

    fn character_or_lifetime(&mut self) {
        let is_escape = self.peek(1) == Some('\\');
        if !is_escape && self.peek(2) != Some('\'') {
            return self.keep();
        }
        self.keep();
        // The character itself may be a quote: '\''.
        self.blank();
        if is_escape {
            self.blank();
        }
        self.blank_while(|scanner| scanner.peek(0) != Some('\''));
        self.keep();
    }
}

#[cfg(test)]
mod tests;
