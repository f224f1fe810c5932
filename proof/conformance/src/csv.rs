//! Reads tables of results, and refuses text that is not CSV.

use anyhow::ensure;

/// RFC 4180, read strictly: quotes doubled inside quotes, rows ended by CR LF or LF.
pub fn cells(text: &str) -> anyhow::Result<Vec<Vec<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut symbols = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut quoted = false;
    while let Some(symbol) = symbols.next() {
        match symbol {
            '"' if quoted && symbols.peek() == Some(&'"') => cell.extend(symbols.next()),
            '"' if quoted => quoted = false,
            '"' => {
                ensure!(cell.is_empty(), "a quote in the middle of a plain cell");
                quoted = true;
            }
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted && symbols.peek() == Some(&'\n') => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    ensure!(!quoted, "a quote that never ends");
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    Ok(rows)
}
