//! Sorting by keys gives the order of whole lines, also where the keys decide nothing.

use proptest::prelude::*;
use uuid::Uuid;

use super::{NOT_ASKED, Ties};
use crate::base::Standing;

/// Names that begin alike for none, some or many bytes, also within a character.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[abé]{0,3}", "[aé]{9}[abé]{0,3}", "Team (der Kneipe )?[é ê]{1,3}"]
}

/// Few scores, so that many are equal, and some that are too far apart for a key.
fn score() -> impl Strategy<Value = i64> {
    prop_oneof![-2_i64..3, prop::sample::select(vec![-5_000_000_000, 5_000_000_000])]
}

/// The places in up to two tie-breaks.
fn places() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![1_u32..3, Just(NOT_ASKED)], 0..3)
}

fn line(id: u128, name: &str, score: i64) -> Standing {
    Standing { player: Uuid::from_u128(id).into(), display_name: name.into(), score, round_score: 0, rank: 0, place: 0 }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn keys_and_whole_lines_give_one_order(drawn in prop::collection::vec((name(), score(), places()), 0..40), tied: bool) {
        let lines: Vec<Standing> = (1..).zip(&drawn).map(|(id, (name, score, _))| line(id, name, *score)).collect();
        let asked = lines.iter().zip(&drawn).filter(|(_, (.., places))| tied && !places.is_empty());
        let ties = Ties(asked.map(|(line, (.., places))| (line.player, &places[..])).collect());
        let (mut by_keys, mut whole) = (lines.clone(), lines);
        ties.sort(&mut by_keys);
        whole.sort_by(|a, b| ties.compare(a, b));
        assert!(by_keys == whole, "{by_keys:?} and {whole:?}");
    }
}
