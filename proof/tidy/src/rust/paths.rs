//! Finds the paths a file mentions: `use` trees expanded, and inline paths, both made absolute.

use super::{is_name, line_of};

/// A path of at least one segment, as `crate::store::sqlite` or `sqlx::query`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Line, from 1.
    pub line: usize,
    /// Segments joined by `::`; `self` and `super` are resolved.
    pub path: String,
}

impl Mention {
    /// Whether the path is `prefix` or lies below it.
    pub fn is_in(&self, prefix: &str) -> bool {
        self.path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}

/// The module a file of a crate defines: `crates/server/src/store/mod.rs` → `crate::store`.
pub fn module_of(path: &str) -> String {
    let inside = path.split_once("/src/").map_or(path, |(_, inside)| inside);
    let inside = inside.trim_end_matches(".rs").trim_end_matches("/mod");
    let parts = inside.split('/').filter(|part| !matches!(*part, "lib" | "main" | "mod"));
    std::iter::once("crate").chain(parts).collect::<Vec<_>>().join("::")
}

/// Every path mentioned in `code` (already blanked), which is the code of `module`.
pub fn mentions(code: &str, module: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = next_use(code, rest) {
        inline_paths(code, rest..start, &mut found);
        let end = code[start..].find(';').map_or(code.len(), |length| start + length);
        let mut paths = Vec::new();
        expand("", &code[start + 4..end], &mut paths);
        found.extend(paths.into_iter().map(|path| Mention { line: line_of(code, start), path }));
        rest = end;
    }
    inline_paths(code, rest..code.len(), &mut found);
    for mention in &mut found {
        mention.path = absolute(&mention.path, module);
    }
    found
}

/// The offset of the next `use ` that begins an item.
fn next_use(code: &str, from: usize) -> Option<usize> {
    let begins_item = |at: usize| {
        let before = code[..at].trim_end();
        let line_before = before.rsplit(['\n', ';', '{', '}']).next().unwrap_or_default().trim_start();
        before.is_empty()
            || before.ends_with([';', '{', '}', ']'])
            || line_before.starts_with("pub") && !line_before.contains('=')
    };
    code[from..].match_indices("use ").map(|(at, _)| from + at).find(|at| begins_item(*at))
}

/// `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        let path = tree.split_once(" as ").map_or(tree, |(path, _)| path).trim();
        let path = format!("{prefix}{path}");
        paths.push(path.trim_end_matches("::self").trim_end_matches("::*").to_owned());
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let inside = group.trim_end().trim_end_matches('}');
    let mut depth = 0_i32;
    let parts = inside.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    let parts: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
    for part in parts {
        // A nested group lost its last brace above only when it was the last one; give every part balanced braces.
        let missing = part.matches('{').count().saturating_sub(part.matches('}').count());
        expand(&prefix, &format!("{part}{}", "}".repeat(missing)), paths);
    }
}

/// Paths of at least two segments in expressions and types.
fn inline_paths(code: &str, range: std::ops::Range<usize>, found: &mut Vec<Mention>) {
    let text = &code[range.clone()];
    let mut at = 0;
    while let Some(next) = text[at..].find(|character: char| character.is_alphabetic() || character == '_') {
        let start = at + next;
        let length = text[start..].find(|character: char| !is_name(character) && character != ':');
        let end = length.map_or(text.len(), |length| start + length);
        let path = text[start..end].trim_end_matches(':');
        // A visibility names a module and uses nothing of it.
        let is_visibility = text[..start].trim_end().ends_with("(in");
        if path.contains("::") && !is_visibility && !text[..start].ends_with([':', '.']) {
            found.push(Mention { line: line_of(code, range.start + start), path: path.to_owned() });
        }
        at = end.max(start + 1);
    }
}

fn absolute(path: &str, module: &str) -> String {
    let mut module: Vec<&str> = module.split("::").collect();
    let mut rest = path;
    let mut relative = false;
    loop {
        let (head, tail) = rest.split_once("::").unwrap_or((rest, ""));
        match head {
            "self" if !relative => {}
            "super" => drop((module.len() > 1).then(|| module.pop())),
            _ => break,
        }
        (rest, relative) = (tail, true);
    }
    if !relative {
        return path.to_owned();
    }
    if !rest.is_empty() {
        module.push(rest);
    }
    module.join("::")
}

#[cfg(test)]
mod tests;
