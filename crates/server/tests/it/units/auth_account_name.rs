//! Names of accounts: tidied, or refused for a reason.

use quizhall::auth::{MAX_NAME, NameMistake, account_name, name_key};

#[test]
fn names_are_tidied_or_refused() {
    assert_eq!(account_name("  Ann \t Lee "), Ok("Ann Lee".to_owned()));
    for kept in ["می\u{200C}خواهم", "র\u{200D}\u{9CD}যাচেল", "שרה", &"é".repeat(MAX_NAME)] {
        assert_eq!(account_name(kept).as_deref(), Ok(kept));
    }
    assert_eq!(account_name(" \n"), Err(NameMistake::Empty));
    assert_eq!(account_name(&"é".repeat(65)), Err(NameMistake::TooLong));
    let hidden =
        ["ann\u{202E}nna", "\u{200F}ann", "ann\u{2066}b\u{2069}", "a\u{61C}b", "a\u{200B}b", "a\u{FEFF}", "a\u{AD}b"];
    for wrong in hidden.into_iter().chain(["a\u{7}", "…"]) {
        assert_eq!(account_name(wrong), Err(NameMistake::Characters), "{wrong:?}");
    }
    assert_eq!(name_key("ÉVA  lee"), name_key("éva LEE"));
}
