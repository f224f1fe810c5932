//! How texts and names are compared: the quick way of texts in ASCII gives the result of the general one, folding is settled and
//! bounded, and near misses are those of the distance.

use proptest::prelude::{ProptestConfig, prop_assert_eq, prop_assume, proptest};
use quizhall_rules::{DisplayName, Question, QuestionKind, mark};
use strsim::osa_distance;

use crate::stage::{Game, question, quiz};

/// A character that does not count; a text with it takes the general way.
const INVISIBLE: char = '\u{200B}';

/// Folds texts as answers to a question of type `text` are folded.
struct Fold(Game);

impl Fold {
    fn new() -> Self {
        Self(Game::new(quiz(1, 1)))
    }

    fn of(&self, text: &str) -> String {
        self.0.state.compared(question(1), text).unwrap()
    }
}

/// All pairs of ASCII characters in every context that the rules examine, and runs of them.
#[test]
fn the_quick_ways_give_what_the_general_one_gives() {
    let fold = Fold::new();
    for a in 0..128_u8 {
        for b in 0..128_u8 {
            let (a, b) = (char::from(a), char::from(b));
            let texts = [
                format!("{a}{b}"),
                format!("4{a}{b}7"),
                format!(" {a}Q {b}2"),
                format!("{b}{a}.{b}-{a}"),
                format!("x{a}y {b} 1 {a} 234"),
            ];
            for text in texts.iter().filter(|text| !text.trim().is_empty()) {
                assert_eq!(fold.of(text), fold.of(&format!("{text}{INVISIBLE}")), "{text:?}");
            }
        }
    }
}

/// A character that stands for 18 others costs no more than the longest answer in another script.
#[test]
fn a_folded_text_is_bounded() {
    let fold = Fold::new();
    for flood in ['ﷺ', '㌖', '½', '한', 'ǆ', '\u{301}', '\u{3099}', '\u{F77}', 'ΐ', '-', '.', '\'', '$'] {
        let folded = fold.of(&flood.to_string().repeat(1_000));
        assert!(folded.chars().count() <= Question::LIMITS.folded + 1_000, "{flood:?}: {}", folded.chars().count());
    }
    assert_eq!(fold.of(&"ﷺ".repeat(1_000)).chars().count(), Question::LIMITS.folded);
    assert_eq!(fold.of("ﷺ"), fold.of("صلى الله عليه وسلم"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]

    #[test]
    fn folding_twice_is_folding_once(text in "(\\PC|[a-cA-C0-3 .,:;'\"/*+#@!?&%$€°^_()\u{A7}½²₂ł×–\u{301}\u{200D}-]){0,12}") {
        let fold = Fold::new();
        let folded = fold.of(&text);
        prop_assert_eq!(fold.of(&folded), folded.clone(), "{:?}", text);
    }

    #[test]
    fn case_and_outer_space_say_nothing_and_ascii_is_folded_as_any_text(text in "[ -~\\t\\n]{0,16}") {
        prop_assume!(!text.trim().is_empty());
        let fold = Fold::new();
        let folded = fold.of(&text);
        prop_assert_eq!(&fold.of(&text.to_uppercase()), &folded);
        prop_assert_eq!(&fold.of(&format!("  {text} ")), &folded);
        prop_assert_eq!(&fold.of(&format!("{text}{INVISIBLE}")), &folded);
    }

    /// Few letters, so that texts are often close; `a` and `á` are the same.
    #[test]
    fn near_misses_are_those_of_the_distance(accepted in "[abcá]{1,14}", answer in "[abcá]{1,14}") {
        let fold = Fold::new();
        let (key, given) = (fold.of(&accepted), fold.of(&answer));
        let allowed = key.chars().filter(|c| c.is_alphanumeric()).count() / 5;
        let asked = Question::new(question(1), QuestionKind::Text, "?", &[accepted]);
        let verdict = mark(&asked, &answer);
        prop_assert_eq!(verdict.correct, key == given);
        prop_assert_eq!(verdict.near_miss, key != given && osa_distance(&key, &given) <= allowed);
    }

    /// ASCII characters do not combine, so a letter after them, which takes the general way, adds only its own look.
    #[test]
    fn a_name_in_ascii_looks_as_any_name_does(name in "[ -~]{0,20}[a-zA-Z0-9]") {
        let looks = |name: &str| DisplayName::parse(name).map(|name| name.looks());
        let letter = looks("ж").unwrap();
        if let (Ok(plain), Ok(longer)) = (looks(&name), looks(&format!("{name}ж"))) {
            prop_assert_eq!(longer, [0, 1].map(|way| plain[way].clone() + &letter[way]), "{:?}", name);
        }
    }
}
