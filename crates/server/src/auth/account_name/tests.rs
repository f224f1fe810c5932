//! Unit tests of `auth::account_name`.

use super::*;

#[test]
fn names_are_tidied_or_refused() {
    assert_eq!(account_name("  Ann \t Lee "), Ok("Ann Lee".to_owned()));
    assert_eq!(account_name(" \n"), Err(NameMistake::Empty));
    assert_eq!(account_name("a\u{7}"), Err(NameMistake::Characters));
    for hidden in
        ["ann\u{202E}nna", "\u{200F}ann", "ann\u{2066}b\u{2069}", "a\u{61C}b", "a\u{200B}b", "a\u{FEFF}", "a\u{AD}b"]
    {
        assert_eq!(account_name(hidden), Err(NameMistake::Characters), "{hidden:?}");
    }
    for kept in ["می\u{200C}خواهم", "র\u{200D}\u{9CD}যাচেল", "שרה"] {
        assert_eq!(account_name(kept).as_deref(), Ok(kept));
    }
    assert_eq!(account_name("…"), Err(NameMistake::Characters));
    assert_eq!(account_name(&"é".repeat(64)).map(|name| name.chars().count()), Ok(64));
    assert_eq!(account_name(&"é".repeat(65)), Err(NameMistake::TooLong));
    assert_eq!(name_key("ÉVA  lee"), name_key("éva LEE"));
}
