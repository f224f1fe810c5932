//! Unit tests of `rust::paths`.

use super::{mentions, module_of};

fn paths(code: &str, module: &str) -> Vec<String> {
    mentions(code, module).into_iter().map(|mention| mention.path).collect()
}

#[test]
fn use_trees_are_expanded() {
    let code = "pub use a::{b, c::{d, self}, e as f};\nuse super::http::x;\npub(crate) use crate::{bus::*, games};\n";
    let expected = ["a::b", "a::c::d", "a::c", "a::e", "crate::http::x", "crate::bus", "crate::games"];
    assert_eq!(paths(code, "crate::store"), expected);
}

#[test]
fn inline_paths_are_seen_and_methods_are_not() {
    let code = "pub(in crate::store) fn f(x: sqlx::Pool) -> u8 { x.a::<u8>(); super::super::http::g(); because us; }";
    assert_eq!(paths(code, "crate::store::sqlite"), ["sqlx::Pool", "crate::http::g"]);
}

#[test]
fn a_file_names_its_module() {
    assert_eq!(module_of("crates/server/src/store/mod.rs"), "crate::store");
    assert_eq!(module_of("crates/server/src/store/sqlite/append.rs"), "crate::store::sqlite::append");
    assert_eq!(module_of("crates/server/src/lib.rs"), "crate");
}
