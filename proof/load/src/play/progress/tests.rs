//! Unit tests of `play::progress`.

use super::*;

#[test]
fn every_phase_has_words() {
    let scene = |phase, questions| Scene { phase, questions, players: 3, ..Scene::default() };
    assert_eq!(describe(&scene(Phase::Lobby, 0)), "in the lobby, 3 players");
    assert_eq!(describe(&scene(Phase::Question, 1)), "1 question is open");
    assert_eq!(describe(&scene(Phase::Question, 2)), "2 questions are open");
    assert_eq!(describe(&scene(Phase::Leaderboard, 2)), "the board is out");
}
