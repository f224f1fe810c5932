//! Finds functions with a body, and how long they are.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::tokens;

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// Lines from its `fn` to its closing brace, both counted.
    pub lines: usize,
}

/// Every function of `code` (already without comments) that has a body, nested ones too.
pub fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    search(tokens(code), &mut found);
    found
}

fn search(stream: TokenStream, found: &mut Vec<Function>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1)) {
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "fn" => {
                let line = word.span().start().line;
                found.extend(body(&tokens[at..]).map(|body| Function {
                    name: name.to_string(),
                    line,
                    lines: body.span_close().end().line - line + 1,
                }));
            }
            (TokenTree::Group(group), _) => search(group.stream(), found),
            _ => {}
        }
    }
}

/// The body; `None` for a declaration that ends in `;`.
fn body(function: &[TokenTree]) -> Option<&Group> {
    let end = function.iter().find(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    match end {
        Some(TokenTree::Group(body)) => Some(body),
        _ => None,
    }
}
