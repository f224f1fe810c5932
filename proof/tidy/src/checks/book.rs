//! `docs/SUMMARY.md`, the contents of the book (`make book`): every page of docs/ is in it once, and so is every page to which a page
//! of the book links, because the book has no other. Reads nothing itself.

use std::collections::BTreeMap;

use crate::checks::documents::{resolve, targets};
use crate::tree::{Finding, has_extension};

/// The page.
pub const PAGE: &str = "docs/SUMMARY.md";

/// Rule `book`, over every Markdown file of the tree by its path.
pub fn book(pages: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let summary = pages.get(PAGE).map_or("", String::as_str);
    let listed: Vec<String> = summary.lines().flat_map(targets).map(|target| resolve("docs", target)).collect();
    for (path, text) in pages.iter().filter(|(path, _)| path.starts_with("docs/") && *path != PAGE) {
        // An old address has a title and this line, and is no page of the book.
        let points_on = text.lines().nth(1).is_some_and(|line| line.starts_with("This page has moved: "));
        let times = listed.iter().filter(|known| *known == path).count();
        if times != usize::from(!points_on || text.lines().count() > 2) {
            findings.push(Finding::new("book", PAGE, 1, format!("`{path}` is in the book {times} times")));
        }
    }
    for (path, text) in pages.iter().filter(|(path, _)| listed.contains(path)) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (at, line) in text.lines().enumerate() {
            for page in targets(line).into_iter().map(|target| resolve(folder, target)) {
                if has_extension(&page, "md") && !listed.contains(&page) {
                    findings.push(Finding::new("book", path, at + 1, format!("`{page}` is not in the book")));
                }
            }
        }
    }
    findings
}
