//! Finds the paths a file mentions: `use` trees expanded, and inline paths, both made absolute.

use proc_macro2::{TokenStream, TokenTree};

use super::tokens;

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

/// Every path mentioned in `code` (already without comments), which is the code of `module`.
pub fn mentions(code: &str, module: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    search(tokens(code), &mut found);
    for mention in &mut found {
        mention.path = absolute(&mention.path, module);
    }
    found
}

fn search(stream: TokenStream, found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut rest = &tokens[..];
    // A name after `.` is a method's, and one after `>::` is part of a path that began before.
    let (mut follows_dot, mut colons) = (false, 0);
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        match token {
            // `use<'a>` of a type captures lifetimes.
            TokenTree::Ident(word) if word == "use" && !after.first().is_some_and(|token| is(token, '<')) => {
                let end = after.iter().position(|token| is(token, ';')).unwrap_or(after.len());
                expand("", &after[..end], &mut |path| found.push(Mention { line: word.span().start().line, path }));
                rest = &after[end..];
            }
            // A visibility names a module and uses nothing of it.
            TokenTree::Ident(word) if word == "pub" && names_a_module(after.first()) => rest = &after[1..],
            TokenTree::Ident(word) => {
                let line = word.span().start().line;
                let (path, after) = path(token, after);
                if path.contains("::") && !follows_dot && colons != 2 {
                    found.push(Mention { line, path });
                }
                rest = after;
            }
            TokenTree::Group(group) => search(group.stream(), found),
            _ => {}
        }
        follows_dot = is(token, '.');
        colons = if is(token, ':') { colons + 1 } else { 0 };
    }
}

/// `a::{b, c::{d, self}}` → `a::b`, `a::c::d`, `a::c`.
fn expand(prefix: &str, tree: &[TokenTree], found: &mut impl FnMut(String)) {
    let start = tree.iter().position(|token| !is(token, ':')).unwrap_or(tree.len());
    let Some((first, after)) = tree[start..].split_first() else { return };
    let (head, after) = match first {
        TokenTree::Ident(_) => path(first, after),
        _ => (String::new(), &tree[start..]),
    };
    let group = after.iter().find(|token| !is(token, ':'));
    let Some(TokenTree::Group(group)) = group else {
        let path = format!("{prefix}{head}");
        return found(path.trim_end_matches("::self").trim_end_matches("::").to_owned());
    };
    let prefix = if head.is_empty() { prefix.to_owned() } else { format!("{prefix}{head}::") };
    let parts: Vec<TokenTree> = group.stream().into_iter().collect();
    for part in parts.split(|token| is(token, ',')).filter(|part| !part.is_empty()) {
        expand(&prefix, part, found);
    }
}

/// The path that begins with a name, and what follows it.
fn path<'a>(first: &TokenTree, mut rest: &'a [TokenTree]) -> (String, &'a [TokenTree]) {
    let mut path = first.to_string();
    while let [one, two, TokenTree::Ident(name), after @ ..] = rest
        && is(one, ':')
        && is(two, ':')
    {
        path = format!("{path}::{name}");
        rest = after;
    }
    (path, rest)
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Whether this is the `(in crate::x)` of a visibility.
fn names_a_module(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else { return false };
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "in")
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
