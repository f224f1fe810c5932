//! Jokers: when one can be played, that there is one per game, and what it doubles.

use quizhall_rules::{Actor, Change, Command, Device, Pace, PlayOptions, Quiz, State};

use crate::stage::{Game, player, quiz, release};

/// Rounds of questions worth 100 points each; `jokers` are the rounds, from 0, that can be doubled.
fn with_jokers(rounds: u8, per_round: u8, jokers: &[usize]) -> Quiz {
    let mut quiz = quiz(rounds, per_round);
    for (number, round) in quiz.rounds.iter_mut().enumerate() {
        round.joker = jokers.contains(&number);
        round.questions.iter_mut().for_each(|question| question.points = 100);
    }
    quiz
}

fn of_two(quiz: Quiz) -> Game {
    let mut game = Game::new(quiz);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game
}

fn plays(game: &mut Game, who: u8) -> Option<Change> {
    let event = game.ask(Actor::Player(player(who)), &Command::PlayJoker).unwrap();
    event.map(|event| event.change)
}

/// Both players answer the questions with these numbers right, and the scores are released.
fn plays_round(game: &mut Game, numbers: impl IntoIterator<Item = u8>) {
    for number in numbers {
        game.host(release(number));
        game.answers(1, number, "right");
        game.answers(2, number, "right");
    }
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
}

#[test]
fn a_joker_doubles_its_round_and_no_other() {
    let mut game = of_two(with_jokers(2, 2, &[0, 1]));
    game.host(Command::StartGame);
    plays_round(&mut game, [1, 2]);
    assert_eq!(plays(&mut game, 1), Some(Change::JokerPlayed { player: player(1), round: 1, device: Device::FIRST }));
    game.host(Command::StartNextRound);
    plays_round(&mut game, [3, 4]);
    assert_eq!(game.board(), [("Ann".into(), 600, 400, 1), ("Bob".into(), 400, 200, 2)]);
    let results = game.state.results_of(player(1));
    let earned: Vec<_> = results.results.iter().map(|one| (one.earned.points, one.earned.for_joker)).collect();
    assert_eq!((earned, results.round_total), (vec![(200, 100), (200, 100)], 400));
    let of_all: Vec<_> = game.state.all_answers().map(|past| past.earned.points).collect();
    assert_eq!(of_all, [100, 100, 100, 100, 200, 100, 200, 100]);
}

/// The options of a lobby can leave out the joker that a player has played already.
#[test]
fn a_joker_comes_back_when_the_game_no_longer_offers_it() {
    let mut game = of_two(with_jokers(2, 1, &[0]));
    let by_question = PlayOptions { pace: Pace::Question, ..PlayOptions::default() };
    let set = |game: &mut Game, options: PlayOptions| game.host(Command::SetOptions(options.into()));
    assert!(plays(&mut game, 1).is_some());
    set(&mut game, PlayOptions { close_when_answered: true, ..PlayOptions::default() });
    assert_eq!(game.state.player(player(1)).unwrap().joker, Some(0), "it is still offered");
    set(&mut game, by_question);
    assert_eq!(game.state.player(player(1)).unwrap().joker, None);
    assert_eq!(plays(&mut game, 1), None);
    set(&mut game, PlayOptions::default());
    assert!(plays(&mut game, 1).is_some(), "the player has it again");
    assert!(State::replay(&game.log).unwrap() == game.state);
}

#[test]
fn it_is_played_before_the_first_question_of_a_round_that_has_it() {
    let mut game = of_two(with_jokers(3, 1, &[0, 2]));
    assert_eq!(game.state.joker_round(), Some(0));
    game.host(Command::StartGame);
    assert_eq!(game.state.joker_round(), Some(0), "no question is released yet");
    game.host(release(1));
    assert_eq!((game.state.joker_round(), plays(&mut game, 1)), (None, None));
    game.host(Command::EndRound);
    assert_eq!((game.state.joker_round(), plays(&mut game, 1)), (None, None));
    game.host(Command::ReleaseScores);
    assert_eq!((game.state.joker_round(), plays(&mut game, 1)), (None, None), "the second round has none");
    game.host(Command::StartNextRound);
    plays_round(&mut game, [2]);
    assert_eq!(game.state.joker_round(), Some(2));
    game.host(Command::StartNextRound);
    plays_round(&mut game, [3]);
    assert_eq!((game.state.joker_round(), plays(&mut game, 1)), (None, None), "no round is left");
}

#[test]
fn it_stops_no_autopilot() {
    let mut game = of_two(with_jokers(1, 1, &[0]));
    game.host(Command::StartGame);
    let plan = quizhall_rules::AutopilotPlan { hold_without_host: false, ..crate::changes::PLAN };
    game.host(Command::SetAutopilot(Some(plan)));
    assert!(plays(&mut game, 1).is_some());
    assert_eq!(game.state.autopilot(), Some(plan));
}
