//! The reader of Rust on which the rules stand.

use quizhall_tidy::rust::{code_only, functions, mentions, module_of};

fn paths(code: &str, module: &str) -> Vec<String> {
    mentions(code, module).into_iter().map(|mention| mention.path).collect()
}

#[test]
fn comments_and_literals_are_blanked_and_lines_stay() {
    let text = "let a = \"sqlx::x\"; // sqlx::y\n/* sqlx /* z */ */ let b = 'q';\n/// sqlx\nlet c = r#\"\"sqlx\"#;\n//! sqlx\n\n";
    let code = code_only(text);
    assert!(!code.contains("sqlx"), "{code}");
    let lines: Vec<&str> = code.split('\n').collect();
    assert_eq!(lines.len(), 7, "{code}");
    assert!(lines[0].contains("let a") && lines[1].contains("let b") && lines[3].contains("let c"), "{code}");
}

#[test]
fn code_after_odd_literals_is_still_seen() {
    for odd in
        [r"'\''", r"'\\'", r"'\u{1F600}'", r#""\"""#, r#"br"\""#, "fn f<'a>(x: &'a str)", "r#type", "b'\"'", "1.5e3"]
    {
        let code = code_only(&format!("{odd}; seen!(); \"hidden\""));
        assert!(code.contains("seen!()"), "{odd}: {code}");
        assert!(!code.contains("hidden"), "{odd}: {code}");
    }
    assert_eq!(
        code_only("const É: u16 = 4_003; #[cfg(test)]\nmod tests;"),
        "const É: u16 = 4_003; #[cfg(test)]\nmod tests;"
    );
}

#[test]
fn bodies_are_measured_and_declarations_are_not() {
    let code = "trait T {\n  fn declared(&self, a: [u8; 4]);\n}\npub async fn two(f: fn(u8) -> u8) -> [u8; 2] {\n}\nfn four()\nwhere\n  T: X,\n{ if a { b } }\n";
    let found: Vec<_> = functions(code).into_iter().map(|it| (it.name, it.line, it.lines)).collect();
    assert_eq!(found, [("two".to_owned(), 4, 2), ("four".to_owned(), 6, 4)]);
}

#[test]
fn the_members_of_a_tuple_are_arguments() {
    let code = "fn one<T: Fn(u8, u8) -> u8>(&self, (a, b): (u8, Vec<(u8, u8)>), c: impl Fn((u8, u8)) -> u8) {}\nfn two(Pair { a, b }: &x::Pair, d: &mut (u8, u8)) {}\nfn none() {}\n";
    let found: Vec<_> = functions(code).into_iter().map(|it| (it.name, it.arguments, it.takes_tuple)).collect();
    assert_eq!(found, [("one".to_owned(), 4, true), ("two".to_owned(), 3, true), ("none".to_owned(), 0, false)]);
}

#[test]
fn use_trees_are_expanded() {
    let code = "pub use a::{b, c::{d, self}, e as f};\nuse super::http::x;\npub(crate) use crate::{bus::*, games};\nuse ::g;\n";
    let expected = ["a::b", "a::c::d", "a::c", "a::e", "crate::http::x", "crate::bus", "crate::games", "g"];
    assert_eq!(paths(code, "crate::store"), expected);
}

#[test]
fn inline_paths_are_seen_and_methods_are_not() {
    let code = "pub(in crate::store) fn f(x: sqlx::Pool) -> impl Y + use<'_> { x.a::<u8>(); super::super::http::g(m!(a::b)); because us; }";
    assert_eq!(paths(code, "crate::store::sqlite"), ["sqlx::Pool", "crate::http::g", "a::b"]);
}

#[test]
fn a_file_names_its_module() {
    assert_eq!(module_of("crates/server/src/store/mod.rs"), "crate::store");
    assert_eq!(module_of("crates/server/src/store/sqlite/append.rs"), "crate::store::sqlite::append");
    assert_eq!(module_of("crates/server/src/lib.rs"), "crate");
}
