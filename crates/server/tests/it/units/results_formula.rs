//! Text in cells: an apostrophe in front of what a spreadsheet could run, and none elsewhere.

use quizhall::results::formula::harmless;

#[test]
fn a_formula_behind_a_separator_gets_an_apostrophe_and_other_text_stays_as_it_is() {
    for (cell, safe) in [
        ("x;=1+1;y", "x;'=1+1;y"),
        ("x\t@SUM(1)", "x\t'@SUM(1)"),
        ("x; \u{3000}＝1", "x;' \u{3000}＝1"),
        ("x\r\n-2", "x\r'\n'-2"),
        ("a\";\"=1", "a\";'\"=1"),
        ("\t=1", "'\t'=1"),
    ] {
        assert_eq!(harmless(cell), safe, "{cell:?}");
    }
    for cell in ["", "plain", "a;b;c", "1-1; 2+2", "O'Neill", "x, =1", "two\nlines", "';"] {
        assert_eq!(harmless(cell), cell);
    }
}
