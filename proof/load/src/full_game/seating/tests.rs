//! Unit tests of `full_game::seating`.

use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use super::*;

#[test]
fn phones_of_a_team_follow_each_other() {
    let seating = Seating::of(3, Some(4));
    assert_eq!((seating.bots(), seating.player_of(7), seating.bots_of(1)), (12, 1, 4..8));
    assert_eq!((0..12).filter(|bot| seating.is_first(*bot)).collect::<Vec<_>>(), [0, 4, 8]);
    let alone = Seating::of(3, None);
    assert_eq!((alone.bots(), alone.player_of(2), alone.has_teams()), (3, 2, false));
}

#[test]
fn each_question_has_a_writer_and_sometimes_a_second() {
    let seating = Seating::of(5, Some(3));
    let (mut at_once, mut behind) = (0, 0);
    for seed in 0..200 {
        for place in 0..4 {
            let turn = |bot| seating.turn(bot, place, &mut SmallRng::seed_from_u64(seed));
            let turns: Vec<Turn> = seating.bots_of(2).filter_map(turn).collect();
            assert!(turns.contains(&Turn::First) && turns.len() <= 2, "{turns:?}");
            at_once += usize::from(turns == [Turn::First; 2]);
            behind += usize::from(turns.contains(&Turn::Behind));
            assert_eq!(turn(6 + place % 3), Some(Turn::First), "in turn");
        }
    }
    assert!(at_once > 50 && behind > 100, "{at_once}, {behind}");
}
