//! What code and documents refer to is in the repository: pages, their sections, promises and decisions by number.
//!
//! A reference is `page.md` or `page.md#section` (the path or an end of it that only one page has), `promise 7`, `decision 7`.

use std::collections::BTreeMap;

use crate::checks::promises;
use crate::tree::{Finding, has_extension};

/// What can be referred to.
#[derive(Default)]
pub struct Known {
    /// The sections of each Markdown page, by its path.
    pages: BTreeMap<String, Vec<String>>,
    promises: usize,
    decisions: usize,
}

impl Known {
    /// Takes a page of the tree.
    pub fn add(&mut self, path: &str, text: &str) {
        self.pages.insert(path.to_owned(), sections(text));
        if path == promises::PAGE {
            self.promises = promises::count(text);
        }
        if path.starts_with("docs/decisions/0") {
            self.decisions += 1;
        }
    }

    /// The fault of a reference to a page.
    fn fault(&self, target: &str) -> Option<String> {
        let (page, section) = target.split_once('#').unwrap_or((target, ""));
        let end = page.trim_start_matches("./").trim_start_matches("../");
        let is_meant = |path: &&String| **path == end || path.ends_with(&format!("/{end}"));
        let found: Vec<&String> = self.pages.keys().filter(is_meant).collect();
        match found[..] {
            [] => Some(format!("`{page}` is no page of this repository")),
            [path] if !section.is_empty() && !self.pages[path].iter().any(|known| known == section) => {
                Some(format!("`{path}` has no section `{section}`"))
            }
            // Several pages of one name: a link says which, and rule `link` looks at it.
            _ => None,
        }
    }
}

/// The sections of a page, as a link names them.
fn sections(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// Rule `reference`: whatever is referred to is here.
pub fn references(path: &str, text: &str, known: &Known) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut broken = |what: String| findings.push(Finding::new("reference", path, at + 1, what));
        if line.contains('§') && !line.contains("RFC") {
            broken("`§`: name the page and its section, as in `messages.md#limits`".to_owned());
        }
        for target in pages_named(line) {
            if let Some(fault) = known.fault(target) {
                broken(fault);
            }
        }
        for (word, most, page) in
            [("promise", known.promises, promises::PAGE), ("decision", known.decisions, "docs/decisions")]
        {
            for number in numbers_behind(line, word).into_iter().filter(|number| *number == 0 || *number > most) {
                broken(format!("there is no {word} {number} in {page}"));
            }
        }
        for word in line.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| is_number(word)) {
            broken(format!("`{word}` stands for something outside of this repository; say it, or name a promise"));
        }
    }
    findings
}

/// Words such as `docs/tour.md` and `messages.md#limits`, outside of addresses.
fn pages_named(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '#' | ':');
    let words = line.split(move |c: char| !is_part(c)).map(|word| word.trim_end_matches(['.', ':', '-', '/']));
    words.filter(|word| {
        let page = word.split('#').next().unwrap_or_default();
        page.len() > ".md".len() && has_extension(page, "md") && !page.contains(':') && !page.starts_with('/')
    })
}

/// The numbers of `promise 7`, `promises 7 and 13`, `Promises 1, 2 and 6 to 8`.
fn numbers_behind(line: &str, word: &str) -> Vec<usize> {
    let lower = line.to_lowercase();
    let mut numbers = Vec::new();
    for (at, _) in lower.match_indices(word) {
        let rest = lower[at + word.len()..].trim_start_matches('s');
        let words = rest.split([' ', ',']).filter(|word| !word.is_empty());
        for word in
            words.take_while(|word| word.starts_with(|c: char| c.is_ascii_digit()) || ["and", "to"].contains(word))
        {
            let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
            numbers.extend(digits.parse::<usize>());
        }
    }
    numbers
}

/// A capital P or S and one or two digits: how a list outside of the repository numbered promises and requests.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['P', 'S']).unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}
