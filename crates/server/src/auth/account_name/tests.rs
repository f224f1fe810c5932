//! Unit tests of `auth::account_name`.

use super::*;

#[test]
fn names_are_tidied_or_refused() {
    assert_eq!(account_name("  Ann \t Lee "), Ok("Ann Lee".to_owned()));
    assert_eq!(account_name(" \n"), Err(NameMistake::Empty));
    assert_eq!(account_name("a\u{7}"), Err(NameMistake::Characters));
    assert_eq!(account_name("…"), Err(NameMistake::Characters));
    assert_eq!(account_name(&"é".repeat(64)).map(|name| name.chars().count()), Ok(64));
    assert_eq!(account_name(&"é".repeat(65)), Err(NameMistake::TooLong));
    assert_eq!(name_key("ÉVA  lee"), name_key("éva LEE"));
}
