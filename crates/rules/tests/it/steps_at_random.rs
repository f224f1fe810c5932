//! Random games: the next step is never refused, its number grows exactly when it changes, and pressing `next` until nothing is
//! left ends every game.

use quizhall_rules::{
    Actor, BoardAfter, Command, OnScreens, Pace, Phase, PlayOptions, Setting, Slide, State, Step, TieQuestion,
    next_step,
};

use crate::screens::{add_screen, screen};
use crate::stage::{Game, accept, credit, from, mark_all, overrule, player, question, quiz, release, submit};

const GAMES: u64 = 300;
/// Random commands of a game, before `next` is pressed until nothing is left.
const COMMANDS: u64 = 60;
/// No game of these has more steps.
const MOST_STEPS: usize = 200;

/// A small generator, so that a seed names a game.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn small(&mut self, most: u64) -> u8 {
        u8::try_from(self.below(most)).unwrap()
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    fn options(&mut self) -> PlayOptions {
        let boards = [BoardAfter::Question, BoardAfter::Third, BoardAfter::Section];
        PlayOptions {
            pace: if self.flag() { Pace::Question } else { Pace::Round },
            board_after: boards[usize::from(self.small(3))],
            mark_later: self.flag(),
            phones_after_screen: self.flag(),
            ..PlayOptions::default()
        }
    }

    fn slide(&mut self) -> Slide {
        let at = u32::from(self.small(4));
        let all =
            [Slide::Question(at), Slide::Standings(at), Slide::Next, Slide::Podium(at), Slide::Winner, Slide::TieBreak];
        all[usize::from(self.small(6))]
    }

    /// A command that may be refused, and who sends it.
    fn command(&mut self, game: &Game) -> (Actor, Command) {
        let (who, asked) = (1 + self.small(3), 1 + self.small(4));
        let of_host = |command| (Actor::Host, command);
        let texts = ["right", "rihgt", "wrong"];
        let text = texts[usize::from(self.small(3))];
        match self.below(22) {
            0..3 => (Actor::Player(player(who)), submit(asked, text)),
            3 => of_host(release(asked)),
            4 => of_host(Command::CloseQuestion { question: question(asked) }),
            5 => of_host(Command::EndRound),
            6 => of_host(Command::ReleaseScores),
            7 => of_host(Command::ReleaseOwnScores),
            8 => of_host(Command::ShowStandings),
            9 => of_host(Command::RevealAnswer { question: question(asked) }),
            10 => of_host(Command::WithdrawQuestion { question: question(asked) }),
            11 => of_host(add_screen(self.small(2))),
            12 => of_host(Command::RemoveScreen { screen: screen(self.small(2)) }),
            13 => of_host(Command::Set(Setting::Spectators(self.flag()))),
            14 => {
                of_host(Command::Set(Setting::Screens(OnScreens { slide: Some(self.slide()), ..OnScreens::default() })))
            }
            15 => of_host(mark_all(asked, &[text], self.flag())),
            16 => of_host(accept(asked, text, self.flag())),
            17 => of_host(overrule(who, asked, self.flag())),
            18 => of_host(credit(asked, &[who], self.flag())),
            19 => of_host(Command::TieBreak(
                TieQuestion { players: vec![player(1), player(2)], text: "How many?".to_owned(), answer: 1 }.into(),
            )),
            20 if self.below(4) == 0 => of_host(Command::Remove { player: player(who) }),
            20 => of_host(Command::StartBreak { ms: 60_000, text: None }),
            _ => of_host(Command::Next { number: game.state.step_number() }),
        }
    }
}

/// Sends a command; an event changes the number of the step exactly when it changes the step.
fn send(game: &mut Game, (actor, command): (Actor, &Command), seed: u64) -> bool {
    let before = (next_step(&game.state), game.state.step_number());
    let changes = matches!(game.ask(actor, command), Ok(Some(_)));
    let grown = game.state.step_number() - before.1;
    assert_eq!(grown, u32::from(next_step(&game.state) != before.0), "seed {seed}: {command:?}");
    changes
}

/// The host may take the step, and no other participant may.
fn check(game: &Game, seed: u64) {
    let next = Command::Next { number: game.state.step_number() };
    let verdict = quizhall_rules::decide(&game.state, from(Actor::Host), &next);
    let step = next_step(&game.state);
    let event = verdict.unwrap_or_else(|refusal| panic!("seed {seed}: {step:?} is refused: {refusal}"));
    assert_eq!(event.is_some(), step != Step::Nothing && !is_closing(&game.state), "seed {seed}: {step:?}");
}

/// Whether the step has been taken, and the question takes the answers that are on their way.
fn is_closing(state: &State) -> bool {
    matches!(next_step(state), Step::CloseQuestion(question) if state.is_closing(question))
}

#[test]
fn the_next_step_is_never_refused_and_every_game_ends() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..GAMES {
        let mut dice = Dice(seed);
        let options = dice.options();
        let mut game = Game::with(quiz(2, 2), options);
        for number in 1..=3 {
            game.joins(number, &format!("P{number}"));
        }
        for _ in 0..COMMANDS {
            let (actor, command) = dice.command(&game);
            send(&mut game, (actor, &command), seed);
            check(&game, seed);
            seen.insert(format!("{:?}", next_step(&game.state)).split('(').next().unwrap().to_owned());
        }
        let mut steps = 0;
        while next_step(&game.state) != Step::Nothing {
            if is_closing(&game.state) {
                game.run();
                continue;
            }
            let next = Command::Next { number: game.state.step_number() };
            assert!(send(&mut game, (Actor::Host, &next), seed), "seed {seed}");
            steps += 1;
            assert!(steps < MOST_STEPS, "seed {seed}: {:?} without end", next_step(&game.state));
        }
        assert_eq!(game.state.phase(), Phase::Ended, "seed {seed}");
        assert_eq!(State::replay(&game.log).unwrap(), game.state, "seed {seed}");
    }
    assert_eq!(seen.len(), 12, "every step was the next one: {seen:?}");
}
