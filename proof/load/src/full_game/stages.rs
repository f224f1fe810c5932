//! The stages of a game as numbers that can be compared: 0 lobby; for round r (from 0) 3r+1 question, 3r+2 review,
//! 3r+3 board; one more for the end.

/// The stage in which questions of a round are open.
pub fn question_stage(round: usize) -> u32 {
    number(round) * 3 + 1
}

/// The stage in which a round is reviewed.
pub fn review_stage(round: usize) -> u32 {
    number(round) * 3 + 2
}

/// The stage in which a round's scores are out.
pub fn board_stage(round: usize) -> u32 {
    number(round) * 3 + 3
}

/// The round (from 0) that a stage after the lobby belongs to.
pub fn round_of_stage(stage: u32) -> usize {
    (stage.saturating_sub(1) / 3) as usize
}

fn number(round: usize) -> u32 {
    u32::try_from(round).expect("a quiz has at most 50 rounds")
}
