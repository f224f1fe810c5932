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
    /// How many arguments it takes, the receiver among them; of a tuple its members.
    pub arguments: usize,
    /// Whether one of them is a tuple.
    pub takes_tuple: bool,
    /// How many of its lines are outside of its largest match or list.
    pub lines_around: usize,
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
                let members = || arguments(&tokens[at..]).iter().map(|argument| members(argument)).collect::<Vec<_>>();
                found.extend(body(&tokens[at..]).map(|body| (body, members())).map(|(body, members)| Function {
                    name: name.to_string(),
                    line,
                    lines: body.span_close().end().line - line + 1,
                    arguments: members.iter().sum(),
                    takes_tuple: members.iter().any(|members| *members > 1),
                    lines_around: body.span_close().end().line - line + 1 - longest_table(body),
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

/// The lines of the longest match or list in a body, or in an expression that wraps it.
fn longest_table(body: &Group) -> usize {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let lines = |at: usize, group: &Group| {
        let starts = tokens[..at].iter().rposition(|token| is(token, ';')).map_or(0, |end| end + 1);
        let is_match =
            tokens[starts..at].iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "match"));
        match group.delimiter() {
            Delimiter::Parenthesis => longest_table(group),
            Delimiter::Brace if !is_match => 0,
            _ => group.span_close().end().line - group.span_open().start().line + 1,
        }
    };
    let of_token = |(at, token): (usize, &TokenTree)| match token {
        TokenTree::Group(group) => lines(at, group),
        _ => 0,
    };
    tokens.iter().enumerate().map(of_token).max().unwrap_or(0)
}

/// The arguments of a function, each with its pattern and type.
fn arguments(function: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut groups = outside_angles(function).filter_map(|(_, token)| parenthesized(token));
    groups.next().map_or_else(Vec::new, parts)
}

/// How many values an argument holds: more than one for a tuple, taken by value or by reference.
fn members(argument: &[TokenTree]) -> usize {
    let is_of_path = |at: usize| {
        let mut beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| argument.get(at));
        beside.any(|token| is(token, ':'))
    };
    let mut colons = outside_angles(argument).filter(|(at, token)| is(token, ':') && !is_of_path(*at));
    let taken = colons.next().map_or(&[][..], |(at, _)| &argument[at + 1..]);
    let is_mut = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "mut");
    let tuple = taken.iter().find(|token| !is(token, '&') && !is_mut(token)).and_then(parenthesized);
    tuple.map_or(1, |tuple| parts(tuple).len().max(1))
}

fn parenthesized(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    }
}

/// The parts of a list between commas.
fn parts(list: &Group) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let commas: Vec<usize> = outside_angles(&tokens).filter(|(_, token)| is(token, ',')).map(|(at, _)| at).collect();
    let (mut parts, mut from) = (Vec::new(), 0);
    for end in commas.into_iter().chain([tokens.len()]) {
        parts.push(tokens[from..end].to_vec());
        from = end + 1;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The tokens that are in no angle brackets, with their places. The `>` of an arrow closes none.
fn outside_angles(tokens: &[TokenTree]) -> impl Iterator<Item = (usize, &TokenTree)> {
    let mut depth = 0_i32;
    tokens.iter().enumerate().filter(move |(at, token)| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_arrow = before.is_some_and(|before| is(before, '-') || is(before, '='));
        depth += i32::from(is(token, '<')) - i32::from(is(token, '>') && !is_arrow);
        depth == 0
    })
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}
