//! The only place where a rule is bent: every exception with its reason, and a ceiling where the rule is about size.
//!
//! A ceiling only ever goes down. An exception that no longer excuses anything fails the test, so that it goes.

use crate::tree::Finding;

/// One bent rule.
#[derive(Debug)]
pub struct Exception {
    /// Which rule.
    pub rule: &'static str,
    /// In which file.
    pub path: &'static str,
    /// What the finding must mention: a function, a path, a word.
    pub about: &'static str,
    /// For rules about size: no more than this. Otherwise 0.
    pub ceiling: usize,
    /// Why it is better than the rule.
    pub why: &'static str,
}

/// All of them.
pub const EXCEPTIONS: &[Exception] = &[];

impl Exception {
    /// Whether this exception excuses the finding.
    pub fn excuses(&self, finding: &Finding) -> bool {
        self.rule == finding.rule
            && self.path == finding.path
            && finding.what.contains(self.about)
            && finding.size <= self.ceiling
    }
}

/// The findings without those excepted, and the exceptions that excused nothing.
pub fn judge<'a>(findings: &[Finding], exceptions: &'a [Exception]) -> (Vec<Finding>, Vec<&'a Exception>) {
    let excused = |finding: &Finding| exceptions.iter().any(|exception| exception.excuses(finding));
    let left = findings.iter().filter(|finding| !excused(finding)).cloned().collect();
    let idle = |exception: &&Exception| !findings.iter().any(|finding| exception.excuses(finding));
    (left, exceptions.iter().filter(idle).collect())
}
