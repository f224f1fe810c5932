//! Unit tests of `auth::game_code`.

#![allow(clippy::unwrap_used)]

use regex::Regex;

use super::*;

#[test]
fn codes_are_tidied_or_nothing() {
    assert_eq!(tidy_code(" abc 234\n"), Some("ABC234".to_owned()));
    assert_eq!(tidy_code("ABC-234"), Some("ABC234".to_owned()));
    for wrong in ["", "ABC23", "ABC2345", "ABC230", "ABC23O", "ABC23é", "' OR 1=1--", "ABC\t234", "ＡBC234"] {
        assert_eq!(tidy_code(wrong), None, "{wrong}");
    }
}

#[test]
fn random_codes_are_codes_and_differ() {
    let codes: Vec<_> = (0..100).map(|_| random_code()).collect();
    assert!(codes.iter().all(|code| tidy_code(code).as_ref() == Some(code)));
    assert!(codes.windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn codes_of_teams_have_four_symbols() {
    assert_eq!(tidy_team_code(" ab-2 4").map(|code| code.as_str().to_owned()), Some("AB24".to_owned()));
    for wrong in ["", "AB2", "AB234", "AB20", "ABé4", "ABC234"] {
        assert_eq!(tidy_team_code(wrong), None, "{wrong}");
    }
    let codes: Vec<_> = (0..100).map(|_| random_team_code()).collect();
    assert!(codes.iter().all(|code| tidy_team_code(code.as_str()) == Some(*code)));
    assert!(codes.windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn the_patterns_of_the_description_take_what_is_a_code() {
    let patterns = [code_pattern(LENGTH), typed_pattern(LENGTH), code_pattern(TeamCode::LENGTH)];
    let [shown, typed, of_team] = patterns.map(|pattern| Regex::new(&pattern).unwrap());
    assert!(shown.is_match(&random_code()) && !shown.is_match("abc234") && !shown.is_match("ABC2345"));
    assert!(of_team.is_match(random_team_code().as_str()) && !of_team.is_match(&random_code()));
    for text in ["ABC234", "abc234", "ABC-234", " ab c2-34 ", "ABC23", "ABC2345", "ABCO23", "ABC 1I4", "", "ABÇ234"] {
        assert_eq!(typed.is_match(text), tidy_code(text).is_some(), "{text:?}");
    }
}
