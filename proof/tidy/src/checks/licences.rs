//! Licences and origin of everything that is linked in. The list of allowed licences is `deny.toml`'s.
//!
//! So the rule holds where cargo-deny is not installed. What cargo-deny adds (advisories) is reported as NOT RUN there.

use crate::cargo::Package;
use crate::tree::Finding;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The licences that the text of `deny.toml` allows.
pub fn allowed(deny: &str) -> Vec<String> {
    let section = deny.split_once("[licenses]").map_or("", |(_, rest)| rest);
    let list = section.split_once("allow = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    let names = list.split(',').map(|name| name.trim().trim_matches('"').to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// Rules `licence` and `origin`: every crate may be used as we use it, and comes from the registry.
pub fn licences(packages: &[Package], allowed: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let expression = package.license.as_deref().unwrap_or_default();
        let named = format!("{} {}", package.name, package.version);
        if !is_satisfied(expression, allowed) {
            let what = format!("{named}: `{expression}` is not allowed by deny.toml");
            findings.push(Finding::new("licence", "Cargo.lock", 1, what));
        }
        if package.source.as_deref().is_some_and(|source| source != REGISTRY) {
            findings.push(Finding::new("origin", "Cargo.lock", 1, format!("{named} is not from the registry")));
        }
    }
    findings
}

/// Whether an SPDX expression can be met with the allowed licences. `a/b` is an old way to write `a OR b`.
pub fn is_satisfied(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allowed };
    reader.any() && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    allowed: &'a [String],
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    /// `each OR each …`
    fn any(&mut self) -> bool {
        let mut met = self.each();
        while self.take("OR") {
            met |= self.each();
        }
        met
    }

    /// `one AND one …`
    fn each(&mut self) -> bool {
        let mut met = self.one();
        while self.take("AND") {
            met &= self.one();
        }
        met
    }

    fn one(&mut self) -> bool {
        if self.take("(") {
            let met = self.any();
            return self.take(")") && met;
        }
        let Some((name, rest)) = self.words.split_first() else { return false };
        self.words = rest;
        let mut name = (*name).to_owned();
        if self.take("WITH") {
            let Some((exception, rest)) = self.words.split_first() else { return false };
            name = format!("{name} WITH {exception}");
            self.words = rest;
        }
        self.allowed.contains(&name)
    }
}
