//! Rust as the checks read it: code without comments and literals, paths with `use` trees expanded, functions.
//!
//! `proc-macro2` makes the tokens. Nothing here expands a macro; the inside of its call is read like other code.

mod functions;
mod paths;

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

pub use functions::{Function, functions};
pub use paths::{Mention, mentions, module_of};

/// The line of a byte offset, from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Whether a character can be part of a name.
pub fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The code of a file: its tokens where they are, without comments and without the contents of strings and characters.
///
/// # Panics
/// If the text is no Rust: a file of the tree that the compiler accepts is.
pub fn code_only(text: &str) -> String {
    let mut code = Code { text: String::with_capacity(text.len()), line: 1, column: 0 };
    code.stream(tokens(text));
    code.at(LineColumn { line: text.matches('\n').count() + 1, column: 0 });
    code.text
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("no Rust, {error}: {}", text.lines().next().unwrap_or_default()))
}

/// The tokens that the compiler makes of a comment: `#[doc = "…"]`.
fn is_doc(hash: &TokenTree, rest: &[TokenTree]) -> bool {
    let is_hash = matches!(hash, TokenTree::Punct(punct) if punct.as_char() == '#');
    let group = rest.iter().find(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == '!'));
    let Some(TokenTree::Group(group)) = group.filter(|_| is_hash) else { return false };
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket && matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}

struct Code {
    text: String,
    line: usize,
    column: usize,
}

impl Code {
    fn stream(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = &tokens[..];
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                hash if is_doc(hash, after) => {
                    let group = after.iter().position(|token| matches!(token, TokenTree::Group(_))).unwrap_or(0);
                    rest = &after[group + 1..];
                }
                TokenTree::Group(group) => {
                    let (opens, closes) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.put(opens, group.span_open());
                    self.stream(group.stream());
                    self.put(closes, group.span_close());
                }
                TokenTree::Literal(literal) => {
                    let written = literal.to_string();
                    // Quotes stay, so that an expression is not cut in two.
                    let is_number = written.starts_with(|first: char| first.is_ascii_digit());
                    self.put(if is_number { &written } else { "\"\"" }, literal.span());
                }
                other => self.put(&other.to_string(), other.span()),
            }
        }
    }

    fn put(&mut self, written: &str, span: Span) {
        self.at(span.start());
        self.text.push_str(written);
        self.column += written.chars().count();
    }

    /// Adds line ends and spaces up to a place.
    fn at(&mut self, place: LineColumn) {
        for _ in self.line..place.line {
            self.text.push('\n');
            self.column = 0;
        }
        self.line = self.line.max(place.line);
        for _ in self.column..place.column {
            self.text.push(' ');
        }
        self.column = self.column.max(place.column);
    }
}
