//! Makes text safe for spreadsheets: no part of a cell can be taken for a formula.
//!
//! Called by `table` for every cell with text. A spreadsheet that splits a comma separated file at semicolons or tabs
//! also splits cells, and turns a cell of several lines into rows, so every such part is checked. Text in which no
//! formula can begin is never changed. `web/sdk/src/csv.ts` has the same rule and its inverse.

/// Characters that begin a formula, in half and full width.
const FORMULA: [char; 9] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}'];

/// Characters that make a cell suspicious when they come first: some spreadsheets drop them.
const CONTROL: [char; 4] = ['\t', '\r', '\n', '\0'];

/// Characters inside a cell after which a spreadsheet with other settings begins another cell.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// The text with an apostrophe in front of each part that a spreadsheet could run.
pub fn harmless(cell: &str) -> String {
    let mut safe = String::with_capacity(cell.len() + 1);
    if cell.starts_with(CONTROL) || runs(cell) {
        safe.push('\'');
    }
    for (at, symbol) in cell.char_indices() {
        safe.push(symbol);
        if SEPARATORS.contains(&symbol) && runs(&cell[at + symbol.len_utf8()..]) {
            safe.push('\'');
        }
    }
    safe
}

/// Whether a formula begins here, possibly after white space and quotes, which importers strip.
fn runs(text: &str) -> bool {
    let stripped = |symbol: char| symbol.is_whitespace() || matches!(symbol, '"' | '\0' | '\u{feff}');
    text.trim_start_matches(stripped).starts_with(FORMULA)
}
