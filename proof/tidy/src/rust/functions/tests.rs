//! Unit tests of `rust::functions`.

use super::functions;

#[test]
fn bodies_are_measured_and_declarations_are_not() {
    let code = "trait T {\n  fn declared(&self, a: [u8; 4]);\n}\npub async fn two(f: fn(u8) -> u8) -> [u8; 2] {\n}\nfn four()\nwhere\n  T: X,\n{ if a { b } }\n";
    let found: Vec<_> = functions(code).into_iter().map(|it| (it.name, it.line, it.lines)).collect();
    assert_eq!(found, [("two".to_owned(), 4, 2), ("four".to_owned(), 6, 4)]);
}
