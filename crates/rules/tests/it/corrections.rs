//! Corrected marks: in whatever order they come, the game ends as if the review had been right.

use proptest::prelude::*;
use quizhall_rules::{Actor, AppealStatus, Change, Command, PastAnswer, Phase, Refusal, State};

use crate::stage::{Game, correct_marks, credit, halved, mark_all, overrule, player, question, quiz, release};

const PLAYERS: u8 = 4;
const TEXTS: [&str; 3] = ["right", "wrong", "other"];

/// The answers of each player to four questions in two rounds, as indexes into `TEXTS`; an index after the last means no answer.
type Given = [[usize; 4]];
/// The mark for the answers with a text: question, text, and whether they are right and, if not, earn half of the points.
type Marks = [(u8, usize, (bool, bool))];

/// Plays both rounds. `marks` are set in the review, `corrections` after the scores of their round are released; some for the first
/// round come in the second.
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
        for set in marks.iter().filter(|(of, ..)| (of - 1) / 2 == round) {
            mark(&mut game, set);
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

/// Corrects by text; an index after the texts names a player, who need not have answered.
fn correct(game: &mut Game, (asked, named, (correct, half)): &(u8, usize, (bool, bool))) {
    let command = match TEXTS.get(*named) {
        Some(text) => correct_marks(*asked, &[text], *correct),
        None => credit(*asked, &[credited(*named)], *correct),
    };
    let command = if *half { halved(command) } else { command };
    game.ask(Actor::Host, &command).unwrap();
}

fn credited(named: usize) -> u8 {
    u8::try_from(named - TEXTS.len() + 1).unwrap()
}

/// The same in the review, except that no wrong mark is set for a player without an answer.
fn mark(game: &mut Game, (asked, named, (correct, half)): &(u8, usize, (bool, bool))) {
    let command = match TEXTS.get(*named) {
        Some(text) if *half => halved(mark_all(*asked, &[text], *correct)),
        Some(text) => mark_all(*asked, &[text], *correct),
        None => overrule(credited(*named), *asked, *correct),
    };
    let is_for_nothing = TEXTS.get(*named).is_none()
        && !correct
        && game.state.answer_of(player(credited(*named)), question(*asked)).is_none();
    if !is_for_nothing {
        game.ask(Actor::Host, &command).unwrap();
    }
}

/// What the end of a game shows: the board, and each answer with its mark and points.
fn end(state: &State) -> impl PartialEq + std::fmt::Debug {
    let earned = |past: PastAnswer<'_>| (past.earned.points, past.earned.for_streak, past.earned.for_joker);
    let answers =
        state.all_answers().map(|past| (past.question.id, past.player.id, past.answer.correct(), earned(past)));
    let mut answers: Vec<_> = answers.collect();
    // Credited players come after those who answered, in the order of the commands.
    answers.sort_unstable();
    (state.board().standings.clone(), answers)
}

/// Of several corrections for one text, or for one player, only the last counts: a right review would contain only that one. Those
/// for players come after those for texts, because one question is not corrected in two orders.
fn last_words(corrections: &Marks) -> Vec<(u8, usize, (bool, bool))> {
    let is_last = |(at, (asked, named, _)): &(usize, &(u8, usize, (bool, bool)))| {
        !corrections[at + 1..].iter().any(|later| (later.0, later.1) == (*asked, *named))
    };
    let mut words: Vec<_> = corrections.iter().enumerate().filter(is_last).map(|(_, mark)| *mark).collect();
    words.sort_by_key(|word| word.1 >= TEXTS.len());
    words
}

/// In the review, half of the points are given only by `mark_answers`, to answers by their text.
fn word(of: std::ops::Range<usize>) -> impl Strategy<Value = (u8, usize, (bool, bool))> {
    (1..=4_u8, of, any::<(bool, bool)>())
        .prop_map(|(asked, named, (correct, half))| (asked, named, (correct, half && named < TEXTS.len())))
}

proptest! {
    #[test]
    fn random_corrections_end_in_the_game_that_a_right_review_would_have_made(
        given in proptest::collection::vec(proptest::array::uniform4(0..=TEXTS.len()), usize::from(PLAYERS)),
        marks in proptest::collection::vec(word(0..TEXTS.len()), 0..6),
        corrections in proptest::collection::vec(word(0..TEXTS.len() + 4), 0..8),
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
    assert_eq!(
        change,
        Change::MarksCorrected { question: question(2), players: vec![player(1)], correct: true, partial: 0 }
    );
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

#[test]
fn a_correction_gives_half_of_the_points_also_to_a_player_without_an_answer() {
    let mut game = released();
    let before = game.board();
    let change = game.host(halved(correct_marks(2, &["wrong"], false)));
    let points = game.state.question(question(2)).unwrap().points;
    let (players, partial) = (vec![player(1)], points / 2);
    assert_eq!(change, Change::MarksCorrected { question: question(2), players, correct: false, partial });
    assert_eq!(game.ask(Actor::Host, &halved(correct_marks(2, &["wrong"], false))), Ok(None), "it has half already");
    let gained = game.board()[0].1 - before[0].1;
    assert_eq!(gained, 2 * (i64::from(partial) + 10), "instead of the points for a wrong answer, doubled by the joker");
    game.host(halved(credit(2, &[2], false)));
    assert_eq!(game.state.answer_of(player(2), question(2)).unwrap().partial_points(), partial);
    game.host(correct_marks(2, &["wrong"], false));
    assert_eq!(game.board()[0].1, before[0].1);
    assert!(matches!(game.host(halved(correct_marks(2, &["wrong"], true))), Change::MarksCorrected { partial: 0, .. }));
}

fn appeal(number: u8) -> Command {
    Command::Appeal { question: question(number), text: Some("Look again".to_owned()) }
}

#[test]
fn a_player_has_three_appeals_in_a_round_and_one_about_a_question() {
    let mut game = Game::new(quiz(2, 5));
    game.joins(1, "Ann");
    game.host(Command::StartGame);
    (1..=5).for_each(|number| drop(game.host(release(number))));
    game.answers(1, 1, "right");
    let asks = |game: &mut Game, number| game.ask(Actor::Player(player(1)), &appeal(number));
    game.host(Command::EndRound);
    assert_eq!(asks(&mut game, 2), Err(Refusal::UnknownQuestion), "the scores are not released");
    game.host(Command::ReleaseScores);
    assert_eq!(asks(&mut game, 1), Ok(None), "it is right");
    for (number, counts) in [(2, true), (2, false), (3, true), (4, true), (5, false)] {
        assert_eq!(asks(&mut game, number).unwrap().is_some(), counts, "{number}");
    }
    assert_eq!(asks(&mut game, 6), Err(Refusal::UnknownQuestion), "of the round to come");
    let status = |game: &Game| game.state.appeals_of(player(1)).map(|appeal| appeal.status).collect::<Vec<_>>();
    let dismiss = Command::DismissAppeal { player: player(1), question: question(2) };
    game.host(dismiss.clone());
    assert_eq!(game.ask(Actor::Host, &dismiss), Ok(None));
    game.host(credit(3, &[1], true));
    assert_eq!(status(&game), [AppealStatus::Dismissed, AppealStatus::Accepted, AppealStatus::Open]);
    assert_eq!(game.state.open_appeals().count(), 1);
    game.host(credit(3, &[1], false));
    assert_eq!(status(&game)[1], AppealStatus::Open);
    game.host(Command::StartNextRound);
    game.host(release(6));
    game.host(Command::EndRound);
    game.host(Command::ReleaseScores);
    assert!(asks(&mut game, 6).unwrap().is_some(), "three in each round");
    assert!(State::replay(&game.log).unwrap() == game.state);
    game.host(Command::Remove { player: player(1) });
    assert_eq!(game.state.open_appeals().count(), 0);
}

#[test]
fn no_one_appeals_about_scores_that_phones_have_not_been_shown() {
    let mut game = Game::new(quiz(1, 1));
    let Change::Created(created) = &mut game.log[0].change else { panic!("not the creation") };
    created.options.phones_after_screen = true;
    game.state = State::created(created);
    game.joins(1, "Ann");
    for command in [Command::StartGame, release(1), Command::EndRound, Command::ReleaseScores] {
        game.host(command);
    }
    let asks = |game: &mut Game| game.ask(Actor::Player(player(1)), &appeal(1));
    assert_eq!(asks(&mut game), Err(Refusal::UnknownQuestion));
    game.host(Command::ShowStandings);
    assert!(asks(&mut game).unwrap().is_some());
}
