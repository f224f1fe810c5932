//! Unit tests of `rust::blank`.

use super::code_only;

#[test]
fn comments_and_literals_are_blanked_and_lines_stay() {
    let text = "let a = \"sqlx::x\"; // sqlx::y\n/* sqlx /* z */ */ let b = 'q';\nlet c = r#\"\"sqlx\"#;";
    let code = code_only(text);
    assert!(!code.contains("sqlx"), "{code}");
    assert_eq!(code.lines().count(), 3);
    assert!(code.contains("let a") && code.contains("let b") && code.contains("let c"), "{code}");
}

#[test]
fn code_after_odd_literals_is_still_seen() {
    for odd in [r"'\''", r"'\\'", r"'\u{1F600}'", r#""\"""#, r#"br"\""#, "fn f<'a>(x: &'a str)", "r#type", "b'\"'"] {
        let code = code_only(&format!("{odd}; seen!(); \"hidden\""));
        assert!(code.contains("seen!()"), "{odd}: {code}");
        assert!(!code.contains("hidden"), "{odd}: {code}");
    }
}
