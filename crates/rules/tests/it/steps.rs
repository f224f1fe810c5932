//! The next step of the game: what follows in each phase, its number, and that pressing `next` plays a whole game.

use quizhall_rules::{
    Actor, Change, Command, CommandId, OnScreens, Phase, Refusal, Setting, Slide, State, Step, WaitsFor, next_step,
    waits_for,
};

use crate::screens::add_screen;
use crate::stage::{Game, accept, player, question, quiz, release, submit};

/// Takes the next step, which must change something, and returns what it was. A question that it closes has closed afterwards.
pub fn press(game: &mut Game) -> Step {
    let (step, number) = (next_step(&game.state), game.state.step_number());
    press_once(game);
    if matches!(step, Step::CloseQuestion(_)) {
        assert_eq!((next_step(&game.state), game.state.step_number()), (step, number), "answers are on their way");
        game.run();
    }
    assert_eq!(game.state.step_number(), number + 1, "{step:?} leads to another step");
    assert_eq!(game.ask(Actor::Host, &Command::Next { number }), Ok(None), "{step:?} is taken once");
    step
}

/// Takes the next step. Another press of it does nothing.
pub fn press_once(game: &mut Game) {
    let number = game.state.step_number();
    let event = game.ask(Actor::Host, &Command::Next { number }).unwrap().expect("the step changes something");
    assert!(event.is_step);
    assert_eq!(game.ask(Actor::Host, &Command::Next { number }), Ok(None));
}

/// Presses until nothing is left.
pub fn steps_of(game: &mut Game) -> Vec<Step> {
    std::iter::from_fn(|| (next_step(&game.state) != Step::Nothing).then(|| press(game))).collect()
}

fn shows(slides: &[Slide]) -> Vec<Step> {
    slides.iter().map(|slide| Step::Show(*slide)).collect()
}

fn turn(game: &mut Game, slide: Slide) {
    game.host(Command::Set(Setting::Screens(OnScreens { slide: Some(slide), ..OnScreens::default() })));
}

/// A game of two rounds of one question, which Ann answers rightly and Bob does not.
fn of_two_rounds() -> Game {
    let mut game = Game::new(quiz(2, 1));
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game
}

fn answer_round(game: &mut Game, number: u8) {
    game.answers(1, number, "right");
    game.answers(2, number, "wrong");
}

#[test]
fn without_screens_a_game_has_no_pictures() {
    let mut game = Game::new(quiz(2, 2));
    game.joins(1, "Ann");
    let round = |first: u8| {
        let released = [first, first + 1].map(|number| Step::ReleaseQuestion(question(number)));
        [released.as_slice(), &[Step::EndRound, Step::ReleaseScores]].concat()
    };
    let all = [vec![Step::StartGame], round(1), vec![Step::StartNextRound], round(3), vec![Step::EndGame]].concat();
    assert_eq!(steps_of(&mut game), all);
    assert_eq!(game.state.phase(), Phase::Ended);
    assert_eq!(State::replay(&game.log).unwrap(), game.state, "a replay counts the same steps");
}

#[test]
fn with_a_screen_every_picture_is_a_step() {
    let mut game = of_two_rounds();
    game.host(add_screen(1));
    press(&mut game);
    press(&mut game);
    answer_round(&mut game, 1);
    assert_eq!([press(&mut game), press(&mut game)], [Step::EndRound, Step::ReleaseScores]);
    assert!(!game.state.are_standings_held(), "only the last standings wait for the screen");
    assert_eq!(game.state.slide(), Slide::Question(0), "the release shows the first picture");
    assert_eq!([press(&mut game), press(&mut game)], [Step::Show(Slide::Standings(0)), Step::StartNextRound]);
    press(&mut game);
    answer_round(&mut game, 2);
    press(&mut game);
    press(&mut game);
    assert!(game.state.are_standings_held(), "phones wait for the winner");
    assert_eq!(press(&mut game), Step::Show(Slide::Winner));
    assert!(!game.state.are_standings_held(), "one commit shows the winner and the standings");
    assert_eq!(steps_of(&mut game), [Step::Show(Slide::Standings(0)), Step::EndGame]);
    assert_eq!(game.state.slide(), Slide::Podium(1), "the end shows the podium");
}

#[test]
fn the_places_of_the_podium_are_steps_up_to_the_winner() {
    let mut game = Game::new(quiz(1, 3));
    for number in 1..=3 {
        game.joins(number, &format!("P{number}"));
    }
    game.host(add_screen(1));
    press(&mut game);
    for number in 1..=3 {
        press(&mut game);
        for who in number..=3 {
            game.answers(who, number, "right");
        }
    }
    let pictures = steps_of(&mut game).into_iter().filter(|step| matches!(step, Step::Show(_)));
    let answers = [Slide::Question(1), Slide::Question(2)];
    let end = [Slide::Podium(1), Slide::Podium(2), Slide::Winner, Slide::Standings(0)];
    assert_eq!(pictures.collect::<Vec<_>>(), shows(&[&answers[..], &end].concat()));
}

#[test]
fn spectators_see_pictures_as_screens_do() {
    let mut game = of_two_rounds();
    game.host(Command::Set(Setting::Spectators(true)));
    assert_eq!(steps_of(&mut game).iter().filter(|step| matches!(step, Step::Show(_))).count(), 3);
}

#[test]
fn many_players_have_several_pages_and_the_leaders_come_last() {
    let mut game = Game::new(quiz(2, 1));
    for number in 1..=21 {
        game.joins(number, &format!("P{number}"));
    }
    game.host(add_screen(1));
    for _ in 0..4 {
        press(&mut game);
    }
    let pages = shows(&[Slide::Standings(2), Slide::Standings(1), Slide::Standings(0)]);
    assert_eq!((0..3).map(|_| press(&mut game)).collect::<Vec<_>>(), pages);
    assert_eq!(next_step(&game.state), Step::StartNextRound, "which has a title of its own");
}

#[test]
fn held_standings_are_shown_before_the_game_goes_on() {
    let mut game = of_two_rounds();
    for _ in 0..3 {
        press(&mut game);
    }
    game.host(Command::ReleaseOwnScores);
    assert_eq!([press(&mut game), press(&mut game)], [Step::ShowStandings, Step::StartNextRound]);
}

#[test]
fn the_host_turns_back_and_jumps_and_the_step_goes_on_from_there() {
    let mut game = of_two_rounds();
    game.host(add_screen(1));
    for _ in 0..3 {
        press(&mut game);
    }
    game.host(Command::ReleaseOwnScores);
    turn(&mut game, Slide::Next);
    assert!(game.state.are_standings_held(), "a jump shows nothing to phones");
    assert_eq!(next_step(&game.state), Step::ShowStandings, "they come first now");
    turn(&mut game, Slide::Question(0));
    assert_eq!(press(&mut game), Step::Show(Slide::Standings(0)));
    assert!(!game.state.are_standings_held());
    turn(&mut game, Slide::TieBreak);
    assert_eq!(next_step(&game.state), Step::Show(Slide::Standings(0)), "after a tie-break the standings");
    turn(&mut game, Slide::Standings(7));
    assert_eq!(next_step(&game.state), Step::Show(Slide::Standings(0)), "there is no such page");
    game.host(Command::RemoveScreen { screen: crate::screens::screen(1) });
    assert_eq!(next_step(&game.state), Step::StartNextRound);
}

#[test]
fn a_step_with_another_number_does_nothing() {
    let mut game = of_two_rounds();
    let number = game.state.step_number();
    for stale in [0, number - 1, number + 1, u32::MAX] {
        assert_eq!(game.ask(Actor::Host, &Command::Next { number: stale }), Ok(None));
    }
    assert_eq!(game.ask(Actor::Player(player(1)), &Command::Next { number }), Err(Refusal::WrongRole));
    assert_eq!(game.ask(Actor::Service, &Command::Next { number }), Err(Refusal::WrongRole));
    press(&mut game);
    assert_eq!(game.ask(Actor::Host, &Command::Next { number }), Ok(None));
}

#[test]
fn the_number_grows_exactly_when_the_step_changes() {
    let mut game = of_two_rounds();
    game.host(add_screen(1));
    let mut seen = (next_step(&game.state), game.state.step_number());
    let commands = [Command::StartGame, release(1), Command::EndRound, Command::ReleaseScores, Command::StartNextRound];
    for command in commands {
        game.host(command.clone());
        let now = (next_step(&game.state), game.state.step_number());
        assert_eq!(now.1 - seen.1, u32::from(now.0 != seen.0), "{command:?}");
        seen = now;
    }
    assert!(seen.1 > 4);
}

#[test]
fn a_step_ends_a_break_and_leaves_the_autopilot_running() {
    let mut game = of_two_rounds();
    game.host(Command::StartBreak { ms: 60_000, text: None });
    press(&mut game);
    assert!(!game.state.has_break());
    let plan = crate::changes::PLAN;
    let command = |game: &mut Game, number: u64, command: &Command| {
        let id = CommandId { session: 1, number };
        game.decided_with_id(Actor::Host, Some(id), command).unwrap().unwrap().change
    };
    command(&mut game, 1, &Command::SetAutopilot(Some(plan)));
    let number = game.state.step_number();
    assert_eq!(command(&mut game, 2, &Command::Next { number }), Change::QuestionReleased { question: question(1) });
    assert_eq!(game.state.autopilot(), Some(plan));
    command(&mut game, 3, &Command::EndRound);
    assert_eq!(game.state.autopilot(), None);
}

#[test]
fn a_step_waits_for_players_who_think_and_texts_without_a_decision() {
    let mut game = of_two_rounds();
    game.host(Command::StartGame);
    assert_eq!(waits_for(&game.state), None, "nothing is asked yet");
    game.host(release(1));
    assert_eq!(waits_for(&game.state), Some(WaitsFor::Answers(2)));
    game.must(Actor::Player(player(1)), &submit(1, "rihgt"));
    assert_eq!(waits_for(&game.state), Some(WaitsFor::Answers(1)));
    game.service(Command::Leave { player: player(2), device: quizhall_rules::Device::FIRST });
    assert_eq!(waits_for(&game.state), None, "who is away is not waited for");
    game.host(Command::EndRound);
    assert_eq!(waits_for(&game.state), Some(WaitsFor::Marking(1)));
    game.host(accept(1, "rihgt", false));
    assert_eq!(waits_for(&game.state), None, "the host has decided");
}
