//! Corrected marks: whatever order they come in, the game ends as if the review had been right.

use proptest::prelude::*;
use quizhall_rules::{Actor, Change, Command, Phase, Refusal, State};

use crate::stage::{Game, correct_marks, mark_all, player, question, quiz, release};

const PLAYERS: u8 = 4;
const TEXTS: [&str; 3] = ["right", "wrong", "other"];

/// What each player answers to each of four questions in two rounds, as a place in `TEXTS`; none by the last of them.
type Given = [[usize; 4]];
/// How the answers to a question with a text shall count.
type Marks = [(u8, usize, bool)];

/// Plays both rounds. `marks` are set in the review, `corrections` as soon as their round is out, of the first round partly in the second.
fn played(given: &Given, marks: &Marks, corrections: &Marks, streaks: bool) -> Game {
    let mut quiz = quiz(2, 2);
    for round in &mut quiz.rounds {
        (round.streaks, round.joker, round.wrong_points) = (streaks, true, -10);
    }
    let mut game = Game::new(quiz);
    for number in 1..=PLAYERS {
        game.joins(number, ["Ann", "Ben", "Cid", "Dan"][usize::from(number) - 1]);
    }
    game.ask(Actor::Player(player(1)), &Command::PlayJoker).unwrap();
    game.host(Command::StartGame);
    for round in 0..2_u8 {
        for asked in round * 2 + 1..=round * 2 + 2 {
            game.host(release(asked));
            for (number, texts) in (1..).zip(given) {
                if let Some(text) = TEXTS.get(texts[usize::from(asked) - 1]) {
                    game.answers(number, asked, text);
                }
            }
            for mark in corrections.iter().filter(|(of, place, _)| round == 1 && *of <= 2 && *place != 0) {
                correct(&mut game, mark);
            }
        }
        game.host(Command::EndRound);
        for (asked, text, correct) in marks.iter().filter(|(of, ..)| (of - 1) / 2 == round) {
            game.ask(Actor::Host, &mark_all(*asked, &[TEXTS[*text]], *correct)).ok();
        }
        game.host(Command::ReleaseScores);
        for mark in corrections.iter().filter(|(of, place, _)| (of - 1) / 2 == round && (round == 1 || *place == 0)) {
            correct(&mut game, mark);
        }
        if round == 0 {
            game.host(Command::StartNextRound);
        }
    }
    game.host(Command::EndGame);
    game
}

fn correct(game: &mut Game, (asked, text, correct): &(u8, usize, bool)) {
    game.ask(Actor::Host, &correct_marks(*asked, &[TEXTS[*text]], *correct)).unwrap();
}

/// Everything that the end of a game shows: the board, and each answer with its mark and what it earns.
fn end(state: &State) -> impl PartialEq + std::fmt::Debug {
    let answers = state.all_answers().map(|past| (past.round, past.player.id, past.answer.correct(), past.earned));
    (state.board().standings.clone(), answers.collect::<Vec<_>>())
}

/// Of several words about one text the last counts: the only one that a right review says.
fn last_words(corrections: &Marks) -> Vec<(u8, usize, bool)> {
    let is_last = |(at, (asked, text, _)): &(usize, &(u8, usize, bool))| {
        !corrections[at + 1..].iter().any(|later| (later.0, later.1) == (*asked, *text))
    };
    corrections.iter().enumerate().filter(is_last).map(|(_, mark)| *mark).collect()
}

proptest! {
    #[test]
    fn random_corrections_end_in_the_game_that_a_right_review_would_have_made(
        given in proptest::collection::vec(proptest::array::uniform4(0..=TEXTS.len()), usize::from(PLAYERS)),
        marks in proptest::collection::vec((1..=4_u8, 0..TEXTS.len(), any::<bool>()), 0..6),
        corrections in proptest::collection::vec((1..=4_u8, 0..TEXTS.len(), any::<bool>()), 0..8),
        streaks in any::<bool>(),
    ) {
        let corrections = last_words(&corrections);
        let corrected = played(&given, &marks, &corrections, streaks);
        let right = played(&given, &[marks, corrections].concat(), &[], streaks);
        prop_assert_eq!(end(&corrected.state), end(&right.state));
        prop_assert!(State::replay(&corrected.log).unwrap() == corrected.state);
    }
}

fn released() -> Game {
    let mut game = played(&[[0, 1, 3, 3]], &[], &[], false);
    let end = game.log.iter().position(|event| event.change == Change::NextRoundStarted).unwrap();
    game.state = State::replay(&game.log[..end]).unwrap();
    game
}

#[test]
fn only_answers_of_a_round_that_is_out_can_be_corrected() {
    let mut game = released();
    assert_eq!(game.state.phase(), Phase::Leaderboard);
    let refused = |game: &mut Game, asked| game.ask(Actor::Host, &correct_marks(asked, &["wrong"], true));
    assert_eq!(refused(&mut game, 3), Err(Refusal::UnknownQuestion), "of the round to come");
    assert_eq!(refused(&mut game, 9), Err(Refusal::UnknownQuestion), "of no round");
    assert_eq!(game.ask(Actor::Host, &correct_marks(2, &["never given", "right"], true)), Ok(None));
    let before = game.board();
    let change = game.host(correct_marks(2, &["wrong"], true));
    assert_eq!(change, Change::MarksCorrected { question: question(2), players: vec![player(1)], correct: true });
    assert!(game.board()[0].1 > before[0].1);
    game.host(correct_marks(2, &["wrong"], false));
    assert_eq!(game.board(), before);
    game.host(Command::StartNextRound);
    game.host(release(3));
    assert_eq!(refused(&mut game, 3), Err(Refusal::UnknownQuestion), "of the round that is played");
    assert!(matches!(game.host(correct_marks(1, &["right"], false)), Change::MarksCorrected { .. }));
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    game.host(Command::EndGame);
    assert_eq!(refused(&mut game, 1), Err(Refusal::WrongPhase));
}
