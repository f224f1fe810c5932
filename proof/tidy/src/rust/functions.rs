//! Finds functions with a body, and how long they are.

use super::{is_name, line_of};

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

/// Every function of `code` (already blanked) that has a body, nested ones too.
pub fn functions(code: &str) -> Vec<Function> {
    let starts = code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_name));
    starts.filter_map(|(at, _)| function_at(code, at)).collect()
}

fn function_at(code: &str, at: usize) -> Option<Function> {
    let after = &code[at + 3..];
    let name: String = after.trim_start().chars().take_while(|character| is_name(*character)).collect();
    if name.is_empty() {
        return None;
    }
    let opens = at + 3 + body_start(after)?;
    let closes = opens + matching_brace(&code[opens..])?;
    let line = line_of(code, at);
    Some(Function { name, line, lines: line_of(code, closes) - line + 1 })
}

/// Where the body opens; `None` for a declaration that ends in `;`.
fn body_start(signature: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, character) in signature.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn matching_brace(body: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, character) in body.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests;
