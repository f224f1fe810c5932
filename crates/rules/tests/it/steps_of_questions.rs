//! The next step of a game that goes question by question, and its autopilot.

use quizhall_rules::{
    Actor, BoardAfter, Change, Command, OnScreens, Pace, Phase, PlayOptions, QuestionKind, Setting, Slide, Step,
    WaitsFor, next_step, waits_for,
};

use crate::changes::PLAN;
use crate::screens::add_screen;
use crate::stage::{Game, player, question, quiz, submit};
use crate::steps::{press, press_once, steps_of};

const BY_QUESTION: PlayOptions = PlayOptions {
    pace: Pace::Question,
    board_after: BoardAfter::Question,
    answer_seconds: None,
    close_when_answered: false,
    mark_later: false,
    autopilot: None,
    speed_points: false,
    streaks: false,
    phones_after_screen: false,
    clean_names: false,
    teams: None,
};

fn game(sections: u8, questions: u8, options: PlayOptions) -> Game {
    let mut game = Game::with(quiz(sections, questions), options);
    game.joins(1, "Ann");
    game.joins(2, "Bob");
    game
}

#[test]
fn a_question_is_asked_closed_and_revealed_and_its_scores_come_out() {
    let mut game = game(1, 2, BY_QUESTION);
    press(&mut game);
    assert_eq!(press(&mut game), Step::ReleaseQuestion(question(1)));
    assert_eq!(
        (next_step(&game.state), waits_for(&game.state)),
        (Step::CloseQuestion(question(1)), Some(WaitsFor::Answers(2)))
    );
    game.answers(1, 1, "right");
    press_once(&mut game);
    assert_eq!(next_step(&game.state), Step::CloseQuestion(question(1)), "answers on their way still count");
    game.answers(2, 1, "wrong");
    game.run();
    let events = game.log.len();
    assert_eq!(press(&mut game), Step::RevealAnswer(question(1)));
    assert_eq!(game.log.len(), events + 1, "one commit reveals the answer and ends the round");
    assert_eq!((game.state.phase(), game.state.revealed().count()), (Phase::RoundReview, 1));
    assert_eq!(press(&mut game), Step::ReleaseScores);
    assert!(game.state.are_standings_held());
    assert_eq!(game.state.slide(), Slide::Question(0));
    assert_eq!(press(&mut game), Step::ShowStandings);
    assert_eq!(game.state.slide(), Slide::Standings(0), "the screens show what phones show");
    assert_eq!(press(&mut game), Step::StartNextRound);
    press(&mut game);
    game.host(Command::CloseQuestion { question: question(2) });
    game.run();
    assert_eq!(next_step(&game.state), Step::RevealAnswer(question(2)), "a closed question is not closed again");
    let rest = [Step::RevealAnswer(question(2)), Step::ReleaseScores, Step::ShowStandings, Step::EndGame];
    assert_eq!(steps_of(&mut game), rest);
}

#[test]
fn the_places_come_one_by_one_after_the_last_question() {
    let mut game = game(1, 2, BY_QUESTION);
    game.joins(3, "Cleo");
    game.host(add_screen(1));
    press(&mut game);
    for (number, right) in [(1, [1, 3]), (2, [1, 2])] {
        press(&mut game);
        for player in right {
            game.answers(player, number, "right");
        }
        game.host(Command::CloseQuestion { question: question(number) });
        game.run();
        assert_eq!([press(&mut game), press(&mut game)], [Step::RevealAnswer(question(number)), Step::ReleaseScores]);
        if number == 1 {
            assert_eq!([press(&mut game), press(&mut game)], [Step::ShowStandings, Step::StartNextRound]);
        }
    }
    let places = [Slide::Podium(1), Slide::Podium(2), Slide::Winner];
    assert_eq!(places.map(|_| press(&mut game)), places.map(Step::Show));
    assert!(!game.state.are_standings_held(), "one commit shows the winner and the standings");
    assert_eq!(steps_of(&mut game), [Step::Show(Slide::Standings(0)), Step::EndGame]);
}

#[test]
fn standings_that_are_not_due_stay_held() {
    let shown_with = |board_after, phones_after_screen| {
        let mut game = game(2, 4, PlayOptions { board_after, phones_after_screen, ..BY_QUESTION });
        let steps = steps_of(&mut game);
        let boards: Vec<usize> = (1..)
            .zip(steps.split(|step| *step == Step::StartNextRound))
            .filter(|(_, steps)| steps.contains(&Step::ShowStandings))
            .map(|(number, _)| number)
            .collect();
        assert_eq!(game.state.phase(), Phase::Ended);
        boards
    };
    let shown = |board_after| shown_with(board_after, false);
    assert_eq!(shown(BoardAfter::Question), (1..=8).collect::<Vec<_>>());
    assert_eq!(shown(BoardAfter::Third), [3, 4, 7, 8]);
    assert_eq!(shown(BoardAfter::Section), [4, 8]);
    let waiting = shown_with(BoardAfter::Section, true);
    assert_eq!(waiting, (1..=8).collect::<Vec<_>>(), "phones that wait get their results with the standings");
}

#[test]
fn scores_wait_for_marks_unless_these_come_later() {
    for mark_later in [false, true] {
        let mut game = game(1, 1, PlayOptions { mark_later, ..BY_QUESTION });
        press(&mut game);
        press(&mut game);
        game.must(Actor::Player(player(1)), &submit(1, "rihgt"));
        press(&mut game);
        press(&mut game);
        assert_eq!(next_step(&game.state), Step::ReleaseScores);
        assert_eq!(waits_for(&game.state), (!mark_later).then_some(WaitsFor::Marking(1)));
        press(&mut game);
    }
}

#[test]
fn a_withdrawn_question_is_not_revealed() {
    let mut game = game(1, 1, BY_QUESTION);
    press(&mut game);
    press(&mut game);
    game.host(Command::WithdrawQuestion { question: question(1) });
    assert_eq!([press(&mut game), press(&mut game)], [Step::EndRound, Step::ReleaseScores]);
}

#[test]
fn a_host_who_ends_the_round_reveals_afterwards() {
    let mut game = game(1, 1, BY_QUESTION);
    press(&mut game);
    press(&mut game);
    game.host(Command::EndRound);
    assert_eq!([press(&mut game), press(&mut game)], [Step::RevealAnswer(question(1)), Step::ReleaseScores]);
}

#[test]
fn a_cloud_of_words_is_revealed_as_its_tally() {
    let mut written = quiz(1, 1);
    let asked = &mut written.rounds[0].questions[0];
    (asked.kind, asked.accepted) = (QuestionKind::WordCloud, Vec::new());
    let mut game = Game::with(written, BY_QUESTION);
    game.joins(1, "Ann");
    press(&mut game);
    press(&mut game);
    game.answers(1, 1, "sea");
    press(&mut game);
    press(&mut game);
    assert_eq!(game.state.tally().map(|tally| tally.entries.len()), Some(1));
}

#[test]
fn an_autopilot_of_the_options_begins_with_the_game_and_runs_to_its_end() {
    let autopilot = Some(quizhall_rules::AutopilotPlan { hold_without_host: false, standings_for: Some(20), ..PLAN });
    let mut game = game(1, 2, PlayOptions { autopilot, board_after: BoardAfter::Section, ..BY_QUESTION });
    game.host(add_screen(1));
    press(&mut game);
    assert_eq!(game.state.autopilot(), autopilot);
    let mut steps = Vec::new();
    while let Some((at, expiry)) = game.state.expiries().min_by_key(|(at, _)| *at) {
        let after = (at.0 - game.now.0) / 1_000;
        game.now = at;
        steps.push((after, game.service(Command::Expire(expiry))));
    }
    let of = |number, before: u64, standings: Vec<(u64, Change)>| {
        let asked = vec![
            (before, Change::QuestionReleased { question: question(number) }),
            (31, Change::QuestionClosed { question: question(number) }),
            (0, Change::AnswerRevealed { question: question(number) }),
            (0, Change::ScoresReleased { held: true }),
        ];
        [asked, standings].concat()
    };
    let first = of(1, 10, vec![(8, Change::NextRoundStarted)]);
    // No player has points: the thanks replace the places.
    let turned = |slide| Change::Set(Setting::Screens(OnScreens { slide: Some(slide), ..OnScreens::default() }));
    let pictures = [Slide::Podium(0), Slide::Standings(0)].map(|slide| (8, turned(slide)));
    let second = of(2, 10, [pictures.as_slice(), &[(20, Change::Ended)]].concat());
    assert_eq!(steps, [first, second].concat());
    assert_eq!((game.state.phase(), game.state.autopilot()), (Phase::Ended, None));
}
