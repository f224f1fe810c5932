//! Unit tests of `full_game::stages`.

use super::*;

#[test]
fn stages_follow_each_other() {
    let stages: Vec<u32> = (0..3).flat_map(|r| [question_stage(r), review_stage(r), board_stage(r)]).collect();
    assert_eq!(stages, (1..=9).collect::<Vec<u32>>());
    assert_eq!(stages.iter().map(|stage| round_of_stage(*stage)).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
}
