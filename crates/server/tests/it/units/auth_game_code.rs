//! Codes of games and teams: as they are drawn, typed and described.

use quizhall::auth::{
    CODE_LENGTH, code_pattern, random_code, random_team_code, tidy_code, tidy_team_code, typed_pattern,
};
use quizhall_rules::TeamCode;
use regex::Regex;

#[test]
fn codes_are_tidied_or_nothing() {
    for typed in [" abc 234\n", "ABC-234"] {
        assert_eq!(tidy_code(typed).as_deref(), Some("ABC234"));
    }
    for wrong in ["", "ABC23", "ABC2345", "ABC230", "ABC23O", "ABC23é", "' OR 1=1--", "ABC\t234", "ＡBC234"] {
        assert_eq!(tidy_code(wrong), None, "{wrong}");
    }
    assert_eq!(tidy_team_code(" ab-2 4").map(|code| code.as_str().to_owned()).as_deref(), Some("AB24"));
    for wrong in ["", "AB2", "AB234", "AB20", "ABé4", "ABC234"] {
        assert_eq!(tidy_team_code(wrong), None, "{wrong}");
    }
}

#[test]
fn random_codes_are_codes_and_differ() {
    let codes: Vec<_> = (0..100).map(|_| (random_code(), random_team_code())).collect();
    for (code, team) in &codes {
        assert_eq!((tidy_code(code).as_ref(), tidy_team_code(team.as_str())), (Some(code), Some(*team)));
    }
    assert!(codes.iter().any(|(code, _)| *code != codes[0].0) && codes.iter().any(|(_, team)| *team != codes[0].1));
}

#[test]
fn the_patterns_of_the_description_take_what_is_a_code() {
    let patterns = [code_pattern(CODE_LENGTH), typed_pattern(CODE_LENGTH), code_pattern(TeamCode::LENGTH)];
    let [shown, typed, of_team] = patterns.map(|pattern| Regex::new(&pattern).unwrap());
    assert!(shown.is_match(&random_code()) && !shown.is_match("abc234") && !shown.is_match("ABC2345"));
    assert!(of_team.is_match(random_team_code().as_str()) && !of_team.is_match(&random_code()));
    for text in ["ABC234", "abc234", "ABC-234", " ab c2-34 ", "ABC23", "ABC2345", "ABCO23", "ABC 1I4", "", "ABÇ234"] {
        assert_eq!(typed.is_match(text), tidy_code(text).is_some(), "{text:?}");
    }
}
